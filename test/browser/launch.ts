import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { chromiumIsThere, chromiumOptions, chromiumPath } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the Chromium of all test files listens. */
    chromium: string
  }
}

/** Starts the one Chromium that all test files share. Where there is none: one line instead of a failure per test. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!chromiumIsThere()) {
    console.error(
      `The browser tests need Chromium: there is none at ${chromiumPath}. Set CHROMIUM_PATH to where it is.`,
    )
    process.exit(1)
  }
  const server = await chromium.launchServer(chromiumOptions)
  provide('chromium', server.wsEndpoint())
  return () => server.close()
}
