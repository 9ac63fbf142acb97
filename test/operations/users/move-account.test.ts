import { describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { undoChange } from '../../../accounts/address/undo.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { logIn } from '../../../accounts/login/login.ts'
import type { MailMessage } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { authenticate } from '../../../accounts/token/authentication.ts'
import { moveAccount } from '../../../operations/users/move-account.ts'
import { createHarness } from '../../support/service/harness.ts'
import { confirmEmailChange } from '../../support/service/owner.ts'
import {
  ada,
  find,
  home,
  lastMessage,
  lastUndoToken,
  move,
  newClient,
  openSession,
  protect,
  register,
  requestMove,
  requestToken,
} from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

/** What an operator does for an owner whose mailbox a thief has: the account moves, and nothing of before opens it. */

const harness = createHarness()
const { deps } = harness
const thief = 'thief@example.com'
const owner = 'ada@example.org'
const renewed = 'battery staple'

const moveTo = async (to: string, email: string = thief) => moveAccount(deps, await find(harness, email), to)
const queued = (kind: MailMessage['kind']) => harness.queue.map(({ message }) => message).filter(m => m.kind === kind)
const tokenOf = (kind: MailMessage['kind']) => queued(kind).at(-1)?.token ?? ''
const deliver = (message: MailMessage | undefined = lastMessage(harness)) =>
  deliverMail(deps, message as MailMessage, deps.now())
const reset = (token: string) => resetPassword(deps, home, { token, new_password: toPassword(renewed) })
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code
const unverified = async (email: string) =>
  (await openAccount(deps, home, { email, password: ada.password, name: null })).id

/** A thief with the mailbox has moved Ada's account. @returns the token of the undo link in that mailbox */
async function steal(): Promise<string> {
  const { token } = await register(harness)
  await verifyEmail(deps, newClient(), token)
  harness.advance(1000)
  const undo = await move(harness, thief)
  harness.advance(1000)
  return undo
}

const beforeTransaction = (act: () => Promise<unknown>) => harness.before('TransactWriteItems Accounts', act)

describe('a move by an operator', () => {
  test('keeps id, name and times of opening, and nothing that gives access', async () => {
    await steal()
    await protect(harness, thief)
    const { tokens } = await openSession(harness, thief)
    await requestMove(harness, 'third@example.com', thief)
    harness.advance(1000)
    const before = await find(harness, thief)
    const { moved, replaced } = await moveTo(owner)
    expect([moved.id, replaced]).toEqual([before.id, null])
    const account = await find(harness, owner)
    expect(account).toMatchObject({
      ...{ id: before.id, name: 'Ada', createdAt: before.createdAt, tokenVersion: before.tokenVersion + 1 },
      ...{ passwordHash: '*', isVerified: false, resetVerifies: true, sessions: [], clients: [] },
      ...{ factor: null, pendingFactor: null, pendingEmail: null },
    })
    expect(account.tokens.verification.hash).toBeNull()
    expect(await deps.accounts.findByEmail(thief)).toBeNull()
    await expect(authenticate(deps, tokens.token)).rejects.toMatchObject({ code: 'invalid-access-token' })
    expect(await codeOf(logIn(deps, home, { email: owner, password: ada.password }))).toBe('bad-credentials')
    expect(await harness.operator.findDeletion('email', thief)).not.toBeNull()
    expect(await harness.operator.findDeletion('id', before.id)).toBeNull()
  })

  test('is followed by a link to the new address alone, whose use verifies it', async () => {
    await steal()
    harness.queue.length = 0
    await moveTo(owner)
    for (const { message } of harness.queue) expect(await deliver(message)).toBe('sent')
    expect(harness.mails.slice(-2).map(({ to }) => to)).toEqual([thief, owner])
    const [notice, link] = harness.mails.slice(-2)
    expect(notice?.text).not.toMatch(/example\.org|token=/)
    expect(link?.text).not.toMatch(/thief|Ada\b/)
    await reset(tokenOf('moved'))
    expect(await find(harness, owner)).toMatchObject({ isVerified: true, resetVerifies: false })
    await logIn(deps, home, { email: owner, password: toPassword(renewed) })
    expect(await codeOf(reset(tokenOf('moved')))).toBe('invalid-reset-token')
  })

  test('is verified by a reset that is asked for later, and no other write', async () => {
    await steal()
    await moveTo(owner)
    harness.advance(2 * 3600_000)
    expect(await codeOf(reset(tokenOf('moved')))).toBe('invalid-reset-token')
    expect((await find(harness, owner)).isVerified).toBe(false)
    await reset(await requestToken(harness, 'reset', owner))
    expect((await find(harness, owner)).isVerified).toBe(true)
    // An ordinary reset of an account that is not verified proves nothing.
    await unverified('bob@example.com')
    harness.advance(1000)
    await reset(await requestToken(harness, 'reset', 'bob@example.com'))
    expect((await find(harness, 'bob@example.com')).isVerified).toBe(false)
  })

  test('revokes every earlier link: undo, reset, verification, another move; queued ones too', async () => {
    const undo = await steal()
    const later = await move(harness, 'third@example.com', thief)
    harness.advance(1000)
    const pending = await requestMove(harness, 'fourth@example.com', 'third@example.com')
    const resetting = await requestToken(harness, 'reset', 'third@example.com')
    await requestMove(harness, 'fifth@example.com', 'third@example.com')
    const waiting = lastMessage(harness)
    harness.advance(1000)
    await moveTo(owner, 'third@example.com')
    const before = await find(harness, owner)
    for (const token of [undo, later]) expect(await codeOf(undoChange(deps, token))).toBe('invalid-undo-token')
    const confirming = confirmEmailChange(deps, home, { token: pending, password: ada.password })
    expect(await codeOf(confirming)).toBe('invalid-email-change-token')
    expect(await codeOf(reset(resetting))).toBe('invalid-reset-token')
    expect(await deliver(waiting)).toBe('dropped')
    expect(await find(harness, owner)).toEqual(before)
  })

  test('leaves the undo link of a later change, which the owner may need', async () => {
    await steal()
    await moveTo(owner)
    await reset(tokenOf('moved'))
    harness.advance(1000)
    const token = await requestMove(harness, 'third@example.com', owner)
    await confirmEmailChange(deps, home, { token, password: toPassword(renewed) })
    await undoChange(deps, lastUndoToken(harness))
    expect(await find(harness, owner)).toMatchObject({ isVerified: true, resetVerifies: false })
  })

  test('of a locked account leaves the lock, and mails no link', async () => {
    await steal()
    await harness.operator.lock(await find(harness, thief), deps.now())
    await moveTo(owner)
    expect(queued('moved')).toEqual([])
    expect((await find(harness, owner)).lockedAt).not.toBeNull()
    await harness.operator.unlock(await find(harness, owner), deps.now())
    harness.advance(2000)
    await reset(await requestToken(harness, 'reset', owner))
    expect((await find(harness, owner)).isVerified).toBe(true)
  })

  test('tells no address that was not verified, and nobody while mails are off', async () => {
    await unverified(thief)
    await moveTo(owner)
    expect([queued('moved-by-operator'), queued('moved')]).toEqual([[], [expect.anything()]])
    harness.config.mailFrom = null
    harness.queue.length = 0
    await moveTo('third@example.org', owner)
    expect(harness.queue).toEqual([])
  })
})

test('the password that a move revokes is not taken again, also after a second move', async () => {
  await steal()
  await moveTo(owner)
  await moveTo('third@example.org', owner)
  const again = resetPassword(deps, home, { token: tokenOf('moved'), new_password: ada.password })
  expect(await codeOf(again)).toBe('former-password')
  await reset(tokenOf('moved'))
})

describe('a move by an operator that meets', () => {
  test('a deletion, or an undoing, moves nothing', async () => {
    const undo = await steal()
    beforeTransaction(() => undoChange(deps, undo))
    await expect(moveTo(owner)).rejects.toThrow(/in the meantime; nothing was moved$/)
    expect((await find(harness)).isVerified).toBe(true)
    expect(await harness.operator.findDeletion('email', owner)).toBeNull()
    await expect(moveAccount(deps, { id: 'other', email: ada.email }, owner)).rejects.toThrow(/meantime/)
  })

  test('an administrator’s rights that are given in the meantime moves nothing', async () => {
    await steal()
    beforeTransaction(async () => harness.operator.setAdmin(await find(harness, thief), true, deps.now()))
    await expect(moveTo(owner)).rejects.toThrow(/is an administrator: run admin thief@example.com off first/)
    expect(await deps.accounts.findByEmail(owner)).toBeNull()
    expect(await harness.operator.findDeletion('email', thief)).toBeNull()
  })

  test('an unverified account at the new address gives way, unless its owner verifies it meanwhile', async () => {
    await steal()
    const squatter = await unverified(owner)
    const { token } = lastMessage(harness)
    expect((await moveTo(owner)).replaced?.id).toBe(squatter)
    expect(await codeOf(verifyEmail(deps, newClient(), token))).toBe('invalid-verification-token')

    await unverified('bob@example.com')
    const verification = lastMessage(harness).token
    beforeTransaction(() => verifyEmail(deps, newClient(), verification))
    await expect(moveTo('bob@example.com', owner)).rejects.toThrow(/has a verified account/)
    expect((await find(harness, owner)).name).toBe('Ada')
  })

  test('an account that waits for its owner at the new address moves nothing', async () => {
    const undo = await steal()
    await unverified('bob@example.com')
    await moveTo(ada.email, 'bob@example.com')
    await expect(moveTo(ada.email)).rejects.toThrow(/has an account that was moved there/)
    expect(await codeOf(undoChange(deps, undo))).toBe('invalid-undo-token')
    expect((await find(harness)).resetVerifies).toBe(true)
  })

  test('its own address moves nothing', async () => {
    await steal()
    await expect(moveTo(thief)).rejects.toThrow(/has that address already/)
  })
})
