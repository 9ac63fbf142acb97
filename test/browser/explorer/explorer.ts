import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { ask } from '../../support/catalogue/served.ts'
import { serve, type WebServer } from '../../support/web-server.ts'
import { launchChromium } from '../chromium.ts'
import { listenToConsole } from '../support.ts'

interface ExplorerSite extends WebServer {
  /** Every request, as `GET /path?query`. */
  requests: string[]
}

/** The catalogue's function behind HTTP, and nothing else. */
export async function openExplorer(): Promise<ExplorerSite> {
  const requests: string[] = []
  const server = await serve(async ({ method = 'GET', url = '/', headers }, response) => {
    requests.push(`${method} ${url}`)
    const [path = '', query = ''] = url.split('?')
    const answer = await ask(decodeURIComponent(path), { method, query, headers: headers as Record<string, string> })
    const body = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8')
    response.writeHead(answer.statusCode, answer.headers).end(body)
  })
  return { ...server, requests }
}

/** The explorer and a browser for the tests of a file, and one page at a time in it. */
export function setUpExplorer() {
  let site: ExplorerSite
  let browser: Browser
  let page: Page | undefined
  let complaints: string[] = []

  beforeAll(async () => {
    ;[site, browser] = await Promise.all([openExplorer(), launchChromium()])
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  const current = (): Page => {
    if (!page) throw new Error('No page is open.')
    return page
  }
  const visit = (path: string) => current().goto(site.url + path)

  /** An empty page without a past, in place of the one before. */
  async function open(options: BrowserContextOptions = {}): Promise<void> {
    await page?.context().close()
    page = await (await browser.newContext({ viewport: { width: 1024, height: 700 }, ...options })).newPage()
    complaints = await listenToConsole(page)
  }

  /** The index with a query in its fragment, once the check is there. */
  async function openQuery(query: string, options: BrowserContextOptions = {}): Promise<void> {
    // In a smaller window, the sticky header covers a tab that a test has scrolled to.
    await open({ viewport: { width: 1280, height: 720 }, ...options })
    await visit(`/catalogue/explore${query && `#q=${encodeURIComponent(query)}`}`)
    await current().getByRole('textbox', { name: 'Check a query' }).waitFor()
  }

  return { site: () => site, page: current, complaints: () => complaints, open, visit, openQuery }
}
