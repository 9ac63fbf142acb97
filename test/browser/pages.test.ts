import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium, phone } from './chromium.ts'
import { type Answer, acme, findBarriers, listenToConsole, openSite, type Site, scrollsSideways } from './support.ts'

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
  await site.close()
})

async function renew(options: BrowserContextOptions): Promise<void> {
  await page?.context().close()
  const context = await browser.newContext(options)
  page = await context.newPage()
  complaints = listenToConsole(page)
}

type State = 'ask' | 'done' | 'expired' | 'request' | 'sent'

/** What a person sees of the page, in a state. */
const entered = (state: State) => page.waitForSelector(`section[data-state="${state}"]:not([hidden])`)
const shown = (): Promise<string> => page.innerText('main')
const heading = (): Promise<string> => page.innerText('h1:visible')
/** The text beneath the button of the visible form. */
const alert = () => page.locator('[role="alert"]:visible')
const alerted = () => alert().filter({ hasText: /./ }).waitFor()
const click = () => page.click('button:visible')
const focused = (): Promise<string> =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName || '')

const ok = { body: { message: 'It is done.', success: true } }
const problem = (status: number, detail: string, members = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', status, detail, ...members },
})
const notAnAddress = problem(422, "'email' must be an e-mail address, such as ada@example.com", {
  code: 'invalid-body',
  errors: [{ pointer: '/email', detail: 'must be an e-mail address, such as ada@example.com' }],
})

const verification = {
  body: { token: 'secret-token' },
  done: 'Your address is verified',
  deadCode: 'invalid-verification-token',
  whoHas: 'If you have verified your address already, you can log in',
  renewal: '/auth/resend-verification',
}
const reset = {
  body: { token: 'secret-token', new_password: 'correct horse' },
  done: 'Your password was changed',
  deadCode: 'invalid-reset-token',
  whoHas: 'If you have chosen a new password already, you can log in',
  renewal: '/auth/forgot-password',
}

describe.each([
  ['/verify-email', verification],
  ['/reset-password', reset],
] as const)('the page %s', (path, { body, done, deadCode, whoHas, renewal }) => {
  const visit = () => page.goto(`${site.url}${path}?token=secret-token`)
  const act = async () => {
    if (path === '/reset-password') await page.fill('#new-password', 'correct horse')
    await click()
  }
  const dead = problem(400, 'Invalid or expired token', { code: deadCode })
  const expire = async () => {
    site.answer = dead
    await visit()
    await act()
    await entered('expired')
  }

  test('posts nothing before a person acts', async () => {
    await visit()
    await page.waitForTimeout(500)
    expect(site.requests.filter(request => !request.includes('favicon'))).toEqual([`GET ${path}?token=secret-token`])
  })

  test('posts what the API expects, once, and says what happened in its heading and title', async () => {
    site.answer = ok
    await visit()
    await act()
    await entered('done')
    expect(site.posts).toEqual([{ path: `/auth${path}`, contentType: 'application/json', body }])
    expect(await heading()).toBe(done)
    expect(await page.title()).toBe(`${done} · Acme`)
    expect(await page.locator('form:visible').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('continues to the app', async () => {
    site.answer = ok
    await visit()
    await act()
    await entered('done')
    const link = page.getByRole('link', { name: 'Continue to Acme' })
    expect(await link.getAttribute('href')).toBe(acme.appUrl)
    let referrer: string | null | undefined
    await page.route(acme.appUrl, async route => {
      referrer = await route.request().headerValue('referer')
      await route.fulfill({ body: 'the app' })
    })
    await link.click()
    await page.getByText('the app').waitFor()
    expect(referrer).toBeNull()
  })

  test('takes the token out of the address bar at once', async () => {
    await visit()
    expect(page.url()).toBe(`${site.url}${path}`)
  })

  test('still works after a reload, though the address has no token any more', async () => {
    site.answer = ok
    await visit()
    await page.reload()
    await act()
    await entered('done')
    expect(site.posts[0]?.body).toMatchObject({ token: 'secret-token' })
  })

  test.each([
    ['used', ok, 'done'],
    ['dead', dead, 'expired'],
  ] as const)('forgets the token once it is %s', async (_, answer, state) => {
    site.answer = answer
    await visit()
    await act()
    await entered(state)
    expect(await page.evaluate(() => history.state)).toBeNull()
  })

  test('without JavaScript says that it needs it, and has nothing to click', async () => {
    await renew({ javaScriptEnabled: false })
    await visit()
    expect(await shown()).toContain('needs JavaScript')
    expect(await page.locator('h1:visible').count()).toBe(1)
    expect(await page.locator('button:visible, input:visible').count()).toBe(0)
  })

  test('works by keyboard alone, and moves the focus to the result', async () => {
    site.answer = ok
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
    await entered('done')
    expect(site.posts).toHaveLength(1)
    expect(await focused()).toBe('H1')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Continue to Acme')
  })

  test('posts once, however often it is clicked while it waits, and keeps the focus', async () => {
    const late = Promise.withResolvers<Answer>()
    site.answer = late.promise
    await visit()
    await act()
    await page.getByRole('status').filter({ hasText: 'One moment…' }).waitFor({ state: 'attached' })
    await page.click('button:visible', { force: true })
    await page.click('button:visible', { force: true })
    expect(await focused()).toBe('BUTTON')
    late.resolve(ok)
    await entered('done')
    expect(site.posts).toHaveLength(1)
  })

  test.each([
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
    await alerted()
    expect(await alert().textContent()).toContain(words)
    expect(await focused()).toBe('BUTTON')

    site.answer = ok
    await click()
    await entered('done')
    expect(complaints).toEqual([])
  })

  describe('once its link no longer works', () => {
    test('says so in heading and title, says who can log in already, and asks for the address instead', async () => {
      await expire()
      expect(await heading()).toBe('This link no longer works')
      expect(await page.title()).toBe('This link no longer works · Acme')
      expect((await shown()).replaceAll(/\s/g, ' ')).toContain(whoHas)
      expect(await focused()).toBe('H1')
      expect(await page.locator('form:visible').count()).toBe(1)
      expect(await page.getAttribute('#email', 'autocomplete')).toBe('username')
    })

    test('requests a new link by keyboard alone, and shows the API’s answer', async () => {
      await expire()
      site.answer = { body: { message: 'If there is such an account, a link has been sent.', success: true } }
      for (let i = 0; i < 5 && (await focused()) !== 'email'; i++) await page.keyboard.press('Tab')
      await page.keyboard.type('ada@example.com')
      await page.keyboard.press('Enter')
      await entered('sent')
      expect(site.posts.at(-1)).toEqual({
        path: renewal,
        contentType: 'application/json',
        body: { email: 'ada@example.com' },
      })
      expect(await heading()).toBe('Check your inbox')
      expect(await shown()).toContain('If there is such an account, a link has been sent.')
      expect(await focused()).toBe('H1')
      expect(complaints).toEqual([])
    })

    test('requests another link, for the same address or another', async () => {
      await expire()
      site.answer = ok
      await page.fill('#email', 'ada@example.com')
      await click()
      await entered('sent')
      await page.getByRole('button', { name: 'Send it again' }).click()
      expect(await focused()).toBe('email')
      expect(await page.inputValue('#email')).toBe('ada@example.com')
      await page.keyboard.type('bob@example.com')
      await click()
      await entered('sent')
      expect(site.posts.at(-1)?.body).toEqual({ email: 'bob@example.com' })
    })

    test('says under the field what is wrong with the address, until somebody types', async () => {
      await expire()
      site.answer = notAnAddress
      await page.fill('#email', 'ada')
      await click()
      await page.getByText('Must be an e-mail address, such as ada@example.com').waitFor()
      expect(await focused()).toBe('email')
      expect(await page.getAttribute('#email', 'aria-invalid')).toBe('true')
      expect(await page.getByLabel('Email address').getAttribute('aria-describedby')).toBe('email-error')
      await page.keyboard.type('@')
      expect(await page.textContent('#email-error')).toBe('')
      expect(await page.getAttribute('#email', 'aria-invalid')).toBeNull()
    })

    test('can be tried again when the API does not answer', async () => {
      await expire()
      site.answer = { body: null }
      await page.fill('#email', 'ada@example.com')
      await click()
      await alerted()
      expect(await alert().textContent()).toContain('cannot be reached')
      await page.type('#email', 'x')
      expect(await alert().count()).toBe(0)
    })
  })

  test('requests a link without a token, too', async () => {
    await page.goto(`${site.url}${path}`)
    await entered('request')
    expect(await shown()).toContain('the link was cut off: open the whole link')
    site.answer = ok
    await page.fill('#email', 'ada@example.com')
    await click()
    await entered('sent')
    expect(site.posts).toMatchObject([{ path: renewal, body: { email: 'ada@example.com' } }])
  })

  /** Visits every state of the page. */
  async function seeAll(look: () => Promise<void>): Promise<void> {
    await visit()
    await look()
    site.answer = problem(429, 'x'.repeat(120))
    await act()
    await alerted()
    await look()
    site.answer = ok
    await click()
    await entered('done')
    await look()
    await expire()
    await look()
    site.answer = notAnAddress
    await click()
    await page.waitForSelector('[aria-invalid]')
    await look()
    site.answer = ok
    await click()
    await entered('sent')
    await look()
    await page.click('[data-again]')
    await look()
  }

  test.each(['light', 'dark'] as const)(
    'has no accessibility barrier that axe-core finds, in %s mode',
    async colorScheme => {
      await renew({ colorScheme })
      await seeAll(async () => expect(await findBarriers(page)).toEqual([]))
    },
  )

  test('fits a phone of 320 pixels, even with long words', async () => {
    await renew({ ...phone, viewport: { width: 320, height: 568 } })
    Object.assign(site.config, { productName: 'W'.repeat(60), supportEmail: `${'x'.repeat(64)}@acme.example` })
    await seeAll(async () => expect(await scrollsSideways(page)).toBe(false))
  })

  test('can be read at twice the size, on a small screen too', async () => {
    // To a page, zooming to 200 % is half as many pixels of twice the density (WCAG 2.2, 1.4.4 and 1.4.10).
    await renew({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 2 })
    await seeAll(async () => {
      expect(await scrollsSideways(page)).toBe(false)
      for (const button of await page.locator('button:visible, a.button:visible').all()) {
        await button.scrollIntoViewIfNeeded()
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      }
    })
  })

  test('is dark in dark mode', async () => {
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
    site.answer = problem(503, 'Try again')
    await page.fill(field, 'correct horse')
    await page.check('#show')
    await click()
    await alerted()
    expect(await page.getAttribute(field, 'type')).toBe('password')
    expect(await page.isChecked('#show')).toBe(false)
  })

  test.each([
    ['short', 'Password must be at least 8 characters', { code: 'password-too-short' }],
    ['password1', 'This password is too common', { code: 'password-too-common' }],
    [
      'x'.repeat(257),
      'Must be at most 256 characters',
      { code: 'invalid-body', errors: [{ pointer: '/new_password', detail: 'must be at most 256 characters' }] },
    ],
  ])(
    'leaves judging %s to the API, whose words stand under it until somebody types',
    async (password, words, members) => {
      site.answer = problem(400, words, members)
      await page.fill(field, password)
      await click()
      await page.getByText(words, { exact: true }).waitFor()
      expect(site.posts[0]?.body).toMatchObject({ new_password: password })
      expect(await focused()).toBe('new-password')
      expect(await page.getAttribute(field, 'aria-invalid')).toBe('true')
      expect(await page.getAttribute(field, 'aria-describedby')).toBe('new-password-error hint')
      expect(await page.textContent('#new-password-error')).toBe(words)
      await page.keyboard.type('x')
      expect(await page.textContent('#new-password-error')).toBe('')
      expect(await page.getAttribute(field, 'aria-invalid')).toBeNull()
    },
  )

  test('is empty once the password is changed', async () => {
    site.answer = ok
    await page.fill(field, 'correct horse')
    await click()
    await entered('done')
    expect(await page.inputValue(field)).toBe('')
  })

  test('accepts a pasted password in full', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const long = 'a long password with spaces and ünïcödé '.repeat(6)
    await page.evaluate(text => navigator.clipboard.writeText(text), long)
    await page.focus(field)
    await page.keyboard.press('Control+V')
    expect(await page.inputValue(field)).toBe(long)
  })
})

test('where verified addresses are required, a reset leads to the page that has a verification link sent', async () => {
  site.config.requireEmailVerification = true
  site.answer = ok
  await page.goto(`${site.url}/reset-password?token=secret-token`)
  await page.fill('#new-password', 'correct horse')
  await click()
  await entered('done')
  await page.getByRole('link', { name: 'get a verification link' }).click()
  await page.waitForURL(`${site.url}/verify-email`)
  expect(await heading()).toBe('Get a verification link')
})

test.each([
  ['light', 320],
  ['dark', 1280],
] as const)('the page / needs no script, has no barrier in the %s and fits %i pixels', async (colorScheme, width) => {
  await renew({ colorScheme, viewport: { width, height: 600 } })
  await page.goto(site.url)
  expect(await page.locator('script').count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  expect(complaints).toEqual([])
})
