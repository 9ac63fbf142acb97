import { describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { maxIdentities } from '../../../accounts/identity/identity.ts'
import { isRemembered } from '../../../accounts/session/remembered-clients.ts'
import { accountKinds } from '../../../shared/base/families.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connect, subjectsOf } from '../../support/service/identities.ts'
import { ada, find, lastMessage, messageOf, protect, register, undoTokenOf } from '../../support/service/people.ts'
import { claimsIn, verify, withProvider } from '../../support/service/provider-logins.ts'

const harness = createHarness()
const provider = withProvider(harness)
const { deps } = harness
const own = { email: ada.email, password: ada.password }

describe('an account that a provider opens', () => {
  test('has the proven address, a showable name, the browser’s language, and no password', async () => {
    harness.config.languages = ['en', 'de']
    const body = provider.proof()
    await send(harness, 'provider-login', { body, headers: { 'accept-language': 'fr, de-AT;q=0.8' } })
    expect(await find(harness)).toMatchObject({
      name: 'Ada Lovelace',
      language: 'de',
      passwordHash: '*',
      isVerified: true,
      isAdmin: false,
      tokenVersion: 0,
      roles: [],
      identities: [{ subject: 'ada', email: ada.email }],
    })
    await provider.logIn({ sub: 'bob', email: 'bob@example.com', name: 'B\u202eob' })
    expect((await find(harness, 'bob@example.com')).name).toBeNull()
    expect(harness.events.map(({ event }) => event)).toEqual([
      'registered',
      'provider-login',
      'registered',
      'provider-login',
    ])
  })

  test('counts among those of its client only when it is opened', async () => {
    const opened = async (claims: Record<string, string>) => (await provider.logIn(claims)).status
    expect(await opened({})).toBe(200)
    expect(await opened({})).toBe(200)
    expect(await opened({ sub: 'other' })).toBe(401)
    harness.before('TransactWriteItems Accounts', () => register(harness, { ...own, email: 'bob@example.com' }))
    expect(await opened({ sub: 'bob', email: 'bob@example.com' })).toBe(401)
    const [count] = (await harness.items('RateLimits')).filter(({ key }) => String(key).includes('register-day#'))
    expect(count).toMatchObject({ n: 1 })
  })

  test('is announced before it is there, and nothing is opened that cannot be announced', async () => {
    harness.broken = 'queue'
    const refused = await provider.logIn()
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect(await harness.items('Accounts')).toEqual([])
    harness.broken = null
    const { provider_token } = refused.body
    expect((await provider.post({ provider_token })).status).toBe(200)
    expect((await provider.post({ provider_token })).body.code).toBe('invalid-provider-token')
  })

  test('is found by a first login that comes second', async () => {
    harness.before('TransactWriteItems Accounts', () => provider.logIn())
    const second = await provider.logIn()
    expect(claimsIn(second).sub).toBe((await find(harness)).id)
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: ['ada'] })
  })

  test('is found by a first login that reads its address before its entry again', async () => {
    let reads = 0
    harness.beforeCall = async call => {
      // The first call reads the entry.
      if (call !== 'GetItem' || ++reads !== 2) return
      harness.beforeCall = () => {}
      await provider.logIn()
    }
    const second = await provider.logIn()
    expect(claimsIn(second).sub).toBe((await find(harness)).id)
  })

  test('of fifty first logins at once is one, to which all lead', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => provider.logIn()))
    const { id } = await find(harness)
    expect(answers.map(answer => claimsIn(answer).sub)).toEqual(answers.map(() => id))
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: ['ada'] })
    expect(harness.events.filter(({ event }) => event === 'registered')).toHaveLength(1)
  })
})

describe('a provider that is connected', () => {
  test('verifies the address that it has proven, and revokes the verification link', async () => {
    const { token } = await register(harness)
    const answer = await provider.connect()
    expect(claimsIn(answer)).toMatchObject({ amr: ['pwd'], email_verified: true, ver: 0 })
    const { id: account_id } = await find(harness)
    expect(harness.events.slice(1)).toEqual([
      { event: 'provider-connected', provider: 'example', account_id },
      { event: 'provider-login', provider: 'example', account_id },
    ])
    expect(await find(harness)).toMatchObject({ isVerified: true, tokenVersion: 0 })
    expect((await send(harness, 'verify-email', { body: { token } })).body.code).toBe('invalid-verification-token')
    expect(lastMessage(harness)).toMatchObject({ kind: 'provider-connected', email: ada.email, provider: 'Example' })
  })

  test('keeps the address that was proven, and none that was not', async () => {
    await register(harness)
    await verify(harness)
    await provider.connect({ email: 'other@example.com' })
    harness.advance(1000)
    await provider.connect({ sub: 'second', email: 'unproven@example.com', email_verified: false })
    expect((await find(harness)).identities.map(({ email }) => email)).toEqual(['other@example.com', null])
  })

  test.each<[string, () => Promise<unknown>, number | string]>([
    ['another connects something else', () => provider.connect({ sub: 'second' }), 200],
    ['the same person connects the same', () => provider.connect(), 200],
    ['somebody else gets the identity', () => provider.logIn({ email: 'bob@example.com' }), 'provider-taken'],
    ['an operator revokes it', async () => harness.operator.revoke(await find(harness), deps.now()), 'bad-credentials'],
    ['its owner deletes it', async () => deps.accounts.delete(await find(harness), deps.now()), 'bad-credentials'],
  ])('when %s first, is connected, or not, by what is there then', async (_, act, expected) => {
    await register(harness)
    await verify(harness)
    harness.before('TransactWriteItems Accounts', act)
    const answer = await provider.connect()
    expect(answer.body.code ?? answer.status).toBe(expected)
    const { [ada.email]: subjects = [] } = await subjectsOf(harness)
    expect(subjects.includes('ada')).toBe(expected === 200)
    // Each is connected once, and logged once.
    const logged = harness.events.filter(({ event }) => event === 'provider-connected')
    expect(logged).toHaveLength(subjects.length)
    expect(answer.body.provider_token !== undefined).toBe(expected !== 200)
  })

  test('is connected by a client that is remembered', async () => {
    await register(harness)
    await verify(harness)
    expect((await provider.post({ ...provider.proof(), ...own }, '192.0.2.7')).status).toBe(200)
    expect(isRemembered(await find(harness), '192.0.2.7', deps.now())).toBe(true)
  })

  test('is refused where another takes the last place first', async () => {
    await register(harness)
    await verify(harness)
    for (let i = 1; i < maxIdentities; i++) await connect(harness, `${i}`)
    harness.before('TransactWriteItems Accounts', () => connect(harness, 'last'))
    expect((await provider.connect()).body.code).toBe('provider-limit')
  })

  test('is not connected where no token can be signed', async () => {
    await register(harness)
    await verify(harness)
    const body = { ...provider.proof(), ...own }
    harness.before('GetItem Accounts', async () => {
      harness.deps.signer.sign = async () => {
        throw new Error('KMS is broken')
      }
    })
    const { sign } = harness.deps.signer
    const answer = await provider.post(body)
    harness.deps.signer.sign = sign
    expect(answer.status).toBe(500)
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  })
})

describe('the notice that a provider was connected', () => {
  /** Connects Ada's account, and delivers the notice. @returns the token of its link, if it has one */
  async function told(prepare: () => Promise<{ code?: string } | undefined> = async () => undefined) {
    await register(harness)
    await verify(harness)
    const code = await prepare()
    expect((await provider.connect({}, { ...own, ...code })).status).toBe(200)
    const message = messageOf(harness, 'provider-connected')
    await deliverMail(deps, message, deps.now())
    const { text = '' } = harness.mails.at(-1) ?? {}
    expect(text).toContain('Example')
    return { message, isUndoable: text.includes(`/undo?token=${undoTokenOf(message)}`) }
  }
  const undo = (token: string) => send(harness, 'undo', { body: { token } })

  test('has a link that undoes it, with password, sessions and identities', async () => {
    const { message, isUndoable } = await told()
    expect(isUndoable).toBe(true)
    expect((await undo(undoTokenOf(message))).status).toBe(200)
    expect(await find(harness)).toMatchObject({ passwordHash: '*', tokenVersion: 1, identities: [] })
    expect((await provider.logIn()).body.code).toBe('password-required')
    expect(lastMessage(harness)).toMatchObject({ kind: 'undone', account_id: (await find(harness)).id })
  })

  test.each([
    ['an opening', () => provider.logIn()],
    [
      'a connection',
      () =>
        register(harness)
          .then(() => verify(harness))
          .then(() => provider.connect()),
    ],
  ])('has one of %s whose idempotency token is gone before it is mailed', async (_, act) => {
    await act()
    const message = lastMessage(harness)
    expect(message.kind).toBe('provider-connected')
    await connect(harness, 'late')
    await deliverMail(deps, message, deps.now())
    expect((await undo(undoTokenOf(message))).status).toBe(200)
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  })

  test('has none where an app was asked for, nor where everybody needs one', async () => {
    const { message, isUndoable } = await told(async () => ({ code: (await protect(harness)).code() }))
    expect(isUndoable).toBe(false)
    expect((await undo(undoTokenOf(message))).body.code).toBe('invalid-undo-token')
    await harness.clear()
    harness.mails.length = 0
    harness.queue.length = 0
    harness.config.secondFactor = 'required'
    await provider.logIn()
    const first = messageOf(harness, 'provider-connected')
    await deliverMail(deps, first, deps.now())
    expect(harness.mails[0]?.text).not.toContain('/undo?')
    expect((await undo(undoTokenOf(first))).body.code).toBe('invalid-undo-token')
  })

  test('tells of an opening too, whatever happened to the account since', async () => {
    await provider.logIn()
    const message = messageOf(harness, 'provider-connected')
    await deps.sessions.endAll(await find(harness), { mark: 'x', clients: [] }, deps.now())
    await deliverMail(deps, message, deps.now())
    expect((await undo(undoTokenOf(message))).status).toBe(200)
  })
})

test.each([
  ['opens an account', async () => {}, () => provider.logIn()],
  ['connects', () => register(harness).then(() => verify(harness)), () => provider.connect()],
])('an entry of a deleted account is taken over by a person who %s', async (_, prepare, act) => {
  await prepare()
  await harness.putItem('Accounts', { key: `${accountKinds.Identities}${provider.keyOf('ada')}`, id: 'gone' })
  expect((await act()).status).toBe(200)
  expect(await subjectsOf(harness)).toEqual({ [ada.email]: ['ada'] })
})

test('a wrong code after a provider counts and mails as after a password', async () => {
  await provider.logIn()
  const { wrongCode } = await protect(harness)
  harness.queue.length = 0
  for (let i = 0; i < 5; i++) expect((await provider.logIn({}, { code: wrongCode() })).body.code).toBe('wrong-code')
  expect((await provider.logIn({}, { code: wrongCode() })).body.code).toBe('too-many-requests')
  expect(harness.queue.map(({ message }) => message.kind)).toEqual(['password-known'])
})

test('a login that loses to a revocation while its session is opened starts again', async () => {
  await provider.logIn()
  const account = await find(harness)
  harness.before('UpdateItem Accounts', () => deps.sessions.endAll(account, { mark: 'x', clients: [] }, deps.now()))
  expect((await provider.logIn({}, { session: {} })).body.code).toBe('invalid-provider-token')
})
