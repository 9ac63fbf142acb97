import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { chromiumOptions, patience } from './chromium.ts'

/** The Chromium of this worker: its singletons, such as the clipboard, belong to one test at a time. */
let launched: Promise<Browser> | undefined

function launch(): Promise<Browser> {
  // Vitest ends its workers by this signal. Playwright ends its browsers, and removes their folders, when the process exits.
  process.once('SIGTERM', () => process.exit())
  return chromium.launch({ ...chromiumOptions, handleSIGTERM: false })
}

/**
 * The browser for the tests of a file, with one page at a time. Pages with the same options share a context: its cache,
 * permissions and storage.
 */
export function setUpBrowser() {
  let browser: Browser
  let page: Page | undefined
  const contexts = new Map<string, Promise<BrowserContext>>()

  beforeAll(async () => {
    launched ??= launch()
    browser = await launched
  })
  afterAll(async () => {
    for (const context of contexts.values()) await (await context).close()
  })

  const current = (): Page => {
    if (!page) throw new Error('No page is open.')
    return page
  }

  async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(patience)
    // Closing the last page closes Chromium's window, and another one costs as much as two pages.
    await context.newPage()
    return context
  }

  /** An empty page without history, replacing the last one. */
  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    await page?.close()
    const { viewport, colorScheme = null, reducedMotion = null, ...lasting } = options
    const key = JSON.stringify(lasting)
    const context = contexts.get(key) ?? openContext(lasting)
    contexts.set(key, context)
    page = await (await context).newPage()
    if (viewport) await page.setViewportSize(viewport)
    if (colorScheme || reducedMotion) await page.emulateMedia({ colorScheme, reducedMotion })
    return page
  }

  return { page: current, openPage }
}
