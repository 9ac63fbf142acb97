import { beforeEach, describe, expect, test } from 'vitest'
import { authorize, continueSession } from '../../../accounts/application/authorization.ts'
import { grantKey } from '../../../accounts/application/grant.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { refresh } from '../../../accounts/session/refresh.ts'
import { grace } from '../../../accounts/session/rotation.ts'
import { issueAccessToken } from '../../../accounts/token/access-token.ts'
import { day } from '../../../shared/base/limits/windows.ts'
import { type Parameters, shopQuery, shopRequest } from '../../support/clients.ts'
import { HeldBrowser, idToken, stayLoggedIn } from '../../support/service/applications.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, newClient, openSession, protect, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

const bob = { email: 'bob@example.com', password: 'battery horse' } as const
const dashboard = { client_id: 'dashboard', redirect_uri: 'https://dashboard.example.com/callback' }
const local = { redirect_uri: 'http://127.0.0.1:8000/callback' }

let browser: HeldBrowser
beforeEach(async () => {
  browser = new HeldBrowser()
  await register(harness)
  harness.calls.length = 0
})

/** Logs in with a password. */
const logIn = (
  changes: Parameters = {},
  more: { stay?: boolean; label?: string; code?: string; password?: string } = {},
  person: { email: string; password: string } = ada,
) =>
  authorize(deps, { clientAddress: newClient(), acceptLanguage: undefined }, browser, {
    code: undefined,
    stay: false,
    email: person.email,
    ...more,
    password: toPassword(more.password ?? person.password),
    request: shopQuery(changes),
  })
/** Continues with the cookie. */
const goOn = (changes: Parameters = {}, confirmed = false, by = browser) =>
  continueSession(deps, by, { request: shopQuery(changes), confirmed })

const answerOf = (location: string) => Object.fromEntries(new URL(location).searchParams)
const grantOf = (location: string) => deps.grants.find(grantKey(answerOf(location).code ?? ''))
const sessionIds = async (email: string = ada.email) => (await find(harness, email)).sessions.map(({ id }) => id)
const loginRequired = `${shopRequest.redirect_uri}?error=login_required&error_description=Log%20in%20to%20go%20on&state=the%20state&iss=${encodeURIComponent(deps.config.issuer)}`
const code = expect.stringMatching(/^[\w-]{43}$/)

/** Ada's browser session, so old that its cookie is rotated next. */
async function stayed(email: string = ada.email) {
  const { browser: held, session } = await stayLoggedIn(harness, email)
  browser = held
  harness.advance(grace)
  harness.calls.length = 0
  return session
}

describe('logging in to an application', () => {
  test('redirects back with a code, which stands for the person, the methods and the request', async () => {
    const location = await logIn({ nonce: 'n', scope: 'email offline_access openid' })
    expect(location.startsWith(`${shopRequest.redirect_uri}?`)).toBe(true)
    expect(answerOf(location)).toEqual({ code, state: 'the state', iss: deps.config.issuer })
    const { id } = await find(harness)
    expect(await grantOf(location)).toMatchObject({
      client: 'shop',
      redirect: shopRequest.redirect_uri,
      challenge: shopRequest.code_challenge,
      nonce: 'n',
      scope: ['email', 'offline_access', 'openid'],
      id,
      version: 0,
      authTime: deps.now(),
      amr: ['pwd'],
      browserSession: null,
    })
    expect(harness.events.at(-1)).toEqual({ event: 'authorized', account_id: id })
    expect([browser.seconds, await sessionIds()]).toEqual([null, []])
    // A code alone does not sign a token yet.
    expect(harness.calls).not.toContain('Sign')
  })

  test('leads to the port of the loopback interface that was asked for', async () => {
    expect(await logIn(local)).toMatch(/^http:\/\/127\.0\.0\.1:8000\/callback\?code=/)
  })

  test('remembers the caller, and a second factor', async () => {
    const { code } = await protect(harness)
    const location = await logIn({}, { code: code() })
    expect(await grantOf(location)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
    expect((await find(harness)).clients).toHaveLength(1)
  })

  test('keeps the browser logged in where that is asked for', async () => {
    const location = await logIn({}, { stay: true, label: 'Chrome, Linux' })
    const [session] = (await find(harness)).sessions
    expect(session).toMatchObject({
      isBrowser: true,
      application: null,
      label: 'Chrome, Linux',
      authTime: deps.now(),
      amr: ['pwd'],
    })
    expect(browser).toMatchObject({ token: expect.stringContaining(`.${session?.id}.1.`), seconds: 14 * day })
    expect(await grantOf(location)).toMatchObject({ browserSession: session?.id, authTime: session?.authTime })
    expect(harness.events.map(({ event }) => event)).toEqual(['registered', 'session-opened', 'authorized'])
  })

  test.each([{ sso: false }, { sessionDays: 0 }])('keeps none logged in with %j', async settings => {
    Object.assign(harness.config, settings)
    expect(await grantOf(await logIn({}, { stay: true }))).toMatchObject({ browserSession: null })
    expect([browser.seconds, await sessionIds()]).toEqual([null, []])
  })

  test('reports a wrong request before it checks a password, and reveals nothing about unknown clients', async () => {
    for (const [changes, detail] of [
      [{ scope: 'email' }, 'scope must contain openid'],
      [{ client_id: 'x' }, 'There is no such application'],
      [{ redirect_uri: 'https://attacker.example/' }, 'The application may not send people back to this address'],
    ] as const) {
      const refused = logIn(changes, { password: 'wrong horse' })
      await expect(refused).rejects.toMatchObject({ code: 'invalid-authorization-request', message: detail })
    }
    expect(harness.calls).toEqual([])
  })

  test('takes a verified address, whatever the settings; an application may take others, whatever they are', async () => {
    for (const requireEmailVerification of [false, true]) {
      harness.config.requireEmailVerification = requireEmailVerification
      await expect(logIn(dashboard)).rejects.toMatchObject({ code: 'email-not-verified' })
      expect(answerOf(await logIn())).toMatchObject({ code })
    }
    await harness.operator.verify(await find(harness), deps.now())
    expect(answerOf(await logIn(dashboard))).toMatchObject({ code })
  })

  test('keeps no browser logged in when all sessions were ended meanwhile', async () => {
    const account = await find(harness)
    harness.before('UpdateItem Accounts', () => harness.operator.signOut(account, deps.now()))
    await expect(logIn({}, { stay: true })).rejects.toMatchObject({ code: 'bad-credentials' })
    expect([browser.token, await sessionIds()]).toEqual([null, []])
    expect(harness.events.at(-1)).toMatchObject({ event: 'login-failed', reason: 'outdated' })
  })
})

describe('a right proof', () => {
  test('ends the session of the cookie, another person’s too', async () => {
    await register(harness, bob)
    const { id } = await stayed(bob.email)
    await logIn({}, { stay: false })
    expect([browser.seconds, browser.token, await sessionIds(bob.email)]).toEqual([0, null, []])
    expect(harness.events).toContainEqual({ event: 'session-ended', account_id: (await find(harness, bob.email)).id })
    await stayed(bob.email)
    await logIn({}, { stay: true })
    const [present] = (await find(harness)).sessions
    expect(present?.id).not.toBe(id)
    expect(browser.token).toContain(`.${present?.id}.1.`)
    expect(await sessionIds(bob.email)).toEqual([])
  })

  test('that is none ends nothing', async () => {
    await register(harness, bob)
    const { id } = await stayed(bob.email)
    const { token } = browser
    await expect(logIn({}, { password: 'wrong horse' })).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(logIn(dashboard)).rejects.toMatchObject({ code: 'email-not-verified' })
    expect(await logIn({ id_token_hint: await idToken(harness, { aud: 'shop', sub: 'x' }) })).toBe(loginRequired)
    expect([browser.token, browser.seconds, await sessionIds(bob.email)]).toEqual([token, null, [id]])
  })

  test('ends no session but a browser’s', async () => {
    const { id, refreshToken } = await openSession(harness)
    browser = new HeldBrowser(refreshToken)
    await logIn()
    expect([browser.seconds, await sessionIds()]).toEqual([0, [id]])
  })

  test('gives no code while the old session cannot be ended', async () => {
    const { id } = await stayed()
    harness.before('GetItem Accounts', async () => {
      // After the password check.
      harness.before('GetItem Accounts', async () => {
        throw new Error('broken')
      })
    })
    await expect(logIn({}, { stay: true })).rejects.toThrow()
    expect(await sessionIds()).toEqual([id])
    expect(
      await harness.items('RateLimits').then(items => items.filter(({ key }) => /^grant#/.test(String(key)))),
    ).toEqual([])
  })
})

describe('an id token that is sent back', () => {
  const hinted = async (hint: string, more = {}) => logIn({ id_token_hint: hint }, more)

  test('refuses another person than the hint names, and leaves their browser alone', async () => {
    const hint = await idToken(harness, { aud: 'dashboard', sub: 'somebody else' })
    expect(await hinted(hint, { stay: true })).toBe(loginRequired)
    expect([browser.seconds, await sessionIds()]).toEqual([null, []])
    expect(harness.events.map(({ event }) => event)).not.toContain('authorized')
  })

  test('logs in the person of the hint, also after the id token has expired', async () => {
    const { id: sub } = await find(harness)
    expect(answerOf(await hinted(await idToken(harness, { aud: 'shop', sub, exp: 1 })))).toMatchObject({ code })
  })

  test('is no hint if this service did not make it for a listed application', async () => {
    await register(harness, bob)
    const sub = (await find(harness, bob.email)).id
    const good = await idToken(harness, { aud: 'shop', sub })
    const [head = '', body = '', signature = ''] = good.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const forged = Buffer.from(JSON.stringify({ iss: deps.config.issuer, aud: 'shop', sub: 'x' })).toString('base64url')
    for (const [what, hint] of [
      ['no token', 'x'],
      ['one without a signature', `${head}.${body}.`],
      ['one that says so', `${none}.${body}.`],
      ['one whose signature is of another', `${head}.${forged}.${signature}`],
      ['one of another issuer', await idToken(harness, { iss: 'https://attacker.example/auth', aud: 'shop', sub })],
      ['one for nobody who is listed', await idToken(harness, { aud: 'nobody', sub })],
      ['one for several', await idToken(harness, { aud: ['shop'], sub })],
      ['one of nobody', await idToken(harness, { aud: 'shop', sub: 7 })],
      [
        'an access token',
        (await issueAccessToken(deps, await find(harness, bob.email), { authTime: deps.now(), amr: ['pwd'] })).token,
      ],
    ] as const) {
      expect(answerOf(await hinted(hint)), what).toMatchObject({ code })
    }
    expect(await hinted(good)).toBe(loginRequired)
  })

  test('is not judged while the keys cannot be read', async () => {
    const hint = await idToken(harness, { aud: 'shop', sub: 'x' })
    harness.broken = 'KMS'
    await expect(hinted(hint)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a browser that has stayed logged in', () => {
  test('goes on without a password, as of the login, with the next cookie', async () => {
    const { id, authTime, amr } = await stayed()
    const location = await goOn({ nonce: 'n' })
    expect(harness.calls).toEqual(['GetItem Accounts', 'UpdateItem Accounts', 'PutItem RateLimits'])
    expect(answerOf(location)).toEqual({ code, state: 'the state', iss: deps.config.issuer })
    expect(await grantOf(location)).toMatchObject({ browserSession: id, authTime, amr, nonce: 'n', version: 0 })
    expect(browser).toMatchObject({ token: expect.stringContaining(`.${id}.2.`), seconds: 14 * day })
  })

  test('goes on in many tabs at once, and after an answer was lost', async () => {
    const { id } = await stayed()
    const { token } = browser
    const tabs = Array.from({ length: 10 }, () => new HeldBrowser(token))
    await Promise.all(tabs.map(tab => goOn({}, false, tab)))
    expect(new Set(tabs.map(tab => tab.token)).size).toBe(1)
    harness.advance(3 * grace)
    expect(answerOf(await goOn())).toMatchObject({ code })
    expect(browser.token).toContain(`.${id}.3.`)
  })

  const insufficient: [string, Parameters][] = [
    ['prompt login', { prompt: 'login' }],
    ['prompt select_account', { prompt: 'consent select_account' }],
    ['prompt create', { prompt: 'create' }],
    ['a login now', { max_age: '0' }],
    ['a login of less than a minute ago', { max_age: '59' }],
    ['another account', { login_hint: bob.email }],
  ]

  test.each(insufficient)('does not suffice for %s: the page asks that person', async (_, changes) => {
    await stayed()
    const members = { members: { email: ada.email } }
    await expect(goOn(changes, true)).rejects.toMatchObject({ code: 'login-required', options: members })
    expect([browser.seconds, harness.calls]).toEqual([null, ['GetItem Accounts']])
  })

  test.each<[string, Parameters]>([
    ['consent', { prompt: 'consent' }],
    ['a login of a minute ago', { max_age: '60' }],
    ['the account', { login_hint: ' ADA@example.com' }],
    ['what is no address', { login_hint: 'ada' }],
    ['nobody in particular', { prompt: 'none' }],
  ])('suffices for %s', async (_, changes) => {
    await stayed()
    expect(answerOf(await goOn(changes))).toMatchObject({ code })
  })

  test('needs a verified address, unless the application takes others', async () => {
    await stayed()
    await expect(goOn(dashboard, true)).rejects.toMatchObject({ code: 'email-not-verified' })
    expect([browser.seconds, harness.calls]).toEqual([null, ['GetItem Accounts']])
    await harness.operator.verify(await find(harness), deps.now())
    expect(answerOf(await goOn(dashboard))).toMatchObject({ code })
  })

  test('asks first where any program could have asked', async () => {
    await stayed()
    const asked = { code: 'confirmation-required', options: { members: { email: ada.email } } }
    await expect(goOn(local)).rejects.toMatchObject(asked)
    expect([browser.seconds, harness.calls]).toEqual([null, ['GetItem Accounts']])
    expect(answerOf(await goOn(local, true))).toMatchObject({ code })
  })

  test('looks at prompt, age, address, verification and confirmation, in this order, before it writes anything', async () => {
    await stayed()
    const app = {
      ...deps.clients[1],
      ...local,
      redirects: [local.redirect_uri],
      unverified: false,
      id: 'app',
      secrets: [],
    }
    const clients = [app as (typeof deps.clients)[number]]
    const of = (changes: Parameters, confirmed = false) =>
      continueSession({ ...deps, clients }, browser, {
        request: shopQuery({ ...local, client_id: 'app', ...changes }),
        confirmed,
      })
    const all = { prompt: 'login', max_age: '0', login_hint: bob.email }
    await expect(of({ ...all, scope: 'x' })).rejects.toMatchObject({ code: 'invalid-authorization-request' })
    for (const left of [all, { ...all, prompt: '' }, { login_hint: bob.email }]) {
      await expect(of(left)).rejects.toMatchObject({ code: 'login-required' })
    }
    await expect(of({})).rejects.toMatchObject({ code: 'email-not-verified' })
    await harness.operator.verify(await find(harness), deps.now())
    await expect(of({})).rejects.toMatchObject({ code: 'confirmation-required' })
    expect(browser.seconds).toBe(null)
    expect(answerOf(await of({}, true))).toMatchObject({ code })
  })

  test.each<[string, Parameters]>([
    ['a login now', { max_age: '0' }],
    ['another account', { login_hint: bob.email }],
    ['an application that needs a verified address', dashboard],
    ['an address of this machine', local],
  ])('tells the application alone that it does not suffice, where nobody may be asked: %s', async (_, changes) => {
    await stayed()
    const location = await goOn({ ...changes, prompt: 'none' }, true)
    expect(answerOf(location)).toMatchObject({ error: 'login_required', state: 'the state', iss: deps.config.issuer })
    expect([browser.seconds, harness.calls]).toEqual([null, ['GetItem Accounts']])
  })

  test('is not meant by the id token of another person, whatever the prompt', async () => {
    await stayed()
    const id_token_hint = await idToken(harness, { aud: 'shop', sub: 'somebody else' })
    for (const prompt of ['', 'none', 'consent']) expect(await goOn({ id_token_hint, prompt })).toBe(loginRequired)
    expect(browser.seconds).toBe(null)
    const own = await idToken(harness, { aud: 'shop', sub: (await find(harness)).id })
    expect(answerOf(await goOn({ id_token_hint: own }))).toMatchObject({ code })
  })

  test('does nothing while AWS does not answer, and says so with prompt=none too', async () => {
    await stayed()
    for (const part of ['Accounts', 'RateLimits'] as const) {
      harness.broken = part
      await expect(goOn({ prompt: 'none' })).rejects.toMatchObject({ code: 'unavailable' })
    }
    harness.broken = null
    // It has the next cookie, although it got no code.
    expect(browser.token).toContain('.2.')
    expect(answerOf(await goOn())).toMatchObject({ code })
  })
})

describe('a cookie', () => {
  const dead = async () => {
    await expect(goOn()).rejects.toMatchObject({ code: 'login-required', options: {} })
    expect([browser.token, browser.seconds]).toEqual([null, 0])
  }

  test('that is absent logs nobody in, and is not cleared', async () => {
    await expect(goOn()).rejects.toMatchObject({ code: 'login-required', options: {} })
    expect(await goOn({ prompt: 'none' })).toBe(loginRequired)
    expect([browser.seconds, harness.calls]).toEqual([null, []])
  })

  test.each<[string, () => Promise<unknown> | unknown]>([
    ['of no form', () => void Object.assign(browser, { token: 'x' })],
    [
      'of another secret',
      () => void Object.assign(browser, { token: browser.token?.replace(/.{43}$/, 'A'.repeat(43)) }),
    ],
    ['that nobody used', () => harness.advance(15 * day * 1000)],
    ['after a lock', async () => harness.operator.lock(await find(harness), deps.now())],
    ['where no browser stays logged in any more', () => void Object.assign(harness.config, { sso: false })],
  ])('%s is cleared', async (_, end) => {
    await stayed()
    await end()
    await dead()
  })

  test('of another kind of session is cleared, and that session stays; and vice versa', async () => {
    const { id, refreshToken } = await openSession(harness)
    browser = new HeldBrowser(refreshToken)
    await dead()
    expect(await sessionIds()).toEqual([id])
    const session = await stayed()
    await expect(refresh(deps, browser.token ?? '')).rejects.toMatchObject({ code: 'invalid-refresh-token' })
    expect((await sessionIds()).sort()).toEqual([id, session.id].sort())
  })

  test('that is dead is cleared where nobody may be asked too', async () => {
    browser = new HeldBrowser('x')
    expect(await goOn({ prompt: 'none' })).toBe(loginRequired)
    expect(browser.seconds).toBe(0)
  })
})
