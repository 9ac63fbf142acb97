import { beforeEach, describe, expect, test } from 'vitest'
import { undoChange, undoToken } from '../../../accounts/address/undo.ts'
import { logInByPasskey } from '../../../accounts/login/by-passkey.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { drawToken, hashToken } from '../../../accounts/token/token.ts'
import { createHarness } from '../../support/service/harness.ts'
import { addPasskey, allowPasskeys, assertionOf } from '../../support/service/passkeys.ts'
import { ada, find, home, move, protect, register, requestToken, undoTokenOf } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

/** Passkeys after a reset and an undo: a stranger may have added one. */

const harness = createHarness()
const { deps } = harness
const password = toPassword('battery staple')

beforeEach(async () => {
  allowPasskeys(harness)
  const { account } = await register(harness)
  await harness.operator.verify(account, deps.now())
  harness.advance(1000)
})

const linkOfPasskey = () =>
  undoTokenOf(harness.queue.findLast(({ message }) => message.kind === 'passkey-added')?.message)
const held = async () => (await find(harness)).passkeys.map(({ label }) => label)
const reset = async (more: { keep_other_logins?: boolean } = {}) =>
  resetPassword(deps, home, { token: await requestToken(harness, 'reset'), new_password: password, ...more })

describe('a reset', () => {
  test.each([
    ['removes all passkeys', {}, []],
    ['removes all passkeys of who does not know them', { keep_other_logins: false }, []],
    ['leaves those of who knows them', { keep_other_logins: true }, ['Phone', 'Tablet']],
  ])('%s', async (_, more, left) => {
    const { device } = await addPasskey(harness)
    harness.advance(1000)
    await addPasskey(harness, { label: 'Tablet' })
    await reset(more)
    expect(await held()).toEqual(left)
    const attempt = logInByPasskey(deps, { assertion: await assertionOf(harness, device) })
    if (left.length > 0) await attempt
    else expect((await refusalOf(attempt)).options.members).toEqual({ reason: 'unknown' })
  })

  test('removes a passkey that is added while it is under way', async () => {
    const token = await requestToken(harness, 'reset')
    harness.before('UpdateItem Accounts', async () => {
      await addPasskey(harness)
    })
    await resetPassword(deps, home, { token, new_password: password })
    expect(await held()).toEqual([])
  })

  test('leaves them where they are all that guards the account; with an app they go', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    await reset()
    expect(await held()).toEqual(['Phone'])
    harness.advance(60_000)
    await protect(harness)
    await reset()
    expect(await held()).toEqual([])
  })

  test('removes those of another domain, which guard nothing', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    harness.config.passkeyRpId = 'example.com'
    await reset()
    expect(await held()).toEqual([])
  })
})

describe('where a second factor is required, a right password', () => {
  test('of an owner with passkeys alone is refused with any token, and mails no link', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    harness.queue.length = 0
    for (const more of [{}, { mail_token: 'x' }]) {
      const refusal = await refusalOf(logIn(deps, home, { ...ada, ...more }))
      expect([refusal.code, refusal.options.status]).toEqual(['passkey-required', 403])
    }
    expect(harness.queue).toEqual([])
  })

  test('of an owner without a working one gets the link', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    harness.config.passkeyRpId = null
    expect((await refusalOf(logIn(deps, home, ada))).code).toBe('second-factor-setup')
  })
})

describe('an undo', () => {
  test('of a move removes all passkeys, wherever they were added', async () => {
    await addPasskey(harness)
    const link = await move(harness, 'thief@example.com')
    await addPasskey(harness, { email: 'thief@example.com', label: 'Thief' })
    await undoChange(deps, link)
    expect(await held()).toEqual([])
  })

  test.each([
    ['goes too, while its own link works', true, false],
    ['stays, when its owner has ended its own link', false, true],
  ])('of a passkey removes it and the password; a later app %s', async (_, lasts, stays) => {
    await addPasskey(harness)
    const link = linkOfPasskey()
    await protect(harness)
    if (!lasts) {
      const [{ id = '', changes = {} } = {}] = await harness.accountItems()
      for (const change of Object.values(changes)) if (change.kind === 'factor') delete change.link
      await harness.setAttributes(id, { changes })
    }
    await undoChange(deps, link)
    expect(await held()).toEqual([])
    expect((await find(harness)).factor !== null).toBe(stays)
    expect((await refusalOf(logIn(deps, home, ada))).code).toBe('bad-credentials')
    expect(harness.queue.at(-1)?.message.kind).toBe('undone')
    expect((await refusalOf(undoChange(deps, link))).code).toBe('invalid-undo-token')
  })

  test('of what is no passkey removes an app that was set up before, too', async () => {
    await protect(harness)
    harness.advance(1000)
    const token = drawToken(deps)
    const { id } = await find(harness)
    const change = { kind: 'email', email: ada.email, at: deps.now().toISOString(), link: true } as const
    await harness.setAttributes(id, { changes: { [hashToken(token)]: change } })
    await undoChange(deps, undoToken(token, id))
    expect((await find(harness)).factor).toBeNull()
  })

  test('of a later passkey leaves the link of an earlier one that stays', async () => {
    const links: string[] = []
    for (const label of ['Thief', 'Phone']) {
      harness.advance(60_000)
      await addPasskey(harness, { label })
      links.push(linkOfPasskey())
    }
    harness.config.secondFactor = 'required'
    await undoChange(deps, links[1] ?? '')
    expect(await held()).toEqual(['Thief'])
    await undoChange(deps, links[0] ?? '')
    expect(await held()).toEqual([])
  })
})
