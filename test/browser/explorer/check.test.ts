import { beforeEach, describe, expect, test } from 'vitest'
import { findBarriersInLightAndDark, scrollsSideways } from '../support.ts'
import { setUpCheck } from './check.ts'

const { page, open, field, status, findings, button, text, underlined, paste } = setUpCheck()

describe('the copy under the text', () => {
  beforeEach(() => open())

  test.each([1440, 320])('has the size of the text, whatever it is, at %i px', async width => {
    await page().setViewportSize({ width, height: 800 })
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
      const [text, copy] = await page()
        .locator('.editor .text > *')
        .evaluateAll(boxes => boxes.map(box => [box.scrollHeight, box.clientHeight, box.clientWidth]))
      expect(copy).toEqual(text)
      expect(copy?.[0]).toBe(copy?.[1])
    }
  })
})

describe('Undo', () => {
  beforeEach(() => open())

  test('takes back a fix, the corrected query, an example and Clear', async () => {
    await paste('list=allpages&aplmit=5')
    await button('Write aplimit').click()
    await page().keyboard.press('Control+z')
    expect(await text()).toBe('list=allpages&aplmit=5')
    await button('Use it').click()
    await expect.poll(text).toBe('list=allpages&aplimit=5')
    await page().keyboard.press('Control+z')
    expect(await text()).toBe('list=allpages&aplmit=5')
    await button('Clear').click()
    await page().keyboard.press('Control+z')
    expect(await text()).toBe('list=allpages&aplmit=5')
    expect(await underlined()).toEqual(['aplmit'])
  })

  test('is a button too, step by step, until something else is written', async () => {
    await page().getByRole('button', { name: 'A mistake' }).click()
    await button('Write gplnamespace').click()
    await button('Undo').click()
    expect(await text()).toBe('generator=links&titles=A&plnamespace=0')
    await button('Undo').click()
    expect(await text()).toBe('')
    await page().getByRole('button', { name: 'A mistake' }).click()
    await page().keyboard.type('0')
    expect(await button('Undo').count()).toBe(0)
  })
})

/** Holds the page's pauses until a test ends them; shorter timers are Preact's. */
const holdPauses = () =>
  page().evaluateHandle(() => {
    const { setTimeout } = window
    const pauses: (() => void)[] = []
    const held = (end: (...values: unknown[]) => void, delay = 0, ...values: unknown[]) => {
      if (delay < 100) return setTimeout(end, delay, ...values)
      pauses.push(() => end(...values))
      return 0
    }
    Object.assign(window, { setTimeout: held })
    return pauses
  })

/** Types a letter, and fires earlier pauses before the page can clear them. */
const typeAtEndOf = (pauses: Awaited<ReturnType<typeof holdPauses>>, letter: string) =>
  pauses.evaluate(async (pauses, letter) => {
    // Effects start theirs after a frame.
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame)
    document.execCommand('insertText', false, letter)
    for (let turn = 0; turn < 5; turn++) await null
    for (const end of pauses) end()
  }, letter)

describe('what somebody is typing', () => {
  /** Types in one task, however slow the machine, and records the texts with findings. */
  const typed = (text: string) =>
    field().evaluate(async (field: HTMLTextAreaElement, text) => {
      field.focus()
      const wrong: string[] = []
      for (const letter of text) {
        document.execCommand('insertText', false, letter)
        // The page renders in a microtask.
        for (let turn = 0; turn < 5; turn++) await null
        if (document.querySelector('.editor mark, .findings li, .copy .bad, .corrected pre')) wrong.push(field.value)
      }
      return wrong
    }, text)

  const right = 'action=query&generator=categorymembers&gcmtitle=Category:Physics&gcmlimit=50&prop=info'

  test('shows no error at any letter of a right query', async () => {
    await open()
    expect(right).toHaveLength(86)
    expect(await typed(right)).toEqual([])
  })

  // A query without pauses, and with pauses within a name, an escape and a value, after which absences are reported.
  describe.each([
    ['is written at once', [right]],
    ['is written with pauses', ['list=', 'search&srs', 'earch=Caf%', 'C3', '%A9&srprop=si', 'ze']],
  ])('that %s', (_, parts) => {
    test.each([320, 640, 960, 1280])('moves next to nothing in a window of %i px', async width => {
      await open('', { viewport: { width, height: 720 } })
      const seen = await page().evaluateHandle(async () => {
        const nextFrame = () => new Promise(requestAnimationFrame)
        // Movement while the page opened does not count.
        for (let frame = 0; frame < 3; frame++) await nextFrame()
        const seen = { shifts: 0, wrong: [] as string[] }
        new PerformanceObserver(list => {
          // Movement right after a letter counts too.
          for (const shift of list.getEntries()) seen.shifts += (shift as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift' })
        new MutationObserver(() => {
          for (const { textContent } of document.querySelectorAll('.editor mark.error')) seen.wrong.push(textContent)
        }).observe(document.querySelector('.editor') as Element, { subtree: true, childList: true, attributes: true })
        return seen
      })
      await field().focus()
      for (const part of parts) {
        await page().keyboard.type(part)
        // Longer than the pause after which a pair is judged.
        await page().waitForTimeout(600)
      }
      await page().getByRole('heading', { name: 'No errors found' }).waitFor()
      const { shifts, wrong } = await seen.jsonValue()
      expect(wrong).toEqual([])
      expect(shifts).toBeLessThan(0.05)

      // What moves is seen.
      await page()
        .locator('main')
        .evaluate((main: HTMLElement) => {
          main.style.marginTop = '6rem'
        })
      await expect.poll(async () => (await seen.jsonValue()).shifts).toBeGreaterThan(0.05)
    })
  })

  test('is not judged by the pause before its last letter that ends after it', async () => {
    await open()
    const pauses = await holdPauses()
    expect(await typed('list=search&srsearch=Caf%C3')).toEqual([])
    await typeAtEndOf(pauses, '%')
    expect(await underlined()).toEqual([])
  })

  test('is judged once the caret has left its pair', async () => {
    await open()
    expect(await typed('list=allpages&aplmit=5&f')).toEqual(['list=allpages&aplmit=5&', 'list=allpages&aplmit=5&f'])
  })

  test('is judged after a pause, as is what is absent', async () => {
    await open()
    expect(await typed('list=search&srlimt=5')).toEqual([])
    await expect.poll(underlined).toEqual(['srlimt'])
    await findings().filter({ hasText: 'search needs srsearch' }).waitFor()
  })
})

describe('a long text', () => {
  beforeEach(() => open())

  test('keeps a letter that comes as the pause before it ends', async () => {
    const long = 'list=allpages&aplmit=5&'.repeat(200)
    const pauses = await holdPauses()
    await paste(long)
    await typeAtEndOf(pauses, 'x')
    expect(await text()).toBe(`${long}x`)
  })

  test('is checked once no more letters come, and says so', async () => {
    await status().evaluate(line => {
      const said: string[] = []
      Object.assign(window, { said })
      new MutationObserver(() => said.push(line.textContent)).observe(line, { characterData: true, subtree: true })
    })
    await paste('list=allpages&aplmit=5&'.repeat(200))
    await page().locator('.editor mark').first().waitFor()
    expect(await page().evaluate('said')).toEqual(['Checking…', expect.stringMatching(/error/i)])
  })

  test('can be corrected, and its correction can be taken', async () => {
    await paste(`list=allpages&${Array.from({ length: 400 }, (_, at) => `x${at}y=%`).join('&')}`)
    await button('Use it').waitFor()
    await page().getByText('Correcting…').waitFor({ state: 'detached' })
    await button('Use it').click()
    await expect.poll(async () => (await text()).split('=%25').length).toBe(201)
  })

  test('of more than 64 KiB is not checked, and nothing breaks', async () => {
    await paste('list=allpages&'.repeat(5000))
    expect(await status().textContent()).toBe('Longer than 65,536 characters: that is more than is checked.')
    expect(await findings().count()).toBe(0)
    await field().fill('list=allpages&aplmit=5')
    await expect.poll(underlined).toEqual(['aplmit'])
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
    await expect.poll(text).toBe('list=search&srsearch=a&srlimit=5&srwhat=txt')
    expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('Write srwhat=text')
    await button('Use it').tap()
    await expect.poll(() => status().textContent()).toBe('No errors found')
    // Not the text: a touch keyboard would come up.
    expect(await page().evaluate(() => document.activeElement?.className)).toBe('check')
    expect(await scrollsSideways(page())).toBe(false)
    await button('Undo').tap()
    await expect.poll(text).toBe('list=search&srsearch=a&srlimit=5&srwhat=txt')
    await button('Undo').tap()
    await expect.poll(text).toBe('list=search&srsearch=a&limit=5&srwhat=txt')
  })

  test('shows an example’s query and its finding together, and no keys it lacks', async () => {
    await open('', { viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true })
    await page().getByRole('button', { name: 'A mistake' }).tap()
    const isInWindow = (part: ReturnType<typeof field>) =>
      part.evaluate(part => {
        const { top, bottom } = part.getBoundingClientRect()
        const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
        return header <= top && bottom <= innerHeight
      })
    await expect.poll(() => Promise.all([field(), findings().first()].map(isInWindow))).toEqual([true, true])
    await button('Use it').waitFor()
    expect(await page().locator('.corrected kbd').first().isVisible()).toBe(false)
  })
})

test.each([
  ['nothing', ''],
  [
    'findings of all kinds',
    'generator=links&plnamespace=0&gpllimit=6000&prop=info&inprop=url|nosuch&gpldir=ascending&aplmit=5',
  ],
  ['no errors', 'list=search&srsearch=why?&srlimit=5'],
])('has no barrier in light and dark and does not scroll sideways with %s', async (_, query) => {
  await open(query)
  for (const width of [1440, 320]) {
    await page().setViewportSize({ width, height: 800 })
    expect(await findBarriersInLightAndDark(page())).toEqual([])
    expect(await scrollsSideways(page())).toBe(false)
  }
})

test('the words for wrong names are loaded with the first text that has one', async () => {
  await open()
  const files: (string | undefined)[] = []
  page().on('request', request => files.push(/assets\/(\w+)/.exec(request.url())?.[1]))
  await paste("fetch('https://en.wikipedia.org/w/api.php?action=query&list=search&srsearch=a')")
  await page().getByText('No errors found').first().waitFor()
  expect(files).toEqual(['late'])
  await field().fill('list=allpages&aplmit=5')
  await button('Write aplimit').waitFor()
  expect(files).toEqual(['late', 'rare'])
})
