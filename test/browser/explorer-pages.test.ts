import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Catalogue } from '../../shared/catalogue/model.ts'
import { read } from '../support/catalogue/served.ts'
import { launchChromium } from './chromium.ts'
import { type ExplorerSite, openExplorer } from './explorer-site.ts'
import { findBarriers, listenToConsole, scrollsSideways } from './support.ts'

let browser: Browser
let site: ExplorerSite
let page: Page
let complaints: string[]

beforeAll(async () => {
  browser = await launchChromium()
  site = await openExplorer()
})
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})
afterEach(() => page?.context().close())

async function open(options: BrowserContextOptions = {}): Promise<void> {
  page = await (await browser.newContext({ viewport: { width: 1024, height: 700 }, ...options })).newPage()
  complaints = listenToConsole(page)
}

const visit = (path: string) => page.goto(site.url + path)

const { modules, sets } = await read<Catalogue>('/catalogue/export/catalogue.json')

/** One of each kind, and of modules a short one and one with long lists of values. */
const kinds = [
  '/catalogue/explore',
  '/catalogue/explore/query+links',
  '/catalogue/explore/query+logevents',
  '/catalogue/explore/sets/RIGHTS',
  '/catalogue/explore/sets/USERSUB',
  '/catalogue/explore/sets/REVBLOCK',
]

/** The index while it shows what is wrong with a query, and fields for its parameters. */
const check = `${kinds[0]}#q=${encodeURIComponent(
  'https://en.wikipedia.org/w/api.php?action=query&generator=links&pllimit=6000&titles=A&prop=info|categorie&limit=x&wltoken=abc',
)}`

/** All pages, with the ids that others lead to. */
const anchors = new Map<string, string[]>([
  ['/catalogue/explore', []],
  ...modules.map(({ path, parameters }): [string, string[]] => [`/catalogue/explore/${path}`, idsOf(parameters)]),
  ...sets.map(({ name, values = [], parameters = [] }): [string, string[]] => [
    `/catalogue/explore/sets/${name}`,
    [...values, ...idsOf(parameters)],
  ]),
])

function idsOf(parameters: Catalogue['modules'][number]['parameters']): string[] {
  return parameters.flatMap(({ name, values = [] }) => [name, ...values.map(value => `${name}=${value}`)])
}

describe.each([...kinds, check])('%s', address => {
  const [path = ''] = address.split('#')

  test.each(['light', 'dark'] as const)(
    'has no barrier in %s colours, in narrow and wide windows',
    async colorScheme => {
      await open({ colorScheme })
      await visit(address)
      for (const width of [320, 1440]) {
        await page.setViewportSize({ width, height: 700 })
        expect({ width, barriers: await findBarriers(page) }).toEqual({ width, barriers: [] })
        // Of WCAG 2.2 too, but axe leaves it out unless it is asked for.
        expect({ width, small: await findBarriers(page, ['target-size']) }).toEqual({ width, small: [] })
      }
      expect(complaints).toEqual([])
    },
  )

  test('fits into windows of every width, with letters of twice the size too', async () => {
    await open()
    await visit(address)
    for (const fontSize of ['100%', '200%']) {
      await page.evaluate(size => document.documentElement.style.setProperty('font-size', size), fontSize)
      for (const width of [320, 375, 480, 600, 704, 768, 1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 700 })
        expect({ fontSize, width, isCut: await scrollsSideways(page) }).toEqual({ fontSize, width, isCut: false })
      }
    }
  })

  test('has no barrier when the window is enlarged to 200 %', async () => {
    await open({ viewport: { width: 640, height: 350 }, deviceScaleFactor: 2 })
    await visit(address)
    expect(await scrollsSideways(page)).toBe(false)
    expect(await findBarriers(page)).toEqual([])
  })

  test('asks this site alone, for itself, a script and a style sheet', async () => {
    await open()
    const asked: string[] = []
    page.context().on('request', request => asked.push(request.url().replace(site.url, '').replace(/#.*/, '')))
    await page.goto(site.url + address, { waitUntil: 'networkidle' })
    expect(asked.map(address => address.replace(/-[\w-]{10}\./, '-….')).sort()).toEqual(
      [path, '/catalogue/explore/assets/explorer-….css', '/catalogue/explore/assets/explorer-….js'].sort(),
    )
    expect(complaints).toEqual([])
  })

  test('has each id once, with what the script adds', async () => {
    await open()
    await visit(address)
    await page.keyboard.press('/')
    await page.keyboard.type('a')
    const ids = await page.locator('[id]').evaluateAll(elements => elements.map(({ id }) => id))
    expect(ids.length).toBeGreaterThan(new Set(anchors.get(path)).size)
    expect(ids).toEqual([...new Set(ids)])
  })
})

describe('without a script', () => {
  /** By page: its ids, its links, and what a reader sees. */
  const seen = new Map<string, { ids: string[]; links: string[]; text: string }>()

  beforeAll(async () => {
    await open({ javaScriptEnabled: false })
    for (const path of anchors.keys()) {
      await visit(path)
      seen.set(path, {
        ids: await page.locator('[id]').evaluateAll(elements => elements.map(({ id }) => id)),
        links: await page
          .locator('[href]')
          .evaluateAll(elements => elements.map(element => (element as HTMLAnchorElement).href)),
        text: await page.innerText('main'),
      })
    }
    await page.context().close()
  }, 300_000)

  const of = (path: string) => {
    const page = seen.get(path)
    if (!page) throw new Error(`Not seen: ${path}`)
    return page
  }

  test('there are 75 pages', () => {
    expect(seen.size).toBe(75)
  })

  test('every parameter and every value of a module and of a set has its anchor', () => {
    for (const [path, due] of anchors)
      expect({ path, missing: due.filter(id => !of(path).ids.includes(id)) }).toEqual({ path, missing: [] })
  })

  test('ids are unique', () => {
    for (const [path, { ids }] of seen) expect({ path, ids }).toEqual({ path, ids: [...new Set(ids)] })
  })

  test('every link leads to a page of this site that is there, and to an id of that page', async () => {
    const broken: string[] = []
    const answers = new Map<string, number>()
    for (const [path, { links }] of seen) {
      for (const link of links) {
        const { origin, pathname, search, hash } = new URL(link)
        const address = pathname + search
        if (!answers.has(address)) answers.set(address, (await fetch(site.url + address, { method: 'HEAD' })).status)
        const target = seen.get(decodeURIComponent(pathname))
        const id = decodeURIComponent(hash.slice(1))
        // What follows `q=` is a query for the check, which the script reads.
        const isThere = id === '' || id.startsWith('q=') || target?.ids.includes(id)
        if (origin !== site.url || answers.get(address) !== 200 || !isThere) broken.push(`${path} → ${link}`)
      }
    }
    expect(answers.size).toBeGreaterThan(75)
    expect([...new Set(broken)]).toEqual([])
  })

  test('one comes from the index to every page', () => {
    const reached = new Set(['/catalogue/explore'])
    for (const path of reached) {
      for (const link of of(path).links) {
        const target = decodeURIComponent(new URL(link).pathname)
        if (seen.has(target)) reached.add(target)
      }
    }
    expect([...seen.keys()].filter(path => !reached.has(path))).toEqual([])
  })

  test('a module shows the names that its parameters have in a query, and all their values', () => {
    for (const { path, prefix, parameters } of modules) {
      const words = new Set(of(`/catalogue/explore/${path}`).text.split(/\s+/))
      const due = parameters.flatMap(({ name, values = [] }) => [`${prefix}${name}`, ...values.filter(Boolean)])
      expect({ path, missing: due.filter(word => !words.has(word)) }).toEqual({ path, missing: [] })
    }
  })

  test('a set shows what is in it', () => {
    for (const { name, values = [], parameters = [] } of sets) {
      const words = new Set(of(`/catalogue/explore/sets/${name}`).text.split(/\s+/))
      const due = [...values, ...parameters.map(({ name }) => name)].filter(Boolean)
      expect({ name, missing: due.filter(word => !words.has(word)) }).toEqual({ name, missing: [] })
    }
  })

  test('the index says that checking needs one, and where a program has it checked', () => {
    expect(of('/catalogue/explore').text).toMatch(/needs JavaScript.*\/catalogue\/validate/s)
  })
})

describe('an anchor', () => {
  test.each([
    [320, '/catalogue/explore/query+allusers', 'rights=apihighlimits'],
    [1440, '/catalogue/explore/query+allusers', 'rights=apihighlimits'],
    [1024, '/catalogue/explore/query+logevents', 'action=block/reblock'],
    [320, '/catalogue/explore/query+links', 'namespace'],
    [1024, '/catalogue/explore/sets/RIGHTS', 'apihighlimits'],
  ])('in a window of %i px is seen and set off: %s#%s', async (width, path, id) => {
    await open({ viewport: { width, height: 500 }, reducedMotion: 'reduce' })
    await visit(`${path}#${id}`)
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
    const box = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(element => element.getBoundingClientRect().toJSON() as DOMRect)
    const [header, target] = [await box('header'), await box(':target')]
    expect(await page.locator(':target').getAttribute('id')).toBe(id)
    expect(target.top).toBeGreaterThanOrEqual(header.bottom - 1)
    expect(target.top).toBeLessThan(500)
    const background = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(element => getComputedStyle(element).backgroundColor)
    expect(await background(':target')).not.toBe(await background('.parameters, .values > li:not(:target)'))
  })
})

describe('by keys alone', () => {
  type Stop = { name: string; isMarked: boolean; isSeen: boolean; isInHeader: boolean }

  /** Where the keys are: whether it is marked, in the window, and not behind something. */
  const stop = (): Promise<Stop | null> =>
    page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const { left, top, right, bottom } = element.getClientRects()[0] ?? element.getBoundingClientRect()
      const isOutlined = (part: Element | null): boolean => {
        if (!part) return false
        const { outlineStyle, outlineWidth } = getComputedStyle(part)
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      }
      const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return {
        name: element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '',
        // The editor's frame is marked in place of its textarea.
        isMarked: isOutlined(element) || isOutlined(element.closest(':focus-within:not(:focus, body, main, html)')),
        isSeen: top >= -1 && bottom <= innerHeight + 1 && (element === over || element.contains(over)),
        isInHeader: element.closest('header') !== null,
      }
    })

  async function walk(key: string, most: number): Promise<Stop[]> {
    const stops: Stop[] = []
    while (stops.length < most) {
      await page.keyboard.press(key)
      const reached = await stop()
      if (!reached) break
      stops.push(reached)
    }
    return stops
  }

  test.each(['/catalogue/explore', '/catalogue/explore/query+links', '/catalogue/explore/sets/REVBLOCK'])(
    'everything on %s is reached, forwards and backwards, and seen when it is',
    async path => {
      await open({ reducedMotion: 'reduce' })
      await visit(path)
      const focusable = await page
        .locator('a[href], input, button, select, textarea, summary')
        .evaluateAll(
          elements =>
            elements.filter(element => (element as HTMLElement).tabIndex >= 0 && element.checkVisibility()).length,
        )
      const forwards = await walk('Tab', 500)
      expect(forwards.slice(0, 3).map(({ name }) => name)).toEqual([
        'Skip to the content',
        'Query modules',
        'Search modules, parameters and values',
      ])
      expect(forwards).toHaveLength(focusable)
      const backwards = await walk('Shift+Tab', focusable)
      expect(backwards.map(({ name }) => name)).toEqual(forwards.map(({ name }) => name).toReversed())
      expect([...forwards, ...backwards].filter(({ isMarked, isSeen }) => !isMarked || !isSeen)).toEqual([])
    },
  )

  test('the first stop skips the header', async () => {
    await open()
    await visit('/catalogue/explore/query+links')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await page.keyboard.press('Tab')
    expect(await stop()).toMatchObject({ isInHeader: false })
  })
})

describe('on paper', () => {
  test.each(kinds)('%s leaves out what one presses, and shows the rest whole', async path => {
    // The width of an A4 sheet at 96 dpi.
    await open({ viewport: { width: 794, height: 1123 } })
    await visit(path)
    const due = await page.locator('main :is(.parameter, .values > li, .modules > li)').count()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('header, .actions, .workbench, .contents').filter({ visible: true }).count()).toBe(0)
    expect(
      await page.locator('main :is(.parameter, .values > li, .modules > li)').filter({ visible: true }).count(),
    ).toBe(due)
    expect(due).toBeGreaterThan(0)
    expect(await scrollsSideways(page)).toBe(false)
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
  })
})

describe('the policy', () => {
  test.each([
    ['nothing is made into markup', () => document.body.insertAdjacentHTML('beforeend', '<p>')],
    ['nothing is made into a script', () => (document.createElement('script').text = 'complain()')],
    [
      'nobody allows it',
      () =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('default', {}),
    ],
    ['nothing is sent', () => fetch('/catalogue').then(() => undefined)],
  ])('holds: %s', async (_, attempt) => {
    await open()
    await visit('/catalogue/explore')
    await expect(page.evaluate(attempt)).rejects.toThrow(/Trusted|[Pp]olicy|Failed to fetch/)
    expect(complaints).not.toEqual([])
  })

  test('holds: no style or picture comes from elsewhere or from the page itself', async () => {
    await open()
    await visit('/catalogue/explore')
    await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('img'), { src: 'data:image/png;base64,AA==' }))
      document.body.append(Object.assign(document.createElement('style'), { textContent: 'body { color: red }' }))
    })
    await expect.poll(() => complaints.filter(text => /Content Security Policy/.test(text)).length).toBe(2)
  })
})

test.each(kinds)('%s hardly moves when its script arrives', async path => {
  await open({ viewport: { width: 320, height: 640 } })
  await visit(path)
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  const shift = await page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        // What has moved is reported with the next frame.
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 50))
      }),
  )
  // Up to 0.1 is good (https://web.dev/articles/cls).
  expect(shift).toBeLessThan(0.1)
})
