import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium, phone } from './chromium.ts'
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

beforeEach(() => open({}))
afterEach(async () => {
  await page.context().close()
  expect(complaints).toEqual([])
})

async function open(options: BrowserContextOptions, path = '/catalogue/explore/query+links'): Promise<void> {
  await page?.context().close()
  page = await (await browser.newContext({ viewport: { width: 1024, height: 700 }, ...options })).newPage()
  complaints = listenToConsole(page)
  await page.goto(site.url + path)
}

const field = () => page.getByRole('combobox', { name: 'Search' })
const options = () => page.getByRole('option')
const chosen = () => page.locator('[role="option"][aria-selected="true"]')
const status = () => page.locator('.search [role="status"]')
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
const isFocused = () => field().evaluate(field => field === document.activeElement)
const activeOption = async () => {
  const id = await field().getAttribute('aria-activedescendant')
  return id && (await page.locator(`#${id}`).innerText())
}
const whereIs = () => page.url().replace(site.url, '')

describe('the slash', () => {
  test('leads from anywhere on the page into the search, and is not written', async () => {
    await page.getByRole('link', { name: 'JSON Schema' }).first().focus()
    await press('/')
    expect(await isFocused()).toBe(true)
    expect(await field().inputValue()).toBe('')
  })

  test('selects what stands there, so that the next letter begins anew', async () => {
    await field().fill('links')
    await page.locator('main').focus()
    await press('/', 'a')
    expect(await field().inputValue()).toBe('a')
  })

  test('is a letter in fields', async () => {
    await field().fill('block')
    await press('/')
    expect(await field().inputValue()).toBe('block/')
  })

  test.each(['Control', 'Alt', 'Meta'])('is left to the browser together with %s', async modifier => {
    await press(`${modifier}+/`)
    expect(await isFocused()).toBe(false)
  })
})

describe('the list', () => {
  test('is there while something matches, and the status says how many', async () => {
    expect(await field().getAttribute('aria-expanded')).toBe('false')
    await field().fill('aurights')
    expect(await field().getAttribute('aria-expanded')).toBe('true')
    expect(await options().allInnerTexts()).toEqual([
      expect.stringMatching(/^aurights\s+wire name of allusers: parameter rights$/),
    ])
    expect(await status().innerText()).toBe('1 result')
    await field().fill('nothing of the kind')
    expect(await field().getAttribute('aria-expanded')).toBe('false')
    expect(await status().innerText()).toBe('Nothing in the catalogue is called nothing of the kind.')
    await field().fill('  ')
    expect(await status().innerText()).toBe('')
  })

  test('marks the letters that match', async () => {
    await field().fill('RIGHTS')
    expect(await options().locator('mark').first().innerText()).toBe('rights')
  })

  test('has its options in the field’s own list', async () => {
    await field().fill('links')
    const list = page.locator(`#${await field().getAttribute('aria-controls')}`)
    expect(await list.getAttribute('role')).toBe('listbox')
    expect(await list.getByRole('option').count()).toBe(await options().count())
  })

  test('begins at its top after each letter', async () => {
    await field().fill('a')
    await press('ArrowUp')
    const list = page.getByRole('listbox')
    expect(await list.evaluate(list => list.scrollTop)).toBeGreaterThan(0)
    await press('l')
    expect(await list.evaluate(list => list.scrollTop)).toBe(0)
  })

  test('shows all places of a text when one asks for them, and leaves the keys where they are', async () => {
    await field().fill('limit')
    await page.getByRole('option', { name: '47 more parameters named limit' }).click()
    expect(await isFocused()).toBe(true)
    expect(await options().count()).toBe(50)
    await field().fill('hidden')
    await field().fill('limit')
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown')
    expect(await activeOption()).toBe('47 more parameters named limit')
    await press('Enter')
    expect(await activeOption()).toMatch(/^limit\s+parameter of /)
    expect(await options().count()).toBe(50)
  })
})

describe('by keys', () => {
  test('arrows go down and up, and round at both ends', async () => {
    await field().fill('aurights')
    await field().fill('apihighlimits')
    const texts = await options().allInnerTexts()
    expect(texts.length).toBeGreaterThan(1)
    await press('ArrowDown')
    expect(await activeOption()).toBe(texts[0])
    await press('ArrowUp')
    expect(await activeOption()).toBe(texts.at(-1))
    await press('ArrowDown')
    expect(await activeOption()).toBe(texts[0])
    expect(await chosen().allInnerTexts()).toEqual([texts[0]])
    expect(await isFocused()).toBe(true)
  })

  test('the chosen option is always in sight', async () => {
    await field().fill('a')
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown']) {
      await press(key)
      const list = await page.getByRole('listbox').boundingBox()
      const option = await chosen().boundingBox()
      if (!list || !option) throw new Error('Nothing is chosen.')
      expect(option.y).toBeGreaterThanOrEqual(list.y - 1)
      expect(option.y + option.height).toBeLessThanOrEqual(list.y + list.height + 1)
    }
  })

  test.each(['Home', 'End', 'ArrowLeft', 'ArrowRight'])('%s goes back into the text', async key => {
    await field().fill('links')
    await press('ArrowDown', key, 'x')
    expect(await field().inputValue()).toContain('x')
    expect(await activeOption()).toBeNull()
  })

  test.each(['Alt', 'Control', 'Meta'])('%s and an arrow is the browser’s', async modifier => {
    await field().fill('links')
    await press(`${modifier}+ArrowDown`)
    expect(await activeOption()).toBeNull()
  })

  test('Home and End go to the beginning and the end of the text', async () => {
    await field().fill('ink')
    await press('Home', 'l', 'End', 's')
    expect(await field().inputValue()).toBe('links')
  })

  test('Enter goes to the first result, to its anchor', async () => {
    await field().fill('gplnamespace')
    await press('Enter')
    await page.waitForURL(/#/)
    expect(whereIs()).toBe('/catalogue/explore/query+links#namespace')
  })

  test('Enter goes to the result that the arrows have come to', async () => {
    await field().fill('apihighlimits')
    await press('ArrowDown', 'ArrowDown', 'Enter')
    await page.waitForURL(/contributors/)
    expect(whereIs()).toBe('/catalogue/explore/query+contributors#rights=apihighlimits')
    expect(await page.locator(':target').innerText()).toBe('apihighlimits')
  })

  test('Enter with Control opens it in another tab', async () => {
    await field().fill('allusers')
    const opened = page.context().waitForEvent('page')
    await press('ArrowDown', 'Control+Enter')
    expect((await opened).url()).toMatch(/query\+allusers$/)
    expect(whereIs()).toBe('/catalogue/explore/query+links')
  })

  test('Enter without a result does nothing', async () => {
    await field().fill('nothing of the kind')
    await press('Enter')
    expect(whereIs()).toBe('/catalogue/explore/query+links')
  })

  test('Escape closes the list, then clears the text; arrows and Enter open it again', async () => {
    await field().fill('links')
    await press('Escape')
    expect(await options().count()).toBe(0)
    expect(await status().innerText()).toBe('')
    expect(await field().inputValue()).toBe('links')
    await press('Enter')
    expect(await options().count()).toBeGreaterThan(0)
    await press('Escape', 'ArrowDown')
    expect(await activeOption()).toMatch(/^links\s/)
    await press('Escape', 'Escape')
    expect(await field().inputValue()).toBe('')
  })

  test('Tab leaves the search and closes the list', async () => {
    await field().fill('links')
    await press('Tab')
    expect(await isFocused()).toBe(false)
    expect(await options().count()).toBe(0)
  })
})

describe('by mouse and finger', () => {
  test('a result is a link that a click follows; the list closes', async () => {
    await field().fill('gplnamespace')
    await options().first().click()
    await page.waitForURL(/#namespace$/)
    expect(await options().count()).toBe(0)
    await field().click()
    expect(await options().count()).toBeGreaterThan(0)
  })

  test('the middle button opens it in another tab and leaves the list as it is', async () => {
    await field().fill('allusers')
    const opened = page.context().waitForEvent('page')
    await options().first().click({ button: 'middle' })
    expect((await opened).url()).toMatch(/query\+allusers$/)
    expect(await options().count()).toBeGreaterThan(0)
  })

  test('a click beside it closes it', async () => {
    await field().fill('links')
    await page.locator('h1').click({ position: { x: 5, y: 5 } })
    expect(await options().count()).toBe(0)
  })

  test('a finger taps what it looks for; no key is shown that a phone has not', async () => {
    await open(phone)
    expect(await page.locator('.search kbd').isVisible()).toBe(false)
    await field().tap()
    await page.keyboard.type('apihigh')
    await options().first().tap()
    await page.waitForURL(/#/)
    expect(whereIs()).toBe('/catalogue/explore/query+allusers#rights=apihighlimits')
  })
})

describe('what one comes to', () => {
  test('is not hidden by the header, in the narrowest window either', async () => {
    await open({ viewport: { width: 320, height: 640 } })
    await field().fill('plnamespace')
    await press('Enter')
    await page.waitForURL(/#namespace$/)
    const header = await page.locator('header').boundingBox()
    const target = await page.locator(':target').boundingBox()
    expect(target?.y).toBeGreaterThanOrEqual((header?.height ?? 0) - 1)
    expect(target?.y).toBeLessThan(500)
  })

  test('is what the next Tab goes on from', async () => {
    await field().fill('plnamespace')
    await press('Enter')
    await page.waitForURL(/#namespace$/)
    await press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest(':target')?.id)).toBe('namespace')
  })
})

test('typing and going ask the site for the page that one goes to, and for nothing else', async () => {
  site.requests.length = 0
  await field().fill('allusers')
  expect(site.requests).toEqual([])
  await press('Enter')
  await page.waitForURL(/allusers/)
  await page.waitForLoadState('networkidle')
  expect(site.requests).toEqual(['GET /catalogue/explore/query+allusers'])
})

describe.each(['light', 'dark'] as const)('in %s colours', colorScheme => {
  test.each([320, 1440])('in a window of %i px the open list fits, and axe finds nothing', async width => {
    await open({ colorScheme, viewport: { width, height: 640 } })
    expect(await findBarriers(page)).toEqual([])
    await field().fill('rights')
    await press('ArrowDown')
    expect(await findBarriers(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    const frame = await page.locator('.search-frame').boundingBox()
    expect(frame?.x).toBeGreaterThanOrEqual(0)
    expect((frame?.x ?? 0) + (frame?.width ?? 0)).toBeLessThanOrEqual(width)
    expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBeLessThanOrEqual(640)
    await field().fill('nothing-of-the-kind-'.repeat(20))
    expect(await scrollsSideways(page)).toBe(false)
    expect(await findBarriers(page)).toEqual([])
  })
})
