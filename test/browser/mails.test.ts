import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeLink } from '../../shared/accounts/letters.ts'
import { launchChromium, phone } from './chromium.ts'
import { findBarriers, scrollsSideways, wcag } from './support.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

const link = 'https://auth.example.com/verify-email?token=Zk3vYk1b0mS8m1qQm7C4XwKf2u0s9d8J6h5G4f3D2s1'
const longest = { email: `${'a'.repeat(64)}@${'b'.repeat(60)}.example`, name: 'W'.repeat(200), isVerified: true }

test.each([
  ['verification', 'light', 'rgb(255, 255, 255)'],
  ['verification', 'dark', 'rgb(27, 33, 42)'],
  ['reset', 'light', 'rgb(255, 255, 255)'],
  ['reset', 'dark', 'rgb(27, 33, 42)'],
] as const)('a %s mail reads well on a phone in the %s', async (kind, colorScheme, card) => {
  const context = await browser.newContext({ ...phone, colorScheme })
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))

  for (const to of [{ email: 'ada@example.com', name: 'Ada', isVerified: true }, longest]) {
    await page.setContent(writeLink(kind, to, link).html)
    expect(await scrollsSideways(page)).toBe(false)
    expect(await page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")).toBe(card)
    expect(await findBarriers(page, wcag)).toEqual([])
    const button = await page.locator('a').first().boundingBox()
    expect(button?.height).toBeGreaterThanOrEqual(44)
  }
  expect(requests).toEqual([])
  await context.close()
})

test('a name turns the direction of nothing around it', async () => {
  const page = await browser.newPage()
  const to = { email: 'ada@example.com', name: '\u202e<b>evil</b>', isVerified: true }
  await page.setContent(writeLink('reset', to, link).html)
  expect(await page.innerText('bdi')).toBe('Hello <b>evil</b>,')
  expect(await page.locator('b').count()).toBe(0)
  await page.close()
})
