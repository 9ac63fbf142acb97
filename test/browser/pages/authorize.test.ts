import { beforeEach, describe, expect, test } from 'vitest'
import { queryOf, shopRequest } from '../../support/clients.ts'
import { disguise } from '../../support/code-forms.ts'
import { providers } from '../../support/providers.ts'
import { speak, speakAll } from '../languages.ts'
import { findBarriers, formsTooLow } from '../support.ts'
import { problem, setUpPages } from './pages.ts'

/** The page on which people log in to an application, and the page that logs a browser out. */

const { site, page, complaints, replacePage, heading } = setUpPages()

const ada = { email: 'ada@example.com', password: 'correct horse' }
const onward = `${shopRequest.redirect_uri}?code=the-code&state=the+state`
const query = queryOf('/authorize')
const refused = (code: string, status = 401, members = {}) => problem(status, 'for programs', { code, ...members })
const loginRequired = refused('login-required')

const posted = (path: string) =>
  site()
    .posts.filter(post => post.path === path)
    .map(({ body }) => body)
const press = (name: string) => page().getByRole('button', { name, exact: true }).click()
/** The application, where the page leads. */
const atShop = () => page().waitForURL(url => url.origin === 'https://shop.example.com')

beforeEach(async () => {
  site().config = { ...site().config, hasClients: true }
  site().answers = {
    '/auth/authorize-session': loginRequired,
    '/auth/authorize': { body: { location: onward } },
    '/auth/resend-verification': { body: {} },
    '/auth/register': { status: 201, body: { email: ada.email } },
  }
  await serveShop()
})

const serveShop = () =>
  page()
    .context()
    .route('https://shop.example.com/**', route => route.fulfill({ contentType: 'text/html', body: '<h1>Shop</h1>' }))

async function open(more: Record<string, string> = {}, wait = true): Promise<void> {
  await page().goto(`${site().url}/authorize?${new URLSearchParams({ ...shopRequest, ...more })}`)
  if (wait) await page().waitForSelector('h1:visible')
}

async function logIn(): Promise<void> {
  await page().getByLabel('Email address').fill(ada.email)
  await page().getByLabel('Password', { exact: true }).fill(ada.password)
  await press('Log in')
}

test('people log in to the application, and it gets its answer', async () => {
  await open()
  expect(await heading()).toBe('Log in to Shop')
  expect(await page().getByLabel('Keep me logged in in this browser').isChecked()).toBe(false)
  await logIn()
  await atShop()
  expect(page().url()).toBe(onward)
  expect(posted('/auth/authorize-session')).toEqual([{ request: query, confirmed: false }])
  expect(posted('/auth/authorize')).toEqual([{ request: query, ...ada, stay: false }])
  expect(complaints()).toEqual([])
})

test.each([
  ['asks who stays logged in', {}, {}, 1],
  ['asks nobody where no browser stays logged in', { sso: false }, {}, 0],
  ['asks there too, where the application takes no form for an answer', { sso: false }, { prompt: 'none' }, 1],
])('on its first visit the page %s', async (_, config, more, asked) => {
  Object.assign(site().config, config)
  await open(more)
  expect(await heading()).toBe('Log in to Shop')
  expect(posted('/auth/authorize-session')).toHaveLength(asked)
})

test('the box is what has the browser stay logged in', async () => {
  await open()
  await page().getByLabel('Keep me logged in in this browser').check()
  await logIn()
  await atShop()
  expect(posted('/auth/authorize')).toMatchObject([{ stay: true, label: 'Chrome, Linux' }])
})

test('a browser session continues at once', async () => {
  site().answers['/auth/authorize-session'] = { body: { location: onward } }
  await open({}, false)
  await atShop()
  expect(page().url()).toBe(onward)
})

describe('an address that is not https', () => {
  beforeEach(() => {
    site().answers['/auth/authorize-session'] = refused('confirmation-required', 400, { email: ada.email })
  })

  test('is led to once the person has said yes', async () => {
    await open()
    await page().getByText(`Continue as ${ada.email}?`).waitFor()
    site().answers['/auth/authorize-session'] = { body: { location: onward } }
    await press('Continue')
    await atShop()
    expect(posted('/auth/authorize-session')).toEqual([
      { request: query, confirmed: false },
      { request: query, confirmed: true },
    ])
  })

  test('is not led to by who is somebody else', async () => {
    await open()
    await press('Use another account')
    expect(await page().getByLabel('Email address').inputValue()).toBe('')
    await logIn()
    await atShop()
  })
})

test('the form is filled with whom the application expects, or who was logged in', async () => {
  await open({ login_hint: 'grace@example.com' })
  expect(await page().getByLabel('Email address').inputValue()).toBe('grace@example.com')
  site().answers['/auth/authorize-session'] = refused('login-required', 401, { email: ada.email })
  await open()
  expect(await page().getByLabel('Email address').inputValue()).toBe(ada.email)
})

test('a cancellation returns to the application, which learns it', async () => {
  await open()
  await press('Cancel')
  await atShop()
  expect(Object.fromEntries(new URL(page().url()).searchParams)).toMatchObject({
    error: 'access_denied',
    state: shopRequest.state,
  })
})

test('a low window, as beside a keyboard, has the form at its top, whole', async () => {
  await replacePage({ viewport: { width: 360, height: 380 } })
  await serveShop()
  await open()
  expect(await formsTooLow(page())).toEqual([])
  for (const text of ['Acme', 'Log in to Shop']) await page().getByText(text, { exact: true }).waitFor()
})

describe('a second factor is asked for once the API asks', () => {
  const fields = () => page().locator('main label:visible').allInnerTexts()
  const typed = () =>
    Promise.all(['Email address', 'Password'].map(label => page().getByLabel(label, { exact: true }).inputValue()))
  const code = () => page().locator('[name="code"]')
  const attributes = () =>
    code().evaluate((input: HTMLInputElement) => [
      input.inputMode,
      input.autocomplete,
      input === document.activeElement,
    ])

  beforeEach(async () => {
    site().config = { ...site().config, passkeyRpId: 'localhost' }
    site().answers['/auth/authorize'] = refused('second-factor-required', 401, { methods: ['code'] })
    await openAtName()
    await logIn()
    await page().getByRole('heading', { name: 'Enter your code' }).waitFor()
  })

  /** Passkeys work at names alone. */
  async function openAtName(): Promise<void> {
    const at = site().url.replace('127.0.0.1', 'localhost')
    await page().goto(`${at}/authorize?${new URLSearchParams(shopRequest)}`)
    await page().waitForSelector('h1:visible')
  }

  test('in a step of its own', async () => {
    expect(await page().locator('h1:visible').allInnerTexts()).toEqual(['Enter your code'])
    expect(await fields()).toEqual(['Code'])
    expect(await attributes()).toEqual(['numeric', 'one-time-code', true])
    expect(await code().getAttribute('enterkeyhint')).toBe('go')
    await page().getByText(ada.email).waitFor()
    expect(await page().locator('main button:visible').allInnerTexts()).toEqual([
      'Use another account',
      'Log in',
      'Use a recovery code',
      'Use a passkey',
      'Cancel',
    ])
    expect(await findBarriers(page())).toEqual([])
    await code().fill(disguise('492039'))
    site().answers['/auth/authorize'] = { body: { location: onward } }
    await page().keyboard.press('Enter')
    await atShop()
    expect(posted('/auth/authorize')[1]).toMatchObject({ ...ada, code: '492039' })
  })

  test('or for a recovery code, for which the keyboard has letters', async () => {
    await code().fill('492')
    await press('Use a recovery code')
    expect([await fields(), await code().inputValue()]).toEqual([['Recovery code'], ''])
    expect(await attributes()).toEqual(['text', 'off', true])
    await code().fill('ABCD-EFGH')
    site().answers['/auth/authorize'] = refused('wrong-code', 400)
    await press('Log in')
    await page().getByText('This recovery code is wrong, or was used already.').waitFor()
    await press('Use a code from the app')
    expect([await fields(), await attributes()]).toEqual([['Code'], ['numeric', 'one-time-code', true]])
    await press('Log in')
    await page().getByText('Enter a code.').waitFor()
  })

  test.each([
    ['Escape', () => page().keyboard.press('Escape')],
    ['Back', () => page().goBack()],
  ])('%s leads back to what was typed', async (_, goBack) => {
    await goBack()
    await page().getByRole('heading', { name: 'Log in to Shop' }).waitFor()
    expect(await typed()).toEqual([ada.email, ada.password])
    await press('Log in')
    await code().waitFor()
    expect(await fields()).toEqual(['Code'])
  })

  test('another account has empty fields', async () => {
    await press('Use another account')
    await page().getByRole('heading', { name: 'Log in to Shop' }).waitFor()
    await expect.poll(typed).toEqual(['', ''])
    expect(await page().evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
  })
})

describe.each([
  ['email-not-verified', 'Verify your email address first.', 1],
  ['second-factor-setup', 'You need two-step verification first.', 0],
] as const)('where a mail comes first (%s)', (code, words, mails) => {
  test('the page says so, and goes on with what was typed', async () => {
    site().answers['/auth/authorize'] = refused(code, 403)
    await open()
    await page().getByLabel('Keep me logged in in this browser').check()
    await logIn()
    await page().getByText(words).waitFor()
    expect(await heading()).toBe('Check your inbox')
    await expect
      .poll(() => posted('/auth/resend-verification'))
      .toEqual(Array.from({ length: mails }, () => ({ email: ada.email, client_id: 'shop' })))
    site().answers['/auth/authorize'] = { body: { location: onward } }
    await press('Continue')
    await atShop()
    expect(posted('/auth/authorize')[1]).toMatchObject({ ...ada, stay: true })
  })
})

test('a new person registers, for this application, and is logged in', async () => {
  await open({ prompt: 'create' })
  expect(await heading()).toBe('Create an account')
  await page().getByLabel('Email address').fill(ada.email)
  await page().getByLabel('Password', { exact: true }).fill(ada.password)
  await press('Create an account')
  await atShop()
  expect(posted('/auth/register')).toMatchObject([{ ...ada, client_id: 'shop' }])
  // The box is unticked.
  expect(posted('/auth/authorize')).toEqual([{ request: expect.any(String), ...ada, stay: false }])
})

test('where everybody needs two-step verification, no new person is told to log in', async () => {
  site().answers['/auth/authorize'] = refused('second-factor-setup', 403)
  await open({ prompt: 'create' })
  await page().getByLabel('Email address').fill(ada.email)
  await page().getByLabel('Password', { exact: true }).fill(ada.password)
  await press('Create an account')
  await page().getByText('You need two-step verification first.').waitFor()
  expect(await heading()).toBe('Check your inbox')
  expect(await page().getByText('You can log in already').count()).toBe(0)
  site().answers['/auth/authorize'] = { body: { location: onward } }
  await press('Continue')
  await atShop()
})

test('where only operators open accounts, a new person is asked to log in', async () => {
  site().config = { ...site().config, signUp: 'invited' }
  await open({ prompt: 'create' })
  expect(await heading()).toBe('Log in to Shop')
  expect(await page().getByText('Create an account').count()).toBe(0)
  await logIn()
  await atShop()
})

test('where addresses must be verified, registering waits for it', async () => {
  await open({
    prompt: 'create',
    client_id: 'dashboard',
    redirect_uri: 'https://dashboard.example.com/callback',
  })
  await page().getByLabel('Email address').fill(ada.email)
  await page().getByLabel('Password', { exact: true }).fill(ada.password)
  await press('Create an account')
  await page().getByText('Your account has been created.').waitFor()
  expect(posted('/auth/authorize')).toEqual([])
  await press('Continue')
  await atShop()
  expect(posted('/auth/authorize')).toMatchObject([{ stay: false }])
  expect(posted('/auth/register')).toMatchObject([{ client_id: 'dashboard' }])
})

test('another language changes the words alone, not what was typed or asked for', async () => {
  site().config = { ...site().config, languages: ['en', 'de'] }
  await open()
  await page().getByLabel('Password', { exact: true }).fill(ada.password)
  await speak(page(), 'de')
  expect(await heading()).toBe('Bei Shop anmelden')
  expect(await page().getByLabel('Passwort', { exact: true }).inputValue()).toBe(ada.password)
  const asked = new URL(page().url()).searchParams
  expect(Object.fromEntries(asked)).toEqual({ ...shopRequest, lang: 'de' })
  await page().reload()
  expect(await heading()).toBe('Bei Shop anmelden')
})

test.each([320, 1280])('looks and reads as it should at %i px, in every language', async width => {
  await replacePage({ viewport: { width, height: 800 }, colorScheme: width === 320 ? 'dark' : 'light' })
  await serveShop()
  site().config = { ...site().config, languages: ['en', 'de', 'fr', 'es', 'en-XA', 'ar-XB'] }
  await open()
  expect(await findBarriers(page())).toEqual([])
  // The page changes by itself until its buttons take a press.
  await page().waitForFunction(() => document.querySelector('[aria-disabled="true"]') === null)
  await speakAll(page())
})

describe('the page on which people log out', () => {
  const logOut = () => page().goto(`${site().url}/logout?client_id=shop`)

  test('asks first, and says that it is done', async () => {
    site().answers['/auth/logout-browser'] = refused('confirmation-required', 400)
    await logOut()
    expect(await page().innerText('h1:visible')).toBe('Log out in this browser?')
    expect(await findBarriers(page())).toEqual([])
    site().answers['/auth/logout-browser'] = { body: { location: null } }
    await press('Log out')
    await page().getByRole('heading', { name: 'You are logged out in this browser' }).waitFor()
    expect(posted('/auth/logout-browser')).toEqual([
      { request: 'client_id=shop', confirmed: false },
      { request: 'client_id=shop', confirmed: true },
    ])
  })

  test.each([
    ['', false],
    ['&post_logout_redirect_uri=', false],
    ['&post_logout_redirect_uri=https%3A%2F%2Fx.example%2F', true],
    ['&post_logout_redirect_uri=&post_logout_redirect_uri=https%3A%2F%2Fx.example%2F', true],
  ])('says that it goes on to no address that is not listed: %s', async (asked, isSaid) => {
    site().answers['/auth/logout-browser'] = { body: { location: null } }
    await page().goto(`${site().url}/logout?client_id=shop${asked}`)
    await page().getByRole('heading', { name: 'You are logged out in this browser' }).waitFor()
    const said = page().getByText('The application asked to go on to an address that it may not use.')
    expect(await said.isVisible()).toBe(isSaid)
    expect(await findBarriers(page())).toEqual([])
  })

  test('does not ask where the API asks for nothing, and leads back', async () => {
    site().answers['/auth/logout-browser'] = { body: { location: 'https://shop.example.com/?state=1' } }
    await logOut()
    await atShop()
  })

  test('says what went wrong', async () => {
    site().answers['/auth/logout-browser'] = refused('unavailable', 503)
    await logOut()
    await page().getByText('The service is not available at the moment.').waitFor()
  })
})

describe('a press that was meant for another window', () => {
  const confirm = () => {
    site().answers['/auth/authorize-session'] = refused('confirmation-required', 400, { email: ada.email })
  }
  const openLogout = async () => {
    site().answers['/auth/logout-browser'] = refused('confirmation-required', 400)
    await page().goto(`${site().url}/logout?client_id=shop`)
    await page().waitForSelector('h1:visible')
  }
  /** At once, as a double click does. */
  const hit = (name: string) => page().getByRole('button', { name, exact: true }).click({ force: true })
  const runFor = (milliseconds: number) => page().clock.runFor(milliseconds)
  const isFree = (name: string) =>
    page().locator('form[aria-busy="false"]').getByRole('button', { name, exact: true }).waitFor()

  test.each([
    ['Continue', open, '/auth/authorize-session', confirm, () => isFree('Continue')],
    ['Log in', open, '/auth/authorize', () => {}, atShop],
    ['Log out', openLogout, '/auth/logout-browser', () => {}, () => isFree('Log out')],
  ] as const)(
    'is not taken by "%s", nor until 600 ms after it can be seen',
    async (name, visit, path, arrange, seeEnd) => {
      arrange()
      await page().clock.install({ time: 0 })
      await page().clock.pauseAt(1000)
      await visit()
      await page().getByRole('button', { name, exact: true }).waitFor()
      // A password manager fills it in.
      if (name === 'Log in')
        for (const [label, text] of [
          ['Email address', ada.email],
          ['Password', ada.password],
        ] as const)
          await page().getByLabel(label, { exact: true }).fill(text)
      const before = posted(path).length
      const dropsAll = async () => {
        await hit(name)
        await runFor(599)
        await hit(name)
        await page().keyboard.press('Enter')
        await runFor(1)
        expect(await page().getByRole('button', { name, exact: true }).isEnabled()).toBe(true)
        expect(posted(path)).toHaveLength(before)
      }
      await dropsAll()
      for (const event of ['focus', 'pageshow', 'visibilitychange']) {
        await page().evaluate(event => dispatchEvent(new Event(event)), event)
        await dropsAll()
      }
      await hit(name)
      await expect.poll(() => posted(path)).toHaveLength(before + 1)
      // A page that is still navigating may never close.
      await seeEnd()
    },
  )

  test('is not taken by a provider, which may not ask', async () => {
    site().config = { ...site().config, hasProviders: true, browserUrl: site().url }
    Object.assign(site(), { providers })
    await page().clock.install({ time: 0 })
    await page().clock.pauseAt(1000)
    await open()
    await hit('Continue with Google')
    await runFor(599)
    await hit('Continue with Google')
    await runFor(1)
    expect(await page().evaluate(() => sessionStorage.getItem('trip'))).toBeNull()
    await page().route('https://accounts.google.com/**', route => route.fulfill({ body: 'Who are you?' }))
    await hit('Continue with Google')
    await page().waitForURL(url => url.host === 'accounts.google.com')
  })
})
