// What a letter costs that is typed into the explorer: CPU of Chromium's main thread, until the next frame is painted.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { chromiumOptions } from '../../test/browser/chromium.ts'
import { handler, request } from '../catalogue/handlers.ts'
import { type Figure, medianOf, quantile } from '../measure/figures.ts'

/** Words for the search, of every kind and with a typo. */
const words = [
  'allusers',
  'limit',
  'gplnamespace',
  'apihighlimits',
  'categorymenbers',
  'continue',
  'rights',
  'e',
  'hidden',
]

/** Ten pairs for the check, with a mistake in each but the first. */
const query =
  'action=query&generator=links&pllimit=6000&titles=A&prop=info|categorie&inprop=ulr&limit=x&clshow=hidden&redirect=0&Maxlag=5'

/** One frame at 60 Hz. */
const frame = 16

export async function measureTyping(): Promise<Figure[]> {
  const server = createServer(async ({ url = '/' }, response) => {
    const { statusCode, headers, body } = await handler(request(url, '', {}))
    response.writeHead(statusCode, headers).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch(chromiumOptions)
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/catalogue/explore`)
    const cdp = await page.context().newCDPSession(page)
    // By the thread's own clock: what other processes take does not count.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.evaluate(() => document.body.prepend(Object.assign(document.createElement('textarea'), { id: 'plain' })))

    const plain = await typeInto(page, cdp, '#plain', [query])
    const focus = await costOf(page, cdp, () => page.focus('.search-field'))
    const search = await typeInto(page, cdp, '.search-field', words)
    const check = await typeInto(page, cdp, '.workbench textarea', [query])
    return [
      { what: 'into a plain field', figure: medianOf(plain), unit: 'ms' },
      { what: 'into the search', figure: medianOf(search), unit: 'ms', target: frame },
      { what: 'into the search: 95 of 100 letters at most', figure: quantile(search, 0.95), unit: 'ms' },
      { what: 'into the check', figure: medianOf(check), unit: 'ms', target: frame },
      { what: 'into the check: 95 of 100 letters at most', figure: quantile(check, 0.95), unit: 'ms' },
      { what: 'the first focus of the search, once', figure: focus, unit: 'ms' },
    ]
  } finally {
    await browser.close()
    server.close()
  }
}

/** The cost of each letter of each text, which takes the place of the one before. */
async function typeInto(page: Page, cdp: CDPSession, field: string, texts: readonly string[]): Promise<number[]> {
  const costs: number[] = []
  for (const text of texts) {
    await page.fill(field, '')
    for (const letter of text) costs.push(await costOf(page, cdp, () => page.keyboard.type(letter)))
  }
  return costs
}

/** In milliseconds, with the frames in which what was done is painted. */
async function costOf(page: Page, cdp: CDPSession, act: () => Promise<void>): Promise<number> {
  const before = await taskSeconds(cdp)
  await act()
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  return ((await taskSeconds(cdp)) - before) * 1000
}

async function taskSeconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}
