import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { shopQuery } from '../../support/clients.ts'
import { setUpBrowser } from '../browser.ts'
import { onAccountPage } from './account.ts'
import { setUpAnswers } from './answers.ts'

/**
 * Password managers and other extensions replace the browser's functions. The page works whatever those answer, and
 * even if they never do.
 */

const refusals = ['AbortError', 'InvalidStateError', 'NotAllowedError', 'SecurityError', 'TypeError', 'UnknownError']
const behaviours = [
  'never settles',
  'settles late',
  'answers null',
  'throws at once',
  ...refusals.map(name => `rejects with ${name}`),
]

/** Milliseconds that the API gives a gesture. */
const timeout = 300_000
const email = 'ada@example.com'
const password = 'correct horse'
const noneUsed = 'No passkey was used. Try again, or log in with your password.'
const onward = 'https://shop.example.com/callback?code=abc'

/** A replacement of the browser's functions: its behaviours, and its calls. */
interface Replaced {
  behave: Record<string, string>
  calls: { name: string; mediation?: string; isAborted(): boolean }[]
  /** Locks that were granted late and are still held. */
  held: number
}
type Wrapped = typeof globalThis & { replaced: Replaced }

/** The first behaviour by function; others are the browser's own. */
let first: Replaced['behave'] = {}

const { page, openPage } = setUpBrowser()
const { form, send, see, seeHeading, open } = onAccountPage(page)
const { begin, end, visit, havePasskey, site, answers, sent } = setUpAnswers(async options => {
  const opened = await openPage(options)
  await opened.clock.install()
  await opened.addInitScript(replaceAll, first)
  return opened
})

/** Runs in the page, before its script. */
function replaceAll(behave: Replaced['behave']): void {
  const bytes = new TextEncoder().encode('{}').buffer
  const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, attestationObject: bytes }
  const right = { rawId: bytes, response: { ...response, userHandle: bytes } }
  const replaced: Replaced = { behave, calls: [], held: 0 }
  Object.assign(globalThis, { replaced })

  function answer(how: string): unknown {
    const name = how.replace('rejects with ', '')
    const refusal = name === 'TypeError' ? new TypeError(name) : new DOMException(name, name)
    if (how === 'throws at once') throw refusal
    if (how === 'answers true') return Promise.resolve(true)
    if (how === 'answers null') return Promise.resolve(null)
    if (how === 'never settles') return new Promise(() => {})
    if (how !== 'settles late') return Promise.reject(refusal)
    return new Promise(resolve => setTimeout(resolve, 3_600_000, right))
  }

  function replace(owner: object, name: string): void {
    const own = Reflect.get(owner, name)
    const put = (...given: { mediation?: string; signal?: AbortSignal }[]) => {
      const options = given.find(it => it?.signal)
      const isAborted = () => options?.signal?.aborted ?? false
      const mediation = options?.mediation
      const called = mediation ? `${name} ${mediation}` : name
      replaced.calls.push({ name: called, isAborted })
      const how = replaced.behave[called]
      if (how === undefined) return Reflect.apply(own, owner, given)
      if (name !== 'request' || how !== 'settles late') return answer(how)
      const take = given.at(-1) as () => unknown
      return (answer(how) as Promise<unknown>).then(() => {
        if (take() !== undefined) replaced.held += 1
      })
    }
    Object.defineProperty(owner, name, { value: put, configurable: true, writable: true })
  }
  replace(navigator.credentials, 'get')
  replace(navigator.credentials, 'create')
  replace(navigator.locks, 'request')
  replace(navigator.clipboard, 'writeText')
  replace(globalThis, 'fetch')
  const asked = ['isConditionalMediationAvailable', 'isUserVerifyingPlatformAuthenticatorAvailable']
  const told = ['signalUnknownCredential', 'signalAllAcceptedCredentials', 'signalCurrentUserDetails']
  for (const name of [...asked, ...told]) replace(PublicKeyCredential, name)
  const channel = behave.BroadcastChannel
  if (channel === undefined) return
  const make = () => {
    if (!/^(?:never|settles|answers)/.test(channel)) throw new TypeError(channel)
  }
  Object.assign(globalThis, {
    BroadcastChannel: class extends EventTarget {
      constructor() {
        super()
        make()
      }
    },
  })
}

/** From now on. */
const behave = (how: Record<string, string>) =>
  page().evaluate(how => Object.assign((globalThis as Wrapped).replaced.behave, how), how)
const calls = (name: string, isAborted = false) =>
  page().evaluate(
    ([name, isAborted]) =>
      (globalThis as Wrapped).replaced.calls.filter(it => it.name === name && (!isAborted || it.isAborted())).length,
    [name, isAborted] as const,
  )
const called = (name: string, times: number, isAborted = false) => expect.poll(() => calls(name, isAborted)).toBe(times)
const isOpen = (how: string) => how.endsWith('settles') || how.endsWith('late')
/** Waits until a call has its end, if it has none of its own. */
async function endOf(how: string, milliseconds: number): Promise<void> {
  if (isOpen(how)) await page().clock.runFor(milliseconds)
}
/** Waits until late answers have arrived. */
async function letLateCome(how: string): Promise<void> {
  if (how !== 'settles late') return
  await page().clock.runFor(3_600_000)
}
const isFree = async (submit: string) => {
  expect(await form(submit).getAttribute('aria-busy')).toBe('false')
  expect(await form(submit).locator('input[readonly]').count()).toBe(0)
}
const sentTo = (path: string) => sent().filter(it => it.path === path)

beforeEach(async () => {
  await begin()
  havePasskey()
  site().config = { ...site().config, hasClients: true }
  const user = { id: 'YQ', name: email, displayName: 'Ada' }
  Object.assign(answers(), {
    '/auth/me': [200, { id: '1', email, name: 'Ada', is_verified: true }],
    '/auth/authorize-session': [401, { code: 'login-required' }],
    '/auth/authorize': [200, { location: onward }],
    '/auth/logout': [200, {}],
    '/auth/passkeys/login-options': [200, { challenge: 'YQ', rpId: 'localhost', timeout }],
    '/auth/passkeys/setup': [
      200,
      { challenge: 'YQ', timeout, rp: { id: 'localhost' }, user, pubKeyCredParams: [], excludeCredentials: [] },
    ],
  })
})
afterEach(end)

const focusAddress = async () => {
  await page().getByLabel('Password', { exact: true }).focus()
  await page().getByLabel('Email address').focus()
}

describe.each([
  ['/account', '#log-in', 'Log in'],
  ['/authorize', `?${shopQuery()}`, 'Log in to Shop'],
] as const)('on %s', (path, rest, heading) => {
  test.each(behaviours)('a login does not depend on a function that %s', async how => {
    const [question, inAutofill] = ['isConditionalMediationAvailable', 'get conditional']
    first = { [question]: how, BroadcastChannel: how }
    await visit(rest, path)
    await page().route('https://shop.example.com/**', route => route.fulfill({ body: 'Shop' }))
    await seeHeading(heading)
    await called(question, 1)
    await endOf(how, 1000)
    await behave({ [question]: 'answers true', [inAutofill]: how, get: how })
    await focusAddress()
    await called(inAutofill, 1)

    await page().getByRole('button', { name: 'Log in with a passkey', exact: true }).click()
    if (isOpen(how)) await called(inAutofill, 1, true)
    await endOf(how, 1000)
    await called('get', 1)
    await endOf(how, timeout + 5000)
    await see(noneUsed)
    await isFree('Log in')

    await page().getByLabel('Email address').fill(email)
    await page().getByLabel('Password', { exact: true }).fill(password)
    await behave({ fetch: how, request: how })
    const before = await calls('fetch')
    await send('Log in')
    await called('fetch', before + 1)
    await endOf(how, 36_000)
    await see('The service cannot be reached.')
    await isFree('Log in')

    await letLateCome(how)
    await page().evaluate(() => Reflect.deleteProperty((globalThis as Wrapped).replaced.behave, 'fetch'))
    await send('Log in')
    if (path === '/authorize') await page().waitForURL(onward)
    else {
      await called('request', 1)
      await endOf(how, 1000)
      await seeHeading('Profile')
      await letLateCome(how)
      expect(await page().evaluate(() => (globalThis as Wrapped).replaced.held)).toBe(0)
    }
    expect(sentTo('/auth/passkeys/login')).toEqual([])
    const logins = [...sentTo('/auth/login'), ...sentTo('/auth/authorize')]
    expect(logins.map(({ body }) => body)).toEqual([expect.objectContaining({ email, password })])
  })
})

test.each(behaviours)('a logged-in person is not stopped by a function that %s', async how => {
  // Offers in the autofill would still call the API when the page closes.
  const none = { isConditionalMediationAvailable: 'answers null' }
  first = { ...none, signalAllAcceptedCredentials: how, signalCurrentUserDetails: how }
  await visit('#security')
  await send('Log in', { 'Email address': email, Password: password })
  await seeHeading('Security')
  await called('signalCurrentUserDetails', 1)
  await behave({ writeText: how, create: how })

  await open('Turn on')
  await send('Turn on', { 'Current password': password })
  await open('Copy the key')
  await endOf(how, 1000)
  const selected = () => page().evaluate(() => String(getSelection()))
  if (how === 'answers null') await see('Copied.')
  else await expect.poll(selected).toMatch(/^(?:AAAA ?){8}$/)

  await open('Cancel')
  await open('Add a passkey')
  await send('Add a passkey', { 'Current password': password })
  await called('create', 1)
  await endOf(how, timeout + 5000)
  await see(
    how.endsWith('InvalidStateError') ? 'This device already has a passkey' : 'No passkey was added. Try again.',
  )
  await isFree('Add a passkey')
  await letLateCome(how)

  await open('Log out')
  await seeHeading('Log in')
  expect(sentTo('/auth/passkeys/confirm')).toEqual([])
})

/** Presses that wait for a device: where, what opens the form, its button, and what is pressed. */
const gestures: [path: string, rest: string, opener: string | null, submit: string, pressed: string, asks: string][] = [
  ['/account', '#log-in', null, 'Log in', 'Log in with a passkey', 'get'],
  ['/authorize', `?${shopQuery()}`, null, 'Log in', 'Log in with a passkey', 'get'],
  ['/account', '#security', 'Change password', 'Change password', 'Use a passkey', 'get'],
  ['/account', '#security', 'Add a passkey', 'Add a passkey', 'Add a passkey', 'create'],
]
const waysBack = ['Cancel', 'Escape'].flatMap(way => ['never settles', 'settles late'].map(how => [way, how] as const))

describe.each(gestures)('on %s%s, a form that waits for a device (%s)', (path, rest, opener, submit, pressed, asks) => {
  test.each(waysBack)(
    'is given back by %s where the device %s, and what comes later changes nothing',
    async (way, how) => {
      first = { isConditionalMediationAvailable: 'answers null', [asks]: how }
      answers()['/auth/passkeys/proof-options'] = [200, { challenge: 'YQ', rpId: 'localhost', timeout }]
      await visit(rest, path)
      if (opener !== null) {
        await send('Log in', { 'Email address': email, Password: password })
        await open(opener)
        for (const field of await form(submit)
          .getByLabel('assword', { exact: false })
          .and(page().locator('input'))
          .all())
          await field.fill(password)
      }
      const button = form(submit).locator('button', { hasText: pressed })
      await button.last().evaluate(it => it.setAttribute('data-mine', ''))
      const mine = page().locator('[data-mine]')
      await mine.click()
      await called(asks, 1)
      expect(await mine.innerText()).toBe('Waiting for your device…')
      expect(await page().getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(1)
      const before = sent().length
      if (way === 'Cancel') await open('Cancel')
      else await page().keyboard.press('Escape')
      await isFree(submit)
      expect(await mine.innerText()).toBe(pressed)
      expect(await mine.evaluate(it => it === document.activeElement)).toBe(true)
      expect(await calls(asks, true)).toBe(1)
      expect(await page().getByRole('alert').count()).toBe(0)
      const isInRow = opener !== null || path === '/authorize'
      expect(await page().getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(isInRow ? 1 : 0)

      await behave({ [asks]: 'rejects with NotAllowedError' })
      await mine.click()
      // The device may still be asked, for a second.
      const isAskedAgain = async () => (await calls(asks)) === 2 || (await page().clock.runFor(1000))
      await expect.poll(isAskedAgain).toBe(true)
      const told = page().getByRole('alert')
      const words = asks === 'get' ? noneUsed : 'No passkey was added. Try again.'
      await told.filter({ hasText: words }).waitFor()
      await letLateCome(how)
      expect(await told.allInnerTexts()).toEqual([words])
      expect(
        sent()
          .slice(before)
          .filter(it => !/options$|setup$/.test(it.path)),
      ).toEqual([])
      expect(new URL(page().url()).pathname).toBe(path)
    },
  )
})
