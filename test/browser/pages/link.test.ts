import { describe, expect, test } from 'vitest'
import { pathOf } from '../../../api/route-keys.ts'
import type { Answer } from '../support.ts'
import { linkPaths, ok, problem, setUpPages } from './pages.ts'

const { site, page, complaints, waitForState, shown, heading, alert, waitForAlert, click, focused, linkPage } =
  setUpPages()

describe.each(linkPaths)('the page %s', (path, { endpoint, body, passwordField, optionalField, done }) => {
  const { visit, act } = linkPage(path)

  test('posts nothing before a person acts, then once what the API expects, and says so', async () => {
    site().answer = ok
    await visit()
    expect(site().requests).toEqual([`GET ${path}?token=secret-token`])
    await act()
    await waitForState('done')
    expect(site().posts).toEqual([{ path: pathOf(endpoint), contentType: 'application/json', body }])
    expect(await heading()).toBe(done)
    expect(await page().title()).toBe(`${done} · Acme`)
    expect(await page().locator('form:visible').count()).toBe(0)
    expect(complaints()).toEqual([])
  })

  test('works by keyboard alone, and moves the focus to the result', async () => {
    site().answer = ok
    await visit()
    await page().keyboard.press('Tab')
    if (passwordField !== null) {
      expect(await focused()).toBe(passwordField)
      await page().keyboard.type('correct horse')
      await page().keyboard.press('Tab')
      expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('Show password')
      await page().keyboard.press('Tab')
    }
    if (optionalField !== null) {
      expect(await focused()).toBe(optionalField)
      await page().keyboard.press('Tab')
    }
    expect(await focused()).toBe('BUTTON')
    await page().keyboard.press('Enter')
    await waitForState('done')
    expect(site().posts).toHaveLength(1)
    expect(await focused()).toBe('H1')
    await page().keyboard.press('Tab')
    const onwards = page().locator('section[data-state="done"] a:visible').first()
    expect(await page().evaluate(() => document.activeElement?.textContent)).toBe(await onwards.textContent())
  })
})

describe('the script of all these pages', () => {
  const { visit, act, dead } = linkPage('/invitation')

  test.each([
    ['used', ok, 'done'],
    ['dead', dead, 'expired'],
  ] as const)('once it is %s forgets the token, and says so after reload and Back', async (_, answer, state) => {
    site().answer = answer
    await visit()
    await act()
    await waitForState(state)
    const seen = await shown()
    expect(JSON.stringify(await page().evaluate(() => history.state))).not.toContain('token')
    await page().reload()
    expect(await shown()).toBe(seen)
    await page().goto(`${site().url}/`)
    await page().goBack()
    expect(await shown()).toBe(seen)
    expect(site().posts).toHaveLength(1)
  })

  test('posts once, however often it is clicked, and lets nobody change what was sent', async () => {
    const late = Promise.withResolvers<Answer>()
    site().answer = late.promise
    await visit()
    await act()
    await page().getByRole('status').filter({ hasText: 'One moment…' }).waitFor({ state: 'attached' })
    await page().click('button:visible', { force: true })
    await page().click('button:visible', { force: true })
    expect(await focused()).toBe('BUTTON')
    for (const input of await page().locator('input:visible:not([type="checkbox"])').all()) {
      expect(await input.isEditable()).toBe(false)
    }
    late.resolve(problem(500, 'Something went wrong on our side'))
    await waitForAlert()
    for (const input of await page().locator('input:visible').all()) expect(await input.isEditable()).toBe(true)
    expect(site().posts).toHaveLength(1)
  })

  const limited = (seconds: number): Answer => ({
    ...problem(429, 'Too many requests to verify-email: at most 60 in one hour.', { code: 'too-many-requests' }),
    headers: { 'retry-after': String(seconds) },
  })

  test.each([
    [limited(1), 'Too many attempts from your network. Try again in 1 second.'],
    [limited(90), 'Try again in 90 seconds.'],
    [limited(91), 'Try again in 2 minutes.'],
    [limited(1800), 'Try again in 30 minutes.'],
    [limited(86_400), 'Try again in 24 hours.'],
    [
      { status: 429, headers: { 'retry-after': '17' }, body: { message: 'Too Many Requests' } },
      'Too many attempts from your network. Try again in 17 seconds.',
    ],
    [{ status: 429, body: { message: 'Too Many Requests' } }, 'Try again in a moment.'],
    [
      { ...problem(503, 'unavailable', { code: 'unavailable' }), headers: { 'retry-after': '5' } },
      'The service is not available at the moment. Try again in 5 seconds.',
    ],
    [{ status: 502, body: '<h1>Bad Gateway</h1>' }, 'Something went wrong (502). Try again in a moment.'],
    [{ status: 500, body: 'null' }, 'Something went wrong (500). Try again in a moment.'],
    [problem(415, 'The body must be JSON', { code: 'unsupported-media-type' }), 'Something went wrong (415).'],
    [{ body: null }, 'The service cannot be reached. Check your connection and try again.'],
  ])('says in words for people what went wrong, and can be tried again: %j', async (answer, words) => {
    site().answer = answer
    await visit()
    await act()
    await waitForAlert()
    expect(await alert().textContent()).toContain(words)
    expect(await focused()).toBe('BUTTON')

    site().answer = ok
    await click()
    await waitForState('done')
    expect(complaints()).toEqual([])
  })
})
