import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { authorize, continueSession } from '../../../accounts/application/authorization.ts'
import type { Client } from '../../../accounts/application/client.ts'
import { exchangeGrant } from '../../../accounts/application/exchange.ts'
import { type Grant, grantKey } from '../../../accounts/application/grant.ts'
import { addSession } from '../../../accounts/session/opening.ts'
import { maxOfApplication, maxSessions, shares } from '../../../accounts/session/room.ts'
import { findActive, newSession, type Session } from '../../../accounts/session/session.ts'
import { day } from '../../../shared/base/limits/windows.ts'
import { OAuthError } from '../../../shared/base/oauth-error.ts'
import { clients, shopQuery, shopRequest } from '../../support/clients.ts'
import { HeldBrowser, stayLoggedIn } from '../../support/service/applications.ts'
import { allScopes, codeForm, enterShop, grantCode, verifier } from '../../support/service/grants.ts'
import { createHarness } from '../../support/service/harness.ts'
import { challengeOf } from '../../support/service/lying-provider.ts'
import { endOwnSession } from '../../support/service/owner.ts'
import { ada, find, home, openSession, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

beforeEach(async () => {
  await register(harness)
})

const exchange = (form: Record<string, string>) =>
  exchangeGrant(harness.deps, {
    form: new Map(Object.entries(form)),
    authorization: undefined,
    isFromUnlistedPage: false,
  })
const faultOf = async (form: Record<string, string>) => {
  const fault = await exchange(form).catch((error: unknown) => error)
  if (!(fault instanceof OAuthError)) throw fault
  return `${fault.error}: ${fault.message}`
}
const unknownCode = 'invalid_grant: Unknown, used or expired code'
const changed = 'invalid_grant: The account has changed since'
const events = () => harness.events.map(({ event }) => event)

describe('a code', () => {
  test('is kept by its hash for a day, and is good for 60 seconds', async () => {
    const code = await grantCode(harness)
    const item = (await harness.items('RateLimits')).find(({ key }) => key === grantKey(code))
    expect(item).toMatchObject({ expires: deps.now().getTime() / 1000 + 60 + 24 * 60 * 60 })
    expect(JSON.stringify(item)).not.toContain(code)
    harness.advance(59_999)
    await exchange(codeForm(code))
    const late = await grantCode(harness)
    harness.advance(60_000)
    expect(await faultOf(codeForm(late))).toBe(unknownCode)
  })

  test('is spent by one write after the tokens are signed, and opens no session unasked', async () => {
    const form = codeForm(await grantCode(harness))
    harness.calls.length = 0
    const { refreshToken } = await exchange(form)
    expect(harness.calls).toEqual(['GetItem RateLimits', 'GetItem Accounts', 'Sign', 'Sign', 'UpdateItem RateLimits'])
    expect([refreshToken, (await find(harness)).sessions]).toEqual([undefined, []])
  })

  test('opens a session where people stay logged in, and is read again', async () => {
    const authTime = new Date(deps.now().getTime() - 5000)
    const form = codeForm(await grantCode(harness, { scope: allScopes, authTime, amr: ['pwd', 'otp', 'mfa'] }))
    harness.calls.length = 0
    const { accessToken } = await exchange(form)
    expect(harness.calls).toEqual([
      ...['GetItem RateLimits', 'GetItem Accounts', 'Sign', 'Sign'],
      ...['UpdateItem RateLimits', 'UpdateItem Accounts', 'GetItem RateLimits'],
    ])
    const [session] = (await find(harness)).sessions
    expect(session).toMatchObject({ application: 'shop', label: 'Shop', scope: allScopes, authTime, isBrowser: false })
    const { sid, amr, auth_time } = decodeJwt(accessToken)
    expect([sid, amr, auth_time]).toEqual([session?.id, ['pwd', 'otp', 'mfa'], authTime.getTime() / 1000])
    expect(harness.events.at(-1)).toEqual({ event: 'session-opened', account_id: (await find(harness)).id })
  })

  test('opens none where there are no sessions', async () => {
    harness.config.sessionDays = 0
    const { scope, refreshToken } = await exchange(codeForm(await grantCode(harness, { scope: allScopes })))
    expect([scope, refreshToken]).toEqual([['openid', 'email', 'profile', 'roles'], undefined])
  })

  test.each([
    ['client_id', 'unsure', 'The code is that of another client'],
    ['redirect_uri', 'http://127.0.0.1/callback', 'redirect_uri is another than that of the authorization request'],
    ['code_verifier', 'x'.repeat(43), 'code_verifier is not that of the code_challenge'],
  ])('is not spent by another %s, nor is its session ended', async (name, value, description) => {
    const [shop] = clients
    harness.deps.clients = [...clients, { ...(shop as (typeof clients)[0]), id: 'unsure' }]
    const form = codeForm(await grantCode(harness, { scope: allScopes }))
    expect(await faultOf({ ...form, [name]: value })).toBe(`invalid_grant: ${description}`)
    await exchange(form)
    expect(await faultOf({ ...form, [name]: value })).toBe(`invalid_grant: ${description}`)
    expect((await find(harness)).sessions).toHaveLength(1)
    expect(events()).not.toContain('code-reused')
    harness.deps.clients = clients
  })

  test.each([
    ['42 characters', 'v'.repeat(42), false],
    ['43 characters', 'v'.repeat(43), true],
    ['all characters that a verifier may have', 'AZaz09-._~'.repeat(12), true],
    ['128 characters', '~'.repeat(128), true],
    ['129 characters', '~'.repeat(129), false],
    ['a character of base64', `${'v'.repeat(42)}+`, false],
    ['a letter that is no ASCII', 'ä'.repeat(43), false],
    ['a line break at its end', `${'v'.repeat(43)}\n`, false],
  ])('is exchanged by a verifier of %s, or not and not spent (RFC 7636): %#', async (_, verifier, isTaken) => {
    const form = {
      ...codeForm(await grantCode(harness, { challenge: challengeOf(verifier) })),
      code_verifier: verifier,
    }
    const fault = 'invalid_grant: code_verifier is not 43 to 128 unreserved characters (RFC 7636, section 4.1)'
    harness.calls.length = 0
    if (isTaken) return void (await exchange(form))
    expect(await faultOf(form)).toBe(fault)
    expect(harness.calls).toEqual(['GetItem RateLimits'])
  })

  test('is exchanged where challenge and verifier fit, or a client may leave out both', async () => {
    const [shop] = clients as [Client]
    const challenges = [shopRequest.code_challenge, challengeOf('w'.repeat(43)), null]
    const verifiers = [verifier, 'w'.repeat(43), 'x'.repeat(43), 'short', undefined]
    // The list may change between the authorization and the exchange.
    for (const pkce of ['required', 'optional'] as const) {
      for (const challenge of challenges) {
        for (const sent of verifiers) {
          harness.deps.clients = [{ ...shop, pkce }]
          const { code_verifier: _, ...rest } = codeForm(await grantCode(harness, { challenge }))
          const form = { ...rest, ...(sent !== undefined && { code_verifier: sent }) }
          const isGood =
            challenge === null ? sent === undefined && pkce === 'optional' : challenge === challengeOf(sent ?? '')
          harness.calls.length = 0
          const told = await faultOf(form).catch(() => 'tokens')
          const isMissing = sent === undefined && pkce === 'required'
          const where = JSON.stringify({ pkce, challenge, sent })
          expect(/^[^:]+/.exec(told)?.[0], where).toBe(
            isGood ? 'tokens' : isMissing ? 'invalid_request' : 'invalid_grant',
          )
          // What does not fit spends nothing.
          expect(harness.calls.includes('UpdateItem RateLimits'), where).toBe(isGood)
        }
      }
    }
    harness.deps.clients = clients
  })

  test('is not exchanged once its browser is logged out', async () => {
    const account = await find(harness)
    const { session } = newSession(deps, account, null, { authTime: deps.now(), amr: ['pwd'] }, { isBrowser: true })
    await addSession(deps, account, session)
    const form = codeForm(await grantCode(harness, { browserSession: session.id }))
    await deps.sessions.change(await find(harness), { before: session, after: null }, [], deps.now())
    expect(await faultOf(form)).toBe(changed)
  })

  test.each([[['openid']], [allScopes]])(
    'with the scopes %j works once: presented again it ends what it gave',
    async scope => {
      const form = codeForm(await grantCode(harness, { scope }))
      await exchange(form)
      harness.advance(3600_000)
      expect(await faultOf(form)).toBe(unknownCode)
      expect((await find(harness)).sessions).toEqual([])
      expect(harness.events.at(scope === allScopes ? -2 : -1)).toEqual({
        event: 'code-reused',
        account_id: (await find(harness)).id,
      })
    },
  )

  test('that is gone when it is read again ends the session that it opened', async () => {
    const form = codeForm(await grantCode(harness, { scope: allScopes }))
    let opened: readonly Session[] = []
    harness.before('UpdateItem Accounts', async () => {
      harness.beforeCall = async (command, table, input) => {
        if (command !== 'GetItem' || table !== 'RateLimits') return
        Object.assign(input, { Key: { key: 'gone' } })
        opened = (await find(harness)).sessions
      }
    })
    expect(await faultOf(form)).toBe(unknownCode)
    expect(opened).toHaveLength(1)
    expect((await find(harness)).sessions).toEqual([])
  })
})

describe('sessions of applications and browsers', () => {
  const kinds = async () => (await find(harness)).sessions.map(({ application, isBrowser }) => application ?? isBrowser)
  const addKind = async (special: Partial<Session>): Promise<void> => {
    const account = await find(harness)
    const { session } = newSession(deps, account, null, { authTime: deps.now(), amr: ['pwd'] }, special)
    expect(await addSession(deps, account, session)).toBe('added')
  }
  const openBrowser = () => addKind({ isBrowser: true })

  test('have places of their own: a new one ends the least used of its kind', async () => {
    await openSession(harness)
    for (let i = 0; i < maxOfApplication + 2; i++) {
      harness.advance(1000)
      await enterShop(harness)
      await openBrowser()
    }
    const held = await kinds()
    const [ofShop, ofBrowsers] = [Array(maxOfApplication).fill('shop'), Array(shares.browser).fill(true)]
    expect(held.sort()).toEqual([false, ...ofShop, ...ofBrowsers].sort())
    const oldest = Math.min(
      ...(await find(harness)).sessions
        .filter(({ application }) => application)
        .map(({ createdAt }) => createdAt.getTime()),
    )
    expect(oldest).toBe(deps.now().getTime() - (maxOfApplication - 1) * 1000)
  })

  test('have as many places when many come at once', async () => {
    const codes = await Promise.all(Array.from({ length: 7 }, () => grantCode(harness, { scope: allScopes })))
    await Promise.all(codes.map(code => exchange(codeForm(code))))
    expect(await kinds()).toEqual(Array(maxOfApplication).fill('shop'))
  })

  test('end none of the last five phones that another application’s simultaneous login would leave', async () => {
    for (let i = 0; i < shares.own + 1; i++) {
      await openSession(harness, ada.email, `Phone ${i}`)
      harness.advance(1000)
    }
    for (let i = 0; i < shares.browser; i++) await openBrowser()
    for (let i = 0; i < shares.tab; i++) await addKind({ isTab: true })
    for (let i = 1; i < shares.application; i++) await addKind({ application: `app ${i % 3}` })
    expect(await kinds()).toHaveLength(maxSessions)
    // Between the read and the write a phone logs out, and another application's login takes its place.
    harness.before('UpdateItem Accounts', async () => {
      const phone = (await find(harness)).sessions.find(({ label }) => label === 'Phone 3')
      await endOwnSession(deps, home, await find(harness), { id: phone?.id ?? '', password: ada.password })
      await addKind({ application: 'app 3' })
    })
    await addKind({ application: 'app 4' })
    const labels = (await find(harness)).sessions.map(({ label }) => label)
    expect(labels.filter(label => label?.startsWith('Phone'))).toHaveLength(shares.own)
  })
})

describe('a session that an application got while its person was logged in in a browser', () => {
  const request = shopQuery({ scope: allScopes.join(' ') })
  const codeAt = (location: string) => new URL(location).searchParams.get('code') ?? ''
  const logIn = async (browser: HeldBrowser, stay: boolean) => {
    const caller = { clientAddress: home, acceptLanguage: undefined }
    return codeAt(await authorize(deps, caller, browser, { ...ada, request, stay, code: undefined }))
  }
  const goOn = async (browser: HeldBrowser) =>
    codeAt(await continueSession(deps, browser, { request, confirmed: false }))
  const held = async () => (await find(harness)).sessions
  const ofShop = async () => (await held()).filter(({ application }) => application !== null)

  /** Logs in to the shop by a browser session. */
  async function enter() {
    const { browser, session } = await stayLoggedIn(harness)
    const { refreshToken: refresh_token = '' } = await exchange(codeForm(await goOn(browser)))
    return { session, refresh: () => exchange({ grant_type: 'refresh_token', client_id: 'shop', refresh_token }) }
  }
  test('keeps which, also where the same login began that', async () => {
    const browser = new HeldBrowser()
    await exchange(codeForm(await logIn(browser, true)))
    await exchange(codeForm(await goOn(browser)))
    const [{ id } = { id: '' }] = (await held()).filter(({ isBrowser }) => isBrowser)
    expect((await ofShop()).map(({ through }) => through)).toEqual([id, id])
    await exchange(codeForm(await logIn(new HeldBrowser(), false)))
    expect((await ofShop()).map(({ through }) => through).filter(through => through === null)).toHaveLength(1)
  })

  test('is not added once that has ended, though another takes its place', async () => {
    const { browser, session } = await stayLoggedIn(harness)
    const form = codeForm(await goOn(browser))
    harness.before('UpdateItem Accounts', async () => {
      await endOwnSession(deps, home, await find(harness), { id: session.id, password: ada.password })
      await openSession(harness)
    })
    expect(await faultOf(form)).toBe(changed)
    expect(await ofShop()).toEqual([])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['time', async () => harness.advance((deps.config.sessionIdleDays - 1) * day * 1000)],
    [
      'newer ones of browsers',
      async () => {
        for (let i = 0; i < 3; i++) {
          harness.advance(1000)
          await stayLoggedIn(harness)
        }
      },
    ],
  ])('outlives that which is ended by %s', async (end, act) => {
    const { session, refresh } = await enter()
    // Only the application's session is used, not the browser's.
    if (end === 'time') harness.advance(2 * day * 1000)
    if (end === 'time') await refresh()
    await act()
    await refresh()
    expect((await ofShop()).map(({ through }) => through)).toEqual([session.id])
    expect(findActive(await find(harness), session.id, deps.config, deps.now())).toBeNull()
  })
})

test('a refresh follows what the list says of the client today', async () => {
  const { refreshToken: refresh_token = '' } = await enterShop(harness)
  const form = { grant_type: 'refresh_token', client_id: 'shop', refresh_token }
  const [shop] = clients
  const audience = async () => decodeJwt((await exchange(form)).accessToken).aud
  expect(await audience()).toBe('gatehouse')
  harness.deps.clients = [{ ...(shop as (typeof clients)[0]), api: false }]
  expect(await audience()).toBe('gatehouse:userinfo')
  harness.deps.clients = [{ ...(shop as (typeof clients)[0]), unverified: false }]
  const fault = await exchange(form).catch((error: unknown) => error)
  expect(fault).toMatchObject({ code: 'email-not-verified' })
  harness.deps.clients = clients
})

test('a refresh keeps when and how one logged in, and has no nonce', async () => {
  const changes: Partial<Grant> = {
    scope: allScopes,
    nonce: 'the nonce',
    authTime: new Date(deps.now().getTime() - 7000),
  }
  const first = await exchange(codeForm(await grantCode(harness, changes)))
  harness.advance(61_000)
  const form = { grant_type: 'refresh_token', client_id: 'shop', refresh_token: first.refreshToken ?? '' }
  const before = decodeJwt(first.idToken ?? '')
  const after = decodeJwt((await exchange(form)).idToken ?? '')
  expect([before.nonce, after.nonce]).toEqual(['the nonce', undefined])
  expect(after).toMatchObject({ auth_time: before.auth_time, amr: before.amr, sid: before.sid })
  expect(after).not.toHaveProperty('ver')
})
