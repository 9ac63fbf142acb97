import { describe, expect, test } from 'vitest'
import { setUpExplorer } from './explorer.ts'

const { page, open, visit } = setUpExplorer()

describe('by keys alone', () => {
  type Stop = { name: string; isMarked: boolean; isSeen: boolean; isInHeader: boolean }

  /** The focused element: whether it is outlined, in the window, and uncovered. */
  const stop = (): Promise<Stop | null> =>
    page().evaluate(() => {
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
        // The editor's frame is outlined instead of its textarea.
        isMarked: isOutlined(element) || isOutlined(element.closest(':focus-within:not(:focus, body, main, html)')),
        isSeen: top >= -1 && bottom <= innerHeight + 1 && (element === over || element.contains(over)),
        isInHeader: element.closest('header') !== null,
      }
    })

  async function walk(key: string, most: number): Promise<Stop[]> {
    const stops: Stop[] = []
    while (stops.length < most) {
      await page().keyboard.press(key)
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
      // The builder is loaded when it is nearly in view, for which a program's Tab does not wait as a person's does.
      const builder = page().locator('#build')
      if ((await builder.count()) > 0) {
        await builder.scrollIntoViewIfNeeded()
        await builder.locator('select').first().waitFor()
        await page().evaluate(() => scrollTo(0, 0))
      }
      const forwards = await walk('Tab', 500)
      const focusable = await page()
        .locator('a[href], input, button, select, textarea, summary, [tabindex="0"]')
        .evaluateAll(
          elements =>
            elements.filter(element => (element as HTMLElement).tabIndex >= 0 && element.checkVisibility()).length,
        )
      expect(forwards.slice(0, 10).map(({ name }) => name)).toEqual([
        'Skip to the content',
        'Home',
        'Reference',
        'Query modules',
        'Account',
        'Query modules',
        'Check',
        'Build',
        'Modules',
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
    await page().keyboard.press('Tab')
    await page().keyboard.press('Enter')
    expect(await page().evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await page().keyboard.press('Tab')
    expect(await stop()).toMatchObject({ isInHeader: false })
  })
})
