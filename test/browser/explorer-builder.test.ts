import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readPairs } from '../../shared/catalogue/validate/text/pairs.ts'
import { knowledge, validate } from '../support/catalogue/validate.ts'
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

async function open(query: string, options: BrowserContextOptions = {}): Promise<void> {
  await page?.context().close()
  page = await (await browser.newContext(options)).newPage()
  complaints = listenToConsole(page)
  await page.goto(`${site.url}/catalogue/explore${query && `#q=${encodeURIComponent(query)}`}`)
  await builder().waitFor()
}

const builder = () => page.getByRole('region', { name: 'Build a query' })
const text = () => page.getByRole('textbox', { name: 'Check a query' }).inputValue()
const field = (name: string) => builder().locator(`#field-${name}`)
const notes = (name: string) => builder().locator(`#field-${name}-notes`)
const card = (name: string) => builder().getByRole('region', { name })
const chip = (name: string, value: string) =>
  builder()
    .getByRole('list', { name: `Values of ${name}` })
    .getByRole('button', { name: `Remove ${value}`, exact: true })
const focused = () =>
  page.evaluate(
    () => document.activeElement?.id || document.activeElement?.textContent || document.activeElement?.tagName,
  )
const more = (module: string) => card(module).locator('> details > summary')
const choose = async (module: string) => {
  await builder().locator('select#module').selectOption(module)
  await builder().getByRole('button', { name: 'Add', exact: true }).first().click()
}

describe('by keyboard alone, from nothing', () => {
  const press = (key: string) => page.keyboard.press(key)

  /** Goes on by the Tab key until an element of the builder has the focus. */
  async function goTo(selector: string, key = 'Tab'): Promise<void> {
    for (let step = 0; step < 400; step++) {
      if (await page.evaluate(selector => document.activeElement?.matches(selector) ?? false, selector)) return
      await press(key)
    }
    throw new Error(`${selector} cannot be reached`)
  }
  async function add(module: string): Promise<void> {
    await goTo('#module', 'Shift+Tab')
    for (let step = 0; step < 120; step++) {
      if ((await page.inputValue('#module')) === module) break
      await press('ArrowDown')
    }
    await press('Tab')
    await press('Enter')
    await card(module).waitFor()
  }
  async function expand(module: string): Promise<void> {
    await goTo(`[aria-labelledby="card-${module.replace(' ', '-')}"] > details > summary`)
    await press('Enter')
  }
  async function type(name: string, value: string): Promise<void> {
    await goTo(`#field-${name}`)
    await page.keyboard.type(value)
  }
  async function tick(name: string, values: readonly string[]): Promise<void> {
    for (const value of values) {
      await goTo(`#field-${name} label:has(input):not(:has(:checked)) input`)
      while ((await page.evaluate(() => document.activeElement?.closest('label')?.textContent?.trim())) !== value)
        await press('Tab')
      await press('Space')
    }
  }

  beforeEach(async () => {
    await page.locator('#module').focus()
  })

  test('pages that a generator finds', async () => {
    await add('generator links')
    await type('titles', 'A')
    await type('gplnamespace', '0')
    await press('Tab')
    expect(await text()).toBe('generator=links&titles=A&gplnamespace=0')
  })

  test('two modules about a page', async () => {
    await add('prop info')
    await add('prop categories')
    await type('titles', 'A')
    await expand('prop categories')
    await tick('clshow', ['!hidden'])
    await type('cllimit', '5')
    expect(await text()).toBe('prop=info%7Ccategories&titles=A&clshow=!hidden&cllimit=5')
  })

  test('a search, in which a question mark is a question mark', async () => {
    await add('list search')
    await type('srsearch', 'why?')
    await expand('list search')
    await type('srlimit', '5')
    expect(await text()).toBe('list=search&srsearch=why%3F&srlimit=5')
  })

  test('the revisions of two pages', async () => {
    await add('prop revisions')
    await type('titles', 'A')
    await press('Enter')
    await page.keyboard.type('B')
    await press('Enter')
    expect(await text()).toBe('prop=revisions&titles=A%7CB')
  })

  test('the log of one kind', async () => {
    await add('list logevents')
    await expand('list logevents')
    await goTo('#field-letype')
    await press('ArrowDown')
    expect(await text()).toMatch(/^list=logevents&letype=\w+$/)
  })

  test('as many rights as most accounts may ask for', async () => {
    const rights = [...(knowledge.wires.get('aurights')?.parameter.values ?? [])].slice(0, 50)
    await add('list allusers')
    await expand('list allusers')
    await goTo('#field-aurights summary')
    await press('Enter')
    await tick('aurights', rights)
    expect(readPairs(await text())[1]?.value.split('|')).toEqual(rights)
    expect(validate(await text(), 'normal').findings).toEqual([])
  }, 180_000)

  test('all pages, by the highest limit', async () => {
    await add('list allpages')
    await expand('list allpages')
    await goTo('#field-aplimit')
    await press('Tab')
    await press('Enter')
    expect(await text()).toBe('list=allpages&aplimit=max')
  })
})

describe('a module', () => {
  test('that needs something says so at its field', async () => {
    await choose('list search')
    expect(await text()).toBe('list=search')
    expect(await field('srsearch').getAttribute('aria-invalid')).toBe('true')
    expect(await field('srsearch').getAttribute('aria-describedby')).toBe('field-srsearch-notes')
    expect(await notes('srsearch').innerText()).toContain('srsearch')
    await field('srsearch').fill('a')
    expect(await field('srsearch').getAttribute('aria-invalid')).toBe('false')
  })

  test('that is removed takes its parameters with it, leaves the focus where modules are chosen, and comes back by Back', async () => {
    await open('list=search|allpages&srsearch=a&aplimit=5&utf8=')
    await card('list search').getByRole('button', { name: 'Remove list search' }).click()
    expect(await text()).toBe('list=allpages&aplimit=5&utf8=')
    expect(await focused()).toBe('module')
    await page.goBack()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('list=search'))
    expect(await text()).toBe('list=search|allpages&srsearch=a&aplimit=5&utf8=')
  })

  test('is chosen once in a role, and another generator takes the place of the first', async () => {
    await open('generator=links&titles=A&gpllimit=5')
    expect(await page.locator('#module option[value="generator links"]').isDisabled()).toBe(true)
    await choose('generator images')
    expect(await text()).toBe('generator=images&titles=A')
  })

  test('links to its page, and each of its fields to its place there', async () => {
    await open('generator=links&titles=A&gplnamespace=0')
    const link = card('generator links').getByRole('link', { name: 'about gplnamespace' })
    expect(await link.getAttribute('href')).toBe('/catalogue/explore/query+links#namespace')
    await link.click()
    await page.waitForURL('**/query+links#namespace')
    expect(await page.locator(':target').getAttribute('id')).toBe('namespace')
    await page.goBack()
    await builder().waitFor()
    expect(await text()).toBe('generator=links&titles=A&gplnamespace=0')
  })

  test('says what holds between its parameters', async () => {
    await choose('list categorymembers')
    expect(await card('list categorymembers').innerText()).toContain('Give exactly one of cmtitle and cmpageid.')
  })

  test('that needs one of several shows all of them, and says so until one is given', async () => {
    await choose('list usercontribs')
    const names = await card('list usercontribs').locator('.field label code').allTextContents()
    expect(names.sort()).toEqual(['ucuser', 'ucuserids', 'ucuserprefix'])
    expect(await card('list usercontribs').locator('> .finding').innerText()).toContain('needs one of')
    await field('ucuser').fill('Ada')
    await page.keyboard.press('Enter')
    expect(await text()).toBe('list=usercontribs&ucuser=Ada')
    expect(await card('list usercontribs').locator('.finding').count()).toBe(0)
  })

  test('filters the parameters that are not given', async () => {
    await choose('list recentchanges')
    await more('list recentchanges').click()
    await card('list recentchanges').getByLabel('Filter the parameters').fill('USER')
    expect(await card('list recentchanges').locator('.field label code').allTextContents()).toEqual([
      'rcuser',
      'rcexcludeuser',
    ])
  })
})

describe('a field', () => {
  test('and the text are the same thing, and what nobody touches stays byte for byte', async () => {
    await open('list=allpages&apprefix=%41+b&x=%e4&aplimit=5')
    expect(await field('apprefix').inputValue()).toBe('A b')
    await field('aplimit').fill('6')
    expect(await text()).toBe('list=allpages&apprefix=%41+b&x=%e4&aplimit=6')
    await page.getByRole('textbox', { name: 'Check a query' }).fill('list=allpages&aplimit=7')
    expect(await field('aplimit').inputValue()).toBe('7')
  })

  test('of one module knows what was filled in at another', async () => {
    await open('list=allpages|allusers&aplimit=1&aulimit=2')
    await field('aplimit').fill('3')
    await field('aulimit').fill('4')
    await field('aplimit').fill('5')
    expect(await text()).toBe('list=allpages|allusers&aplimit=5&aulimit=4')
  })

  test('that is emptied takes its pair away, and keeps its place and the focus', async () => {
    await open('list=allpages&aplimit=5')
    await field('aplimit').focus()
    await page.keyboard.press('Backspace')
    expect(await text()).toBe('list=allpages')
    expect(await focused()).toBe('field-aplimit')
    await page.keyboard.type('12')
    expect(await text()).toBe('list=allpages&aplimit=12')
  })

  test('among those that are not given keeps the focus while it is filled in', async () => {
    await choose('list allpages')
    await more('list allpages').click()
    await field('apfrom').focus()
    await page.keyboard.type('ab')
    expect(await focused()).toBe('field-apfrom')
    expect(await text()).toBe('list=allpages&apfrom=ab')
  })

  test('shows its default, and is a flag, a choice or a text by its type', async () => {
    await choose('list allpages')
    await more('list allpages').click()
    expect(await field('aplimit').getAttribute('placeholder')).toBe('10')
    expect(await field('apdir').locator('option').allTextContents()).toEqual([
      'default: ascending',
      'ascending',
      'descending',
    ])
    await field('apdir').selectOption('descending')
    await choose('list allusers')
    await more('list allusers').click()
    await field('auactiveusers').check()
    expect(await text()).toBe('list=allpages%7Callusers&apdir=descending&auactiveusers=1')
    await field('auactiveusers').uncheck()
    await field('apdir').selectOption('')
    expect(await text()).toBe('list=allpages%7Callusers')
  })

  test('shows a value that there is not, and says so', async () => {
    await open('list=allpages&apdir=up')
    expect(await field('apdir').inputValue()).toBe('up')
    expect(await field('apdir').getAttribute('aria-invalid')).toBe('true')
    expect(await notes('apdir').innerText()).toContain('up')
  })

  test('of a secret is completed by no browser', async () => {
    await open('list=watchlist&wlowner=Ada')
    await more('list watchlist').click()
    await field('wltoken').fill('SECRET')
    expect(await field('wltoken').getAttribute('autocomplete')).toBe('off')
    await page.waitForFunction(() => location.hash.includes('wltoken'))
    expect(page.url()).toContain(encodeURIComponent('wltoken=***'))
    expect(page.url()).not.toContain('SECRET')
  })
})

describe('several values', () => {
  test('are chips: Enter adds one, Backspace in the empty field takes the last away', async () => {
    await choose('prop info')
    await field('titles').focus()
    for (const title of ['A', 'B|C', 'B', 'D']) {
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
    }
    expect(await text()).toBe('prop=info&titles=A%7CB%7CC%7CD')
    await page.keyboard.press('Backspace')
    expect(await text()).toBe('prop=info&titles=A%7CB%7CC')
    expect(await focused()).toBe('field-titles')
  })

  test('are in the query before Ctrl+Enter corrects it', async () => {
    await open('prop=links&limit=5')
    await field('titles').focus()
    await page.keyboard.type('A')
    await page.keyboard.press('Control+Enter')
    expect(await text()).toBe('prop=links&pllimit=5&titles=A')
  })

  test('are each removed by their chip, and the focus goes on to the next', async () => {
    await open('prop=info&titles=A|B|C')
    await chip('titles', 'B').focus()
    await page.keyboard.press('Delete')
    expect(await text()).toBe('prop=info&titles=A%7CC')
    expect(await focused()).toBe('Remove C ×')
    await page.keyboard.press('Backspace')
    expect(await focused()).toBe('Remove A ×')
    await page.keyboard.press('Enter')
    expect(await text()).toBe('prop=info')
    expect(await focused()).toBe('field-titles')
  })

  test('that were the last of a card leave the focus where modules are chosen', async () => {
    await open('generator=allpages&titles=A')
    await chip('titles', 'A').focus()
    await page.keyboard.press('Delete')
    expect(await field('titles').count()).toBe(0)
    expect(await focused()).toBe('module')
  })

  test('are taken when the field is left, and line by line when they are pasted', async () => {
    await choose('prop info')
    await field('titles').fill('A')
    await page.locator('#module').focus()
    expect(await text()).toBe('prop=info&titles=A')
    await field('titles').evaluate(input => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'B\r\nC|A\n')
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    expect(await text()).toBe('prop=info&titles=A%7CB%7CC')
  })

  test('of a short enumeration are boxes, of which "all" stands alone', async () => {
    await open('prop=revisions&titles=A&rvslots=main')
    const box = (name: string) => field('rvslots').getByRole('checkbox', { name })
    expect(await box('main').isChecked()).toBe(true)
    await box('all').check()
    expect(await text()).toBe('prop=revisions&titles=A&rvslots=*')
    await box('main').check()
    expect(await text()).toBe('prop=revisions&titles=A&rvslots=main')
    await box('main').uncheck()
    expect(await text()).toBe('prop=revisions&titles=A')
  })

  test('of a long enumeration are chips, and chosen from a list that can be filtered', async () => {
    await open('prop=revisions&titles=A&rvprop=ids|nope')
    await field('rvprop').locator('summary').click()
    await field('rvprop').getByLabel('Filter').fill('parse')
    expect(await field('rvprop').locator('.boxes label').allTextContents()).toEqual([
      ' parsedcomment',
      ' parsetreedeprecated',
    ])
    await field('rvprop').getByRole('checkbox', { name: 'parsedcomment' }).check()
    await chip('rvprop', 'nope').click()
    expect(await text()).toBe('prop=revisions&titles=A&rvprop=ids%7Cparsedcomment')
  })
})

describe('what is wrong', () => {
  const borderOf = (place: Locator) => place.evaluate(element => getComputedStyle(element).borderTopColor)

  test('is marked at its chip, and neither where others are chosen nor where another is typed', async () => {
    await open('prop=revisions&titles=A&rvprop=ids|nope&list=allpages|recentchanges&apdir=up&rcnamespace=0|x')
    const bad = await borderOf(field('apdir'))
    expect(await borderOf(chip('rvprop', 'nope'))).toBe(bad)
    expect(await chip('rvprop', 'nope').getAttribute('aria-describedby')).toBe('field-rvprop-notes')
    expect(await borderOf(chip('rvprop', 'ids'))).not.toBe(bad)
    await field('rvprop').locator('summary').click()
    expect(await borderOf(field('rvprop').getByLabel('Filter'))).not.toBe(bad)
    expect(await borderOf(chip('rcnamespace', 'x'))).toBe(bad)
    expect(await field('rcnamespace').getAttribute('aria-invalid')).toBe('false')
    expect(await borderOf(field('rcnamespace'))).not.toBe(bad)
  })
})

test('the cards stand one below the other, and what a link to a parameter takes is large enough', async () => {
  await open('prop=revisions|info&titles=A', { viewport: { width: 1440, height: 900 } })
  const places = await builder()
    .locator('.module')
    .evaluateAll(cards => cards.map(card => card.getBoundingClientRect().left))
  expect(new Set(places).size).toBe(1)
  const links = await builder()
    .getByRole('link', { name: 'about' })
    .evaluateAll(links => links.map(link => link.getBoundingClientRect().height))
  expect(Math.min(...links)).toBeGreaterThanOrEqual(24)
})

const crowded =
  'generator=links&titles=A|B&plnamespace=0&prop=revisions|info&rvprop=ids|nope&rvlimit=0&list=watchlist|allusers&wltoken=x&auprop=rights&augroup=nope'

test.each(['light', 'dark'] as const)('has no barrier that axe-core can see, in the %s', async colorScheme => {
  await open('', { colorScheme })
  expect(await findBarriers(page)).toEqual([])
  await open(crowded, { colorScheme })
  await more('prop revisions').click()
  await field('rvprop').locator('summary').click()
  expect(await findBarriers(page)).toEqual([])
  expect(complaints).toEqual([])
})

test.each([320, 640, 1440])('at %i pixels never scrolls sideways', async width => {
  await open(`${crowded}&titles=${'x'.repeat(300)}&apfrom=${'y'.repeat(300)}`, { viewport: { width, height: 800 } })
  await more('prop revisions').click()
  expect(await scrollsSideways(page)).toBe(false)
})
