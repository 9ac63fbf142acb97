import { beforeEach, describe, expect, test } from 'vitest'
import { grantKey } from '../../../accounts/application/grant.ts'
import { parseRateLimits } from '../../../shared/base/limits/windows.ts'
import { shopQuery, shopRequest } from '../../support/clients.ts'
import { idToken, sentWith, stayLoggedIn } from '../../support/service/applications.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import type { Received, Sent } from '../../support/service/http.ts'
import { ada, find, protect, register } from '../../support/service/people.ts'

const harness = createHarness()
beforeEach(() => register(harness))

const dashboard = { client_id: 'dashboard', redirect_uri: 'https://dashboard.example.com/callback' }
const good = { ...ada, request: shopQuery() }
const authorize = (body: object = {}, sent: Sent = sentWith(null)) =>
  send(harness, 'authorize', { ...sent, body: { ...good, ...body } })
const goOn = (body: object = {}, sent: Sent = sentWith(null)) =>
  send(harness, 'authorize-session', { ...sent, body: { request: shopQuery(), ...body } })
const logOut = (body: object, sent: Sent) => send(harness, 'logout-browser', { ...sent, body })

/** `; ` and the attributes of every cookie. */
const attributes = '; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age='
const cleared = [`__Host-gatehouse=${attributes}0`]
const codeOf = ({ status, body }: Received) => [status, body.code]

describe('authorize', () => {
  test('answers with the address that the page goes on to, and sets no cookie unasked', async () => {
    for (const body of [{}, { stay: false }]) {
      const { status, body: answer, cookies, headers } = await authorize(body)
      expect(status).toBe(200)
      expect(answer.location).toMatch(
        /^https:\/\/shop\.example\.com\/callback\?code=[\w-]{43}&state=the%20state&iss=https%3A%2F%2F[^&]+%2Fauth$/,
      )
      expect([cookies, headers['set-cookie'], headers['cache-control']]).toEqual([undefined, undefined, 'no-store'])
    }
  })

  test('sets the cookie of a browser that is to stay logged in', async () => {
    const { cookies } = await authorize({ stay: true })
    const [{ id } = { id: '' }] = (await find(harness)).sessions
    expect(cookies).toEqual([
      expect.stringMatching(
        new RegExp(`^__Host-gatehouse=ghr2\\.[\\w-]+\\.${id}\\.1\\.[\\w-]{43}\\.[\\w-]{43}${attributes}1209600$`),
      ),
    ])
  })

  test('checks origin, limit, shape and request, and then as login does', async () => {
    const { account, token } = await register(harness, { email: 'bob@example.com', password: 'battery horse' })
    const bob = { email: account.email, password: 'battery horse' }
    const request = shopQuery({ ...dashboard })
    const ask = (changes: object, sent: Sent = sentWith(null)) => authorize({ request, ...bob, ...changes }, sent)
    const wrong = { password: 'wrong horse' }
    await harness.operator.lock(account, harness.deps.now())
    harness.config.rateLimits = parseRateLimits('authorize=16/hour') as typeof harness.config.rateLimits

    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } }
    expect(codeOf(await ask({ email: 7, request: '' }, foreign))).toEqual([403, 'origin-not-allowed'])
    expect(codeOf(await ask({ email: 7, request: '' }))).toEqual([422, 'invalid-body'])
    for (let i = 0; i < 10; i++) await ask(wrong)
    expect(codeOf(await ask({ request: '', ...wrong }))).toEqual([400, 'invalid-authorization-request'])
    expect(codeOf(await ask(wrong))).toEqual([429, 'too-many-requests'])
    harness.advance(15 * 60_000)
    const unknown = await ask(wrong)
    expect(codeOf(unknown)).toEqual([401, 'bad-credentials'])
    expect(unknown.headers['www-authenticate']).toBe('Bearer')
    expect(codeOf(await ask({}))).toEqual([403, 'account-locked'])
    await harness.operator.unlock(account, harness.deps.now())
    harness.config.secondFactor = 'required'
    expect(codeOf(await ask({}))).toEqual([403, 'email-not-verified'])
    // The seventeenth.
    expect(codeOf(await ask({ email: 7 }))).toEqual([429, 'too-many-requests'])
    harness.config.rateLimits = null
    await send(harness, 'verify-email', { body: { token } })
    expect(codeOf(await ask({}))).toEqual([403, 'second-factor-setup'])
    const { code } = await protect(harness, bob.email)
    const asked = await ask({})
    expect([...codeOf(asked), asked.headers['www-authenticate']]).toEqual([401, 'second-factor-required', 'Bearer'])
    expect((await ask({ code: code() })).status).toBe(200)
  })

  test('has the detail of a request that is not good', async () => {
    const { body } = await authorize({ request: shopQuery({ code_challenge_method: 'plain' }) })
    expect(body.detail).toBe('code_challenge_method must be S256')
  })
})

describe('the cookie of a browser that stays logged in', () => {
  /** @returns its value */
  const stay = async () => {
    const { browser } = await stayLoggedIn(harness)
    harness.advance(60_000)
    return browser.token
  }

  test('logs in without a password, and is replaced', async () => {
    const token = await stay()
    const { status, body, cookies } = await goOn({}, sentWith(token))
    expect([status, body]).toEqual([200, { location: expect.stringMatching(/\?code=/) }])
    expect(cookies).toEqual([
      expect.stringMatching(/^__Host-gatehouse=ghr2\.[^;]+\.2\.[^;]+; Path=\/;.*Max-Age=1209600$/),
    ])
  })

  test('is one of many cookies, of which others may begin alike', async () => {
    const token = await stay()
    const { headers } = sentWith(token)
    const others = ['a=b', '__Host-gatehouse2=x', 'Host-gatehouse=x', '__host-gatehouse=x']
    const cookies = [...others, `__Host-gatehouse=${token}`, 'c=d']
    expect((await goOn({}, { headers, cookies })).status).toBe(200)
    // Either of two may be this service's.
    for (const two of [[...cookies, '__Host-gatehouse=x'], others]) {
      const { cookies: set, ...answer } = await goOn({}, { headers, cookies: two })
      expect([...codeOf(answer), set]).toEqual([401, 'login-required', undefined])
    }
  })

  test('asks for a login where it does not suffice, of whom it is', async () => {
    const token = await stay()
    const prompted = await goOn({ request: shopQuery({ prompt: 'login' }) }, sentWith(token))
    expect([prompted.status, prompted.body]).toMatchObject([
      401,
      { code: 'login-required', detail: 'Log in to go on', email: ada.email },
    ])
    expect([prompted.headers['www-authenticate'], prompted.cookies]).toEqual(['Bearer', undefined])
    const none = await goOn()
    expect([codeOf(none), none.body.email, none.cookies]).toEqual([[401, 'login-required'], undefined, undefined])
  })

  test('asks whether to go on where any program can ask', async () => {
    const token = await stay()
    const request = shopQuery({ redirect_uri: 'http://127.0.0.1:8000/callback' })
    const { status, body, cookies } = await goOn({ request }, sentWith(token))
    expect([status, body.code, body.email, cookies]).toEqual([400, 'confirmation-required', ada.email, undefined])
    const { body: confirmed } = await goOn({ request, confirmed: true }, sentWith(token))
    expect(confirmed.location).toMatch(/^http:\/\/127\.0\.0\.1:8000\/callback\?code=/)
  })

  test('is cleared when it is dead, on a refusal too', async () => {
    const token = await stay()
    await harness.operator.signOut(await find(harness), harness.deps.now())
    const dead = await goOn({}, sentWith(token))
    expect([codeOf(dead), dead.cookies]).toEqual([[401, 'login-required'], cleared])
    const silent = await goOn({ request: shopQuery({ prompt: 'none' }) }, sentWith(token))
    expect([silent.body.location, silent.cookies]).toEqual([expect.stringMatching(/\?error=login_required&/), cleared])
    expect((await logOut({ request: '' }, sentWith(token))).cookies).toEqual(cleared)
    expect((await authorize({}, sentWith(token))).cookies).toEqual(cleared)
  })

  test('is not looked at before the request is good, nor by a wrong proof', async () => {
    const token = await stay()
    harness.calls.length = 0
    const refused = await goOn({ request: shopQuery({ scope: 'email' }) }, sentWith(token))
    expect([codeOf(refused), harness.calls]).toEqual([[400, 'invalid-authorization-request'], []])
    expect((await authorize({ password: 'wrong horse' }, sentWith(token))).cookies).toBe(undefined)
    expect((await goOn({}, sentWith(token))).status).toBe(200)
  })

  test('ends with the browser’s logout', async () => {
    const token = await stay()
    const asked = await logOut({ request: '' }, sentWith(token))
    expect([codeOf(asked), asked.cookies]).toEqual([[400, 'confirmation-required'], undefined])
    const { id: sub } = await find(harness)
    const hint = await idToken(harness, { aud: 'shop', sub })
    const to = 'https://shop.example.com/'
    const request = String(new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: to, state: 's' }))
    const out = await logOut({ request }, sentWith(token))
    expect([out.status, out.body, out.cookies]).toEqual([200, { location: `${to}?state=s` }, cleared])
    expect((await logOut({ request: '', confirmed: true }, sentWith(token))).body).toEqual({ location: null })
    expect(codeOf(await goOn({}, sentWith(token)))).toEqual([401, 'login-required'])
  })

  test('makes no difference to any other endpoint, to the byte', async () => {
    const token = await stay()
    const body = { ...ada, refresh_token: token }
    harness.config.rateLimits = null
    for (const [name, sent] of [
      ['refresh', body],
      ['login', { ...ada, password: 'wrong horse' }],
      ['register', ada],
      ['get-me', undefined],
      ['list-sessions', undefined],
      ['forgot-password', ada],
    ] as const) {
      const plain = { ...(sent && { body: sent }), headers: { 'sec-fetch-site': 'same-origin' } }
      const without = await send(harness, name, plain)
      expect(await send(harness, name, { ...sentWith(token), ...plain }), name).toEqual(without)
    }
    expect(await find(harness)).toMatchObject({ sessions: [{ current: 1 }] })
  })
})

test('a code is of the request that it was asked for by', async () => {
  const nonce = 'x'.repeat(2048)
  const { body } = await authorize({ request: `${shopQuery({ nonce })}&lang=de` })
  const code = new URL(body.location).searchParams.get('code') ?? ''
  expect(await harness.deps.grants.find(grantKey(code))).toMatchObject({ nonce, redirect: shopRequest.redirect_uri })
})
