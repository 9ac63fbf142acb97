import type { Route } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { phone } from '../chromium.ts'
import { findBarriersInLightAndDark, scrollsSideways } from '../support.ts'
import { setUpSearch } from './search.ts'

const { page, site, open, openLoaded, field, options, status, press, isFocused, activeOption, whereIs } = setUpSearch()

describe('the list', () => {
  beforeEach(openLoaded)

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
    const list = page().locator(`#${await field().getAttribute('aria-controls')}`)
    expect(await list.getAttribute('role')).toBe('listbox')
    expect(await list.getByRole('option').count()).toBe(await options().count())
  })

  test('begins at its top after each letter', async () => {
    await field().fill('a')
    await press('ArrowUp')
    const list = page().getByRole('listbox')
    expect(await list.evaluate(list => list.scrollTop)).toBeGreaterThan(0)
    await press('l')
    expect(await list.evaluate(list => list.scrollTop)).toBe(0)
  })

  test('shows all places of a text on demand, and leaves the keys alone', async () => {
    await field().fill('limit')
    await page().getByRole('option', { name: '47 more parameters named limit' }).click()
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

describe('by mouse and finger', () => {
  test('a result is a link that a click follows; the list closes', async () => {
    await openLoaded()
    await field().fill('gplnamespace')
    await options().first().click()
    await page().waitForURL(/#namespace$/)
    await expect.poll(() => options().count()).toBe(0)
    await field().click()
    await expect.poll(() => options().count()).toBeGreaterThan(0)
  })

  test('the middle button opens it in another tab and leaves the list as it is', async () => {
    await openLoaded()
    await field().fill('allusers')
    const opened = page().context().waitForEvent('page')
    await options().first().click({ button: 'middle' })
    await (await opened).waitForURL(/query\+allusers$/)
    expect(await options().count()).toBeGreaterThan(0)
  })

  test('a click beside it closes it', async () => {
    await openLoaded()
    await field().fill('links')
    await page()
      .locator('h1')
      .click({ position: { x: 5, y: 5 } })
    expect(await options().count()).toBe(0)
  })

  test('a finger taps what it looks for; no key is shown that a phone lacks', async () => {
    await open(phone)
    expect(await page().locator('.search kbd').isVisible()).toBe(false)
    await field().tap()
    await expect.poll(isFocused).toBe(true)
    await page().keyboard.type('apihigh')
    await options().first().tap()
    await page().waitForURL(/#/)
    expect(whereIs()).toBe('/catalogue/explore/query+allusers#rights=apihighlimits')
  })
})

describe('the place that a result leads to', () => {
  test('is not hidden by the header, in the narrowest window either', async () => {
    await open({ viewport: { width: 320, height: 640 } })
    await field().fill('plnamespace')
    await press('Enter')
    await page().waitForURL(/#namespace$/)
    const header = await page().locator('header').boundingBox()
    const target = async () => (await page().locator(':target').boundingBox())?.y
    await expect.poll(target).toBeLessThan(500)
    expect(await target()).toBeGreaterThanOrEqual((header?.height ?? 0) - 1)
  })

  test('is where the next Tab starts', async () => {
    await openLoaded()
    await field().fill('plnamespace')
    await press('Enter')
    await page().waitForURL(/#namespace$/)
    await press('Tab')
    expect(await page().evaluate(() => document.activeElement?.closest(':target')?.id)).toBe('namespace')
  })
})

test('typing and following a result request the search’s files and that page alone', async () => {
  // Options of no other test, so that the cache holds only this page's files.
  await open({ locale: 'en-GB' })
  site().requests.length = 0
  await field().fill('allusers')
  await page().getByRole('option').first().waitFor()
  expect(site().requests).toEqual(
    ['search', 'sentences'].map(name =>
      expect.stringMatching(new RegExp(`^GET /catalogue/explore/assets/${name}-[\\w-]{10}\\.js$`)),
    ),
  )
  site().requests.length = 0
  await press('Enter')
  await page().waitForURL(/allusers/)
  await page().waitForLoadState('networkidle')
  expect(site().requests).toEqual(['GET /catalogue/explore/query+allusers'])
})

test('Enter before the search is loaded goes to the first result once it is', async () => {
  await open()
  const asked = Promise.withResolvers<Route>()
  await page().route(/search-/, asked.resolve)
  await field().fill('gplnamespace')
  await press('Enter')
  const request = await asked.promise
  await page().getByText('One moment').waitFor()
  await request.continue()
  await page().waitForURL(/#namespace$/)
})

test('a search that cannot be loaded says so', async () => {
  await open()
  await page().route(/search-/, route => route.abort())
  await field().fill('allusers')
  await page().getByText('The search could not be loaded').waitFor()
})

test.each([320, 1440])('in a window of %i px the open list fits, without a barrier', async width => {
  await open({ viewport: { width, height: 640 } })
  expect(await findBarriersInLightAndDark(page())).toEqual([])
  await field().fill('rights')
  await press('ArrowDown')
  expect(await findBarriersInLightAndDark(page())).toEqual([])
  expect(await scrollsSideways(page())).toBe(false)
  const frame = await page().locator('.search-frame').boundingBox()
  expect(frame?.x).toBeGreaterThanOrEqual(0)
  expect((frame?.x ?? 0) + (frame?.width ?? 0)).toBeLessThanOrEqual(width)
  expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBeLessThanOrEqual(640)
  await field().fill('nothing-of-the-kind-'.repeat(20))
  expect(await scrollsSideways(page())).toBe(false)
  expect(await findBarriersInLightAndDark(page())).toEqual([])
})
