import { describe, expect, test } from 'vitest'
import { writeNotice } from '../../accounts/mail/templates.ts'
import { allLanguages } from '../../shared/words/pseudo.ts'
import { everyMail, undoLink } from '../accounts/mail/every-mail.ts'
import { english, letterWords } from '../support/letter-words.ts'
import { setUpBrowser } from './browser.ts'
import { phone } from './chromium.ts'
import { acme, documents, findBarriers, findBarriersInLightAndDark, scrollsSideways, wcag } from './support.ts'

const { openPage } = setUpBrowser()

const ada = { email: 'ada@example.com', name: 'Ada', isVerified: true }
const longest = { email: `${'a'.repeat(64)}@${'b'.repeat(60)}.example`, name: 'W'.repeat(200), isVerified: true }

/** Black is the accent colour that is hardest to read in the dark. */
const branded = { ...documents, accentColor: '#000000' }

/** A mail of each form: with a link, with a list, with a long value, and without a link. */
const mails: Record<string, typeof everyMail.reset> = {
  verification: everyMail.verification,
  reset: everyMail['reset with passkeys'],
  'email-changed': (to, from) =>
    writeNotice(english, 'email-changed', to, new Date(), from, { newEmail: longest.email, undoLink }),
  'recovery-code-used': everyMail['recovery-code-used'],
}

const schemes = [
  ['light', 'rgb(255, 255, 255)'],
  ['dark', 'rgb(27, 33, 42)'],
] as const

describe.each(Object.entries(mails))('a %s mail', (kind, write) => {
  test('reads well on a phone of 320 pixels, in light and dark', async () => {
    const page = await openPage({ ...phone, viewport: { width: 320, height: 568 } })
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))

    for (const to of [ada, longest]) {
      const from = to === longest ? { ...acme, ...branded, productName: 'W'.repeat(60) } : acme
      await page.setContent(write(to, from).html)
      expect(await scrollsSideways(page)).toBe(false)
      expect(await findBarriersInLightAndDark(page, wcag)).toEqual([])
      for (const [colorScheme, card] of schemes) {
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")).toBe(card)
      }
      await page.emulateMedia({ colorScheme: 'light' })
      const buttons = await page.locator('td > a').all()
      expect(buttons).toHaveLength(kind === 'recovery-code-used' ? 0 : 1)
      for (const button of buttons) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    expect(requests).toEqual([])
  })

  test('is a card of 520 pixels where an engine does not know max-width', async () => {
    const page = await openPage({ viewport: { width: 1280, height: 720 } })
    for (const to of [ada, longest]) {
      await page.setContent(write(to, acme).html.replaceAll(/max-width:[^;"]+;?/g, ''))
      expect((await page.locator('.card').boundingBox())?.width).toBe(520)
    }
  })

  test('can be read when all styles are stripped, its button included', async () => {
    const page = await openPage()
    await page.setContent(write(ada, acme).html.replaceAll(/ style="[^"]*"|<style>.*?<\/style>/gs, ''))
    expect(await findBarriers(page, ['wcag2aa'])).toEqual([])
  })

  test('keeps its sentences in order in a client that runs from right to left', async () => {
    const page = await openPage()
    const [, content] =
      /<body[^>]*>(.*)<\/body>/s.exec(
        write({ ...longest, email: 'ada@example.com', name: 'عادة' }, { ...acme, productName: 'بوابة' }).html,
      ) ?? []
    await page.setContent(`<html dir="rtl" lang="ar"><body>${content}</body></html>`)
    const [start, end] = await page.evaluate(() => {
      const greeting = [...document.querySelectorAll('p')].find(p => p.textContent?.startsWith('Hello')) as Element
      const last = greeting.lastChild as Text
      const at = (node: Node) => {
        const range = document.createRange()
        range.selectNode(node)
        return range.getBoundingClientRect().left
      }
      return [at(greeting.firstChild as Text), at(last)]
    })
    expect(start).toBeLessThan(Number(end))
  })
})

describe.each(Object.keys(allLanguages))('a mail in %s', tag => {
  const words = letterWords(tag)

  test('fits a phone of 320 pixels, with long name and address, without barriers', async () => {
    const page = await openPage({ ...phone, viewport: { width: 320, height: 568 } })
    for (const [name, write] of Object.entries(everyMail)) {
      await page.setContent(write(longest, acme, words).html)
      expect({ name, scrolls: await scrollsSideways(page) }).toEqual({ name, scrolls: false })
    }
    expect(await findBarriers(page, wcag)).toEqual([])
  })

  test('keeps its direction in a client that runs the other way, links too', async () => {
    const page = await openPage()
    const [, content] = /<body[^>]*>(.*)<\/body>/s.exec(everyMail.reset(ada, acme, words).html) ?? []
    await page.setContent(`<html dir="${words.dir === 'rtl' ? 'ltr' : 'rtl'}"><body>${content}</body></html>`)
    const directionOf = (selector: string) =>
      page.locator(selector).evaluate(element => getComputedStyle(element).direction)
    expect(await directionOf('h1')).toBe(words.dir)
    expect(await directionOf('p > a')).toBe('ltr')
    const box = await page.locator('h1').boundingBox()
    const text = await page.locator('h1').evaluate(element => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().x
    })
    expect(text > Number(box?.x)).toBe(words.dir === 'rtl')
  })
})

test('a name does not change the direction of the text around it', async () => {
  const page = await openPage()
  const to = { email: 'ada@example.com', name: '\u202e<b>evil</b>', isVerified: true }
  await page.setContent(everyMail.reset(to, acme).html)
  expect(await page.getByText('Hello').innerText()).toBe('Hello <b>evil</b>,')
  expect(await page.locator('b').count()).toBe(0)
})
