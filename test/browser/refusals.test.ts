import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refusalsOf } from '../../api/needs.ts'
import { isUnsafe, pathOf } from '../../api/route-keys.ts'
import { type Route, routes } from '../../api/routes.ts'
import { type ErrorCode, refusalAmong } from '../../shared/base/errors.ts'
import { shopQuery } from '../support/clients.ts'
import { pagesOfLinks } from '../support/link-pages.ts'
import { providers } from '../support/providers.ts'
import { onAccountPage } from './account/account.ts'
import { passkey, passkeys, setUpAnswers } from './account/answers.ts'
import { setUpBrowser } from './browser.ts'

/**
 * Every form of every page, with every refusal of what it sends: the sentence is in a small window, at the field that it
 * is about, or else directly above the pressed button.
 */

/** A phone with its keyboard open. */
const viewport = { width: 360, height: 380 }
/** Pixels: a line of text more than a field or a button. */
const nearby = 64

const { page, openPage } = setUpBrowser()
const { send, seeHeading, enter, change } = onAccountPage(page)
const { begin, end, visit, havePasskey, site, answers, sent } = setUpAnswers(async options => {
  const opened = await openPage({ ...options, viewport })
  await opened.addInitScript(signAtOnce)
  await opened.addInitScript(listen)
  if (arrival) await opened.addInitScript(arrival)
  return opened
})

/** Has the page return from a provider. */
let arrival: string | null = null

/** Runs in the page: every device signs at once. */
function signAtOnce(): void {
  const bytes = new TextEncoder().encode('{}').buffer
  const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, attestationObject: bytes }
  const signed = { rawId: bytes, response: { ...response, userHandle: bytes } }
  const sign = async ({ mediation }: CredentialRequestOptions) => (mediation ? new Promise(() => {}) : signed)
  Object.assign(navigator.credentials, { get: sign, create: sign })
}

type Listening = typeof globalThis & { heard: { said: string[]; focused: string[] } }

/** Runs in the page: hears as a screen reader does what is announced, and what gets the focus, since the last press. */
function listen(): void {
  const heard = { said: [] as string[], focused: [] as string[] }
  Object.assign(globalThis, { heard })
  addEventListener('click', () => Object.assign(heard, { said: [], focused: [] }), true)
  addEventListener('focusin', ({ target }) => heard.focused.push((target as HTMLElement).outerHTML.slice(0, 80)), true)
  const live = '[role="alert"], [role="status"], [aria-live], output'
  const regionsIn = ({ target, addedNodes }: MutationRecord) => {
    const around = (target instanceof Element ? target : target.parentElement)?.closest(live) ?? []
    const added = [...addedNodes].filter(it => it instanceof Element).filter(it => it.isConnected)
    return [around, ...added.filter(it => it.matches(live)), ...added.map(it => [...it.querySelectorAll(live)])].flat()
  }
  new MutationObserver(records => {
    const changed = new Set(records.flatMap(regionsIn))
    for (const { textContent } of changed) {
      // It comes before the answer.
      if (textContent && !textContent.endsWith('…')) heard.said.push(textContent)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

const email = 'ada@example.com'
const account = { id: '1', email, name: 'Ada', is_verified: true }
/** By the names of fields; others take a password. */
const typed: Record<string, string> = {
  email,
  your_email: email,
  new_email: 'grace@example.com',
  name: 'Ada',
  label: 'Laptop',
  code: '123456',
}

const byPath = new Map(
  Object.values<Route>(routes).flatMap(route =>
    isUnsafe(route) ? [[route.on.slice(route.on.indexOf('/')), route]] : [],
  ),
)

type Answered = [status: number, body: object] | null

/** The refusals of a path; null: no answer. The page leaves a form whose login has ended. */
function refusalsAt(path: string, members: readonly string[]): [name: string, answer: Answered][] {
  const route = byPath.get(path)
  if (!route) throw new Error(`no row is at ${path}`)
  const codes = refusalsOf(route)
  const endsLogin = (code: ErrorCode) => code === 'not-authenticated' || code === 'invalid-access-token'
  return [
    ...codes
      .filter(code => !(route.access === 'bearer' && endsLogin(code)))
      .flatMap(code => {
        const [status] = refusalAmong(codes, code)
        const answer = (more: object): [string, Answered] => [code, [status, { code, ...more }]]
        if (code !== 'invalid-body') return [answer({})]
        return members.map(name => answer({ errors: [{ pointer: `/${name}`, detail: 'is wrong' }] }))
      }),
    ['a gateway', [502, {}]],
    ['no answer', null],
  ]
}

/** Fills in the empty fields of a form. */
async function fill(form: string, on: Page): Promise<void> {
  await on.evaluate(
    ([form, typed]) => {
      for (const input of document.querySelectorAll<HTMLInputElement>(`${form} input`)) {
        if (input.type === 'radio' || input.type === 'checkbox') input.checked = true
        else if (input.name && !input.hidden) input.value = typed[input.name] ?? 'correct horse'
      }
    },
    [form, typed] as const,
  )
}

/** What people see of the messages beneath a page's heading, with the button that they pressed. */
const look = (pressed: string) =>
  page().evaluate(
    ([pressed, nearby]) => {
      const button = document.querySelector(pressed)
      const rect = (it: Element) => it.getBoundingClientRect()
      const isShown = (it: Element) => it.checkVisibility()
      const messages = [...document.querySelectorAll('main :is(.error, [role="alert"])')]
      const shown = messages.filter(it => it.textContent !== '' && isShown(it))
      return shown.map(message => {
        const field = message.id ? document.querySelector(`main [aria-describedby~="${message.id}"]`) : null
        // Another form, shown in place of the pressed one, says why.
        const ofIts = message.closest('form')?.querySelector('[type="submit"]')
        const about = field ?? (button && isShown(button) ? button : ofIts)
        if (!about) return null
        const [{ top, bottom }, its] = [rect(message), rect(about)]
        const distance = Math.round(Math.max(0, its.top - bottom, top - its.bottom))
        return {
          words: message.textContent,
          isInWindow: top >= 0 && bottom <= innerHeight,
          distance,
          isNear: distance <= nearby,
          isMarked: field === null || field.matches('[aria-invalid="true"], :has([aria-invalid="true"])'),
          // What stands between a message and what it is about.
          between: [...document.querySelectorAll('main :is(button:not(.reveal), .button, input)')]
            .filter(it => it !== about && !about.contains(it) && isShown(it))
            .filter(it => rect(it).top >= Math.min(bottom, its.bottom) && rect(it).bottom <= Math.max(top, its.top))
            .length,
          isAbove: field !== null || bottom <= its.top,
        }
      })
    },
    [pressed, nearby] as const,
  )

/** The buttons that send a shown form. @param within the forms' part of the page */
const sendersShown = (within = 'main') =>
  page().evaluate(within => {
    const shown = [...document.querySelectorAll<HTMLElement>('form :is([type="submit"], [data-sends])')]
    return shown
      .filter(it => it.closest(within) && it.checkVisibility())
      .map(it => [[...document.querySelectorAll('form button')].indexOf(it), it.textContent] as const)
  }, within)

/** Marks a button and its form, so that they are found again. @returns its words; null if it is not shown */
async function mark(index: number): Promise<string | null> {
  return page().evaluate(index => {
    for (const name of ['data-pressed', 'data-form']) document.querySelector(`[${name}]`)?.removeAttribute(name)
    const button = document.querySelectorAll<HTMLButtonElement>('form button')[index]
    button?.setAttribute('data-pressed', '')
    button?.form?.setAttribute('data-form', '')
    return button?.checkVisibility() ? button.textContent : null
  }, index)
}

/** Presses the marked button, and waits for the answer, which is announced once and moves the focus once at most. */
async function press(): Promise<void> {
  await fill('[data-form]', page())
  await page().locator('[data-pressed]:not([data-settles])').click()
  await page().waitForFunction(() => document.querySelector('[data-form]')?.ariaBusy !== 'true')
  const { said, focused } = await page().evaluate(() => (globalThis as Listening).heard)
  expect([said, focused].filter(all => all.length > 1)).toEqual([])
}

/**
 * Presses every button of every shown form, with every refusal of all that it sends.
 *
 * @param enter shows the forms
 * @param within their part of the page
 */
async function pressAll(enter: () => Promise<unknown>, within?: string): Promise<void> {
  const usual = { ...answers() }
  const restore = () => {
    for (const path of byPath.keys()) delete answers()[path]
    Object.assign(answers(), usual)
  }
  await enter()
  const senders = await sendersShown(within)
  expect(senders.length).toBeGreaterThan(0)
  const named = page().getByRole('form', { name: /./ })
  expect(await named.count()).toBe(await page().locator('form:visible').count())
  for (const [index, words] of senders) {
    const begin = async () => {
      restore()
      if ((await mark(index)) === words) return
      await enter()
      expect(await mark(index)).toBe(words)
    }
    /** What it sends, until something refuses. */
    const asked = new Map<string, readonly string[]>()
    for (;;) {
      await begin()
      const before = sent().length
      for (const path of byPath.keys()) if (!asked.has(path)) answers()[path] = [500, { code: 'internal' }]
      await press()
      const next = sent()
        .slice(before)
        .find(({ path }) => !asked.has(path) && byPath.has(path))
      if (!next) break
      asked.set(next.path, Object.keys(next.body ?? {}))
      if (usual[next.path] === undefined) break
    }
    expect(asked.size, `what "${words}" sends`).toBeGreaterThan(0)
    const seen: unknown[] = []
    const rightly: unknown[] = []
    for (const [path, members] of asked) {
      for (const [name, answer] of refusalsAt(path, members)) {
        await begin()
        answers()[path] = answer
        await press()
        const messages = await look('[data-pressed]')
        // A dead link's form is replaced, that for a second factor asks for it, and what is on its way is no error.
        if (messages.length === 0 && (isAwaited.has(name) || (await mark(index)) !== words)) continue
        seen.push([path, name, messages.length > 0 ? messages : 'nothing'])
        rightly.push([path, name, messages.map((_, place) => right(place === 0))])
      }
    }
    expect(seen).toEqual(rightly)
  }
  restore()
}

const isAwaited: ReadonlySet<string> = new Set(['second-factor-required', 'second-factor-setup', 'email-not-verified'])

/** @param isFirst of several messages: the others may be further down */
const right = (isFirst: boolean) => ({
  words: expect.any(String),
  isInWindow: isFirst ? true : expect.any(Boolean),
  distance: expect.any(Number),
  isNear: true,
  isMarked: true,
  between: 0,
  isAbove: true,
})

const options = { challenge: 'YQ', rpId: 'localhost', timeout: 300_000 }

beforeEach(async () => {
  await begin()
  havePasskey()
  arrival = null
  const user = { id: 'YQ', name: email, displayName: 'Ada' }
  site().config = { ...site().config, hasClients: true }
  Object.assign(answers(), {
    '/auth/me': [200, account],
    '/auth/register': [201, account],
    '/auth/forgot-password': [200, {}],
    '/auth/passkeys/login-options': [200, options],
    '/auth/passkeys/proof-options': [200, options],
    '/auth/passkeys/setup': [
      200,
      { ...options, rp: { id: 'localhost' }, user, pubKeyCredParams: [], excludeCredentials: [] },
    ],
    '/auth/authorize-session': [401, { code: 'login-required' }],
    ...Object.fromEntries(succeeding.map(name => [pathOf(name), [200, {}]])),
    '/auth/passkeys/confirm': [200, passkey],
    '/auth/passkeys/rename': [200, passkey],
    '/auth/second-factor/recovery-codes': [200, { recovery_codes: ['ABCD-EFGH'] }],
  })
})
afterEach(end)

/** What answers with nothing that a page shows. */
const succeeding = [
  'change-password',
  'delete-account',
  'disconnect-provider',
  'end-session',
  'logout-everywhere',
  'remove-passkey',
  'remove-second-factor',
  ...pagesOfLinks.map(({ endpoint }) => endpoint),
] as const

const inbox = () => seeHeading('Check your inbox')
const verifyFirst: Answered = [403, { code: 'email-not-verified' }]
const password = 'correct horse'

/** Comes back from a provider. */
function comeBack(to: string, refused: string): void {
  site().config = { ...site().config, hasProviders: true }
  site().providers = providers
  answers()['/auth/provider-login'] = [401, { code: refused, email, provider_token: 'token' }]
  const came = { page: to, search: '', hash: '', provider: 'google', proof: { provider: 'google' } }
  arrival = `sessionStorage.setItem('arrival', JSON.stringify({ ...${JSON.stringify(came)}, until: Date.now() + 60_000 }))`
}

describe('people who are not logged in', () => {
  const shown: [name: string, fragment: string, act?: () => Promise<void>][] = [
    ['log in', '#log-in'],
    ['register', '#register'],
    ['forgot their password', '#forgot'],
    ['wait for a link', '#forgot', () => send('Send a link', { 'Email address': email }).then(inbox)],
  ]
  const paths = [
    ['here', '/account'],
    ['for an application', `/authorize?${shopQuery()}`],
  ] as const
  describe.each(paths)('%s', (_, path) => {
    test.each(shown)('%s', (_, fragment, act) =>
      pressAll(async () => {
        await visit(fragment, path)
        await act?.()
      }),
    )
  })

  test('wait for a link after registering', () => {
    site().config.requireEmailVerification = true
    return pressAll(async () => {
      await visit('#register')
      await send('Create an account', { 'Email address': email, Password: password })
      await inbox()
    })
  })

  test('wait for a link before they go on to an application', () =>
    pressAll(async () => {
      answers()['/auth/authorize'] = verifyFirst
      await visit('', `/authorize?${shopQuery()}`)
      await send('Log in', { 'Email address': email, Password: password })
      await inbox()
    }))

  test('go on to an application', () =>
    pressAll(async () => {
      answers()['/auth/authorize-session'] = [400, { code: 'confirmation-required', email }]
      await visit('', `/authorize?${shopQuery()}`)
    }))

  test.each(['password-required', 'second-factor-required'])('come back from a provider: %s', refused =>
    pressAll(async () => {
      comeBack('account', refused)
      await visit('')
    }),
  )

  test('log out a browser', () =>
    pressAll(async () => {
      answers()['/auth/logout-browser'] = [400, { code: 'confirmation-required' }]
      await visit('', '/logout')
    }))
})

describe('links', () => {
  test.each(pagesOfLinks.map(({ name, renewal }) => [name, renewal] as const))('to %s', async (name, renewal) => {
    await pressAll(() => visit('?token=secret-token&logins=1', `/${name}`))
    if (renewal === null) return
    answers()[pathOf(renewal.endpoint)] = [200, {}]
    const ask = () => visit('', `/${name}`)
    await pressAll(ask)
    await pressAll(async () => {
      await ask()
      await page().fill('#email', email)
      await page().click('form:not([data-again]) [type="submit"]:visible')
      await page().waitForSelector('[data-again]:visible')
    })
  })

  test('to set up two-step verification', async () => {
    await pressAll(() => visit('?token=secret-token', '/second-factor'))
    await pressAll(async () => {
      answers()['/auth/login'] = [403, { code: 'second-factor-setup', setup_token: 'token' }]
      await visit('?token=secret-token', '/second-factor')
      await page().fill('#email', email)
      await page().fill('#password', password)
      await page().click('#log-in [type="submit"]')
      await page().getByRole('img', { name: 'QR code of the key' }).waitFor()
    })
  })
})

describe('people who are logged in', () => {
  /** Opens each form of a section in turn. */
  async function openAll(section: 'Profile' | 'Security' | 'Sessions'): Promise<void> {
    const enterSection = () => enter(visit, section)
    const openers = () => page().locator('main .row > .actions > button[type="button"]:visible')
    await enterSection()
    const all = await openers().count()
    expect(all).toBeGreaterThan(0)
    if ((await sendersShown()).length > 0) await pressAll(enterSection)
    for (let index = 0; index < all; index += 1) {
      await pressAll(async () => {
        await enterSection()
        await openers().nth(index).click()
      }, '.panel')
    }
  }

  test('in their profile', () => {
    answers()['/auth/me'] = [200, { ...account, is_verified: false }]
    return openAll('Profile')
  })

  test('under security', () => openAll('Security'))

  test('under security, with an app and a provider', () => {
    answers()['/auth/second-factor'] = [200, { methods: ['code'], recovery_codes_left: 10 }]
    const google = { id: 'a', provider: 'google', email, connected_at: '2026-03-01T12:00:00.000Z' }
    answers()['/auth/sign-in-methods'] = [200, { has_password: true, providers: [google] }]
    answers()['/auth/passkeys'] = passkeys()
    return openAll('Security')
  })

  test('under security, without a password', () => {
    answers()['/auth/sign-in-methods'] = [200, { has_password: false, providers: [] }]
    return pressAll(() => enter(visit, 'Security'))
  })

  test('at their sessions', () => openAll('Sessions'))

  test('with an app that is being set up', () =>
    pressAll(async () => {
      await enter(visit, 'Security')
      await change('Turn on', { 'Current password': password })
      await page().getByRole('img', { name: 'QR code of the key' }).waitFor()
    }, '.panel'))
})
