import { beforeEach, describe, expect, test } from 'vitest'
import { logOutBrowser } from '../../../accounts/application/browser-logout.ts'
import { addSession } from '../../../accounts/session/opening.ts'
import { newSession } from '../../../accounts/session/session.ts'
import { type Parameters, queryWith } from '../../support/clients.ts'
import { HeldBrowser, idToken, stayLoggedIn } from '../../support/service/applications.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, openSession, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

const bob = { email: 'bob@example.com', password: 'battery horse' } as const
const home = 'https://shop.example.com/'

let browser: HeldBrowser
/** The sessions of Ada's browser, and of the shop. */
let sids: { browser: string; shop: string }
beforeEach(async () => {
  await register(harness)
  const stayed = await stayLoggedIn(harness)
  browser = stayed.browser
  const account = await find(harness)
  const special = { application: 'shop', scope: ['openid'] }
  const { session } = newSession(deps, account, 'Shop', { authTime: deps.now(), amr: ['pwd'] }, special)
  await addSession(deps, account, session)
  sids = { browser: stayed.session.id, shop: session.id }
})

const logOut = (changes: Parameters = {}, confirmed = false) =>
  logOutBrowser(deps, browser, { request: queryWith({ post_logout_redirect_uri: home, ...changes }), confirmed })
const hintFor = async (aud = 'shop', email: string = ada.email, sid = sids.shop) =>
  idToken(harness, { aud, sub: (await find(harness, email)).id, sid, exp: 1 })
const sessionIds = async () => (await find(harness)).sessions.map(({ id }) => id).sort()
const all = () => [sids.browser, sids.shop].sort()

const refused = async (changes: Parameters) => {
  await expect(logOut(changes)).rejects.toMatchObject({ code: 'confirmation-required', options: {} })
  expect([browser.seconds, await sessionIds()]).toEqual([null, all()])
}

describe('an application that names the logged-in person', () => {
  test('logs the browser out, and itself, and gets them back', async () => {
    expect(await logOut({ id_token_hint: await hintFor(), state: 'a b&c' })).toBe(`${home}?state=a%20b%26c`)
    expect([browser.token, browser.seconds, await sessionIds()]).toEqual([null, 0, []])
    expect(harness.events.filter(({ event }) => event === 'session-ended')).toHaveLength(2)
  })

  test('leaves other sessions alone, and its own if it names none', async () => {
    const { id } = await openSession(harness)
    const { id: sub } = await find(harness)
    const hint = await idToken(harness, { aud: 'shop', sub })
    expect(await logOut({ id_token_hint: hint, client_id: 'shop', state: '' })).toBe(home)
    expect(await sessionIds()).toEqual([id, sids.shop].sort())
  })

  test('may have logged out itself before', async () => {
    expect(await logOut({ id_token_hint: await hintFor('shop', ada.email, 'gone') })).toBe(home)
    expect(await sessionIds()).toEqual([sids.shop])
  })
})

describe('whoever else opens the page', () => {
  test('is asked first without an id token of that person for that client', async () => {
    await register(harness, bob)
    const own = await hintFor()
    await refused({})
    await refused({ client_id: 'shop' })
    await refused({ id_token_hint: 'x' })
    await refused({ id_token_hint: `${own.slice(0, -4)}AAAA` })
    await refused({ id_token_hint: await hintFor('nobody') })
    await refused({ id_token_hint: own, client_id: 'dashboard' })
    await refused({ id_token_hint: await hintFor('shop', bob.email) })
    await refused({ id_token_hint: [own, own] })
  })

  test.each([{}, { client_id: 'shop' }])(
    'ends the session of the browser after that, and no other: %j',
    async changes => {
      expect(await logOut(changes, true)).toBe('client_id' in changes ? home : null)
      expect([browser.seconds, await sessionIds()]).toEqual([0, [sids.shop]])
    },
  )

  test('ends no session that an id token of another person names', async () => {
    await register(harness, bob)
    expect(await logOut({ id_token_hint: await hintFor('shop', bob.email) }, true)).toBe(home)
    expect(await sessionIds()).toEqual([sids.shop])
  })

  test('is led nowhere but to where the application lists', async () => {
    for (const [changes, location] of [
      [{ client_id: 'shop', post_logout_redirect_uri: 'https://attacker.example/' }, null],
      [{ client_id: 'shop', post_logout_redirect_uri: `${home}x` }, null],
      [{ client_id: 'shop', post_logout_redirect_uri: 'https://shop.example.com/callback' }, null],
      [{ client_id: 'shop', post_logout_redirect_uri: undefined }, null],
      [{ client_id: 'shop', post_logout_redirect_uri: [home, home] }, null],
      [{ client_id: 'dashboard' }, null],
      [{ client_id: 'nobody' }, null],
      [{ client_id: ['shop', 'shop'] }, null],
      [{ client_id: 'dashboard', id_token_hint: await hintFor() }, null],
      [{ client_id: 'shop' }, home],
      [{ id_token_hint: await hintFor() }, home],
    ] as [Parameters, string | null][]) {
      expect(await logOut(changes, true), JSON.stringify(changes)).toBe(location)
    }
  })
})

test('without a cookie nothing ends, and it is asked all the same', async () => {
  browser = new HeldBrowser()
  const id_token_hint = await hintFor()
  await refused({ id_token_hint })
  expect(await logOut({ id_token_hint }, true)).toBe(home)
  expect([browser.seconds, await sessionIds()]).toEqual([null, all()])
})

test('a dead cookie is cleared, and no session of another kind ends', async () => {
  const { id, refreshToken } = await openSession(harness)
  for (const [token, settings] of [
    ['x', {}],
    [refreshToken, {}],
    [browser.token, { sso: false }],
  ] as const) {
    Object.assign(harness.config, settings)
    browser = new HeldBrowser(token)
    await expect(logOut({ id_token_hint: await hintFor() })).rejects.toMatchObject({ code: 'confirmation-required' })
    expect([browser.seconds, (await sessionIds()).length]).toEqual([0, 3])
  }
  expect(await sessionIds()).toContain(id)
})

test.each([1, 2])('a retry completes a logout that failed halfway: at write %i', async failing => {
  const id_token_hint = await hintFor()
  let writes = 0
  harness.beforeCall = command => {
    if (command === 'UpdateItem' && ++writes === failing) harness.broken = 'Accounts'
  }
  await expect(logOut({ id_token_hint })).rejects.toMatchObject({ code: 'unavailable' })
  harness.broken = null
  expect([browser.seconds, await sessionIds()]).toEqual([null, failing === 1 ? all() : [sids.browser]])
  expect(await logOut({ id_token_hint })).toBe(home)
  expect([browser.seconds, await sessionIds()]).toEqual([0, []])
})
