import { describe, expect, test } from 'vitest'
import { allLanguages } from '../../../shared/words/pseudo.ts'
import { phone } from '../chromium.ts'
import { offered, plainTexts, speakAll } from '../languages.ts'
import {
  acme,
  documents,
  findBarriers,
  findBarriersInLightAndDark,
  formsTooLow,
  inWords,
  scrollsSideways,
  uselessFields,
} from '../support.ts'
import { linkPaths, notAnAddress, ok, problem, setUpPages } from './pages.ts'

const otherLanguages = Object.keys(allLanguages).filter(tag => tag !== 'en')

const { site, page, complaints, replacePage, waitForState, waitForAlert, click, linkPage } = setUpPages()

/** Plain letters in accented English, except in names, addresses, methods and times. */
const plainWords = (tag: string): Promise<string[]> | string[] =>
  tag === 'en-XA'
    ? page().evaluate(plainTexts(['Acme', acme.supportEmail, 'ada@example.com', 'GET', 'HEAD', 'POST', 'PUT']))
    : []

/** The directions of the visible fields, except names, which follow their text. */
const fieldDirections = () =>
  page()
    .locator('input:visible:not([name="name"])')
    .evaluateAll(inputs => inputs.map(input => getComputedStyle(input).direction))

describe.each(linkPaths)('the page %s', (path, { renewal }) => {
  const { visit, act, expire } = linkPage(path)

  /** Visits every state of the page. */
  async function seeAll(look: () => Promise<void>): Promise<void> {
    await visit()
    await look()
    site().answer = problem(429, 'x'.repeat(120))
    await act()
    await waitForAlert()
    await look()
    site().answer = ok
    await click()
    await waitForState('done')
    await look()
    await expire()
    await look()
    if (renewal === null) return
    site().answer = notAnAddress
    await page().fill('#email', 'ada@example.com')
    await click()
    await page().waitForSelector('[aria-invalid]')
    await look()
    site().answer = ok
    await click()
    await waitForState('sent')
    await look()
    await click()
    await page().waitForSelector('[data-resent]:not([hidden])')
    await look()
    await page().click('[data-other]')
    await look()
  }

  test('in all its states has no barrier, and fits 320 pixels at twice the size', async () => {
    // To a page, zooming to 200 % is half as many pixels of twice the density (WCAG 2.2, 1.4.4 and 1.4.10).
    const small = { width: 320, height: 256 }
    await replacePage({ ...phone, viewport: small, deviceScaleFactor: 2 })
    Object.assign(site().config, documents, {
      productName: 'W'.repeat(60),
      supportEmail: `${'x'.repeat(64)}@acme.example`,
    })
    await seeAll(async () => {
      expect(await findBarriersInLightAndDark(page())).toEqual([])
      expect(await scrollsSideways(page())).toBe(false)
      const heights = await page()
        .locator('button:visible, a.button:visible')
        .evaluateAll(all => all.map(it => it.getBoundingClientRect().height))
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
      await page().setViewportSize({ width: 1280, height: 720 })
      expect(await findBarriers(page(), ['target-size'])).toEqual([])
      await page().setViewportSize(small)
    })
    expect(complaints()).toEqual([])
  })

  test('in all its states helps phones: fields say what they take, near the top', async () => {
    await replacePage({ ...phone, viewport: { width: 360, height: 380 } })
    await seeAll(async () => {
      expect(await formsTooLow(page())).toEqual([])
      expect(await uselessFields(page())).toEqual([])
    })
  })

  test('in all its states takes another language’s words and its own again', async () => {
    await replacePage({ ...phone, viewport: { width: 320, height: 568 } })
    site().config.languages = offered
    await seeAll(() =>
      speakAll(page(), async tag => {
        expect(await plainWords(tag)).toEqual([])
        expect(new Set(await fieldDirections())).not.toContain('rtl')
      }),
    )
    expect(complaints()).toEqual([])
  })

  test('is dark in dark mode', async () => {
    const background = () => page().evaluate(() => getComputedStyle(document.body).backgroundColor)
    await visit()
    expect(await background()).toBe('rgb(243, 245, 248)')
    await page().emulateMedia({ colorScheme: 'dark' })
    expect(await background()).toBe('rgb(18, 22, 28)')
  })
})

describe.each(['/', '/verfy-email', '/auth/login'])('the page %s', path => {
  test.each([
    ['light', 320],
    ['dark', 1280],
  ] as const)('needs no script, has no barrier in the %s and fits %i pixels', async (colorScheme, width) => {
    await replacePage({ colorScheme, viewport: { width, height: 600 } })
    await page().goto(`${site().url}${path}`)
    expect(await page().locator('script').count()).toBe(0)
    expect(await page().locator('h1').count()).toBe(1)
    expect(await findBarriers(page())).toEqual([])
    expect(await scrollsSideways(page())).toBe(false)
    expect(complaints()).toEqual([])
    expect(site().requests).toEqual([`GET ${path}`])
  })

  test.each(otherLanguages)('has no barrier in %s, and fits 320 pixels', async tag => {
    await replacePage({ ...phone, viewport: { width: 320, height: 568 }, locale: tag })
    site().config.languages = offered
    await page().goto(`${site().url}${path}`)
    expect(await page().getAttribute('html', 'lang')).toBe(tag)
    expect(await findBarriers(page(), inWords)).toEqual([])
    expect(await scrollsSideways(page())).toBe(false)
  })
})
