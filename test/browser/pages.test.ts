import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium, phone } from './chromium.ts'
import { type Answer, findBarriers, listenToConsole, openSite, type Site, scrollsSideways } from './support.ts'

let browser: Browser
let site: Site
let page: Page
let complaints: string[]

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

beforeEach(async () => {
  site = await openSite()
  await renew({})
})
afterEach(async () => {
  await page.context().close()
  await site[Symbol.asyncDispose]()
})

async function renew(options: BrowserContextOptions): Promise<void> {
  await page?.context().close()
  const context = await browser.newContext(options)
  page = await context.newPage()
  complaints = listenToConsole(page)
}

const outcome = (): Promise<string | null> => page.textContent('#outcome')
const settled = (kind: 'done' | 'failed') => page.waitForSelector(`#outcome.${kind}`)
const focused = (): Promise<string> =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName || '')

const verified = { body: { message: 'Email verified successfully. You can now log in.', success: true } }
const reset = { body: { message: 'Password has been reset successfully. You can now log in.', success: true } }
const problem = (status: number, detail: string, code = ''): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', status, detail, code },
})

describe.each([
  ['/verify-email', { token: 'secret-token' }, verified],
  ['/reset-password', { token: 'secret-token', new_password: 'correct horse' }, reset],
] as const)('the page %s', (path, body, success) => {
  const visit = () => page.goto(`${site.url}${path}?token=secret-token`)
  const act = async () => {
    if (path === '/reset-password') await page.fill('#new-password', 'correct horse')
    await page.click('button')
  }

  test('posts nothing before a person acts', async () => {
    await visit()
    await page.waitForTimeout(500)
    expect(site.requests.filter(request => !request.includes('favicon'))).toEqual([`GET ${path}?token=secret-token`])
  })

  test('posts what the API expects, once, and says what the API says', async () => {
    site.answer = success
    await visit()
    await act()
    await settled('done')
    expect(site.posts).toEqual([{ path: `/auth${path}`, contentType: 'application/json', body }])
    expect(await outcome()).toBe(success.body.message)
    expect(await page.isVisible('form')).toBe(false)
    expect(complaints).toEqual([])
  })

  test('takes the token out of the address bar at once', async () => {
    await visit()
    expect(page.url()).toBe(`${site.url}${path}`)
  })

  test('still works after a reload, though the address has no token any more', async () => {
    site.answer = success
    await visit()
    await page.reload()
    await act()
    await settled('done')
    expect(site.posts[0]?.body).toMatchObject({ token: 'secret-token' })
  })

  test('forgets the token once it is used', async () => {
    site.answer = success
    await visit()
    await act()
    await settled('done')
    expect(await page.evaluate(() => history.state)).toBeNull()
  })

  test('without a token says so, and has nothing to click', async () => {
    await page.goto(`${site.url}${path}`)
    expect(await outcome()).toContain('needs the whole link')
    expect(await page.isVisible('button')).toBe(false)
  })

  test('without JavaScript says that it needs it, and has nothing to click', async () => {
    await renew({ javaScriptEnabled: false })
    await visit()
    expect(await page.innerText('main')).toContain('needs JavaScript')
    expect(await page.isVisible('button')).toBe(false)
  })

  test('works by keyboard alone, and moves the focus to what came of it', async () => {
    site.answer = success
    await visit()
    await page.keyboard.press('Tab')
    if (path === '/reset-password') {
      expect(await focused()).toBe('new-password')
      await page.keyboard.type('correct horse')
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('show')
      await page.keyboard.press('Tab')
    }
    expect(await focused()).toBe('BUTTON')
    await page.keyboard.press('Enter')
    await settled('done')
    expect(site.posts).toHaveLength(1)
    expect(await focused()).toBe('outcome')
  })

  test('posts once, however often it is clicked while it waits, and keeps the focus', async () => {
    const late = Promise.withResolvers<Answer>()
    site.answer = late.promise
    await visit()
    await act()
    await page.waitForSelector('#outcome.busy')
    await page.click('button', { force: true })
    await page.click('button', { force: true })
    expect(await focused()).toBe('BUTTON')
    late.resolve(success)
    await settled('done')
    expect(site.posts).toHaveLength(1)
  })

  test.each([
    [problem(400, 'Invalid or expired token'), 'Invalid or expired token'],
    [
      problem(429, 'Too many requests: at most 60 in one minute. Try again in 17 seconds.'),
      'Too many requests: at most 60 in one minute. Try again in 17 seconds.',
    ],
    [
      { status: 429, headers: { 'retry-after': '17' }, body: { message: 'Too Many Requests' } },
      'Try again in 17 seconds.',
    ],
    [{ status: 429, body: { message: 'Too Many Requests' } }, 'Try again in a moment.'],
    [{ status: 502, body: '<h1>Bad Gateway</h1>' }, 'Something went wrong (502). Try again in a moment.'],
    [{ status: 500, body: 'null' }, 'Something went wrong (500). Try again in a moment.'],
    [{ body: null }, 'The service cannot be reached. Check your connection and try again.'],
    [problem(400, '<img src=x onerror=alert(1)>'), '<img src=x onerror=alert(1)>'],
  ])('says what went wrong, and can be tried again: %j', async (answer, words) => {
    site.answer = answer
    await visit()
    await act()
    await settled('failed')
    expect(await outcome()).toContain(words)

    site.answer = success
    await page.click('button')
    await settled('done')
    expect(complaints).toEqual([])
  })

  test.each(['light', 'dark'] as const)('has no barrier that axe-core can see, in the %s', async colorScheme => {
    await renew({ colorScheme })
    await visit()
    expect(await findBarriers(page)).toEqual([])
    site.answer = problem(422, 'It is not right')
    await act()
    await settled('failed')
    expect(await findBarriers(page)).toEqual([])
    site.answer = success
    await page.click('button')
    await settled('done')
    expect(await findBarriers(page)).toEqual([])
  })

  test('fits a phone of 320 pixels, even with a long word', async () => {
    await renew({ ...phone, viewport: { width: 320, height: 568 } })
    site.answer = problem(400, 'x'.repeat(120))
    await visit()
    await act()
    await settled('failed')
    expect(await scrollsSideways(page)).toBe(false)
  })

  test('is dark in the dark', async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await visit()
    expect(await background()).toBe('rgb(243, 245, 248)')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).toBe('rgb(18, 22, 28)')
  })
})

describe('the password field', () => {
  const field = '#new-password'
  beforeEach(() => page.goto(`${site.url}/reset-password?token=secret-token`))

  test('shows and hides what is typed', async () => {
    expect(await page.getAttribute(field, 'type')).toBe('password')
    await page.check('#show')
    expect(await page.getAttribute(field, 'type')).toBe('text')
    await page.uncheck('#show')
    expect(await page.getAttribute(field, 'type')).toBe('password')
  })

  test('hides what was shown when it is sent', async () => {
    site.answer = problem(400, 'Invalid or expired reset token', 'invalid-reset-token')
    await page.fill(field, 'correct horse')
    await page.check('#show')
    await page.click('button')
    await settled('failed')
    expect(await page.getAttribute(field, 'type')).toBe('password')
    expect(await page.isChecked('#show')).toBe(false)
  })

  test.each([
    ['short', 'Password must be at least 8 characters', 'password-too-short'],
    ['password1', 'This password is too common', 'password-too-common'],
  ])('leaves judging %s to the API, and gets the focus when it is at fault', async (password, detail, code) => {
    site.answer = problem(400, detail, code)
    await page.fill(field, password)
    await page.click('button')
    await settled('failed')
    expect(site.posts[0]?.body).toMatchObject({ new_password: password })
    expect(await outcome()).toBe(detail)
    expect(await focused()).toBe('new-password')
    expect(await page.getAttribute(field, 'aria-invalid')).toBe('true')
  })

  test('is not at fault when the link is', async () => {
    site.answer = problem(400, 'Invalid or expired reset token', 'invalid-reset-token')
    await page.fill(field, 'correct horse')
    await page.click('button')
    await settled('failed')
    expect(await page.getAttribute(field, 'aria-invalid')).toBeNull()
  })

  test('takes a pasted password whole', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const long = 'a long password with spaces and ünïcödé '.repeat(6)
    await page.evaluate(text => navigator.clipboard.writeText(text), long)
    await page.focus(field)
    await page.keyboard.press('Control+V')
    expect(await page.inputValue(field)).toBe(long)
  })
})
