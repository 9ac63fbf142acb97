import { beforeEach, describe, expect, test } from 'vitest'
import { examples } from '../../../catalogue/explorer/client/query/examples.tsx'
import { mistakes } from '../../support/catalogue/mistakes.ts'
import { compact } from '../../support/catalogue/validate.ts'
import { setUpCheck } from './check.ts'

const { page, complaints, site, open, field, status, findings, button, corrected, text, underlined, paste, pressOn } =
  setUpCheck()
beforeEach(() => open())

const tooMany = examples(compact).find(({ query }) => query.startsWith('list=allusers'))?.query ?? ''

/** The pasted text, the underlined part, the fix, and the result. */
const rows = mistakes.map(({ query, underlined, fix, mended }) => [query, underlined, fix, mended] as const)
const [mistake] = mistakes

describe('each of the real mistakes, from paste to clean', () => {
  test.each(rows)('%s: underlines %s; "%s" gives %s', async (query, stretch, fix, clean) => {
    await paste(query)
    expect(await underlined()).toEqual([stretch])
    expect(await findings().count()).toBe(1)
    expect(await status().textContent()).toMatch(/^(Error: |1 error)/)
    await button(fix).click()
    expect(await text()).toBe(clean)
    expect(await underlined()).toEqual([])
    expect(await findings().count()).toBe(0)
    await page().getByRole('heading', { name: 'No errors found' }).waitFor()
    expect(complaints()).toEqual([])
  })

  test.each([
    ['in one stroke', () => page().keyboard.press('Control+Enter')],
    ['by the button of its fix', () => pressOn(button(mistake.fix))],
  ])('by keyboard alone, %s', async (_, mend) => {
    await field().focus()
    await page().keyboard.insertText(mistake.query)
    await mend()
    await expect.poll(text).toBe(mistake.mended)
    // Nothing is left to fix, so the person types on.
    expect(await field().evaluate(field => field === document.activeElement)).toBe(true)
    await corrected().getByText('Nothing to correct.').waitFor()
  })

  test('81 values: says who may send them, and when to split', async () => {
    await paste(tooMany)
    expect(await findings().allTextContents()).toEqual([
      expect.stringContaining('81 values, and only callers with the high limit'),
    ])
    await corrected().getByText('No fix is certain').waitFor()
    await page().getByLabel('Check for').selectOption('high')
    expect(await findings().count()).toBe(0)
    await page().getByLabel('Check for').selectOption('normal')
    expect(await findings().allTextContents()).toEqual([expect.stringContaining('50 are allowed: split the query')])
  })

  test('all of them are there to try, and Clear leads back to them', async () => {
    for (const { says, query } of examples(compact)) {
      const example = page().getByRole('button', { name: says })
      if (!(await example.isVisible())) await page().getByText('More', { exact: true }).click()
      await example.click()
      expect(await text()).toBe(query)
      await button('Clear').click()
      expect(await text()).toBe('')
    }
  })
})

describe('several findings', () => {
  const query = 'list=search&srsearch=a&limit=5&srprop=size|nosuch&srnamespace=x&srwhat=txt'

  test('are mended one after the other by keyboard, without looking for the next', async () => {
    await field().focus()
    await page().keyboard.insertText(query)
    await pressOn(button('Write srlimit'))
    for (let count = 3; count > 0; count--) {
      expect(await findings().count()).toBe(count)
      expect(await page().evaluate(() => document.activeElement?.closest('.findings li') !== null)).toBe(true)
      await page().keyboard.press('Enter')
    }
    expect(await status().textContent()).toBe('No errors found')
  })

  test('are mended all at once beside the text, which says what remains', async () => {
    await paste(`${query}&prop=info`)
    await expect.poll(() => corrected().locator('mark').allTextContents()).toEqual(['srlimit', 'nosuch', 'x', 'text'])
    expect(await corrected().getByRole('listitem').allTextContents()).toEqual([
      'limit: Write srlimit',
      'srwhat: Write srwhat=text',
      expect.stringMatching(/srprop has no value "nosuch".* Leave out "nosuch"$/),
      expect.stringMatching(/"x" is no namespace.* Remove srnamespace|"x" is no namespace.* Leave out "x"$/),
      expect.stringContaining('info looks at pages, and the query names none'),
    ])
    await button('Use it').click()
    await expect
      .poll(text)
      .toBe('list=search&srsearch=a&srlimit=5&srprop=size|nosuch&srnamespace=x&srwhat=text&prop=info')
    expect(await findings().count()).toBe(3)
  })

  test('leave the correction while somebody types, and correct what was typed at rest', async () => {
    await paste(query)
    await corrected().locator('mark').first().waitFor()
    const seen = await corrected().evaluateHandle(region => {
      const texts: string[] = []
      new MutationObserver(() => texts.push(region.querySelector('pre')?.textContent ?? '')).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      })
      return texts
    })
    await page().keyboard.type('&maxlag=5')
    await expect.poll(() => corrected().locator('pre').textContent()).toContain('srwhat=text&maxlag=5')
    const corrections = await seen.jsonValue()
    expect(corrections.filter(text => text === '')).toEqual([])
    expect(await corrected().getAttribute('aria-busy')).toBe('false')
  })

  test('are not mended when Ctrl+Enter was pressed before the last letter', async () => {
    await field().focus()
    // In one task, so that even on a slow machine no pause elapses in between.
    await page().evaluate(() => {
      document.execCommand('insertText', false, 'list=allpages&aplmit=5')
      const keys = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', keys))
      document.execCommand('insertText', false, '0')
    })
    await corrected().getByText('list=allpages&aplimit=50').waitFor()
    expect(await text()).toBe('list=allpages&aplmit=50')
  })

  test('are shown where they are: by the caret, and by a click', async () => {
    await paste(query)
    await field().evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(25, 25))
    await expect.poll(() => status().textContent()).toContain('limit lacks the prefix of search')
    expect(await page().locator('.findings [aria-current=true]').textContent()).toContain('limit lacks the prefix')
    await button('Show srwhat in the query').click()
    expect(await page().evaluate(() => getSelection()?.toString())).toBe('txt')
  })

  test('are shown and mended from far below, where the page stays', async () => {
    await paste(`list=allpages&${Array.from({ length: 25 }, (_, at) => `x${at}y=1`).join('&')}`)
    const last = findings().last()
    await last.scrollIntoViewIfNeeded()
    const top = await page().evaluate(() => scrollY)
    await last.getByRole('button', { name: 'Remove x24y' }).click()
    expect(await findings().count()).toBe(24)
    // The page is shorter by one finding now.
    expect(await page().evaluate(() => scrollY)).toBeGreaterThan(top / 2)
    await button('Show x23y in the query').click()
    const mark = await page().locator('.editor mark').last().boundingBox()
    expect(mark?.y).toBeGreaterThan(0)
    expect(mark?.y).toBeLessThan(page().viewportSize()?.height ?? 0)
  })

  test('of what is absent lead to where its value is written', async () => {
    await paste('https://wiki.example/w/api.php?list=search#top')
    await button('Add srsearch=').click()
    await page().keyboard.type('why')
    expect(await text()).toBe('https://wiki.example/w/api.php?list=search&srsearch=why#top')
    expect(await status().textContent()).toBe('No errors found')
  })

  test('lead to the reference of their parameters', async () => {
    await paste(query)
    for (const href of await page()
      .locator('.findings a')
      .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href))) {
      const { pathname, hash } = new URL(href)
      const answer = await page().request.get(site().url + pathname)
      expect(answer.status()).toBe(200)
      expect(await answer.text()).toContain(`id="${decodeURIComponent(hash.slice(1))}"`)
    }
  })

  test('beyond 200 are counted', async () => {
    await paste(`list=allpages&${Array.from({ length: 250 }, (_, at) => `x${at}y=1`).join('&')}`)
    await page().getByText('250 errors').first().waitFor()
    expect(await findings().count()).toBe(200)
    expect(await page().getByText('The first 200 of 250 are listed').isVisible()).toBe(true)
  })

  test('are said to a screen reader once typing has stopped, and not before', async () => {
    const said = () =>
      page()
        .getByRole('status')
        .filter({ hasText: /error|Check/ })
        .allTextContents()
    // In one task, so that even on a slow machine no pause elapses in between.
    const before = await field().evaluate(async (field: HTMLTextAreaElement) => {
      field.focus()
      for (const letter of 'list=allpages&aplmit=5') document.execCommand('insertText', false, letter)
      // The page renders in a microtask.
      for (let turn = 0; turn < 5; turn++) await null
      return [...document.querySelectorAll('[role="status"]')].map(status => status.textContent).join()
    })
    expect(before).not.toMatch(/error|Check/)
    // Judged after one pause, and announced after another.
    await expect.poll(said).toEqual(['1 error'])
  })
})
