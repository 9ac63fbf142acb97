import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { patience } from './chromium.ts'

/**
 * The browser for the tests of a file, and one page at a time in it. Pages with the same options share a context, because a
 * new one costs Chromium as much as a page does: so they share a cache, permissions, and what their origin stores.
 */
export function setUpBrowser() {
  let browser: Browser
  let page: Page | undefined
  const contexts = new Map<string, Promise<BrowserContext>>()

  beforeAll(async () => {
    // Workers at the same time have different numbers, from 1 on.
    const worker = Number(process.env.VITEST_POOL_ID) - 1
    browser = await chromium.connect(inject('chromium')[worker] ?? '')
    browser.on('context', context => context.setDefaultTimeout(patience))
  })
  afterAll(() => browser.close())

  const current = (): Page => {
    if (!page) throw new Error('No page is open.')
    return page
  }

  /** An empty page without history, in place of the one before. */
  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    await page?.close()
    const key = JSON.stringify(options)
    const context = contexts.get(key) ?? browser.newContext(options)
    contexts.set(key, context)
    page = await (await context).newPage()
    return page
  }

  return { page: current, openPage }
}
