import { describe, expect, test } from 'vitest'
import { changeProfile } from '../../../accounts/account/profile.ts'
import { findByFormerEmail } from '../../../accounts/address/change.ts'
import { findDeletion, markDeletion } from '../../../accounts/address/deletion-marks.ts'
import { requestEmailChange } from '../../../accounts/address/request.ts'
import { undoChange } from '../../../accounts/address/undo.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { logOutEverywhere } from '../../../accounts/session/ending.ts'
import { hashToken } from '../../../accounts/token/token.ts'
import { families } from '../../../shared/base/families.ts'
import { createHarness } from '../../support/service/harness.ts'
import { confirmEmailChange } from '../../support/service/owner.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  home,
  lastMessage,
  move,
  newClient,
  openSession,
  register,
  requestMove,
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
const mark = (by: 'id' | 'email', text: string) => findDeletion(deps, by, text)

const beforeTransaction = (act: () => Promise<unknown>) => harness.before('TransactWriteItems Users', act)

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

  test('is replaced by a newer one, and by nothing older or repeated once it was used', async () => {
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
    await undoChange(deps, tokenOf('email-changed'))
    expect(await deliver(newer)).toBe('dropped')
    expect(await codeOf(confirm(second))).toBe('invalid-email-change-token')
  })

  test('of an account whose address is not verified ends with a request for a verification link, of a verified one not', async () => {
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

  test('stays when its owner logs out everywhere or has a new name, and when an operator locks the account', async () => {
    await open()
    const pending = await requestMove(harness, moved)
    await changeProfile(deps, await find(harness), { name: 'Countess' })
    await logOutEverywhere(deps, home, await find(harness))
    await harness.operator.lock(await find(harness), deps.now())
    await harness.operator.unlock(await find(harness), deps.now())
    await confirm(pending)
    expect((await find(harness, moved)).name).toBe('Countess')
  })

  test('is not mailed for a locked account, nor for the next account of the address', async () => {
    await open()
    const account = await find(harness)
    await requestEmailChange(deps, home, account, moved)
    await harness.operator.lock(account, deps.now())
    expect(await deliver()).toBe('dropped')
    await deps.accounts.delete(await find(harness))
    await register(harness)
    expect(await deliver(messages('email-change')[0])).toBe('dropped')
    expect(mailedTo()).toEqual([])
  })

  test('is mailed five times in an hour for one account, and the last link over that still works', async () => {
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
  test('is one transaction, after its notice is queued and the old address is marked', async () => {
    await open()
    const pending = await requestMove(harness, moved)
    harness.calls.length = 0
    await confirm(pending)
    const writes = ['PutItem Users', 'DeleteItem Users', ...Array(3).fill('PutItem RateLimits')]
    expect(harness.calls.slice(-9)).toEqual([
      ...['SendMessage', 'UpdateItem RateLimits', 'GetItem Users', 'GetItem RateLimits'],
      ...writes,
    ])
    expect(harness.events.at(-1)).toMatchObject({ event: 'email-changed' })
  })

  test('keeps attributes that the store does not know, and drops sessions, other remembered clients and links', async () => {
    await open()
    await openSession(harness)
    await requestMail(deps, home, 'reset', ada.email)
    await deliver()
    await move(harness, moved)
    const [item = {}] = await harness.items('Users')
    expect(item).toMatchObject({ email: moved, token_version: 1, email_verified_by: expect.any(String) })
    expect(item.remembered_remotes).toHaveLength(1)
    for (const gone of ['sessions', 'email_verification_token', 'email_verification_to']) {
      expect(item).not.toHaveProperty(gone)
    }
    expect(
      await codeOf(resetPassword(deps, home, { token: tokenOf('reset'), new_password: toPassword('battery staple') })),
    ).toBe('invalid-reset-token')
  })

  test('is known for eight days, and its undo link for seven', async () => {
    await open()
    const at = deps.now().getTime() / 1000
    await move(harness, moved)
    const days = (await harness.items('RateLimits')).map(({ key, expires }) => [
      String(key).split('#')[0],
      (Number(expires) - at) / 86_400,
    ])
    expect(days).toEqual(
      expect.arrayContaining([
        ['moved', 8],
        ['undo', 7],
      ]),
    )
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
  ])('that loses to %s is retried or refused, and removes its mark', async (_, act, code) => {
    await open()
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
    const keys = (await harness.items('RateLimits')).map(({ key }) => String(key))
    expect(keys.filter(key => key.startsWith(families.UndoLinks))).toEqual([])
  })

  test.each([2, 3])(
    'does not hide the account, which is looked for three times: it moves %i times meanwhile',
    async moves => {
      await open()
      const { id } = await find(harness)
      let email: string = ada.email
      let left = moves
      const findOnceMoved = async (address: string) => {
        if (left > 0) {
          const to = `ada@${left}.example.org`
          await move(harness, to, email)
          harness.advance(1)
          email = to
          left -= 1
        }
        return deps.accounts.find(address)
      }
      const found = findByFormerEmail({ ...deps, accounts: { find: findOnceMoved } }, id, ada.email)
      if (moves < 3) expect((await found).email).toBe(email)
      else expect(await codeOf(found)).toBe('unavailable')
    },
  )

  test('is unavailable when the account keeps changing', async () => {
    await open()
    const pending = await requestMove(harness, moved)
    harness.beforeCall = async command => {
      if (command !== 'TransactWriteItems') return
      harness.advance(1)
      await changeProfile(deps, await find(harness), { name: 'Countess' })
    }
    expect(await codeOf(confirm(pending))).toBe('unavailable')
  })

  test('marks the old address for imports, and not the id; an undo takes that away, and marks the address it leaves', async () => {
    await open()
    const { id } = await find(harness)
    const undoing = await move(harness, moved)
    expect([await mark('id', id), await mark('email', ada.email)]).toEqual([null, { at: deps.now(), tokenVersion: 0 }])
    await undoChange(deps, undoing)
    expect([await mark('email', ada.email), await mark('email', moved)]).toEqual([
      null,
      { at: deps.now(), tokenVersion: 1 },
    ])
  })

  test('marks an address each time it is left: an undo takes all away that were left since its change', async () => {
    const deleted = await markDeletion(deps, { id: 'another', email: ada.email, tokenVersion: 1 })
    harness.advance(1)
    await open()
    const undoing = await move(harness, moved)
    harness.advance(1)
    await move(harness, ada.email, moved)
    harness.advance(1)
    await move(harness, moved)
    await undoChange(deps, undoing)
    expect(await mark('email', ada.email)).toMatchObject({ tokenVersion: 1 })
    await deleted()
    expect(await mark('email', ada.email)).toBeNull()
  })
})

describe('the notice of a move', () => {
  test('tells the old mailbox, with an undo link and without the whole new address, whatever happened to the account since', async () => {
    await open()
    const token = await move(harness, moved)
    await deps.accounts.delete(await find(harness, moved))
    await register(harness)
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
    expect((await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('undo#'))).toEqual([])
    expect((await find(harness, moved)).isVerified).toBe(true)
  })
})

describe('an undo', () => {
  test('revokes its own link and those of later changes, but none of earlier changes, and none made after it', async () => {
    await open()
    const first = await move(harness, 'b@example.org')
    harness.advance(1)
    const second = await move(harness, 'c@example.org', 'b@example.org')
    harness.advance(1)
    const third = await move(harness, 'd@example.org', 'c@example.org')
    await undoChange(deps, second)
    expect((await find(harness, 'b@example.org')).passwordHash).toBe('*')
    for (const token of [second, third]) expect(await codeOf(undoChange(deps, token))).toBe('invalid-undo-token')

    // The owner chooses a password and moves again, which can be undone.
    const again = async (new_password: string) => {
      harness.advance(1)
      await deliver(messages('undone').at(-1))
      await resetPassword(deps, home, { token: tokenOf('undone'), new_password: toPassword(new_password) })
      harness.advance(1)
      return move(harness, 'e@example.org', 'b@example.org', toPassword(new_password))
    }
    await undoChange(deps, await again('battery staple'))
    const last = await again(password)
    await undoChange(deps, first)
    expect(await codeOf(undoChange(deps, last))).toBe('invalid-undo-token')
    expect((await find(harness)).passwordHash).toBe('*')
  })

  test('has its reset link mailed to the old address, past every cap, and kills the links that were asked for before', async () => {
    await open()
    const undoing = await move(harness, moved)
    await requestMail(deps, home, 'reset', ada.email)
    const before = lastMessage(harness)
    harness.advance(1)
    for (let i = 0; i < 6; i++) await requestMail(deps, home, 'reset', ada.email)
    await register(harness)
    for (const message of messages('reset')) await deliver(message)
    harness.advance(1)
    await undoChange(deps, undoing)
    expect(await deliver(before)).toBe('dropped')
    expect(await deliver(messages('undone')[0])).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({ to: ada.email, text: expect.stringContaining(tokenOf('undone')) })
    await resetPassword(deps, home, { token: tokenOf('undone'), new_password: toPassword('battery staple') })
  })

  test('leaves a lock, and mails no link then', async () => {
    await open()
    const undoing = await move(harness, moved)
    await harness.operator.lock(await find(harness, moved), deps.now())
    await undoChange(deps, undoing)
    expect((await find(harness)).lockedAt).not.toBeNull()
    expect(messages('undone')).toEqual([])
  })

  test('of a change that moved nothing revokes all access in place', async () => {
    await open()
    await move(harness, moved)
    const account = await find(harness, moved)
    // Like any change whose notice has an undo link.
    await harness.addUndoable(hashToken('undo'), account, new Date(deps.now().getTime() + 7 * 24 * 60 * 60_000))
    // It copies nothing, so a new name neither conflicts nor is lost.
    beforeTransaction(async () => changeProfile(deps, await find(harness, moved), { name: 'Countess' }))
    await undoChange(deps, 'undo')
    const { tokenVersion } = account
    const undone = { name: 'Countess', passwordHash: '*', formerPasswordHash: account.passwordHash }
    expect(await find(harness, moved)).toMatchObject({ ...undone, tokenVersion: tokenVersion + 1 })
    expect(messages('change-undone')).toEqual([])
    expect(await codeOf(undoChange(deps, 'undo'))).toBe('invalid-undo-token')
    await resetPassword(deps, home, { token: tokenOf('undone'), new_password: toPassword('battery staple') })
  })

  test('tells the verified address that it takes the account from, when it has happened, without the whole other one', async () => {
    await open()
    const undoing = await move(harness, moved)
    harness.broken = 'RateLimits'
    expect(await codeOf(undoChange(deps, undoing))).toBe('unavailable')
    harness.broken = null
    beforeTransaction(async () => {
      expect(await deliver(messages('change-undone').at(-1))).toBe('early')
    })
    await undoChange(deps, undoing)
    expect(await deliver(messages('change-undone').at(-1))).toBe('sent')
    const { to, subject, text } = harness.mails.at(-1) ?? { to: '', subject: '', text: '' }
    expect([to, subject]).toEqual([moved, 'The address of your Gatehouse account was changed back'])
    expect(text).toContain("Your account's address was changed back to a…@example.com")
    expect(text).not.toMatch(/ada@example\.com|https?:/)
  })

  test.each([2, 3])('is tried three times: the account is renamed before %i of them', async renames => {
    await open()
    const undoing = await move(harness, moved)
    let left = renames
    harness.beforeCall = async command => {
      if (command !== 'TransactWriteItems' || left === 0) return
      left -= 1
      harness.advance(1)
      await changeProfile(deps, await find(harness, moved), { name: `Countess ${left}` })
    }
    if (renames === 2) await undoChange(deps, undoing)
    else expect(await codeOf(undoChange(deps, undoing))).toBe('unavailable')
    expect(left).toBe(0)
  })

  test('that crashes after revoking the access of a renamed account leaves a working link', async () => {
    await open()
    const undoing = await move(harness, moved)
    allowPasskeys(harness)
    await addPasskey(harness, { email: moved })
    const account = await find(harness, moved)
    let count = 0
    harness.beforeCall = async command => {
      if (command !== 'TransactWriteItems') return
      if (++count > 1) throw new Error('killed')
      harness.advance(1)
      await deps.accounts.changeProfile(account, { name: 'Countess' }, deps.now())
    }
    expect(await codeOf(undoChange(deps, undoing))).toBe('unavailable')
    expect(await find(harness, moved)).toMatchObject({ passwordHash: '*', passkeys: [], tokenVersion: 2 })
    harness.beforeCall = () => {}
    await undoChange(deps, undoing)
    expect(await find(harness)).toMatchObject({ passwordHash: '*', tokenVersion: 3 })
  })
})
