import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { bundleExplorer } from '../infra/build/explorer.ts'
import type { Catalogue } from '../shared/catalogue/model.ts'
import { chromiumIsThere, chromiumOptions, chromiumPath } from '../test/browser/chromium.ts'
import { serve } from '../test/support/web-server.ts'
import { ask, everything, read, request } from './measure/catalogue-requests.ts'
import { medianOf, quantile } from './measure/figures.ts'
import { type Measured, report, reportFigures } from './measure/report.ts'

/** The explorer: what a first visit of a page transfers, what its script is made of, and what a typed letter costs. */

const index = '/catalogue/explore'

/** Thousands of bytes of an answer, compressed. */
async function weigh(path: string, encoding: 'br' | 'gzip'): Promise<number> {
  const { headers } = await ask(request(path, '', { 'accept-encoding': encoding }))
  return Number(headers['content-length']) / 1000
}

const [, style = ''] = /<link rel="stylesheet" href="(.+?)">/.exec(await read(index)) ?? []
const [, script = ''] = / src="(.+?)"/.exec(await read(index)) ?? []
const [, search = ''] = /data-search="(.+?)"/.exec(await read(index)) ?? []
const { modules, sets }: Catalogue = JSON.parse(await read(everything))

async function heaviestOf(paths: readonly string[]): Promise<string> {
  const weights = await Promise.all(paths.map(path => weigh(path, 'br')))
  return paths[weights.indexOf(Math.max(...weights))] ?? index
}

type Figure = Measured & { what: string }

const visits: Figure[] = []
for (const path of [
  index,
  await heaviestOf(modules.map(({ path }) => `${index}/${path}`)),
  await heaviestOf(sets.map(({ name }) => `${index}/sets/${name}`)),
]) {
  for (const encoding of ['br', 'gzip'] as const) {
    const [page = 0, ...shared] = await Promise.all([path, script, style].map(file => weigh(file, encoding)))
    const figure = shared.reduce((sum, weight) => sum + weight, page)
    const what = `${path}, ${encoding} (the page alone ${page.toFixed(1)} KB)`
    visits.push({ what, figure, unit: 'KB', ...(encoding === 'br' && { target: 50 }) })
  }
}
for (const encoding of ['br', 'gzip'] as const) {
  visits.push({ what: `the first search, ${encoding}`, figure: await weigh(search, encoding), unit: 'KB' })
}
reportFigures('A first visit: a page, the script and the style sheet', visits)

/** The part that a file of the script belongs to, by its path. */
const owners: readonly [name: string, isIts: RegExp][] = [
  ['the validator', /^shared\//],
  ['the catalogue’s data', /^catalogue:/],
  ['preact', /\/preact\//],
  ['the builder', /\/builder\//],
  ['the forms to copy', /\/copy\//],
  ['the check', /\/(?:query|session)\//],
  ['the search', /\/search\//],
]
const { metafile } = await bundleExplorer()
const inputs = ['script', 'search'].flatMap(name => Object.entries(metafile.outputs[`dist/${name}.js`]?.inputs ?? {}))
report(
  'What the two scripts are made of, not compressed',
  ['', 'measured'],
  owners.map(([name, isIts]) => {
    const bytes = inputs.reduce((sum, [path, { bytesInOutput }]) => sum + (isIts.test(path) ? bytesInOutput : 0), 0)
    return [name, { figure: bytes / 1000, unit: 'KB' }]
  }),
)

/** Words for the search, of every kind and with a typo. */
const words = 'allusers limit gplnamespace apihighlimits categorymenbers continue rights e hidden'.split(' ')

/** Ten pairs for the check, with a mistake in each but the first. */
const query =
  'action=query&generator=links&pllimit=6000&titles=A&prop=info|categorie&inprop=ulr&limit=x&clshow=hidden&redirect=0&Maxlag=5'

/** Milliseconds of one frame at 60 Hz. */
const frame = 16

/** CPU of Chromium's main thread, until the next frame is painted. */
async function measureTyping(page: Page, cdp: CDPSession): Promise<Figure[]> {
  const taskSeconds = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  /** In milliseconds, with the frames that paint what was done. */
  const costOf = async (act: () => Promise<void>): Promise<number> => {
    const before = await taskSeconds()
    await act()
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    return ((await taskSeconds()) - before) * 1000
  }
  /** The cost of each letter. Each text takes the place of the one before. */
  const typeInto = async (field: string, texts: readonly string[]): Promise<number[]> => {
    const costs: number[] = []
    for (const text of texts) {
      await page.fill(field, '')
      for (const letter of text) costs.push(await costOf(() => page.keyboard.type(letter)))
    }
    return costs
  }
  await page.evaluate(() => document.body.prepend(Object.assign(document.createElement('textarea'), { id: 'plain' })))
  const plain = await typeInto('#plain', [query])
  const focus = await costOf(() => page.focus('.search-field'))
  const search = await typeInto('.search-field', words)
  const check = await typeInto('.workbench textarea', [query])
  return [
    { what: 'into a plain field', figure: medianOf(plain), unit: 'ms' },
    { what: 'into the search', figure: medianOf(search), unit: 'ms', target: frame },
    { what: 'into the search: 95 of 100 letters at most', figure: quantile(search, 0.95), unit: 'ms' },
    { what: 'into the check', figure: medianOf(check), unit: 'ms', target: frame },
    { what: 'into the check: 95 of 100 letters at most', figure: quantile(check, 0.95), unit: 'ms' },
    { what: 'the first focus of the search, once', figure: focus, unit: 'ms' },
  ]
}

/** Nearly the longest text that is checked: one long list of values, and thousands of pairs that are all wrong. */
const longTexts = [
  `action=query&prop=info&titles=${Array.from({ length: 4000 }, (_, at) => `Page ${at} name`).join('|')}`,
  `list=allpages&${Array.from({ length: 6000 }, (_, at) => `x${at}y=1`).join('&')}`,
]

/** The longest task, in milliseconds of its thread's own clock, from pasting a long text until its correction is there. */
async function measureLongTask(page: Page, browser: Browser): Promise<number> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  for (const text of longTexts) {
    await page.fill('.workbench textarea', text)
    await page.waitForFunction(() => /error/.test(document.querySelector('#query-status')?.textContent ?? ''))
    await page.locator('.corrected:not([aria-busy="true"])').waitFor()
    await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve)))
  }
  const trace: { traceEvents: { name: string; tdur?: number }[] } = JSON.parse(String(await browser.stopTracing()))
  return Math.max(...trace.traceEvents.map(({ name, tdur = 0 }) => (name === 'RunTask' ? tdur / 1000 : 0)))
}

if (chromiumIsThere()) {
  await using server = await serve(async ({ url = '/' }, response) => {
    const { statusCode, headers, body } = await ask(request(url, '', {}))
    response.writeHead(statusCode, headers).end(body)
  })
  await using browser = await chromium.launch(chromiumOptions)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${server.url}${index}`)
  const cdp = await page.context().newCDPSession(page)
  // By the thread's own clock: what other processes take does not count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  reportFigures('A typed letter, CPU of the main thread, medians', await measureTyping(page, cdp))
  const longest = await measureLongTask(page, browser)
  reportFigures('60 KB of query', [{ what: 'the longest task', figure: longest, unit: 'ms', target: 200 }])
} else {
  console.error(
    `\nA typed letter is not measured: there is no Chromium at ${chromiumPath}. CHROMIUM_PATH says where it is.`,
  )
}
