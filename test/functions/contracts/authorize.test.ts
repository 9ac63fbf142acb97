import { beforeEach, describe, expect, test } from 'vitest'
import { shopQuery } from '../../support/clients.ts'
import { sentWith, stayLoggedIn } from '../../support/service/applications.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import type { Received, Sent } from '../../support/service/http.ts'
import { ada, find, register } from '../../support/service/people.ts'

const harness = createHarness()
beforeEach(() => register(harness))

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
      expect([status, answer]).toEqual([200, { location: expect.stringMatching(/\?code=/) }])
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
