import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setUpBuilder } from './builder.ts'

const { page, open, builder, text, field, notes, chip, focused, more, choose } = setUpBuilder()
const textAndFocus = async () => [await text(), await focused()]

describe('a field', () => {
  test('and the text are the same thing, and what nobody touches stays byte for byte', async () => {
    await open('list=allpages&apprefix=%41+b&x=%e4&aplimit=5')
    expect(await field('apprefix').inputValue()).toBe('A b')
    await field('aplimit').fill('6')
    expect(await text()).toBe('list=allpages&apprefix=%41+b&x=%e4&aplimit=6')
    await page().getByRole('textbox', { name: 'Check a query' }).fill('list=allpages&aplimit=7')
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
    await page().keyboard.press('Backspace')
    expect(await textAndFocus()).toEqual(['list=allpages', 'field-aplimit'])
    await page().keyboard.type('12')
    expect(await text()).toBe('list=allpages&aplimit=12')
  })

  test('among those that are not given keeps the focus while it is filled in', async () => {
    await open()
    await choose('list allpages')
    await more('list allpages').click()
    await field('apfrom').focus()
    await page().keyboard.type('ab')
    expect(await textAndFocus()).toEqual(['list=allpages&apfrom=ab', 'field-apfrom'])
  })

  test('shows its default, and is a flag, a choice or a text by its type', async () => {
    await open()
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
  })
})

describe('several values', () => {
  test('are chips: Enter adds one, Backspace in the empty field takes the last away', async () => {
    await open()
    await choose('prop info')
    await field('titles').focus()
    for (const title of ['A', 'B|C', 'B', 'D']) {
      await page().keyboard.type(title)
      await page().keyboard.press('Enter')
    }
    expect(await text()).toBe('prop=info&titles=A%7CB%7CC%7CD')
    await page().keyboard.press('Backspace')
    expect(await textAndFocus()).toEqual(['prop=info&titles=A%7CB%7CC', 'field-titles'])
  })

  test('are in the query before Ctrl+Enter corrects it', async () => {
    await open('prop=links&limit=5')
    await field('titles').pressSequentially('A')
    await page().keyboard.press('Control+Enter')
    await expect.poll(text).toBe('prop=links&pllimit=5&titles=A')
  })

  test('are each removed by their chip, and the focus goes on to the next', async () => {
    await open('prop=info&titles=A|B|C')
    await chip('titles', 'B').focus()
    for (const [key, query, focus] of [
      ['Delete', 'prop=info&titles=A%7CC', 'Remove C ×'],
      ['Backspace', 'prop=info&titles=A', 'Remove A ×'],
      ['Enter', 'prop=info', 'field-titles'],
    ] as const) {
      await page().keyboard.press(key)
      expect(await textAndFocus()).toEqual([query, focus])
    }
  })

  test('that were the last of a card leave the focus where modules are chosen', async () => {
    await open('generator=allpages&titles=A')
    await chip('titles', 'A').press('Delete')
    expect(await field('titles').count()).toBe(0)
    expect(await focused()).toBe('module')
  })

  test('are taken when the field is left, and line by line when they are pasted', async () => {
    await open()
    await choose('prop info')
    await field('titles').fill('A')
    await page().locator('#module').focus()
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

  test('of an enumeration are the default until it is changed; one that somebody wrote stays', async () => {
    await open('list=categorymembers&cmtitle=Category:A')
    await more('list categorymembers').click()
    const box = (name: string) => field('cmtype').getByRole('checkbox', { name })
    expect(await box('page').isChecked()).toBe(true)
    await box('file').uncheck()
    expect(await text()).toBe('list=categorymembers&cmtitle=Category:A&cmtype=page%7Csubcat')
    await box('file').check()
    expect(await text()).toBe('list=categorymembers&cmtitle=Category:A')
    expect(await box('file').isChecked()).toBe(true)
    await open('list=categorymembers&cmtitle=Category:A&cmtype=page|subcat')
    await box('file').check()
    expect(await text()).toBe('list=categorymembers&cmtitle=Category:A&cmtype=page%7Csubcat%7Cfile')
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

  test('is marked at its chip, unless others are chosen or another is typed', async () => {
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

test('the cards stand one below the other, and targets are large enough', async () => {
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
