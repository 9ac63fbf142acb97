import type { BrowserContextOptions } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { maxNameLength } from '../../../accounts/account/shapes.ts'
import { passwordLength } from '../../../accounts/password/password.ts'
import { maxLabelLength } from '../../../shared/base/shapes.ts'
import { lengths } from '../../../shared/pages/lengths.ts'
import { setUpBrowser } from '../browser.ts'
import { offered, plainTexts, speakAll } from '../languages.ts'
import {
  documents,
  findBarriers,
  findBarriersInLightAndDark,
  formsTooLow,
  scrollsSideways,
  uselessFields,
} from '../support.ts'
import { onAccountPage } from './account.ts'
import { type Answered, passkey, passkeys, setUpAnswers } from './answers.ts'

/** Every state of the account page: whether it is accessible, and its error messages. */

const { page, openPage } = setUpBrowser()
const { form, seeHeading, see, open: openRow, send, change, follow, logIn, errorAt } = onAccountPage(page)
const { begin, end, visit, site, answers, sent } = setUpAnswers(openPage)
const open = (fragment = '', options: BrowserContextOptions = {}) => visit(fragment, '/account', options)

const long = 'W'.repeat(60)
const account = {
  id: '1',
  email: `${'x'.repeat(52)}@example.com`,
  name: long,
  is_verified: false,
  language: null as string | null,
}
const session = (id: string, label: string | null, isCurrent = false) => ({
  id,
  label,
  created_at: '2026-03-01T12:00:00.000Z',
  last_used_at: '2026-03-02T12:00:00.000Z',
  expires_at: '2026-03-16T12:00:00.000Z',
  is_current: isCurrent,
})
const refusal = (code: string, pointers: readonly string[] = []) => ({
  code,
  detail: 'This is for programs',
  errors: pointers.map(pointer => ({ pointer, detail: 'is wrong' })),
})
/** The usual answer to a login. */
let loggedIn: Answered

beforeEach(async () => {
  await begin()
  Object.assign(site().config, documents, { productName: long, supportEmail: `${'x'.repeat(52)}@acme.example` })
  loggedIn = answers()['/auth/login'] ?? null
  Object.assign(answers(), {
    '/auth/refresh': loggedIn,
    '/auth/me': [200, account],
    '/auth/register': [201, account],
    '/auth/forgot-password': [200, {}],
    '/auth/change-password': [400, refusal('wrong-password')],
    '/auth/logout': [200, {}],
    '/auth/sessions': [200, { sessions: [session('a', long, true), session('b', null)] }],
  })
})
afterEach(end)

/** The forms under "Security", by the names of their buttons, with their fields. */
const securityForms: [submit: string, fields: string[]][] = [
  ['Change password', ['Current password', 'New password']],
  ['Turn on', ['Current password']],
  ['Delete account', ['Your email address', 'Current password']],
]
/** The forms of passkeys, with one field each. */
const passkeyForms: [submit: string, field: string][] = [
  ['Add a passkey', 'Name of the passkey'],
  ['Rename', 'Name of the passkey'],
  ['Remove', 'Current password'],
]
/** The forms that replace the second one for owners of a second factor. */
const factorForms = ['Make new recovery codes', 'Move to a new phone', 'Turn off']

/** Opens the page where passkeys work. */
async function openWithPasskeys(options: BrowserContextOptions): Promise<void> {
  site().config.passkeyRpId = 'localhost'
  await open('', options)
}

/** Visits every view of the page, with its errors. */
async function seeAll(look: () => Promise<void>): Promise<void> {
  await look()
  await openRow('Log in with a passkey')
  await see('Something went wrong')
  await look()
  answers()['/auth/login'] = [403, refusal('email-not-verified')]
  await logIn(account.email, 'correct horse')
  await seeHeading('Check your inbox')
  await look()
  await page().goBack()
  await follow('Forgot your password?', 'Reset your password')
  await send('Send a link', { 'Email address': account.email })
  await seeHeading('Check your inbox')
  await look()
  await follow('Log in', 'Log in')
  await follow('Create an account', 'Create an account')
  await send('Create an account', { 'Email address': '', Password: 'short' })
  await errorAt('Create an account', 'Email address')
  await look()
  await send('Create an account', { 'Email address': account.email, Password: 'correct horse' })
  await seeHeading('Check your inbox')
  await see('Verify your email address first')
  await look()
  answers()['/auth/login'] = [401, refusal('second-factor-required')]
  await send('Continue')
  await form('Continue').getByLabel('Code').waitFor()
  await look()
  answers()['/auth/login'] = loggedIn
  await send('Continue', { Code: '123456' })
  await seeHeading('Profile')
  await look()
  await page().getByRole('button', { name: 'Log out', exact: true }).click()
  await seeHeading('Log in')
  await look()
  answers()['/auth/login'] = [401, refusal('second-factor-required')]
  await logIn(account.email, 'correct horse')
  await form('Log in').getByLabel('Code').waitFor()
  await look()
  answers()['/auth/login'] = loggedIn
  await send('Log in', { Code: '123456' })
  await seeHeading('Profile')
  await openRow('Change name')
  await look()
  await openRow('Change address')
  await look()
  await send('Change address', { 'New email address': account.email })
  await see('can be used')
  await look()
  await follow('Security', 'Security')
  await see('Verify your email address')
  await look()
  await follow('Profile', 'Profile')
  answers()['/auth/me'] = [200, { ...account, is_verified: true }]
  await follow('Security', 'Security')
  for (const [submit, typed] of securityForms) {
    await openRow(submit)
    await look()
    await send(submit, Object.fromEntries(typed.map(label => [label, ''])))
    await errorAt(submit, typed.at(-1) ?? '')
    await look()
    await openRow('Cancel')
  }
  answers()['/auth/passkeys'] = passkeys({ ...passkey, label: long })
  await follow('Profile', 'Profile')
  await follow('Security', 'Security')
  for (const [submit, label] of passkeyForms) {
    await openRow(submit)
    await look()
    await send(submit, { [label]: '' })
    await errorAt(submit, label)
    await look()
    await openRow('Cancel')
  }
  await change('Turn on', { 'Current password': 'x' })
  await page().getByRole('img', { name: 'QR code of the key' }).waitFor()
  await look()
  answers()['/auth/second-factor'] = [200, { methods: ['code'], recovery_codes_left: 10 }]
  await send('Confirm', { Code: '123456' })
  await see('Save your recovery codes')
  await look()
  await page().getByRole('button', { name: 'I have saved them' }).click()
  await see('Recovery codes left: 10.')
  await look()
  for (const action of factorForms) {
    await openRow(action)
    await look()
  }
  await follow('Sessions', 'Sessions')
  await look()
  await openRow('End')
  await look()
  answers()['/auth/sessions'] = [503, refusal('unavailable'), 5]
  await follow('Security', 'Security')
  await follow('Sessions', 'Sessions')
  await see('The service is not available at the moment.')
  await look()
}

test('no view has a barrier, in light and dark, or breaks at 400 %', async () => {
  // To a page, 1280 by 1024 pixels at 400 % are 320 by 256 of four times the density (WCAG 2.2, 1.4.10).
  await openWithPasskeys({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 })
  await seeAll(async () => {
    expect(await findBarriersInLightAndDark(page())).toEqual([])
    expect(await uselessFields(page())).toEqual([])
    expect(await scrollsSideways(page())).toBe(false)
    const sides = await page()
      .locator(':is(main button, input, .button):visible')
      .evaluateAll(all => all.map(it => it.getBoundingClientRect()).flatMap(({ width, height }) => [width, height]))
    expect(Math.min(...sides)).toBeGreaterThanOrEqual(20)
    const names = await page()
      .locator('button:visible')
      .evaluateAll(all => all.map(it => it.ariaLabel ?? it.textContent))
    expect(names).toEqual([...new Set(names)])
    expect(await page().locator('.row form.panel:visible, .row .panel form:visible').count()).toBeLessThanOrEqual(1)
  })
})

test.each(['', '#register', '#forgot'])(
  'a low window, as above a keyboard, begins with the form (%s)',
  async fragment => {
    Object.assign(site().config, { productName: 'Acme' })
    await open('', { viewport: { width: 360, height: 380 } })
    if (fragment) await page().locator(`a[href="${fragment}"]`).click()
    await page().locator('form:has(.field)').waitFor()
    expect(await formsTooLow(page())).toEqual([])
    await see('Acme')
    if (fragment) return
    answers()['/auth/login'] = [401, refusal('second-factor-required')]
    await logIn(account.email, 'correct horse')
    await seeHeading('Enter your code')
    expect(await formsTooLow(page())).toEqual([])
  },
)

test('every view speaks each language, without a barrier, on 320 pixels', async () => {
  site().config.languages = offered
  await openWithPasskeys({ viewport: { width: 320, height: 568 } })
  await seeAll(() =>
    speakAll(page(), async tag => {
      if (tag === 'en-XA')
        expect(await page().evaluate(plainTexts([long, account.email, site().config.supportEmail ?? '']))).toEqual([])
    }),
  )
})

/** Logs in, and sets up a second factor, with its recovery codes shown. */
async function seeCodes(): Promise<void> {
  answers()['/auth/me'] = [200, { ...account, is_verified: true }]
  await open('#security', { viewport: { width: 320, height: 568 } })
  await logIn(account.email, 'correct horse')
  await change('Turn on', { 'Current password': 'x' })
  await send('Confirm', { Code: '123456' })
  await see('Save your recovery codes')
  answers()['/auth/second-factor'] = [200, { methods: ['code'], recovery_codes_left: 10 }]
}
const keepCodes = () => page().getByRole('button', { name: 'I have saved them' }).click()

test('the browser asks before it leaves recovery codes that nobody has kept, and not after', async () => {
  await seeCodes()
  await follow('Profile', 'Profile')
  const asking = page().waitForEvent('dialog')
  await page().evaluate(() => setTimeout(() => location.reload()))
  const question = await asking
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await follow('Security', 'Security')
  await keepCodes()
  await see('Recovery codes left: 10.')
  // An unanswered question would block the reload.
  page().on('dialog', () => {})
  await page().reload()
  await seeHeading('Security')
})

test('on 320 pixels no time or number is torn from the line it ends', async () => {
  const linesOf = (selector: string) =>
    page()
      .locator(selector)
      .evaluateAll(all =>
        all.map(it => {
          const range = document.createRange()
          range.selectNodeContents(it)
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
        }),
      )
  await seeCodes()
  await keepCodes()
  await see('Recovery codes left: 10.')
  expect(await linesOf('p:has(bdi):text("Recovery codes left")')).toEqual([1])
  await follow('Sessions', 'Sessions')
  expect(await linesOf('.times bdi')).toEqual([1, 1, 1, 1])
})

test('where people choose their own colours, the current section keeps its line', async () => {
  await open()
  await logIn(account.email, 'correct horse')
  await seeHeading('Profile')
  await page().emulateMedia({ forcedColors: 'active' })
  const lines = await page()
    .locator('header nav a')
    .evaluateAll(all =>
      all.map(it => {
        const { borderBottomStyle, borderBottomWidth, borderBottomColor, backgroundColor } = getComputedStyle(it)
        return borderBottomStyle === 'solid' && borderBottomWidth !== '0px' && borderBottomColor !== backgroundColor
      }),
    )
  await page().emulateMedia({ forcedColors: 'none' })
  expect(lines.map((line, index) => (line ? index : null)).filter(it => it !== null)).toEqual([0])
})

test('a person with the keyboard alone logs in, goes to a section, logs out', async () => {
  await open()
  expect(await page().evaluate(() => document.activeElement?.id)).toBe('log-in-email')
  const { keyboard } = page()
  await keyboard.type('ada@example.com')
  await keyboard.press('Tab')
  await keyboard.type('correct horse')
  await keyboard.press('Enter')
  await seeHeading('Profile')
  await expect.poll(() => page().evaluate(() => document.activeElement?.textContent)).toBe('Profile')
  // Past the card's button and a section.
  for (let i = 0; i < 4; i++) await keyboard.press('Shift+Tab')
  expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('Security')
  await keyboard.press('Enter')
  await seeHeading('Security')
  await page().getByRole('button', { name: 'Log out', exact: true }).focus()
  await keyboard.press('Enter')
  await see('You are logged out.')
})

test('no token or password is in address, history, storage, attributes or console', async () => {
  await open()
  const printed: string[] = []
  page().on('console', message => printed.push(message.text()))
  await logIn(account.email, 'secret-password')
  await follow('Security', 'Security')
  await change('Change password', { 'Current password': 'secret-current', 'New password': 'secret-new' })
  await errorAt('Change password', 'Current password')
  const traces = await page().evaluate(() => ({
    address: location.href,
    history: JSON.stringify(history.state),
    markup: document.documentElement.outerHTML,
    storage: JSON.stringify({ ...localStorage }) + document.cookie,
  }))
  expect(JSON.stringify({ ...traces, printed })).not.toContain('secret-')
  expect(await page().evaluate(() => Object.keys(sessionStorage))).toEqual(['refresh-token'])
  expect(site().requests).toEqual(['GET /account'])
})

describe('a form', () => {
  test('that is refused says once what happened, and keeps what was typed', async () => {
    await open()
    answers()['/auth/login'] = [503, refusal('unavailable'), 5]
    await logIn(account.email, 'correct horse')
    const words = 'The service is not available at the moment. Try again in 5 seconds.'
    await see(words)
    expect(await page().getByRole('alert').filter({ hasText: words }).count()).toBe(1)
    expect(await form('Log in').getByLabel('Password').inputValue()).toBe('correct horse')
    answers()['/auth/login'] = loggedIn
    await send('Log in')
    await seeHeading('Profile')
  })

  test.each([
    ['email-taken', 'Email address', 'There is an account with this address already.'],
    ['password-too-common', 'Password', 'Choose another password.'],
  ] as const)('says %s at the field "%s", by its code and not its text', async (code, label, words) => {
    await open('#register')
    answers()['/auth/register'] = [400, refusal(code)]
    await send('Create an account', { 'Email address': account.email, Password: 'correct horse' })
    expect(await errorAt('Create an account', label)).toContain(words)
    expect(await page().evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await page().keyboard.type('a')
    expect(await page().locator('[aria-invalid]').count()).toBe(0)
  })

  test('that waits for its answer fits a window that becomes narrow meanwhile', async () => {
    await open()
    const late = Promise.withResolvers<void>()
    await page().route('**/auth/login', () => late.promise)
    await logIn(account.email, 'correct horse')
    await see('One moment…')
    await page().setViewportSize({ width: 320, height: 568 })
    expect(await scrollsSideways(page())).toBe(false)
    late.resolve()
  })
})

test.each([
  ['nothing', {}, { 'Email address': 'Enter your email address.', Password: 'Enter your password.' }],
  [
    'an address that is none, a short password and a long name',
    { 'Email address': 'ada', Password: 'sevenCC', 'Name (optional)': 'x'.repeat(lengths.name.max + 1) },
    {
      'Email address': 'Enter an email address, such as ada@example.com.',
      Password: 'This password is too short.',
      'Name (optional)': 'That is not a valid name.',
    },
  ],
  [
    'a name of blanks',
    { 'Email address': 'ada@example.com', Password: 'correct horse', 'Name (optional)': ' \u3000' },
    { 'Name (optional)': 'That is not a valid name.' },
  ],
  [
    'a name with what cannot be seen',
    { 'Email address': 'ada@example.com', Password: 'correct horse', 'Name (optional)': 'Ada\u034f' },
    { 'Name (optional)': 'That is not a valid name.' },
  ],
] as [string, Record<string, string>, Record<string, string>][])(
  'who registers with %s is told all mistakes at once, before anything is sent',
  async (_, typed, words) => {
    await open('#register')
    await send('Create an account', typed)
    for (const [label, said] of Object.entries(words)) expect(await errorAt('Create an account', label)).toContain(said)
    expect(await page().locator('[aria-invalid="true"]').count()).toBe(Object.keys(words).length)
    expect(await page().evaluate(() => document.activeElement?.id)).toBe(
      await page().locator('[aria-invalid="true"]').first().getAttribute('id'),
    )
    expect(sent()).toEqual([])
  },
)

test('where only operators open accounts, it says so, and nothing leads to a form', async () => {
  Object.assign(site().config, { signUp: 'invited', languages: offered })
  await open()
  expect(await page().getByText('Create an account').count()).toBe(0)
  await open('#register')
  await see('Accounts are opened by invitation here. If you have one, open the link in its email.')
  expect(await page().locator('form').count()).toBe(0)
  expect(await findBarriers(page())).toEqual([])
  await speakAll(page())
  await follow('Log in', 'Log in')
  expect(sent()).toEqual([])
})

test('says what is wrong with each member at its field', async () => {
  await open('#register')
  answers()['/auth/register'] = [422, refusal('invalid-body', ['/email', '/name'])]
  await send('Create an account', {
    'Email address': account.email,
    Password: 'correct horse',
    'Name (optional)': 'Ada',
  })
  expect(await errorAt('Create an account', 'Email address')).toContain('Enter an email address')
  expect(await errorAt('Create an account', 'Name (optional)')).toContain('That is not a valid name.')
})

test('the page measures what the API measures', () => {
  expect(lengths).toEqual({ password: passwordLength, name: { max: maxNameLength }, label: { max: maxLabelLength } })
})

test('a login that needs a verified address offers the mail again', async () => {
  await open()
  answers()['/auth/login'] = [403, refusal('email-not-verified')]
  await logIn('ada@example.com', 'correct horse')
  await seeHeading('Check your inbox')
  await see('Verify your email address first. We have sent a link to ada@example.com.')
  expect(await page().locator('.error:not(:empty)').count()).toBe(0)
  const mailed = { path: '/auth/resend-verification', body: { email: 'ada@example.com' } }
  await expect.poll(() => sent().at(-1)).toEqual(mailed)
  await send('Send the email again')
  await see('We have sent a new link')
  expect(sent().filter(({ path }) => path === mailed.path)).toEqual([mailed, mailed])
  await send('Continue')
  await see('Verify your email address first: open the link')
  expect(await page().locator('.error:not(:empty)').count()).toBe(0)
  await page().reload()
  await follow('Log in', 'Log in')
})

test('what is typed as soon as a view is shown stays', async () => {
  await open()
  await form('Log in').getByLabel('Email address').fill(account.email)
  const typed = page().evaluate(async () => {
    const email = () => document.querySelector<HTMLInputElement>('main input[type="email"]') as HTMLInputElement
    const carried = new Promise(resolve => {
      addEventListener('popstate', () => {
        resolve(email().value)
        email().value = ''
      })
    })
    await new Promise(resolve => addEventListener('hashchange', resolve))
    return [await carried, email().value]
  })
  await follow('Create an account', 'Create an account')
  expect(await typed).toEqual([account.email, ''])
})

test.each([false, true])(
  'after registering the page keeps what was typed, if addresses must be verified: %j',
  async isRequired => {
    site().config.requireEmailVerification = isRequired
    answers()['/auth/login'] = [503, refusal('unavailable'), 5]
    await open('#register')
    await send('Create an account', {
      'Email address': account.email,
      Password: 'correct horse',
      'Name (optional)': 'Ada',
    })
    await seeHeading('Check your inbox')
    await see(isRequired ? 'this page goes on by itself' : 'You can log in already.')
    await page().goBack()
    await seeHeading('Create an account')
    await page().goForward()
    await seeHeading('Check your inbox')
    await page().getByRole('button', { name: 'Use another address' }).click()
    await seeHeading('Create an account')
    const fields = form('Create an account')
    expect(await fields.getByLabel('Email address').inputValue()).toBe(account.email)
    expect(await fields.getByLabel('Password', { exact: true }).inputValue()).toBe('correct horse')
    expect(await fields.getByLabel('Name').inputValue()).toBe('Ada')
  },
)

test.each([
  [false, 'You can log in already.'],
  [true, 'After that you can log in.'],
])('a reload after registering forgets the password, and leads to the login: %j', async (isRequired, words) => {
  site().config.requireEmailVerification = isRequired
  answers()['/auth/login'] = [503, refusal('unavailable'), 5]
  await open('#register')
  await send('Create an account', { 'Email address': account.email, Password: 'correct horse' })
  await seeHeading('Check your inbox')
  expect(await page().getByRole('button', { name: 'Continue', exact: true }).count()).toBe(1)
  await page().reload()
  await see(words)
  expect(await page().getByRole('button', { name: 'Continue', exact: true }).count()).toBe(0)
  await follow('Log in', 'Log in')
})

test('without sessions there is no checkbox and no list, and no login asks', async () => {
  site().config.sessionDays = 0
  await open()
  expect(await page().getByRole('checkbox').count()).toBe(0)
  await logIn(account.email, 'correct horse')
  await seeHeading('Profile')
  expect(await page().getByRole('link', { name: 'Sessions' }).count()).toBe(0)
  expect(sent()[0]?.body).toEqual({ email: account.email, password: 'correct horse' })
})

test('the way back to the app is in every view', async () => {
  await open()
  const link = page().getByRole('link', { name: `Continue to ${long}` })
  expect(await link.getAttribute('href')).toBe('https://app.acme.example/')
  await logIn(account.email, 'correct horse')
  await seeHeading('Profile')
  expect(await link.count()).toBe(1)
})

test('a section that cannot be read says so, and is read on demand', async () => {
  await open()
  answers()['/auth/sessions'] = null
  await logIn(account.email, 'correct horse')
  await follow('Sessions', 'Sessions')
  await see('The service cannot be reached.')
  answers()['/auth/sessions'] = [200, { sessions: [session('a', 'Phone', true)] }]
  await page().getByRole('button', { name: 'Try again' }).click()
  await see('Phone')
})

test.each(['/auth/refresh', '/auth/me'])(
  'a reload while %s does not answer keeps the session, and goes on then',
  async path => {
    await open()
    await logIn(account.email, 'correct horse')
    await seeHeading('Profile')
    const before = answers()[path] ?? null
    answers()[path] = [503, refusal('unavailable'), 5]
    await page().reload()
    await see('The service is not available at the moment.')
    answers()[path] = before
    sent().length = 0
    await page()
      .getByRole('button', { name: 'Try again' })
      .evaluate((button: HTMLElement) => {
        button.click()
        button.click()
      })
    // The error view has the same heading.
    await page().getByRole('button', { name: 'Log out' }).waitFor()
    await seeHeading('Profile')
    expect(sent().map(request => request.path)).toEqual(['/auth/refresh', '/auth/me'])
  },
)
