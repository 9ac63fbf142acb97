import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Proof } from '../../../accounts/factor/shapes.ts'
import { renamePasskey } from '../../../accounts/passkey/change.ts'
import { drawProofOptions } from '../../../accounts/passkey/options.ts'
import { maxPasskeys } from '../../../accounts/passkey/passkey.ts'
import { confirmPasskey } from '../../../accounts/passkey/set-up.ts'
import { NewCredential } from '../../../accounts/passkey/shapes.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { authenticator, type Lies } from '../../support/service/authenticator.ts'
import { createHarness } from '../../support/service/harness.ts'
import { removePasskey, setUpPasskey } from '../../support/service/owner.ts'
import { addPasskey, allowPasskeys, assertionOf } from '../../support/service/passkeys.ts'
import { ada, find, newClient, openSession, register } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const minutes = (count: number) => count * 60_000
const byPassword: Proof = { password: ada.password }

async function verifiedAda() {
  allowPasskeys(harness)
  const { account } = await register(harness)
  await harness.operator.verify(account, deps.now())
  harness.queue.length = 0
}
const setUp = async (proof: Proof = byPassword) => setUpPasskey(deps, newClient(), await find(harness), proof)
const create = async (device = authenticator(), lies: Lies = {}) => {
  const { challenge, rpId, handle } = await setUp()
  return v.parse(NewCredential, device.create({ challenge, rp: { id: rpId }, user: { id: handle } }, lies))
}
const confirm = async (credential: NewCredential, label = 'Phone') =>
  confirmPasskey(deps, await find(harness), { credential, label })
const remove = async (id: string, proof: Proof = byPassword, sid?: string) =>
  removePasskey(deps, newClient(), await find(harness), { id, ...proof }, sid)
const codeOf = async (attempt: Promise<unknown>) => {
  const { code, options } = await refusalOf(attempt)
  return options.members?.reason === undefined ? code : `${code} ${options.members.reason}`
}
const ids = async () => (await find(harness)).passkeys.map(({ id }) => id)
const kinds = () => harness.queue.map(({ message }) => message.kind)

describe('a setup', () => {
  test('draws a handle once, of 64 random bytes, and keeps it', async () => {
    await verifiedAda()
    const [first, second] = [await setUp(), await setUp()]
    expect(Buffer.from(first.handle, 'base64url')).toHaveLength(64)
    expect(second.handle).toBe(first.handle)
    expect(second.challenge).not.toBe(first.challenge)
    expect(await find(harness)).toMatchObject({
      passkeyHandle: first.handle,
      passkeyRpId: 'localhost',
      tokenVersion: 0,
    })
  })

  test('draws one handle for two requests at once', async () => {
    await verifiedAda()
    const [one, other] = await Promise.all([setUp(), setUp()])
    expect([one.handle, other.handle]).toEqual(Array(2).fill((await find(harness)).passkeyHandle))
  })

  test('for another domain keeps the handle, and forgets the passkeys, which never log in again', async () => {
    await verifiedAda()
    await addPasskey(harness)
    const { passkeyHandle } = await find(harness)
    harness.config.passkeyRpId = 'example.com'
    expect(await setUp()).toMatchObject({ handle: passkeyHandle, rpId: 'example.com', excluded: [] })
    expect(await find(harness)).toMatchObject({ passkeyHandle, passkeyRpId: 'example.com', passkeys: [] })
  })

  test('excludes all passkeys that are there', async () => {
    await verifiedAda()
    const { passkey } = await addPasskey(harness)
    expect((await setUp()).excluded.map(({ id }) => id)).toEqual([passkey.id])
  })

  test('is refused without a verified address, after the proof', async () => {
    allowPasskeys(harness)
    await register(harness)
    expect(await codeOf(setUp({ password: toPassword('wrong horse') }))).toBe('wrong-password')
    expect(await codeOf(setUp())).toBe('email-not-verified')
  })
})

describe('a confirmation', () => {
  test('adds the passkey, and tells the owner; nobody is logged out', async () => {
    await verifiedAda()
    const { tokens } = await openSession(harness)
    const device = authenticator({ isSynced: false })
    const passkey = await confirm(await create(device), 'Grey phone')
    expect(passkey).toMatchObject({ label: 'Grey phone', signCount: 1, backedUp: false, lastUsedAt: null })
    const account = await find(harness)
    expect([await ids(), account.tokenVersion, account.sessions.length]).toEqual([[passkey.id], 0, 1])
    expect(tokens.refresh).toBeDefined()
    expect(kinds()).toEqual(['passkey-added'])
    expect(harness.events).toContainEqual({ event: 'passkey-added', account_id: account.id })
  })

  test('works once', async () => {
    await verifiedAda()
    const credential = await create()
    await confirm(credential)
    expect(await codeOf(confirm(credential))).toBe('invalid-passkey-challenge')
  })

  test('takes a challenge for ten minutes, and none of another account', async () => {
    await verifiedAda()
    const credential = await create()
    harness.advance(minutes(10))
    expect(await codeOf(confirm(credential))).toBe('invalid-passkey-challenge')

    const bob = { email: 'bob@example.com', password: toPassword('battery staple') }
    const { account } = await register(harness, bob)
    await harness.operator.verify(account, deps.now())
    const his = await setUpPasskey(deps, newClient(), await find(harness, bob.email), { password: bob.password })
    const stolen = authenticator().create({ challenge: his.challenge, user: { id: his.handle } })
    expect(await codeOf(confirm(v.parse(NewCredential, stolen)))).toBe('invalid-passkey-challenge')
  })

  test.each<[string, Lies]>([
    ['form', { id: 'AAAA' }],
    ['type', { clientData: { type: 'webauthn.get' } }],
    ['origin', { clientData: { origin: 'https://evil.example' } }],
    ['rp-id', { rpId: 'evil.example' }],
    ['presence', { flags: { present: false } }],
    ['verification', { flags: { verified: false } }],
    ['algorithm', { coseKey: () => new Map() }],
  ])('refuses a passkey with its reason, and spends nothing: %s', async (reason, lies) => {
    await verifiedAda()
    const device = authenticator()
    const { challenge, handle } = await setUp()
    const made = (lies: Lies) => v.parse(NewCredential, device.create({ challenge, user: { id: handle } }, lies))
    expect(await codeOf(confirm(made(lies)))).toBe(`wrong-passkey ${reason}`)
    const { id } = await find(harness)
    expect(harness.events).toContainEqual({ event: 'passkey-refused', reason, account_id: id })
    expect(kinds()).toEqual([])
    await confirm(made({}))
  })

  test('of a passkey that is there changes neither key, label nor count', async () => {
    await verifiedAda()
    const { passkey, device } = await addPasskey(harness)
    const credentialId = new Uint8Array(Buffer.from(passkey.id, 'base64url'))
    harness.queue.length = 0
    const again = await confirm(await create(device, { credentialId, signCount: 9 }), 'Thief')
    expect(again).toMatchObject({ id: passkey.id, label: 'Phone', signCount: 0 })
    const [kept] = (await find(harness)).passkeys
    expect(kept).toMatchObject({ label: 'Phone', signCount: 0, publicKey: new Uint8Array(passkey.publicKey) })
    expect(kinds()).toEqual([])
  })

  test('of an eleventh is refused, at the setup too; of one of the ten not', async () => {
    await verifiedAda()
    const device = authenticator()
    const late = await create()
    const known = await create(device)
    await confirm(known)
    const { challenge, handle } = await setUp()
    const credentialId = new Uint8Array(Buffer.from(known.id, 'base64url'))
    const repeated = v.parse(NewCredential, device.create({ challenge, user: { id: handle } }, { credentialId }))
    for (let i = 1; i < maxPasskeys; i++) await addPasskey(harness)
    expect(await codeOf(setUp())).toBe('too-many-passkeys')
    harness.queue.length = 0
    expect(await codeOf(confirm(late))).toBe('too-many-passkeys')
    expect(kinds()).toEqual([])
    expect((await confirm(repeated)).id).toBe(known.id)
    expect(await ids()).toHaveLength(maxPasskeys)
    // Its challenge is not spent.
    await remove(known.id)
    await confirm(late)
  })

  test('of many at once adds all, ten at most', async () => {
    await verifiedAda()
    for (let i = 0; i < maxPasskeys - 2; i++) await addPasskey(harness)
    const made = []
    for (let i = 0; i < 4; i++) made.push(await create())
    const ended = await Promise.all(
      made.map(each =>
        confirm(each).then(
          () => 'added',
          error => error.code,
        ),
      ),
    )
    expect(ended.sort()).toEqual(['added', 'added', ...Array(2).fill('too-many-passkeys')])
    expect(await ids()).toHaveLength(maxPasskeys)
  })
})

describe('a removal', () => {
  test('ends all other sessions and tokens, and keeps that of the caller', async () => {
    await verifiedAda()
    const { passkey } = await addPasskey(harness)
    const { passkey: other } = await addPasskey(harness)
    const [kept] = [await openSession(harness), await openSession(harness)]
    harness.queue.length = 0
    const { token, refresh } = await remove(passkey.id, byPassword, kept.id)
    expect([token, refresh].every(each => each !== undefined)).toBe(true)
    const account = await find(harness)
    expect([await ids(), account.tokenVersion, account.sessions.map(({ id }) => id)]).toEqual([
      [other.id],
      1,
      [kept.id],
    ])
    expect(harness.queue.map(({ message }) => message)).toMatchObject([{ kind: 'passkey-removed' }])
  })

  test('of an unknown one is refused before the proof, and so is its new name', async () => {
    await verifiedAda()
    await addPasskey(harness)
    const nobody = { password: toPassword('wrong horse') }
    expect(await codeOf(remove('AAAA', nobody))).toBe('no-passkey')
    expect(await codeOf(remove('passkeys', nobody))).toBe('no-passkey')
    expect(await codeOf(renamePasskey(deps, await find(harness), { id: 'AAAA', label: 'x' }))).toBe('no-passkey')
  })

  test('of the last one is refused, after the proof, where it alone guards the account', async () => {
    await verifiedAda()
    const { passkey, device } = await addPasskey(harness)
    const { passkey: other } = await addPasskey(harness, {}, device)
    harness.config.secondFactor = 'required'
    const proof = async () => ({ assertion: await assertionOf(harness, device, 'passkeys/remove') })
    expect(await codeOf(remove(passkey.id))).toBe('passkey-required')
    await remove(passkey.id, await proof())
    expect(await codeOf(remove(other.id, { password: toPassword('wrong horse') }))).toBe('wrong-password')
    expect(await codeOf(remove(other.id, await proof()))).toBe('second-factor-required-here')
    expect(await ids()).toEqual([other.id])
    harness.config.secondFactor = 'optional'
    await remove(other.id)
  })
})

describe('an owner proves by a passkey who they are:', () => {
  test('an assertion is refused whose handle is another, and taken without one', async () => {
    await verifiedAda()
    const { device } = await addPasskey(harness)
    const proof = async (lies: Lies) => ({ assertion: await assertionOf(harness, device, 'passkeys/setup', lies) })
    for (const userHandle of ['AAAA', Buffer.alloc(64).toString('base64url'), Buffer.alloc(3000).toString('base64url')])
      expect(await codeOf(setUp(await proof({ userHandle })))).toBe('wrong-passkey unknown')
    expect(await codeOf(setUp(await proof({ id: 'AAAA' })))).toBe('wrong-passkey unknown')
    for (const userHandle of [undefined, null, '']) await setUp(await proof({ userHandle }))
  })

  test("another account's passkey is none", async () => {
    await verifiedAda()
    const { device } = await addPasskey(harness)
    const bob = { email: 'bob@example.com', password: toPassword('battery staple') }
    const { account } = await register(harness, bob)
    await harness.operator.verify(account, deps.now())
    await addPasskey(harness, bob)
    const bobs = () => find(harness, bob.email)
    const { challenge } = await drawProofOptions(deps, await bobs(), 'passkeys/setup')
    const answer = device.get({ challenge }, { userHandle: null })
    const assertion = { ...answer, response: { ...answer.response, userHandle: null } }
    expect(await codeOf(setUpPasskey(deps, newClient(), await bobs(), { assertion }))).toBe('wrong-passkey unknown')
  })

  test('the options name the passkeys of the account, and there are none without any', async () => {
    await verifiedAda()
    expect(await codeOf(drawProofOptions(deps, await find(harness), 'change-password'))).toBe('no-passkey')
    const { passkey } = await addPasskey(harness)
    const { allowed } = await drawProofOptions(deps, await find(harness), 'change-password')
    expect(allowed?.map(({ id }) => id)).toEqual([passkey.id])
    harness.config.passkeyRpId = 'example.com'
    expect(await codeOf(drawProofOptions(deps, await find(harness), 'change-password'))).toBe('no-passkey')
  })
})
