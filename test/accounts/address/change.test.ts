import { describe, expect, test } from 'vitest'
import { changeProfile } from '../../../accounts/account/profile.ts'
import { requestEmailChange } from '../../../accounts/address/request.ts'
import { undoChange } from '../../../accounts/address/undo.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { createHarness } from '../../support/service/harness.ts'
import { subjectsOf } from '../../support/service/identities.ts'
import { confirmEmailChange } from '../../support/service/owner.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  home,
  lastMessage,
  lastUndoToken,
  move,
  newClient,
  register,
  registerVerified,
  requestMove,
} from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const { password } = ada
const moved = 'ada@example.org'

const open = () => registerVerified(harness)
const confirm = (token: string) => confirmEmailChange(deps, home, { token, password })
const deliver = (message: MailMessage = lastMessage(harness)) => deliverMail(deps, message, deps.now())
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code
const messages = (kind: MailMessage['kind']) => harness.queue.map(({ message }) => message).filter(m => m.kind === kind)
const tokenOf = (kind: MailMessage['kind']) => messages(kind).at(-1)?.token ?? ''
const mailedTo = () => harness.mails.map(({ to }) => to)
const mark = (by: 'id' | 'email', text: string) => harness.findDeletion(by, text)

const beforeTransaction = (act: () => Promise<unknown>) => harness.before('TransactWriteItems Accounts', act)

describe('a pending change', () => {
  test('is mailed to the new address alone, without the account’s name and whole address', async () => {
    await open()
    await requestMove(harness, moved)
    const [{ to, subject, text } = { to: '', subject: '', text: '' }] = harness.mails
    expect(to).toBe(moved)
    // The token may hold these letters by chance.
    expect(`${subject} ${text}`.replace(tokenOf('email-change'), '')).not.toMatch(/Ada|ada@example\.com/)
    expect(text).toContain(`/change-email?token=${tokenOf('email-change')}`)
  })

  test('is mailed to a taken address and to one’s own too, and reserves nothing', async () => {
    await open()
    await register(harness, { email: 'bob@example.com', password })
    for (const to of ['bob@example.com', ada.email, moved]) {
      await requestMove(harness, to)
      harness.advance(1)
    }
    expect(mailedTo()).toEqual(['bob@example.com', ada.email, moved])
    await register(harness, { email: moved, password })
    expect(await codeOf(confirm(tokenOf('email-change')))).toBe('email-taken')
  })

  test('delivered again after it was used opens no new one', async () => {
    await open()
    const token = await requestMove(harness, moved)
    const message = lastMessage(harness)
    await confirm(token)
    expect(await deliver(message)).toBe('dropped')
    await undoChange(deps, lastUndoToken(harness))
    expect(await deliver(message)).toBe('dropped')
  })

  test('is ended by an unverified account’s request for a verification link', async () => {
    await register(harness)
    harness.advance(1)
    const pending = await requestMove(harness, moved)
    harness.advance(1)
    await requestMail(deps, home, 'verification', ada.email)
    await deliver()
    expect((await find(harness)).pendingEmail).toBeNull()
    expect(await codeOf(confirm(pending))).toBe('invalid-email-change-token')
  })

  test('is not mailed for a locked account, nor for the next account of the address', async () => {
    await open()
    const account = await find(harness)
    await requestEmailChange(deps, home, account, moved)
    await harness.operator.lock(account, deps.now())
    expect(await deliver()).toBe('dropped')
    await deps.accounts.delete(await find(harness), deps.now())
    await register(harness)
    expect(await deliver(messages('email-change')[0])).toBe('dropped')
    expect(mailedTo()).toEqual([])
  })

  test('is mailed five times an hour for one account; the last link then still works', async () => {
    await open()
    const tokens: string[] = []
    for (let i = 0; i < 7; i++) {
      tokens.push(await requestMove(harness, `ada${i}@example.org`))
      harness.advance(1)
    }
    expect(mailedTo()).toEqual([0, 1, 2, 3, 4].map(i => `ada${i}@example.org`))
    await confirm(tokens[4] ?? '')
    expect((await find(harness, 'ada4@example.org')).isVerified).toBe(true)
  })

  test('counts as a verification mail of the new mailbox, verified or not, for every sender', async () => {
    for (let i = 0; i < 3; i++) {
      const { token } = await register(harness, { email: `p${i}@example.com`, password })
      await verifyEmail(deps, newClient(), token)
    }
    harness.advance(1)
    for (let i = 0; i < 6; i++) {
      await requestMove(harness, moved, `p${i % 3}@example.com`)
      harness.advance(1)
    }
    expect(mailedTo()).toHaveLength(5)
    harness.advance(60 * 60_000)
    for (let i = 0; i < 6; i++) {
      await requestMove(harness, moved, `p${i % 3}@example.com`)
      harness.advance(1)
    }
    expect(mailedTo()).toHaveLength(10)
  })
})

describe('a move', () => {
  test('is one transaction of account, both entries and mark, after its notice is queued', async () => {
    await open()
    const pending = await requestMove(harness, moved)
    harness.calls.length = 0
    await confirm(pending)
    const writes = ['UpdateItem Accounts', 'PutItem Accounts', 'DeleteItem Accounts', 'UpdateItem RateLimits']
    expect(harness.calls.slice(-6)).toEqual(['GetItem Accounts', 'SendMessage', ...writes])
    expect(harness.events.at(-1)).toMatchObject({ event: 'email-changed' })
    expect(await subjectsOf(harness)).toEqual({ [moved]: [] })
  })

  test.each([
    ['a new name', async () => void (await changeProfile(deps, await find(harness), { name: 'Countess' })), null],
    ['a lock', async () => harness.operator.lock(await find(harness), deps.now()), 'unavailable'],
    [
      'a revocation',
      async () => harness.operator.revoke(await find(harness), deps.now()),
      'invalid-email-change-token',
    ],
    ['an account at the new address', async () => register(harness, { email: moved, password }), 'email-taken'],
    ['a passkey', async () => void (await addPasskey(harness)), null],
  ])('during which comes %s is done or refused, and marks the address it left', async (_, act, code) => {
    await open()
    allowPasskeys(harness)
    const pending = await requestMove(harness, moved)
    harness.advance(1)
    beforeTransaction(act)
    if (code === null) {
      await confirm(pending)
      expect(await mark('email', ada.email)).not.toBeNull()
    } else {
      expect(await codeOf(confirm(pending))).toBe(code)
      expect(await mark('email', ada.email)).toBeNull()
    }
  })

  test('leaves no undo link while delivery is off: nobody would get it', async () => {
    await open()
    const pending = await requestMove(harness, moved)
    harness.config.mailFrom = null
    await confirm(pending)
    expect((await find(harness, moved)).changes).toMatchObject([{ kind: 'email', email: ada.email, hasLink: false }])
  })

  test('marks the old address for imports, not the id; an undo takes that back', async () => {
    await open()
    const { id } = await find(harness)
    const undoing = await move(harness, moved)
    expect([await mark('id', id), await mark('email', ada.email)]).toEqual([null, { at: deps.now(), tokenVersion: 0 }])
    harness.advance(1)
    await undoChange(deps, undoing)
    expect([await mark('email', ada.email), await mark('email', moved)]).toEqual([
      null,
      { at: deps.now(), tokenVersion: 0 },
    ])
  })

  test('marks an address each time it is left; only an undo takes that away', async () => {
    await register(harness)
    const another = await find(harness)
    await deps.accounts.delete(another, deps.now())
    const deleted = { at: deps.now(), tokenVersion: 0 }
    harness.advance(1)
    await open()
    const undoing = await move(harness, moved)
    harness.advance(1)
    await move(harness, ada.email, moved)
    harness.advance(1)
    await move(harness, moved)
    expect(await mark('email', ada.email)).toEqual({ at: deps.now(), tokenVersion: 0 })
    await undoChange(deps, undoing)
    expect(await mark('email', ada.email)).toEqual(deleted)
  })

  test('leaves a mark alone that another account’s move has replaced, also when it is undone', async () => {
    await open()
    const undoing = await move(harness, moved)
    harness.advance(1)
    await register(harness, { email: ada.email, password })
    await harness.operator.verify(await find(harness), deps.now())
    harness.advance(1)
    await move(harness, 'bob@example.com')
    const { at } = (await mark('email', ada.email)) ?? {}
    harness.advance(1)
    await undoChange(deps, undoing)
    expect(await mark('email', ada.email)).toEqual({ at, tokenVersion: 0 })
  })
})

describe('the notice of a move', () => {
  test('tells the old mailbox, with an undo link and without the whole new address', async () => {
    await open()
    const token = await move(harness, moved)
    harness.advance(1)
    await register(harness)
    await move(harness, 'elsewhere@example.org', moved)
    expect(await deliver(messages('email-changed')[0])).toBe('sent')
    const { to, text } = harness.mails.at(-1) ?? { to: '', text: '' }
    expect(to).toBe(ada.email)
    expect(text).toContain('a…@example.org')
    expect(text).not.toContain(moved)
    expect(text).toContain(`/undo?token=${token}`)
  })

  test('is not mailed to an address that was not verified, which gets no undo link', async () => {
    await register(harness)
    harness.advance(1)
    await confirm(await requestMove(harness, moved))
    expect(messages('email-changed')).toEqual([])
    expect(await find(harness, moved)).toMatchObject({ isVerified: true, changes: [{ kind: 'email', hasLink: false }] })
  })
})
