import { chromiumIsThere, chromiumPath } from './chromium.ts'

/** One line instead of a failure per test. */
export default function requireChromium(): void {
  if (chromiumIsThere()) return
  console.error(`The browser tests need Chromium: there is none at ${chromiumPath}. Set CHROMIUM_PATH to where it is.`)
  process.exit(1)
}
