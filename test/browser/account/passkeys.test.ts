import type { CDPSession, Page, Request } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../../accounts/factor/totp.ts'
import { clients, shopRequest } from '../../support/clients.ts'
import { applications } from '../../support/stack/settings.ts'
import { nextLink, runSystem, verifyAddress } from '../../support/system/running.ts'
import { setUpBrowser } from '../browser.ts'
import { listenToConsole } from '../support.ts'
import { onAccountPage } from './account.ts'

/** Passkeys with the running system and Chromium's software authenticator. */

const running = runSystem({ RATE_LIMITS: 'off', PASSKEY_RP_ID: 'localhost', OIDC_CLIENTS: applications })
const { page, openPage } = setUpBrowser()
const { form, seeHeading, see, open, send, change, follow, logIn, errorAt } = onAccountPage(page)

const password = 'correct horse'
const [shop] = clients
const noneUsed = 'No passkey was used. Try again, or log in with your password.'
const wrong = 'This passkey does not work here. It may have been removed. Log in with your password.'

let device: CDPSession
let authenticatorId: string
let complaints: string[]
let people = 0

const byPasskey = () => page().getByRole('button', { name: 'Log in with a passkey', exact: true })
const usePasskey = () => page().getByRole('button', { name: 'Use a passkey', exact: true })
const address = (path = '/account') => `${running.system.baseUrl}${path}`
const credentials = async () => (await device.send('WebAuthn.getCredentials', { authenticatorId })).credentials
/** Whether somebody touches the device; otherwise a request waits. */
const attend = (enabled: boolean) =>
  device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
/** Records the page's requests from now on. */
function listen(): { path: string; body: Record<string, unknown> }[] {
  const sent: ReturnType<typeof listen> = []
  page().on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/auth/'))
      sent.push({ path: pathname.slice('/auth/'.length), body: request.postDataJSON() })
  })
  return sent
}

/** A device that verifies its user, beside an empty page. */
async function takeDevice(options = {}): Promise<Page> {
  const opened = await openPage()
  complaints = await listenToConsole(opened)
  device = await opened.context().newCDPSession(opened)
  await device.send('WebAuthn.enable', { enableUI: false })
  const made = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: true,
      defaultBackupState: true,
      ...options,
    },
  })
  authenticatorId = made.authenticatorId
  return opened
}

beforeEach(async () => {
  const opened = await takeDevice()
  // Records what browsers tell password managers, of which there is none here.
  await opened.addInitScript(() => {
    const told: unknown[] = []
    Object.assign(globalThis, { told })
    for (const name of ['signalUnknownCredential', 'signalAllAcceptedCredentials', 'signalCurrentUserDetails']) {
      Object.assign(PublicKeyCredential, { [name]: async (what: object) => told.push([name, what]) })
    }
    // In the autofill the device would choose at once, before a button is pressed.
    Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => false })
  })
})
afterEach(() => expect(complaints).toEqual([]))

const told = (name: string): Promise<unknown[]> =>
  page().evaluate(
    name => (globalThis as unknown as { told: [string, object][] }).told.flatMap(it => (it[0] === name ? [it[1]] : [])),
    name,
  )

/** Somebody with a verified address. @returns the address */
async function someone(): Promise<string> {
  const email = `person-${++people}@example.com`
  await running.send('POST', '/auth/register', { email, password, name: 'Ada' })
  await verifyAddress(running, email)
  return email
}

/** A logged-in owner, at the security section. */
async function someoneAtSecurity(): Promise<string> {
  const email = await someone()
  await page().goto(address('/account#security'))
  await logIn(email, password)
  await seeHeading('Security')
  return email
}

async function add(name = 'Laptop'): Promise<void> {
  await change('Add a passkey', { 'Name of the passkey': name, 'Current password': password })
  await see('The passkey has been added.')
}

const logOut = async () => {
  await attend(false)
  await page().getByRole('button', { name: 'Log out', exact: true }).click()
  await seeHeading('Log in')
  await attend(true)
}

test('a person adds a passkey, logs in and stays so, renames and removes it', async () => {
  const email = await someoneAtSecurity()
  expect(await usePasskey().count()).toBe(0)
  await add()
  const item = page().locator('.passkeys > li')
  expect(await item.innerText()).toMatch(/^Laptop\s+synced\s+Not used yet/)
  const [credential] = await credentials()
  expect(credential).toMatchObject({ rpId: 'localhost', isResidentCredential: true, userName: email })

  await logOut()
  await byPasskey().click()
  await seeHeading('Profile')
  await page().reload()
  await seeHeading('Profile')
  await follow('Security', 'Security')
  expect(await item.innerText()).toMatch(/^Laptop\s+synced\s+Last used/)

  await change('Rename', { 'Name of the passkey': '' })
  expect(await errorAt('Rename', 'Name of the passkey')).toBe('Enter a name.')
  await send('Rename', { 'Name of the passkey': 'Old laptop' })
  await see('The passkey has its new name.')
  expect(await item.innerText()).toMatch(/^Old laptop/)
  await change('Remove', { 'Current password': 'wrong' })
  expect(await errorAt('Remove', 'Current password')).toContain('not the password')
  await send('Remove', { 'Current password': password })
  await see('The passkey has been removed.')
  expect(await item.count()).toBe(0)
  const userId = Buffer.from(credential?.userHandle ?? '', 'base64').toString('base64url')
  expect(await told('signalAllAcceptedCredentials')).toEqual([
    { rpId: 'localhost', userId, allAcceptedCredentialIds: [] },
  ])

  await logOut()
  await byPasskey().click()
  await see(wrong)
  const credentialId = Buffer.from(credential?.credentialId ?? '', 'base64').toString('base64url')
  expect(await told('signalUnknownCredential')).toEqual([{ rpId: 'localhost', credentialId }])
})

test('a password manager leads to the form that adds one, by way of a login', async () => {
  const email = await someone()
  const response = await page().request.get(address('/.well-known/passkey-endpoints'))
  const { enroll } = await response.json()
  await page().goto(enroll)
  await logIn(email, password)
  await seeHeading('Security')
  await send('Add a passkey', { 'Name of the passkey': 'Laptop', 'Current password': password })
  await see('The passkey has been added.')
})

test('without the box, a passkey’s login ends with a reload too', async () => {
  await someoneAtSecurity()
  await add()
  await logOut()
  await page().getByLabel('Keep me logged in in this tab').uncheck()
  await byPasskey().click()
  await seeHeading('Profile')
  await page().reload()
  await see('Reloading the page logged you out.')
})

test('a passkey on this device only says so', async () => {
  await takeDevice({ defaultBackupEligibility: false, defaultBackupState: false })
  await someoneAtSecurity()
  await add()
  await see('on this device only')
})

test('the password manager hears of a new name, and at logins of what holds', async () => {
  const email = await someoneAtSecurity()
  await add()
  const [credential] = await credentials()
  const userId = Buffer.from(credential?.userHandle ?? '', 'base64').toString('base64url')
  const details = (displayName: string) => ({ rpId: 'localhost', userId, name: email, displayName })
  await follow('Profile', 'Profile')
  await change('Save name', { 'Name (optional)': 'Ada Lovelace' }, 'Change name')
  await see('Your name has been saved.')
  await expect.poll(async () => (await told('signalCurrentUserDetails')).at(-1)).toEqual(details('Ada Lovelace'))
  await logOut()
  await page().reload()
  await seeHeading('Log in')
  expect(await told('signalCurrentUserDetails')).toEqual([])
  await byPasskey().click()
  await expect.poll(() => told('signalCurrentUserDetails')).toEqual([details('Ada Lovelace')])
})

describe('a passkey stands in place of password and code', () => {
  const codeFor = (secret: string, later = 0) => codeOf(bytesOfBase32(secret), stepOf(new Date()) + later)

  test('in each form that asks for them, and the API takes it there', async () => {
    const email = await someoneAtSecurity()
    await add()
    await running.send('POST', '/auth/login', { email, password, session: { label: 'Phone' } })
    const sent = listen()
    /** Opens a form, uses the passkey, and waits for the message. */
    const prove = async (opener: string, done: string, typed: Record<string, string> = {}) => {
      await page().getByRole('button', { name: opener, exact: true }).first().click()
      for (const [label, text] of Object.entries(typed))
        await form(opener).getByLabel(label, { exact: true }).fill(text)
      await usePasskey().click()
      await see(done)
    }
    await follow('Sessions', 'Sessions')
    await page().getByRole('button', { name: 'End', exact: true }).first().click()
    await usePasskey().click()
    await expect.poll(() => page().getByRole('listitem').count()).toBe(1)
    await follow('Security', 'Security')
    await prove('Turn on', 'Type the six digits')
    const secret = (await page().locator('.secret').innerText()).replaceAll(' ', '')
    await send('Confirm', { Code: codeFor(secret) })
    await open('I have saved them')
    await prove('Make new recovery codes', 'Save your recovery codes')
    await open('I have saved them')
    await prove('Turn off', 'Two-step verification is off.')
    await prove('Change password', 'Your password has been changed.', { 'New password': 'battery staple' })
    // Otherwise it would be replaced silently.
    await prove('Add a passkey', 'This device already has a passkey for your account.')
    await open('Cancel')
    await prove('Remove', 'The passkey has been removed.')
    await change('Add a passkey', { 'Current password': 'battery staple' })
    await see('The passkey has been added.')
    await prove('Delete account', 'Your account has been deleted.', { 'Your email address': email })
    expect(await told('signalAllAcceptedCredentials')).toHaveLength(2)

    const purposes = sent.filter(({ path }) => path === 'passkeys/proof-options').map(({ body }) => body.for)
    expect(purposes).toEqual([
      'end-session',
      'second-factor/setup',
      'second-factor/recovery-codes',
      'second-factor/remove',
      'change-password',
      'passkeys/setup',
      'passkeys/remove',
      'delete-account',
    ])
    const proofs = sent.filter(({ body }) => body && 'assertion' in body)
    expect(proofs.map(({ path }) => path)).toEqual(purposes)
    for (const { body } of proofs) expect(Object.keys(body).join()).not.toMatch(/(?:^|,)(?:current_)?password|code/)
  })

  test('and what else is missing in the form is said before anybody touches a device', async () => {
    await someoneAtSecurity()
    await add()
    const sent = listen()
    await open('Change password')
    await usePasskey().click()
    expect(await errorAt('Change password', 'New password')).toBe('Enter a new password.')
    expect(await form('Change password').locator('[aria-invalid="true"]').count()).toBe(1)
    expect(sent).toEqual([])
  })
})

test('a retry after the browser refused a passkey asks for no password again', async () => {
  await someoneAtSecurity()
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await change('Add a passkey', { 'Current password': password })
  await see('No passkey was added. Try again.')
  const sent = listen()
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await send('Add a passkey', { 'Current password': '' })
  await see('The passkey has been added.')
  expect(sent.map(({ path }) => path)).toEqual(['passkeys/confirm'])
})

test('a form that was closed forgets who had proven what', async () => {
  await someoneAtSecurity()
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await change('Add a passkey', { 'Current password': password })
  await see('No passkey was added. Try again.')
  await open('Cancel')
  await change('Add a passkey')
  expect(await errorAt('Add a passkey', 'Current password')).toBe('Enter your current password.')
})

describe('logging in with a passkey', () => {
  test('says what to do where there is none, or somebody cancels', async () => {
    await page().goto(address())
    await byPasskey().click()
    await see(noneUsed)
    expect(await page().getByRole('alert').filter({ hasText: noneUsed }).count()).toBe(1)
    await logIn(await someone(), password)
    await seeHeading('Profile')
  })

  test('asks again where the challenge has expired meanwhile, and then says so', async () => {
    await someoneAtSecurity()
    await add()
    await logOut()
    const expire = (times: number) =>
      page().route(
        '**/auth/passkeys/login',
        route => route.fulfill({ status: 400, json: { code: 'invalid-passkey-challenge' } }),
        { times },
      )
    await expire(2)
    const sent = listen()
    await byPasskey().click()
    await see('It took too long. Try again.')
    const [once, twice] = ['passkeys/login-options', 'passkeys/login']
    expect(sent.map(({ path }) => path)).toEqual([once, twice, once, twice])
    await expire(1)
    await byPasskey().click()
    await seeHeading('Profile')
  })

  test('says that it does not work where the device lies, which deletes no passkey', async () => {
    await someoneAtSecurity()
    await add()
    await logOut()
    await device.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBogusSignature: true })
    const answered = page().waitForResponse('**/auth/passkeys/login')
    await byPasskey().click()
    await see(wrong)
    expect(await (await answered).json()).toMatchObject({ code: 'wrong-passkey', reason: 'signature' })
    expect(await told('signalUnknownCredential')).toEqual([])
  })

  test('offers no mail to verify an address that nobody typed', async () => {
    await page().route('**/auth/passkeys/login', route =>
      route.fulfill({ status: 403, json: { code: 'email-not-verified' } }),
    )
    await someoneAtSecurity()
    await add()
    await logOut()
    await byPasskey().click()
    await see('Verify your email address first')
    expect(await page().getByRole('button', { name: 'Send the email again' }).count()).toBe(0)
  })
})

describe('the autofill of the address', () => {
  // This page has the browser's own capability.
  beforeEach(async () => {
    await takeDevice()
  })
  const field = () => page().getByLabel('Email address')
  const draws = (sent: { path: string }[]) => sent.filter(({ path }) => path === 'passkeys/login-options').length
  /** Whether a request waits for somebody to choose. */
  const watch = () =>
    page().addInitScript(() => {
      const asked: object[] = []
      const get = navigator.credentials.get.bind(navigator.credentials)
      navigator.credentials.get = options => {
        const mine = { mediation: options?.mediation, isOver: false }
        asked.push(mine)
        return get(options).finally(() => {
          mine.isOver = true
        })
      }
      Object.assign(globalThis, { asked })
    })
  const asked = () => page().evaluate(() => (globalThis as unknown as { asked: object[] }).asked)
  const [waits, over] = [false, true].map(isOver => ({ mediation: 'conditional', isOver }))

  test('offers passkeys, and who chooses one is logged in, as the box says', async ({ skip }) => {
    await someoneAtSecurity()
    const isThere = await page().evaluate(() => PublicKeyCredential.isConditionalMediationAvailable())
    if (!isThere) skip('this Chromium has no window to offer them in')
    await add()
    await page().getByRole('button', { name: 'Log out', exact: true }).click()
    // Chromium's authenticator chooses at once.
    await seeHeading('Profile')
    await page().reload()
    await seeHeading('Profile')
  })

  test('draws a challenge at the field’s focus, and no second one while that waits', async () => {
    await attend(false)
    await watch()
    // The address is filled in, so the password is focused.
    await page().goto(address(`/authorize?${new URLSearchParams({ ...shopRequest, login_hint: 'ada@example.com' })}`))
    await page().getByLabel('Password', { exact: true }).and(page().locator(':focus')).waitFor()
    const sent = listen()
    expect(await field().getAttribute('autocomplete')).toBe('username webauthn')
    expect(await asked()).toEqual([])
    await field().focus()
    await expect.poll(asked).toEqual([waits])
    await page().getByLabel('Password', { exact: true }).focus()
    await field().focus()
    expect(draws(sent)).toBe(1)
  })

  test('is renewed every nine minutes while visible, and ends before the button’s request', async () => {
    await attend(false)
    await watch()
    await page().clock.install()
    await page().goto(address())
    await expect.poll(asked).toEqual([waits])
    const sent = listen()
    await page().clock.runFor('08:59')
    expect(draws(sent)).toBe(0)
    await page().clock.runFor(1000)
    await expect.poll(asked).toEqual([over, waits])
    await page().evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }))
    await page().clock.runFor('20:00')
    expect(draws(sent)).toBe(1)
    await page().evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(asked).toEqual([over, over, waits])
    await byPasskey().click()
    await expect.poll(asked).toMatchObject([over, over, over, {}])
    expect(await page().getByRole('alert').filter({ hasText: /./ }).count()).toBe(0)
  })
})

describe('an application’s login', () => {
  test.each([
    ['by the button', false],
    ['with the box', true],
  ])('takes a passkey, %s', async (_, stays) => {
    await page()
      .context()
      .route('https://shop.example.com/**', route => route.fulfill({ contentType: 'text/html', body: '<h1>Shop</h1>' }))
    await someoneAtSecurity()
    await add()
    await logOut()
    await attend(false)
    await page().goto(address(`/authorize?${new URLSearchParams(shopRequest)}`))
    await seeHeading(`Log in to ${shop?.name}`)
    await attend(true)
    await page().getByLabel('Keep me logged in in this browser').setChecked(stays)
    const sent = listen()
    await byPasskey().click()
    await page().waitForURL(url => url.origin === 'https://shop.example.com')
    expect(new URL(page().url()).searchParams.get('code')).toMatch(/./)
    const proof = sent.find(({ body }) => body && 'assertion' in body)
    const named = stays ? ['label'] : []
    expect(Object.keys(proof?.body ?? {}).sort()).toEqual(['assertion', ...named, 'request', 'stay'])
    expect(proof?.body).toMatchObject({ stay: stays })
    await page().context().clearCookies()
  })
})

test('a reset asks what else logs in, and removes it where the answer says so', async () => {
  const email = await someoneAtSecurity()
  await add()
  await running.send('POST', '/auth/forgot-password', { email })
  await page().goto((await nextLink(running, email, '/reset-password')).href)
  await page().reload()
  await page().getByRole('group', { name: 'Are all of these yours?' }).waitFor()
  expect(await page().getByRole('radio', { checked: true }).count()).toBe(0)
  await send('Set new password', { 'New password': 'battery staple' })
  await see('Choose one.')
  expect(await page().evaluate(() => document.activeElement?.id)).toBe('keep')
  await page().getByLabel('No, or I am not sure: remove them').check()
  expect(await page().getByText('Choose one.').count()).toBe(0)
  await send('Set new password')
  await see('Your password was changed')
  await attend(false)
  await page().goto(address('/account#security'))
  await logIn(email, 'battery staple')
  await seeHeading('Security')
  expect(await page().locator('.passkeys > li').count()).toBe(0)
})

describe('where passkeys do not work', () => {
  test.each([
    [
      'an address that none can be bound to',
      () => {},
      '127.0.0.1',
      'Passkeys do not work at this address: use localhost.',
    ],
    [
      'a browser without them',
      () => page().addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential')),
      'localhost',
      'This browser cannot use passkeys.',
    ],
  ] as const)('(%s), there is no button, and Security says why', async (_, arrange, host, words) => {
    await openPage()
    await arrange()
    const sent = listen()
    await page().goto(address('/account#security').replace('localhost', host))
    await seeHeading('Log in')
    expect(await byPasskey().count()).toBe(0)
    expect(await page().getByLabel('Email address').getAttribute('autocomplete')).toBe('username')
    await logIn(await someone(), password)
    await see(words)
    expect(await page().getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
    expect(sent.some(({ path }) => path === 'passkeys/login-options')).toBe(false)
    const link = page().getByRole('link', { name: 'localhost' })
    if (host === '127.0.0.1') expect(await link.getAttribute('href')).toBe(address('/account#security'))
  })
})
