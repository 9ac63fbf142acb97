import { beforeEach, describe, expect, test } from 'vitest'
import { readPairs } from '../../../catalogue/validate/text/query.ts'
import { knowledge, validate } from '../../support/catalogue/validate.ts'
import { findBarriersInLightAndDark, scrollsSideways } from '../support.ts'
import { setUpBuilder } from './builder.ts'

const { page, complaints, open, builder, text, field, notes, card, focused, more, choose } = setUpBuilder()

describe('by keyboard alone, from nothing', () => {
  const press = (key: string) => page().keyboard.press(key)

  /** Presses Tab until an element of the builder is focused. */
  async function goTo(selector: string, key = 'Tab'): Promise<void> {
    for (let step = 0; step < 400; step++) {
      if (await page().evaluate(selector => document.activeElement?.matches(selector) ?? false, selector)) return
      await press(key)
    }
    throw new Error(`${selector} cannot be reached`)
  }
  async function add(module: string): Promise<void> {
    await goTo('#module', 'Shift+Tab')
    for (let step = 0; step < 120; step++) {
      if ((await page().inputValue('#module')) === module) break
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
    await page().keyboard.type(value)
  }
  async function tick(name: string, values: readonly string[]): Promise<void> {
    for (const value of values) {
      await goTo(`#field-${name} label:has(input):not(:has(:checked)) input`)
      while ((await page().evaluate(() => document.activeElement?.closest('label')?.textContent?.trim())) !== value)
        await press('Tab')
      await press('Space')
    }
  }

  beforeEach(async () => {
    await open()
    await page().locator('#module').focus()
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

  test('the revisions of two pages', async () => {
    await add('prop revisions')
    await goTo('#field-titles')
    for (const title of ['A', 'B']) {
      await page().keyboard.type(title)
      await press('Enter')
    }
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
  })

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
    await open()
    await choose('list search')
    expect(await text()).toBe('list=search')
    expect(await field('srsearch').getAttribute('aria-invalid')).toBe('true')
    expect(await field('srsearch').getAttribute('aria-describedby')).toBe('field-srsearch-notes')
    expect(await notes('srsearch').innerText()).toContain('srsearch')
    await field('srsearch').fill('a')
    expect(await field('srsearch').getAttribute('aria-invalid')).toBe('false')
  })

  test('that is removed takes its parameters along, and comes back by Back', async () => {
    await open('list=search|allpages&srsearch=a&aplimit=5&utf8=')
    await card('list search').getByRole('button', { name: 'Remove list search' }).click()
    expect(await text()).toBe('list=allpages&aplimit=5&utf8=')
    expect(await focused()).toBe('module')
    await page().goBack()
    await page().waitForFunction(() => document.querySelector('textarea')?.value.startsWith('list=search'))
    expect(await text()).toBe('list=search|allpages&srsearch=a&aplimit=5&utf8=')
  })

  test('is chosen once in a role, and another generator takes the place of the first', async () => {
    await open('generator=links&titles=A&gpllimit=5')
    expect(await page().locator('#module option[value="generator links"]').isDisabled()).toBe(true)
    await choose('generator images')
    expect(await text()).toBe('generator=images&titles=A')
  })

  test('links to its page, and each of its fields to its place there', async () => {
    await open('generator=links&titles=A&gplnamespace=0')
    const link = card('generator links').getByRole('link', { name: 'about gplnamespace' })
    expect(await link.getAttribute('href')).toBe('/catalogue/explore/query+links#namespace')
    await link.click()
    await page().waitForURL('**/query+links#namespace')
    expect(await page().locator(':target').getAttribute('id')).toBe('namespace')
    await page().goBack()
    await builder().waitFor()
    expect(await text()).toBe('generator=links&titles=A&gplnamespace=0')
  })

  test('says what holds between its parameters', async () => {
    await open()
    await choose('list categorymembers')
    expect(await card('list categorymembers').innerText()).toContain('Give exactly one of cmtitle and cmpageid.')
  })

  test('that needs one of several shows all, and says so until one is given', async () => {
    await open()
    await choose('list usercontribs')
    const names = await card('list usercontribs').locator('.field label code').allTextContents()
    expect(names.sort()).toEqual(['ucuser', 'ucuserids', 'ucuserprefix'])
    expect(await card('list usercontribs').locator('> .finding').innerText()).toContain('needs one of')
    await field('ucuser').fill('Ada')
    await page().keyboard.press('Enter')
    expect(await text()).toBe('list=usercontribs&ucuser=Ada')
    expect(await card('list usercontribs').locator('.finding').count()).toBe(0)
  })

  test('filters the parameters that are not given', async () => {
    await open()
    await choose('list recentchanges')
    await more('list recentchanges').click()
    await card('list recentchanges').getByLabel('Filter the parameters').fill('USER')
    expect(await card('list recentchanges').locator('.field label code').allTextContents()).toEqual([
      'rcuser',
      'rcexcludeuser',
    ])
  })
})

const crowded =
  'generator=links&titles=A|B&plnamespace=0&prop=revisions|info&rvprop=ids|nope&rvlimit=0&list=watchlist|allusers&wltoken=x&auprop=rights&augroup=nope'

test('has no barrier that axe-core can see, in light and dark', async () => {
  await open(crowded)
  await more('prop revisions').click()
  await field('rvprop').locator('summary').click()
  expect(await findBarriersInLightAndDark(page())).toEqual([])
  expect(complaints()).toEqual([])
})

test.each([320, 640, 1440])('at %i pixels never scrolls sideways', async width => {
  await open(`${crowded}&titles=${'x'.repeat(300)}&apfrom=${'y'.repeat(300)}`, { viewport: { width, height: 800 } })
  await more('prop revisions').click()
  expect(await scrollsSideways(page())).toBe(false)
})
