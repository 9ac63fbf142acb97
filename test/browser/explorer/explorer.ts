import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { ask } from '../../support/catalogue/served.ts'
import { serve, type WebServer } from '../../support/web-server.ts'
import { setUpBrowser } from '../browser.ts'
import { listenToConsole } from '../support.ts'

interface ExplorerSite extends WebServer {
  /** Every request, as `GET /path?query`. */
  requests: string[]
}

/** Serves the catalogue's function alone over HTTP. */
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

/** The explorer and a browser for the tests of a file, with one page at a time. */
export function setUpExplorer() {
  const { page, openPage } = setUpBrowser()
  let site: ExplorerSite
  let complaints: string[] = []

  beforeAll(async () => {
    site = await openExplorer()
  })
  afterAll(() => site.close())

  const visit = (path: string) => page().goto(site.url + path)

  /** An empty page without history, replacing the last one. */
  async function open(options: BrowserContextOptions = {}): Promise<void> {
    complaints = await listenToConsole(await openPage({ viewport: { width: 1024, height: 700 }, ...options }))
  }

  /** The index with a query in its fragment, once the check is loaded. */
  async function openQuery(query = '', options: BrowserContextOptions = {}): Promise<void> {
    // In a smaller window, the sticky header covers tabs that a test scrolls to.
    await open({ viewport: { width: 1280, height: 720 }, ...options })
    await visit(`/catalogue/explore${query && `#q=${encodeURIComponent(query)}`}`)
    await page().getByRole('textbox', { name: 'Check a query' }).waitFor()
    if (query) await lateParts()
  }

  /** Waits for the parts of the check that the page loads with a text or an unknown name, and for what they change on it. */
  // As text: an import in a function would be compiled for Node.
  const lateParts = () =>
    page().evaluate(`(async () => {
      const { late, rare } = document.querySelector('[data-late]')?.dataset ?? {}
      for (const file of [late, rare]) {
        await import(file).catch(() => {})
        await new Promise(requestAnimationFrame)
        await new Promise(resolve => setTimeout(resolve))
      }
    })()`)

  return { site: () => site, page, complaints: () => complaints, open, visit, openQuery, lateParts }
}
