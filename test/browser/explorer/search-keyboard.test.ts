import { beforeEach, describe, expect, test } from 'vitest'
import { setUpSearch } from './search.ts'

const { page, field, options, chosen, status, press, isFocused, activeOption, whereIs, openLoaded } = setUpSearch()
beforeEach(openLoaded)

describe('the slash', () => {
  test('leads from anywhere on the page into the search, and is not written', async () => {
    await page().getByRole('link', { name: 'JSON Schema' }).first().focus()
    await press('/')
    expect(await isFocused()).toBe(true)
    expect(await field().inputValue()).toBe('')
  })

  test('selects the text that is there, so that the next letter replaces it', async () => {
    await field().fill('links')
    await page().locator('main').focus()
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
      const list = await page().getByRole('listbox').boundingBox()
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
    await page().waitForURL(/#/)
    expect(whereIs()).toBe('/catalogue/explore/query+links#namespace')
  })

  test('Enter goes to the result that the arrows have come to', async () => {
    await field().fill('apihighlimits')
    await press('ArrowDown', 'ArrowDown', 'Enter')
    await page().waitForURL(/contributors/)
    expect(whereIs()).toBe('/catalogue/explore/query+contributors#rights=apihighlimits')
    expect(await page().locator(':target').innerText()).toBe('apihighlimits')
  })

  test('Enter with Control opens it in another tab', async () => {
    await field().fill('allusers')
    const opened = page().context().waitForEvent('page')
    await press('ArrowDown', 'Control+Enter')
    await (await opened).waitForURL(/query\+allusers$/)
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
