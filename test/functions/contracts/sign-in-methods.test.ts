import { beforeEach, describe, expect, test } from 'vitest'
import { noPassword } from '../../../accounts/account/account.ts'
import { refusalsOf } from '../../../api/needs.ts'
import { type Route, routes } from '../../../api/routes.ts'
import { day } from '../../../shared/base/limits/windows.ts'
import { endpointNames } from '../../support/api/rows.ts'
import { providers } from '../../support/providers.ts'
import { bearer, headersOf, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connect, connected, subjectsOf } from '../../support/service/identities.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  lastMessage,
  openSession,
  protect,
  register,
  requestMove,
  requestToken,
} from '../../support/service/people.ts'
import { claimsIn, verify } from '../../support/service/provider-logins.ts'

const harness = createHarness()
const { deps } = harness
beforeEach(() => {
  harness.providers = providers
})

/** Ada's account, connected to her account at Google. @returns the key of the identity */
async function connectedAccount(): Promise<string> {
  await register(harness)
  await verify(harness)
  return (await connected(harness)).identity.key
}
/** Ada's account, as if opened by a provider. */
async function takePassword(): Promise<void> {
  await harness.setAttributes((await find(harness)).id, { password_hash: noPassword })
}
const listAll = async () => (await send(harness, 'sign-in-methods', { headers: await bearer(harness) })).body

test('providers lists those with a secret, in the setting’s order', async () => {
  const unready = { ...providers[0], id: 'unready', secret: null } as (typeof providers)[number]
  harness.providers = [unready, ...providers]
  const { body } = await send(harness, 'providers')
  const common = { authorization_endpoint: expect.any(String), client_id: expect.any(String) }
  expect(body.providers).toEqual(
    [
      ['google', 'Google', 'openid email profile', 'query'],
      ['work', 'Work account', 'openid email profile', 'query'],
      ['apple', 'Apple', 'openid email', 'form_post'],
    ].map(([id, name, scope, response_mode]) => ({
      id,
      name,
      ...common,
      scope,
      response_mode,
      redirect_uri: `https://api.example.com/sign-in/${id}`,
    })),
  )
  expect(JSON.stringify(body)).not.toContain(providers[0]?.secret)
  harness.config.browserUrl = 'http://localhost:3000'
  const { body: local } = await send(harness, 'providers')
  expect(local.providers[0].redirect_uri).toBe('http://localhost:3000/sign-in/google')
})

test('sign-in-methods lists what logs in, the oldest first, also of providers that are gone', async () => {
  const key = await connectedAccount()
  const entry = { id: key, provider: 'google', email: ada.email, connected_at: '2026-03-01T12:00:00.000Z' }
  const list = async () => {
    const { password_changed_at: _, changes: __, ...listed } = await listAll()
    return listed
  }
  expect(await list()).toEqual({ has_password: true, providers: [entry] })
  harness.providers = providers.map(provider => ({ ...provider, secret: null }))
  expect(await list()).toEqual({ has_password: true, providers: [entry] })
  harness.providers = []
  expect(await list()).toEqual({ has_password: true, providers: [{ ...entry, provider: null }] })
  await harness.operator.revoke(await find(harness), deps.now())
  expect(await list()).toEqual({ has_password: false, providers: [] })
})

describe('sign-in-methods says', () => {
  test('when the password was last changed, by owner or link, while there is one', async () => {
    await register(harness)
    const changedAt = async () => (await listAll()).password_changed_at
    expect(await changedAt()).toBe(null)
    harness.advance(1000)
    const own = await openSession(harness)
    const body = { current_password: ada.password, new_password: 'another horse' }
    expect((await send(harness, 'change-password', { headers: headersOf(own.tokens), body })).status).toBe(200)
    expect(await changedAt()).toBe('2026-03-01T12:00:01.000Z')
    harness.advance(1000)
    const token = await requestToken(harness, 'reset')
    expect((await send(harness, 'reset-password', { body: { token, new_password: 'a third horse' } })).status).toBe(200)
    expect(await changedAt()).toBe('2026-03-01T12:00:02.000Z')
    await takePassword()
    expect(await changedAt()).toBe(null)
  })

  test('what changed in seven days, the newest first, and whether its link works, alone', async () => {
    await connectedAccount()
    const before = deps.now().toISOString()
    harness.advance(1000)
    await protect(harness)
    const changes = async () => (await listAll()).changes
    const connection = { kind: 'provider', at: before, can_be_undone: true }
    expect(await changes()).toEqual([{ kind: 'factor', at: deps.now().toISOString(), can_be_undone: true }, connection])
    // The account is read once, by the access token.
    const headers = await bearer(harness)
    harness.calls.length = 0
    await send(harness, 'sign-in-methods', { headers })
    expect(harness.calls).toEqual(['GetPublicKey', 'GetItem Accounts'])
    harness.advance(7 * day * 1000 - 1000)
    expect((await changes()).map(({ kind }: { kind: string }) => kind)).toEqual(['factor'])
    harness.advance(1000)
    expect(await changes()).toEqual([])
  })
})

test('sign-in-methods says that a change cannot be undone where no mail brought its link', async () => {
  await connectedAccount()
  harness.config.mailFrom = null
  harness.advance(1000)
  await connect(harness, 'eve')
  expect((await listAll()).changes).toMatchObject([{ can_be_undone: false }, { can_be_undone: true }])
})

describe('disconnect-provider', () => {
  test('keeps the caller’s session, and is one event', async () => {
    const id = await connectedAccount()
    const own = await openSession(harness)
    const headers = headersOf(own.tokens)
    const answer = await send(harness, 'disconnect-provider', { headers, body: { id, password: ada.password } })
    expect(claimsIn(answer)).toMatchObject({ sid: own.id, ver: 1, amr: ['pwd'] })
    const { status } = await send(harness, 'refresh', { body: { refresh_token: answer.body.refresh_token } })
    expect(status).toBe(200)
    expect(harness.events.filter(({ event }) => event === 'provider-disconnected')).toHaveLength(1)
  })

  test.each([true, false])('goes on when another is connected meanwhile, with a session: %s', async hasSession => {
    const id = await connectedAccount()
    const headers = hasSession ? headersOf((await openSession(harness)).tokens) : await bearer(harness)
    harness.before('TransactWriteItems Accounts', () => connect(harness, 'late'))
    const answer = await send(harness, 'disconnect-provider', { headers, body: { id, password: ada.password } })
    expect(claimsIn(answer)).toMatchObject({ ver: 1, amr: ['pwd'] })
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: ['late'] })
  })

  test('of a provider that nobody has connected succeeds after the proof, changing nothing', async () => {
    const key = await connectedAccount()
    const { id: sid, tokens } = await openSession(harness)
    const headers = { authorization: `Bearer ${tokens.token}` }
    const items = await harness.items('Accounts')
    harness.queue.length = 0
    for (const id of ['', 'x', '__proto__', 'constructor', key.toLowerCase()]) {
      const wrong = await send(harness, 'disconnect-provider', { headers, body: { id, password: 'wrong horse' } })
      expect([wrong.status, wrong.body.code]).toEqual([400, 'wrong-password'])
      const answer = await send(harness, 'disconnect-provider', { headers, body: { id, password: ada.password } })
      expect(claimsIn(answer)).toMatchObject({ sid, ver: 0 })
      expect(
        (await send(harness, 'get-me', { headers: { authorization: `Bearer ${answer.body.access_token}` } })).status,
      ).toBe(200)
    }
    expect(await harness.items('Accounts')).toEqual(items)
    expect(harness.queue).toEqual([])
  })

  test.each([
    ['as the setting does', providers, 'Google'],
    ['by its host once it is listed no more', [], 'accounts.google.com'],
  ])('names a provider %s', async (_, listed, provider) => {
    const id = await connectedAccount()
    harness.providers = listed
    await send(harness, 'disconnect-provider', { headers: await bearer(harness), body: { id, password: ada.password } })
    expect(lastMessage(harness)).toMatchObject({ kind: 'provider-disconnected', provider })
  })
})

test('an account without a password is told so before a guess is counted', async () => {
  allowPasskeys(harness)
  const id = await connectedAccount()
  const { passkey } = await addPasskey(harness)
  await protect(harness)
  harness.advance(1000)
  const token = await requestMove(harness, 'ada@example.org')
  await takePassword()
  const asking = endpointNames.filter(name => refusalsOf(routes[name]).includes('no-password'))
  expect(asking).toHaveLength(10)
  const called = harness.calls.length
  const typed = { token, password: '', current_password: '', new_password: 'battery staple' }
  for (const name of asking) {
    const body = { ...typed, id: name === 'remove-passkey' ? passkey.id : id }
    const isByToken = (routes[name] as Route).access === 'anyone'
    const answer = await send(harness, name, { body, ...(!isByToken && { headers: await bearer(harness) }) })
    expect([name, answer.status, answer.body.code]).toEqual([name, 400, 'no-password'])
  }
  // Only each request itself was counted.
  expect(harness.calls.slice(called).filter(call => call.startsWith('UpdateItem'))).toEqual(
    asking.map(() => 'UpdateItem RateLimits'),
  )
  const login = await send(harness, 'login', { body: ada })
  expect([login.status, login.body.code]).toEqual([401, 'bad-credentials'])
})
