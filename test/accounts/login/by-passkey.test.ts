import { describe, expect, test } from 'vitest'
import { logInByPasskey } from '../../../accounts/login/by-passkey.ts'
import type { Assertion } from '../../../accounts/passkey/shapes.ts'
import { issueLoginTokens } from '../../../accounts/session/opening.ts'
import { authenticator, type Lies } from '../../support/service/authenticator.ts'
import { createHarness } from '../../support/service/harness.ts'
import { addPasskey, allowPasskeys, assertionOf } from '../../support/service/passkeys.ts'
import { find, protect, register, registerVerified } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const minutes = (count: number) => count * 60_000

/** Ada, verified, with a passkey. */
async function adaWithPasskey(device = authenticator()) {
  allowPasskeys(harness)
  await registerVerified(harness)
  const { passkey } = await addPasskey(harness, {}, device)
  harness.calls.length = 0
  harness.events.length = 0
  return { device, passkey }
}

/** Logs in to the end: only then is the challenge spent. */
const enter = async (assertion: Assertion, session?: { label: null }) =>
  issueLoginTokens(deps, await logInByPasskey(deps, { assertion, session }), session)
const refused = async (assertion: Assertion) => {
  const { code, options } = await refusalOf(enter(assertion))
  const reason = options.members?.reason
  return [code, options.status ?? 400, ...(reason === undefined ? [] : [reason])]
}
const stored = async () => (await find(harness)).passkeys[0]

describe('a login by a passkey', () => {
  test('asks for no address, password or code, and opens a session on request', async () => {
    const { device, passkey } = await adaWithPasskey()
    await protect(harness)
    const { refresh } = await enter(await assertionOf(harness, device), { label: null })
    expect(refresh).toBeDefined()
    const account = await find(harness)
    expect(account.sessions.at(-1)?.amr).toEqual(['pop', 'user', 'mfa'])
    expect(account.sessions.at(-1)?.authTime).toEqual(deps.now())
    expect(harness.events).toContainEqual({ event: 'logged-in', reason: 'passkey', account_id: account.id })
    const { publicKey, ...rest } = passkey
    expect(account.passkeys).toEqual([
      { ...rest, publicKey: new Uint8Array(publicKey), lastUsedAt: new Date('2026-03-01T00:00:00.000Z') },
    ])
  })

  test('computes no hash, and writes the account only on the first of a day', async () => {
    const { device } = await adaWithPasskey()
    const callsOf = async () => {
      const assertion = await assertionOf(harness, device)
      harness.calls.length = 0
      await enter(assertion)
      return [...harness.calls]
    }
    const read = ['GetItem RateLimits', 'Query Accounts', 'GetItem Accounts', 'Sign', 'UpdateItem RateLimits']
    expect(await callsOf()).toEqual([...read, 'UpdateItem Accounts'])
    expect(await callsOf()).toEqual(read)
    harness.advance(minutes(24 * 60))
    expect(await callsOf()).toEqual([...read, 'UpdateItem Accounts'])
  })

  test.each<[string, Lies]>([
    ['count, of one that is synced too', { signCount: 7 }],
    ['state of its backup', { flags: { backedUp: false } }],
  ])('notes another %s on the same day', async (_, lies) => {
    const { device } = await adaWithPasskey()
    await enter(await assertionOf(harness, device))
    await enter(await assertionOf(harness, device, 'login', lies))
    const { signCount = 0, flags } = lies
    expect(await stored()).toMatchObject({ signCount, backedUp: flags?.backedUp ?? true })
  })
})

describe('a challenge is refused', () => {
  test.each([
    ['lives until its last millisecond', minutes(10) - 1, true],
    ['dies after ten minutes', minutes(10), false],
  ])('no longer than it lives: it %s', async (_, age, lives) => {
    const { device } = await adaWithPasskey()
    const assertion = await assertionOf(harness, device)
    harness.advance(age)
    if (lives) await enter(assertion)
    else expect(await refused(assertion)).toEqual(['invalid-passkey-challenge', 400])
  })

  test('before anything of the account is read, at the price of one read', async () => {
    const { device } = await adaWithPasskey()
    const assertion = await assertionOf(harness, device, 'login', { clientData: { challenge: 'x' } })
    harness.calls.length = 0
    await refused(assertion)
    expect(harness.calls).toEqual(['GetItem RateLimits'])
  })
})

describe('a passkey is refused at a login, with 401 and its reason:', () => {
  test.each([null, ''])('no-account, where its owner is left out: %j', async userHandle => {
    const { device } = await adaWithPasskey()
    expect(await refused(await assertionOf(harness, device, 'login', { userHandle }))).toEqual([
      ...['wrong-passkey', 401, 'no-account'],
    ])
  })

  test.each([1, 63, 65, 3000])(
    'no-account, of a handle of %i bytes: the index is asked for one length alone',
    async size => {
      const { device } = await adaWithPasskey()
      const userHandle = Buffer.alloc(size).toString('base64url')
      const assertion = await assertionOf(harness, device, 'login', { userHandle })
      harness.calls.length = 0
      expect(await refused(assertion)).toEqual(['wrong-passkey', 401, 'no-account'])
      expect(harness.calls).toEqual(['GetItem RateLimits'])
    },
  )

  test("unknown, of another account's: the handle decides", async () => {
    const { device } = await adaWithPasskey()
    const bob = { email: 'bob@example.com', password: 'battery staple' }
    const { account } = await register(harness, bob)
    await harness.operator.verify(account, deps.now())
    await addPasskey(harness, bob)
    const { passkeyHandle } = await find(harness, bob.email)
    const assertion = await assertionOf(harness, device, 'login', { userHandle: passkeyHandle })
    expect(await refused(assertion)).toEqual(['wrong-passkey', 401, 'unknown'])
  })
})
