import { beforeEach, describe, expect, test } from 'vitest'
import { undoChange } from '../../../accounts/address/undo.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { confirmFactor } from '../../../accounts/factor/set-up.ts'
import { logIn } from '../../../accounts/login/login.ts'
import type { MailMessage } from '../../../accounts/mail/queue.ts'
import { createHarness } from '../../support/service/harness.ts'
import { confirmEmailChange, removeFactor, renewRecoveryCodes, setUpFactor } from '../../support/service/owner.ts'
import {
  ada,
  appOf,
  find,
  home,
  lastMessage,
  messageOf,
  registerVerified,
  requestMove,
  undoTokenOf,
} from '../../support/service/people.ts'

/** Notices of second factors, and how they undo the first. */

const harness = createHarness()
const { deps } = harness
const { password } = ada
const hour = 60 * 60_000
const elsewhere = 'eve@example.net'

/** Sets a second factor up and confirms it. @returns the remaining recovery codes */
async function setUp(code?: string, email: string = ada.email): Promise<string[]> {
  const { secret } = await setUpFactor(deps, home, await find(harness, email), { password, code })
  const app = appOf(harness, bytesOfBase32(secret))
  return [...(await confirmFactor(deps, home, await find(harness, email), app.code())).recoveryCodes]
}

const deliver = (message: MailMessage, age = 0) => deliverMail(deps, message, new Date(deps.now().getTime() - age))

beforeEach(() => registerVerified(harness))

test.each([
  ['set up', 'factor-set-up', async (): Promise<void> => void (await setUp())],
  ['replaced', 'factor-replaced', async (): Promise<void> => void (await setUp((await setUp())[0]))],
  [
    'removed',
    'factor-removed',
    async (): Promise<void> => {
      const [code] = await setUp()
      await removeFactor(deps, home, await find(harness), { password, code })
    },
  ],
  [
    'used by a recovery code',
    'recovery-code-used',
    async (): Promise<void> => {
      const [code] = await setUp()
      await logIn(deps, home, { ...ada, code })
    },
  ],
] as const)('the owner of a second factor that is %s is told, once it happened', async (_, kind, act) => {
  await act()
  const message = messageOf(harness, kind)
  expect(await deliver(message)).toBe('sent')
  expect(harness.mails.at(-1)?.to).toBe(ada.email)
  // Another message of the same kind whose write never happened.
  const other = (age: number) =>
    deliver({ ...message, token: 'x'.repeat(43), requested_at: deps.now().getTime() - age }, age)
  expect(await other(60_000)).toBe('early')
  expect(await other(60_001)).toBe('dropped')
})

test('the notice of a recovery code says how many are left', async () => {
  const [code] = await setUp()
  await renewRecoveryCodes(deps, home, await find(harness), { password, code })
  await deliver(messageOf(harness, 'recovery-code-used'))
  expect(harness.mails.at(-1)?.text).toContain('Recovery codes left: 10.')
})

test('that somebody knows the password is told once a day, whatever RATE_LIMITS says', async () => {
  harness.config.rateLimits = null
  await setUp()
  for (const day of [1, 2]) {
    for (const outcome of ['sent', 'dropped'] as const) {
      for (let i = 0; i < 5; i++) await logIn(deps, home, { ...ada, code: '12' }).catch(() => {})
      expect([day, await deliver(messageOf(harness, 'password-known'))]).toEqual([day, outcome])
      harness.advance(hour)
    }
    harness.advance(24 * hour)
  }
  expect(harness.mails.map(({ subject }) => subject)).toEqual(
    Array(2).fill('Somebody may know your Gatehouse password'),
  )
})

describe('the notice of a first second factor', () => {
  const undo = () => undoChange(deps, undoTokenOf(messageOf(harness, 'factor-set-up')))

  test('has a link that takes away factor, password and logins, and mails a reset link', async () => {
    await setUp()
    const message = messageOf(harness, 'factor-set-up')
    await deliver(message)
    expect(harness.mails.at(-1)?.text).toContain(`https://example.com/undo?token=${undoTokenOf(message)}\n`)
    const before = await find(harness)
    await undo()
    const after = await find(harness)
    expect([after.factor, after.pendingFactor, after.sessions]).toEqual([null, null, []])
    expect(after.tokenVersion).toBe(before.tokenVersion + 1)
    await expect(logIn(deps, home, { ...ada, code: undefined })).rejects.toMatchObject({ code: 'bad-credentials' })
    expect(lastMessage(harness).kind).toBe('undone')
    await expect(undo()).rejects.toMatchObject({ code: 'invalid-undo-token' })
  })

  test('has no link where everybody must have one; an older link keeps the factor', async () => {
    await setUp()
    await deliver(messageOf(harness, 'factor-set-up'))
    const before = await find(harness)
    harness.config.secondFactor = 'required'
    await undo()
    expect(await find(harness)).toMatchObject({ factor: before.factor, passwordHash: '*', sessions: [] })

    const eve = { email: elsewhere, password }
    await registerVerified(harness, eve)
    await setUp(undefined, elsewhere)
    expect(await deliver(messageOf(harness, 'factor-set-up'))).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({ to: elsewhere, text: expect.not.stringMatching(/https?:/) })
    await expect(undo()).rejects.toMatchObject({ code: 'invalid-undo-token' })
  })

  test('works for an administrator too, whose account stays where it is', async () => {
    await setUp()
    await deliver(messageOf(harness, 'factor-set-up'))
    await harness.operator.setAdmin(await find(harness), true, deps.now())
    await undo()
    expect(await find(harness)).toMatchObject({ factor: null, passwordHash: '*', isAdmin: true })
  })

  test('delivered again after the link was used, it opens no new way', async () => {
    await setUp()
    const message = messageOf(harness, 'factor-set-up')
    await deliver(message)
    await undo()
    await deliver(message)
    await expect(undo()).rejects.toMatchObject({ code: 'invalid-undo-token' })
  })

  test('reaches the owner though a thief has replaced that factor at once', async () => {
    const [code] = await setUp()
    const first = messageOf(harness, 'factor-set-up')
    await removeFactor(deps, home, await find(harness), { password, code })
    await setUp()
    expect(await deliver(first)).toBe('sent')
    await undoChange(deps, undoTokenOf(first))
    expect((await find(harness)).factor).toBeNull()
  })

  test('reaches the owner’s mailbox though a thief has moved the account, and brings it back', async () => {
    const token = await requestMove(harness, elsewhere)
    const [code] = await setUp()
    await confirmEmailChange(deps, home, { token, password, code })
    // A person with the second factor moves without an undo link: this move is the owner's.
    expect((await find(harness, elsewhere)).changes.at(-1)).toMatchObject({ kind: 'email', hasLink: false })
    expect(await deliver(messageOf(harness, 'email-changed'))).toBe('sent')
    expect(harness.mails.at(-1)?.text).toMatch(/email of the last seven days that two-step verification was turned on/)
    harness.advance(7 * 24 * hour)
    expect(await deliver(messageOf(harness, 'email-changed'))).toBe('sent')
    expect(harness.mails.at(-1)?.text).toMatch(/Only the people who run this service can help you/)
    harness.advance(-7 * 24 * hour)
    const message = messageOf(harness, 'factor-set-up')
    expect(await deliver(message)).toBe('sent')
    expect(harness.mails.at(-1)?.to).toBe(ada.email)
    await undo()
    expect((await find(harness)).factor).toBeNull()
    expect(await deps.accounts.findByEmail(elsewhere)).toBeNull()
  })

  test('is not kept from its owner by notices of other changes', async () => {
    for (const code of (await setUp()).slice(0, 6)) {
      await logIn(deps, home, { ...ada, code })
      await deliver(messageOf(harness, 'recovery-code-used'))
    }
    expect(harness.events.at(-1)?.event).toBe('mail-capped')
    expect(await deliver(messageOf(harness, 'factor-set-up'))).toBe('sent')
  })

  test('is not replaced by one: a second factor that replaces another has no undo link', async () => {
    await setUp((await setUp())[0])
    await deliver(messageOf(harness, 'factor-replaced'))
    expect(harness.mails.at(-1)?.text).not.toContain('/undo')
  })
})
