import { describe, expect, test } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { changeProfile } from '../../../accounts/account/profile.ts'
import { requestEmailChange } from '../../../accounts/address/request.ts'
import { undoChange } from '../../../accounts/address/undo.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { changeOf } from '../../../accounts/change/changes.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import type { Passkey } from '../../../accounts/passkey/passkey.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { logOutEverywhere } from '../../../accounts/session/ending.ts'
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
  openSession,
  register,
  requestMove,
  requestToken,
} from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const { password } = ada
const moved = 'ada@example.org'

async function open(): Promise<void> {
  const { token } = await register(harness)
  await verifyEmail(deps, newClient(), token)
  harness.advance(1000)
}
const confirm = (token: string) => confirmEmailChange(deps, home, { token, password })
const deliver = (message: MailMessage = lastMessage(harness)) => deliverMail(deps, message, deps.now())
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code
const messages = (kind: MailMessage['kind']) => harness.queue.map(({ message }) => message).filter(m => m.kind === kind)
const tokenOf = (kind: MailMessage['kind']) => messages(kind).at(-1)?.token ?? ''
const mailedTo = () => harness.mails.map(({ to }) => to)
const mark = (by: 'id' | 'email', text: string) => harness.findDeletion(by, text)

const somePasskey: Passkey = {
  id: '',
  publicKey: new Uint8Array(32),
  transports: [],
  signCount: 0,
  backupEligible: false,
  backedUp: false,
  label: 'Phone',
  createdAt: new Date(0),
  lastUsedAt: null,
}

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

  test('is replaced by a newer one, and once used by nothing older or repeated', async () => {
    await open()
    const first = await requestMove(harness, 'bob@example.com')
    harness.advance(1)
    const second = await requestMove(harness, moved)
    const [older, newer] = messages('email-change') as [MailMessage, MailMessage]
    expect(await codeOf(confirm(first))).toBe('invalid-email-change-token')
    expect(await deliver(older)).toBe('dropped')
    expect(await deliver(newer)).toBe('sent')
    await confirm(second)
    expect(await deliver(newer)).toBe('dropped')
    await undoChange(deps, lastUndoToken(harness))
    expect(await deliver(newer)).toBe('dropped')
    expect(await codeOf(confirm(second))).toBe('invalid-email-change-token')
  })

  test('ends an unverified account’s request for a verification link, not that of a verified one', async () => {
    await register(harness)
    harness.advance(1)
    const pending = await requestMove(harness, moved)
    harness.advance(1)
    await requestMail(deps, home, 'verification', ada.email)
    await deliver()
    expect((await find(harness)).pendingEmail).toBeNull()
    expect(await codeOf(confirm(pending))).toBe('invalid-email-change-token')

    await verifyEmail(deps, newClient(), lastMessage(harness).token)
    harness.advance(1)
    const other = await requestMove(harness, moved)
    harness.advance(1)
    await requestMail(deps, home, 'verification', ada.email)
    expect(await deliver()).toBe('dropped')
    await confirm(other)
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

  test('leaves what it does not name alone, and drops sessions, other remembered clients and links', async () => {
    await open()
    await openSession(harness)
    await requestMail(deps, home, 'reset', ada.email)
    await deliver()
    await deps.accounts.changeProfile(await find(harness), { language: 'de' }, deps.now())
    const [before] = await harness.accountItems()
    await move(harness, moved)
    const [item = {}] = (await harness.accountItems()) as object[]
    const { id, name, language, password_hash, created_at } = before as AccountItem
    expect(item).toMatchObject({
      id,
      name,
      language,
      password_hash,
      created_at,
      email: moved,
      token_version: 1,
      sessions: {},
    })
    expect(item).toMatchObject({ email_verified_by: expect.any(String), remembered_remotes: [expect.anything()] })
    for (const gone of ['email_verification_token', 'email_verification_expires', 'email_verification_to']) {
      expect(item).not.toHaveProperty(gone)
    }
    expect(
      await codeOf(resetPassword(deps, home, { token: tokenOf('reset'), new_password: toPassword('battery staple') })),
    ).toBe('invalid-reset-token')
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
    ['an access token less', async () => logOutEverywhere(deps, home, await find(harness)), 'unavailable'],
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

  test.each([2, 3])('is tried three times: before %i of them comes another change with a notice', async changes => {
    await open()
    const pending = await requestMove(harness, moved)
    let left = changes
    harness.beforeCall = async command => {
      if (command !== 'TransactWriteItems' || left === 0) return
      left -= 1
      harness.advance(1)
      const account = await find(harness)
      const change = changeOf(account, { kind: 'passkey', hash: `passkey ${left}`, hasLink: true }, deps.now())
      const passkey = { ...somePasskey, id: `passkey ${left}`, createdAt: change.at }
      await deps.passkeys.add(account, passkey, change, deps.now())
    }
    if (changes === 2) await confirm(pending)
    else expect(await codeOf(confirm(pending))).toBe('unavailable')
    expect(left).toBe(0)
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

  test('follows that of a reset within two seconds: the old mailbox hears of both', async () => {
    await open()
    const pending = await requestMove(harness, moved)
    const token = await requestToken(harness, 'reset')
    await resetPassword(deps, home, { token, new_password: password })
    harness.advance(1000)
    await confirm(pending)
    harness.mails.length = 0
    for (const kind of ['password-changed', 'email-changed'] as const) {
      expect(await deliver(messages(kind).at(-1))).toBe('sent')
    }
    expect(mailedTo()).toEqual([ada.email, ada.email])
  })
})
