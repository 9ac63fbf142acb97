import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { examples } from '../../shared/catalogue/explorer/client/query/examples.ts'
import { readPairs } from '../../shared/catalogue/validate/text/pairs.ts'
import { compact } from '../support/catalogue/validate.ts'
import { launchChromium } from './chromium.ts'
import { type ExplorerSite, openExplorer } from './explorer-site.ts'
import { findBarriers, listenToConsole, scrollsSideways } from './support.ts'

let site: ExplorerSite
let browser: Browser
let page: Page
let complaints: string[]

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openExplorer(), launchChromium()])
})
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})
beforeEach(() => open(''))

/** A new page with a query in its fragment. */
async function open(query: string, options: BrowserContextOptions = {}): Promise<void> {
  await page?.context().close()
  page = await (await browser.newContext(options)).newPage()
  complaints = listenToConsole(page)
  await page.goto(`${site.url}/catalogue/explore${query && `#q=${encodeURIComponent(query)}`}`)
  await field().waitFor()
}

const field = () => page.getByRole('textbox', { name: 'Check a query' })
const status = () => page.locator('#query-status')
const findings = () => page.getByRole('region', { name: 'What was found' }).getByRole('listitem')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const corrected = () => page.getByRole('region', { name: 'Corrected query' })
const text = () => field().inputValue()
const underlined = () => page.locator('.editor mark').allTextContents()
const hash = () => new URL(page.url()).hash
const queryInAddress = () => new URLSearchParams(hash().slice(1)).get('q')
const paste = (query: string) =>
  field().evaluate((field: HTMLTextAreaElement, query) => {
    field.focus()
    document.execCommand('insertText', false, query)
  }, query)

const tooMany = examples(compact).find(({ query }) => query.startsWith('list=allusers'))?.query ?? ''

/** What is pasted, what is underlined, the fix, and what comes of it. */
const mistakes = [
  [
    'generator=links&titles=A&plnamespace=0',
    'plnamespace',
    'Write gplnamespace',
    'generator=links&titles=A&gplnamespace=0',
  ],
  [
    'prop=info&titles=A&clshow=!hidden',
    'clshow',
    'Add prop=categories',
    'prop=info%7Ccategories&titles=A&clshow=!hidden',
  ],
  ['prop=categories&titles=A&pllimit=5', 'pllimit', 'Write cllimit', 'prop=categories&titles=A&cllimit=5'],
  ['list=search&srsearch=a&limit=5', 'limit', 'Write srlimit', 'list=search&srsearch=a&srlimit=5'],
  ['prop=revisions&titles=A|B&rvlimit=1', 'rvlimit=1', 'Remove rvlimit', 'prop=revisions&titles=A|B'],
  ['list=logevents&letype=stable', 'stable', 'Remove letype', 'list=logevents'],
  ['list=allpages&aplmit=5', 'aplmit', 'Write aplimit', 'list=allpages&aplimit=5'],
] as const

describe('each of the real mistakes, from paste to clean', () => {
  test.each(mistakes)('%s: underlines %s; "%s" gives %s', async (query, stretch, fix, clean) => {
    await paste(query)
    expect(await underlined()).toEqual([stretch])
    expect(await findings().count()).toBe(1)
    expect(await status().textContent()).toMatch(/^(Error: |1 error)/)
    await button(fix).click()
    expect(await text()).toBe(clean)
    expect(await underlined()).toEqual([])
    expect(await findings().count()).toBe(0)
    await page.getByRole('heading', { name: 'No errors found' }).waitFor()
    expect(complaints).toEqual([])
  })

  test.each(mistakes)('%s: by keyboard alone, in one stroke', async (query, _stretch, _fix, clean) => {
    await field().focus()
    await page.keyboard.insertText(query)
    await page.keyboard.press('Control+Enter')
    expect(await text()).toBe(clean)
    expect(await field().evaluate(field => field === document.activeElement)).toBe(true)
    expect(await corrected().count()).toBe(0)
  })

  test.each(mistakes)('%s: by keyboard alone, by the button of its fix', async (query, _stretch, fix, clean) => {
    await field().focus()
    await page.keyboard.insertText(query)
    await pressOn(button(fix))
    expect(await text()).toBe(clean)
    // Nothing is left to mend: what one does next is to write on.
    expect(await field().evaluate(field => field === document.activeElement)).toBe(true)
  })

  test('81 values: says who may send them, and when to split', async () => {
    await paste(tooMany)
    expect(await findings().allTextContents()).toEqual([
      expect.stringContaining('81 values, and only callers with the high limit'),
    ])
    expect(await corrected().count()).toBe(0)
    await page.getByLabel('Check for').selectOption('high')
    expect(await findings().count()).toBe(0)
    await page.getByLabel('Check for').selectOption('normal')
    expect(await findings().allTextContents()).toEqual([expect.stringContaining('50 are allowed: split the query')])
  })

  test('a ? inside a value: is none', async () => {
    await paste('list=search&srsearch=why?&srlimit=5')
    expect(await status().textContent()).toBe('No errors found')
    expect(await page.getByRole('region', { name: 'No errors found' }).getByRole('link').allTextContents()).toEqual([
      'search',
    ])
  })

  test('all of them are there to try, and Clear leads back to them', async () => {
    for (const { says, query } of examples(compact)) {
      await page.getByRole('button', { name: says }).click()
      expect(await text()).toBe(query)
      await button('Clear').click()
      expect(await text()).toBe('')
    }
  })
})

/** Tabs on to a button and presses it. */
async function pressOn(target: ReturnType<typeof button>): Promise<void> {
  for (let stop = 0; stop < 40; stop++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate(element => element === document.activeElement)) return page.keyboard.press('Enter')
  }
  throw new Error('Tab does not lead to it.')
}

describe('several findings', () => {
  const query = 'list=search&srsearch=a&limit=5&srprop=size|nosuch&srnamespace=x&srwhat=txt'

  test('are mended one after the other by keyboard, without looking for the next', async () => {
    await field().focus()
    await page.keyboard.insertText(query)
    await pressOn(button('Write srlimit'))
    for (let count = 3; count > 0; count--) {
      expect(await findings().count()).toBe(count)
      expect(await page.evaluate(() => document.activeElement?.closest('.findings li') !== null)).toBe(true)
      await page.keyboard.press('Enter')
    }
    expect(await status().textContent()).toBe('No errors found')
  })

  test('are mended all at once beside the text, which says what it did and what is left', async () => {
    await paste(`${query}&prop=info`)
    await expect.poll(() => corrected().locator('mark').allTextContents()).toEqual(['srlimit', 'size', 'text'])
    expect(await corrected().getByRole('listitem').allTextContents()).toEqual([
      'limit: Write srlimit',
      'srprop: Leave out nosuch',
      'srnamespace: Leave out x',
      'srwhat: Write srwhat=text',
      expect.stringContaining('info looks at pages, and the query names none'),
    ])
    await button('Use it').click()
    expect(await text()).toBe('list=search&srsearch=a&srlimit=5&srprop=size&srwhat=text&prop=info')
    expect(await findings().count()).toBe(1)
  })

  test('are shown where they are: by the caret, and by a click', async () => {
    await paste(query)
    await field().evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(25, 25))
    await expect.poll(() => status().textContent()).toContain('limit lacks the prefix of search')
    expect(await page.locator('.findings [aria-current=true]').textContent()).toContain('limit lacks the prefix')
    await button('Show srwhat in the query').click()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('txt')
  })

  test('are shown and mended from far below: what is shown comes into view, what is mended leaves the page in place', async () => {
    await paste(`list=allpages&${Array.from({ length: 25 }, (_, at) => `x${at}y=1`).join('&')}`)
    const last = findings().last()
    await last.scrollIntoViewIfNeeded()
    const top = await page.evaluate(() => scrollY)
    await last.getByRole('button', { name: 'Remove x24y' }).click()
    expect(await findings().count()).toBe(24)
    // The page is shorter by one finding now.
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(top / 2)
    await button('Show x23y in the query').click()
    const mark = await page.locator('.editor mark').last().boundingBox()
    expect(mark?.y).toBeGreaterThan(0)
    expect(mark?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
  })

  test('of what is absent lead to where its value is written', async () => {
    await paste('https://wiki.example/w/api.php?list=search#top')
    await button('Add srsearch=').click()
    await page.keyboard.type('why')
    expect(await text()).toBe('https://wiki.example/w/api.php?list=search&srsearch=why#top')
    expect(await status().textContent()).toBe('No errors found')
  })

  test('lead to the reference of their parameters', async () => {
    await paste(query)
    for (const href of await page
      .locator('.findings a')
      .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href))) {
      const { pathname, hash } = new URL(href)
      const answer = await page.request.get(site.url + pathname)
      expect(answer.status()).toBe(200)
      expect(await answer.text()).toContain(`id="${decodeURIComponent(hash.slice(1))}"`)
    }
  })

  test('beyond 200 are counted', async () => {
    await paste(`list=allpages&${Array.from({ length: 250 }, (_, at) => `x${at}y=1`).join('&')}`)
    await page.getByText('250 errors').first().waitFor()
    expect(await findings().count()).toBe(200)
    expect(await page.getByText('The first 200 of 250 are listed').isVisible()).toBe(true)
  })

  test('are said to a screen reader once typing has stopped, and not before', async () => {
    const said = () =>
      page
        .getByRole('status')
        .filter({ hasText: /error|Check/ })
        .allTextContents()
    await field().focus()
    await page.keyboard.type('list=allpages&ap', { delay: 20 })
    expect(await said()).toEqual([])
    await page.keyboard.type('lmit=5', { delay: 20 })
    await expect.poll(said).toEqual(['1 error'])
  })
})

describe('the copy under the text', () => {
  test.each([1440, 320])('has the size of the text, whatever it is, at %i px', async width => {
    await page.setViewportSize({ width, height: 800 })
    for (const query of [
      '',
      'a',
      'a\n',
      'a\n\n',
      'list=allpages&aplmit=5&'.repeat(20),
      `a=${'b'.repeat(500)} c  d\te`,
      '\u{1f600}'.repeat(99),
    ]) {
      await field().fill(query)
      const [text, copy] = await page
        .locator('.editor .text > *')
        .evaluateAll(boxes => boxes.map(box => [box.scrollHeight, box.clientHeight, box.clientWidth]))
      expect(copy).toEqual(text)
      expect(copy?.[0]).toBe(copy?.[1])
    }
  })
})

describe('Undo', () => {
  test('takes back a fix, the corrected query, an example and Clear', async () => {
    await paste('list=allpages&aplmit=5')
    await button('Write aplimit').click()
    await page.keyboard.press('Control+z')
    expect(await text()).toBe('list=allpages&aplmit=5')
    await button('Use it').click()
    await page.keyboard.press('Control+z')
    expect(await text()).toBe('list=allpages&aplmit=5')
    await button('Clear').click()
    await page.keyboard.press('Control+z')
    expect(await text()).toBe('list=allpages&aplmit=5')
    expect(await underlined()).toEqual(['aplmit'])
  })
})

describe('the address', () => {
  test('follows: what is done can be gone back from, letters cannot; a reload keeps the query', async () => {
    await paste('list=allpages&aplmit=5')
    await expect.poll(queryInAddress).toBe('list=allpages&aplmit=5')
    await button('Write aplimit').click()
    expect(queryInAddress()).toBe('list=allpages&aplimit=5')
    await page.keyboard.press('End')
    await page.keyboard.type('0')
    await expect.poll(queryInAddress).toBe('list=allpages&aplimit=50')
    await page.goBack()
    expect(await text()).toBe('list=allpages&aplmit=5')
    expect(await underlined()).toEqual(['aplmit'])
    await page.goForward()
    expect(await text()).toContain('aplimit')
    await page.reload()
    expect(await text()).toContain('aplimit')
    await page.goBack()
    await page.goBack()
    expect(page.url()).toBe('about:blank')
  })

  test('is written by the latest letters, also where a fix comes right after them', async () => {
    await field().focus()
    await page.keyboard.insertText('list=allpages&aplmit=5')
    await button('Write aplimit').click()
    await page.goBack()
    expect(await text()).toBe('list=allpages&aplmit=5')
  })

  test('keeps the limits, and follows a fragment that is changed by hand', async () => {
    await page.getByLabel('Check for').selectOption('normal')
    expect(hash()).toBe('#q=&limits=normal')
    await page.evaluate(() => {
      location.hash = '#q=list%3Dallpages%26aplimit%3D501&limits=normal'
    })
    await expect.poll(text).toBe('list=allpages&aplimit=501')
    expect(await findings().allTextContents()).toEqual([expect.stringContaining('501 is clamped to 500')])
    await page.evaluate(() => {
      location.hash = ''
    })
    await expect.poll(text).toBe('')
  })

  test('of an anchor on the page leaves the query alone', async () => {
    await paste('list=allpages&aplmit=5')
    await page.evaluate(() => {
      location.hash = '#main-content'
    })
    await expect.poll(queryInAddress).toBe('list=allpages&aplmit=5')
    expect(await text()).toBe('list=allpages&aplmit=5')
  })

  test('of an anchor leaves the limits alone, where there is no query', async () => {
    await page.getByLabel('Check for').selectOption('normal')
    await page.evaluate(() => {
      location.hash = '#main-content'
    })
    await expect.poll(hash).toBe('#q=&limits=normal')
  })

  test('loses a secret that was in it from the start', async () => {
    await open('list=watchlist&wlowner=Ada&wltoken=s3cret')
    expect(await text()).toContain('wltoken=s3cret')
    expect(queryInAddress()).toBe('list=watchlist&wlowner=Ada&wltoken=***')
  })

  test('has no secret, nor has the history, nor the title', async () => {
    await paste('https://ada:pw9@wiki.example/w/api.php?list=watchlist&wlowner=Ada&wltoken=s3cret&aplmit=5')
    await expect.poll(queryInAddress).toContain('wltoken=***')
    await button('Use it').click()
    expect(await text()).toContain('wltoken=s3cret')
    const seen = await page.evaluate(() => [location.href, document.title, JSON.stringify(history.state)].join())
    await page.goBack()
    const before = page.url()
    for (const secret of ['s3cret', 'pw9', 'ada:']) expect(seen + before).not.toContain(secret)
    // The step back is to what the address says.
    expect(await text()).toContain('wltoken=***')
  })
})

test.each([
  ['?', 'Nothing yet: it names no module.'],
  ['titles=A', 'Nothing yet: it names no module.'],
  ['prop=categories', 'categories'],
])('%s, which has no error but asks for nothing yet, is not praised', async (query, says) => {
  await paste(query)
  const asked = page.getByRole('region', { name: 'What it asks for' })
  expect(await asked.textContent()).toContain(says)
  expect(await page.locator('.asked.good').count()).toBe(0)
})

describe('a hostile fragment', () => {
  test.each([
    ['markup', '<img src=x onerror=alert(1)>&"><script>alert(1)</script>&\'`$(x)'],
    ['64 KiB', `list=allpages&${'"<b>&'.repeat(13_000)}`],
    ['64 KiB without an end', 'x'.repeat(65_000)],
  ])('of %s is text', async (_, query) => {
    const dialogs: string[] = []
    page.on('dialog', dialog => dialogs.push(dialog.message()))
    await open(query)
    expect(await text()).toBe(query)
    await expect.poll(() => status().textContent()).toMatch(/error/)
    expect(await page.locator('.check img, .check script, .check b').count()).toBe(0)
    expect([...dialogs, ...complaints]).toEqual([])
  })

  test.each(['#q=%', '#q=%zz&limits=none', '#limits', '#q', '#=&&', '#q=%ED%A0%80', '#q=a%00b'])(
    '%s breaks nothing',
    async fragment => {
      await page.goto(`${site.url}/catalogue/explore?${fragment}`)
      await page.goto(`${site.url}/catalogue/explore${fragment}`)
      await field().fill('list=allpages&aplmit=5')
      expect(await underlined()).toEqual(['aplmit'])
      expect(complaints).toEqual([])
    },
  )
})

describe('a long text', () => {
  test('is checked once no more letters come, and says so', async () => {
    await status().evaluate(line => {
      const said: string[] = []
      Object.assign(window, { said })
      new MutationObserver(() => said.push(line.textContent)).observe(line, { characterData: true, subtree: true })
    })
    await paste('list=allpages&aplmit=5&'.repeat(200))
    await page.locator('.editor mark').first().waitFor()
    expect(await page.evaluate('said')).toEqual(['Checking…', expect.stringMatching(/error/i)])
  })

  test('can be corrected, and its correction can be taken', async () => {
    await paste(`list=allpages&${Array.from({ length: 400 }, (_, at) => `x${at}y=1`).join('&')}`)
    await button('Use it').waitFor()
    await page.getByText('Correcting…').waitFor({ state: 'detached' })
    await button('Use it').click()
    expect(readPairs(await text())).toHaveLength(201)
  })

  test('of more than 64 KiB is not checked, and nothing breaks', async () => {
    await paste('list=allpages&'.repeat(5000))
    expect(await status().textContent()).toBe('Longer than 65,536 characters: that is more than is checked.')
    expect(await findings().count()).toBe(0)
    await field().fill('list=allpages&aplmit=5')
    expect(await underlined()).toEqual(['aplmit'])
  })
})

describe('a phone', () => {
  test('needs no keyboard to mend: the focus stays among the findings', async () => {
    await open('list=search&srsearch=a&limit=5&srwhat=txt', {
      viewport: { width: 320, height: 640 },
      isMobile: true,
      hasTouch: true,
    })
    await button('Write srlimit').tap()
    expect(await text()).toBe('list=search&srsearch=a&srlimit=5&srwhat=txt')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Write srwhat=text')
    await button('Use it').tap()
    expect(await status().textContent()).toBe('No errors found')
    // Not the text: a touch keyboard would come up.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('check')
    expect(await scrollsSideways(page)).toBe(false)
  })
})

describe.each(['light', 'dark'] as const)('%s', colorScheme => {
  test.each([
    ['nothing', ''],
    [
      'findings of all kinds',
      'generator=links&plnamespace=0&gpllimit=6000&prop=info&inprop=url|nosuch&gpldir=ascending&aplmit=5',
    ],
    ['no errors', 'list=search&srsearch=why?&srlimit=5'],
  ])('has no barrier and does not scroll sideways with %s', async (_, query) => {
    for (const width of [1440, 320]) {
      await open(query, { colorScheme, viewport: { width, height: 800 } })
      expect(await findBarriers(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    }
  })
})
