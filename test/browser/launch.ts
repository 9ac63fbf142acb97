import { chromiumIsThere, chromiumPath } from './chromium.ts'

/** Without Chromium: one line instead of a failure per test. */
export function setup(): void {
  if (chromiumIsThere()) return
  console.error(`The browser tests need Chromium: there is none at ${chromiumPath}. Set CHROMIUM_PATH to where it is.`)
  process.exit(1)
}
