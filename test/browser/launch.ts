import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { browsers, chromiumIsThere, chromiumOptions, chromiumPath } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where each Chromium listens, by the number of the worker that it serves. */
    chromium: string[]
  }
}

/**
 * Starts a Chromium for each worker: what a browser has once, such as the clipboard, belongs to one test at a time. Where there
 * is none: one line instead of a failure per test.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!chromiumIsThere()) {
    console.error(
      `The browser tests need Chromium: there is none at ${chromiumPath}. Set CHROMIUM_PATH to where it is.`,
    )
    process.exit(1)
  }
  const servers = await Promise.all(Array.from({ length: browsers }, () => chromium.launchServer(chromiumOptions)))
  provide(
    'chromium',
    servers.map(server => server.wsEndpoint()),
  )
  return async () => {
    await Promise.all(servers.map(server => server.close()))
  }
}
