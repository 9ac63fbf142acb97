import { existsSync } from 'node:fs'
import type { BrowserContextOptions, LaunchOptions } from 'playwright-core'

/** Debian's windowless Chromium, if installed: half the CPU. */
const headlessShell = '/usr/bin/chromium-headless-shell'

/** Debian's Chromium, or the one that `CHROMIUM_PATH` names. */
export const chromiumPath =
  process.env.CHROMIUM_PATH || (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium')

export const chromiumIsThere = (): boolean => existsSync(chromiumPath)

/** The number of browsers, each for one test file at a time: with its tests, one keeps one of two cores busy. */
export const browsers = 2

/** Milliseconds that a test waits for a page: a busy machine makes pages slow, not wrong. */
export const patience = 120_000

/**
 * No sandbox: root in a container cannot have one. No background requests. One process for all pages: otherwise each
 * page and most navigations start one, which compiles axe-core again.
 */
export const chromiumOptions: LaunchOptions = {
  executablePath: chromiumPath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-site-isolation-trials',
    '--renderer-process-limit=1',
  ],
}

export const phone: BrowserContextOptions = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }
