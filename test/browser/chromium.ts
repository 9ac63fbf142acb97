import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'

/** Debian's; another by `CHROMIUM_PATH`. */
export const chromiumPath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'

export const chromiumIsThere = (): boolean => existsSync(chromiumPath)

/** Without a sandbox of its own, which a container's root may not have; without talking to anyone by itself. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

export const phone: BrowserContextOptions = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }
