import { describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { acceptInvitation } from '../../../accounts/password/invitation.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { type InviteDeps, type Invitee, inviteAccount } from '../../../operations/users/invite-account.ts'
import { moveAccount } from '../../../operations/users/move-account.ts'
import { createHarness } from '../../support/service/harness.ts'
import { confirmEmailChange } from '../../support/service/owner.ts'
import {
  ada,
  find,
  home,
  invite,
  lastMessage,
  newClient,
  register,
  requestMove,
  requestToken,
} from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const second = 1000
const week = 7 * 24 * 60 * 60 * second
const new_password = toPassword('battery staple')
const accepted = { ...ada, password: new_password }
/** The expiry of an invitation from the harness's first moment. */
const end = '2026-03-08T12:00:00.000Z'

const accept = (token: string, name: string | null = null, password: string = new_password) =>
  acceptInvitation(deps, home, { token, new_password: toPassword(password), name })
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code
const item = async () => (await harness.accountItems())[0]
const deliver = () => deliverMail(deps, lastMessage(harness), deps.now())
const reasons = () => harness.events.flatMap(event => ('reason' in event ? [event.reason] : []))
const nobody = { name: null, roles: null, language: null }
/** Invites, as the command does. */
const inviteOnce = (invitee: Partial<Invitee> = {}, table: InviteDeps['table'] = harness.operator) =>
  inviteAccount({ ...deps, table }, { email: ada.email, ...nobody, ...invitee })

describe('an invitation', () => {
  test.each([
    ['none', null, 'Ada'],
    ['an empty one', '', 'Ada'],
    ['another one', 'Countess', 'Countess'],
  ])('leaves an ordinary, verified account once it is accepted, named by %s', async (_, name, stored) => {
    await requestMail(deps, newClient(), 'verification', ada.email)
    await accept(await invite(harness, { name: 'Ada', roles: ['editor'] }), name)
    expect(await item()).toMatchObject({
      name: stored,
      roles: ['editor'],
      is_verified: true,
      is_admin: false,
      token_version: 1,
    })
    expect(await item()).not.toHaveProperty('invited_until')
    await logIn(deps, home, accepted)
    expect(harness.events).toContainEqual({ event: 'invitation-accepted', account_id: (await find(harness)).id })
  })

  test('is refused for its password before its token, and still works for another one', async () => {
    harness.config.passwordBlocklist = 'on'
    const token = await invite(harness)
    expect(await codeOf(accept('x', null, 'short'))).toBe('password-too-short')
    expect(await codeOf(accept('x', null, 'sunshine1'))).toBe('password-too-common')
    expect(await codeOf(accept('x'))).toBe('invalid-invitation')
    expect(await codeOf(accept(token, null, ada.email))).toBe('password-too-common')
    await accept(token)
  })

  test('clears the counts of its address', async () => {
    const token = await invite(harness)
    for (let i = 0; i < 10; i++) await logIn(deps, home, { ...ada, password: toPassword('wrong') }).catch(() => {})
    await accept(token)
    await logIn(deps, home, accepted)
  })

  test('to the address of an administrator to be makes none', async () => {
    const email = 'admin@example.com'
    await accept(await invite(harness, { email }))
    expect(await find(harness, email)).toMatchObject({ isAdmin: false, isVerified: true })
  })

  test('is told to its address when accepted, by the name of then', async () => {
    await accept(await invite(harness, { name: 'Ada' }), 'Countess')
    expect(lastMessage(harness).kind).toBe('invitation-accepted')
    expect(await deliver()).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({
      to: ada.email,
      subject: 'Your invitation to Gatehouse was accepted',
      text: expect.stringMatching(/^Hello Countess,/),
    })
  })

  test('that is not accepted in the end is not told', async () => {
    const token = await invite(harness)
    harness.before('UpdateItem Accounts', async () => harness.operator.revoke(await find(harness), deps.now()))
    expect(await codeOf(accept(token))).toBe('invalid-invitation')
    harness.advance(61 * second)
    expect(await deliverMail(deps, lastMessage(harness), new Date(deps.now().getTime() - 61 * second))).toBe('dropped')
  })
})

describe('the mail of an invitation', () => {
  test('waits for the write, and has the date and nothing of the name', async () => {
    const table = { ...operatorTable(), add: async () => false, find: async () => null }
    await expect(inviteOnce({ name: 'Ada Lovelace' }, table)).rejects.toThrow('keeps changing')
    expect(await deliver()).toBe('early')
    await inviteOnce({ name: 'Ada Lovelace' })
    expect(await deliver()).toBe('sent')
    const { to, subject, text = '', html = '' } = harness.mails.at(-1) ?? {}
    expect([to, subject]).toEqual([ada.email, 'You are invited to Gatehouse'])
    expect(text).toContain('The link works once, until 8 March 2026 at 12:00 UTC.')
    expect(text).toContain('/invitation?token=')
    expect(`${text}${html}`).not.toContain('Lovelace')
  })

  test('of a second invitation waits for its write, though the account is there', async () => {
    await inviteOnce()
    harness.advance(second)
    const table = { ...operatorTable(), changeInvitation: async () => false }
    await expect(inviteOnce({}, table)).rejects.toThrow('keeps changing')
    expect(await deliver()).toBe('early')
    const { requested_at } = lastMessage(harness)
    harness.advance(61 * second)
    expect(await deliverMail(deps, lastMessage(harness), new Date(requested_at))).toBe('dropped')
    expect(reasons()).toEqual(['superseded'])
  })

  test('counts against no cap', async () => {
    for (let i = 0; i < 25; i++) {
      harness.advance(second)
      await invite(harness)
    }
    expect(harness.mails).toHaveLength(25)
  })

  test('is sent again when its message is', async () => {
    await invite(harness)
    expect(await deliver()).toBe('sent')
  })
})

/** The table of operators as an object, so that a test can replace parts. */
const operatorTable = (): InviteDeps['table'] => ({
  find: email => harness.operator.find(email),
  add: item => harness.operator.add(item),
  changeInvitation: (account, set, now) => harness.operator.changeInvitation(account, set, now),
})

describe('who is invited', () => {
  test('twice has a new link and end, and the old one is dead', async () => {
    const first = await invite(harness, { name: 'Ada', roles: ['editor'], language: 'de' })
    const { id } = await find(harness)
    harness.advance(second)
    const next = await invite(harness, { roles: ['billing'] })
    expect(await item()).toMatchObject({ id, name: 'Ada', roles: ['billing'], language: 'de' })
    expect(await item()).toMatchObject({ invited_until: '2026-03-08T12:00:01.000Z' })
    expect(await codeOf(accept(first))).toBe('invalid-invitation')
    await accept(next)
  })

  test('has no account yet, or is told so and nothing changes', async () => {
    await register(harness)
    const before = await item()
    expect(await inviteOnce({ name: 'Eve' })).toEqual({ outcome: 'has an account' })
    expect(await item()).toEqual(before)
    expect(lastMessage(harness).kind).toBe('registration')
  })

  test('and accepts while a second invitation is under way, keeps what was accepted', async () => {
    const token = await invite(harness)
    const table = operatorTable()
    const { changeInvitation } = table
    table.changeInvitation = async (...write) => {
      await accept(token)
      return changeInvitation(...write)
    }
    await expect(inviteOnce({ name: 'Eve' }, table)).rejects.toThrow(`${ada.email} has accepted in the meantime`)
    expect(await item()).toMatchObject({ is_verified: true, name: null })
  })

  test('and asks for another link while a second invitation is under way, has the newest', async () => {
    await invite(harness)
    harness.advance(second)
    const table = operatorTable()
    const { changeInvitation } = table
    let calls = 0
    table.changeInvitation = async (...write) => {
      calls += 1
      if (calls === 1) {
        harness.advance(second)
        await requestToken(harness, 'reset')
      }
      return changeInvitation(...write)
    }
    await inviteOnce({}, table)
    expect(calls).toBe(2)
    expect(await deliver()).toBe('sent')
    await accept(lastMessage(harness).token)
  })

  test('has one invitation though its write is sent twice', async () => {
    const table = operatorTable()
    for (const name of ['add', 'changeInvitation'] as const) {
      const write = table[name] as (...args: unknown[]) => Promise<boolean>
      const writeTwice = async (...args: unknown[]) => {
        await write(...args)
        return write(...args)
      }
      Object.assign(table, { [name]: writeTwice })
    }
    for (let i = 0; i < 2; i++) {
      harness.advance(second)
      expect(await inviteOnce({}, table)).toMatchObject({ outcome: 'invited' })
      expect(await deliver()).toBe('sent')
    }
    expect(harness.queue).toHaveLength(2)
  })

  test('is not invited when the queue does not answer', async () => {
    harness.broken = 'queue'
    await expect(inviteOnce()).rejects.toMatchObject({ code: 'unavailable' })
    expect(await harness.items('Accounts')).toEqual([])
  })
})

describe('an invited account', () => {
  test('has no login, as an address without an account', async () => {
    await invite(harness)
    for (const email of [ada.email, 'nobody@example.com'])
      expect(await codeOf(logIn(deps, home, { email, password: toPassword('*') }))).toBe('bad-credentials')
  })

  test('keeps its address from those who register or move there', async () => {
    await invite(harness)
    expect(await codeOf(openAccount(deps, home, { ...ada, name: null }))).toBe('email-taken')
    const bob = { email: 'bob@example.com', password: ada.password }
    await register(harness, bob)
    harness.advance(second)
    const token = await requestMove(harness, ada.email, bob.email)
    expect(await codeOf(confirmEmailChange(deps, home, { token, password: bob.password }))).toBe('email-taken')
  })

  test('is not replaced by an operator’s move there, and cannot be moved itself', async () => {
    await invite(harness)
    await expect(moveAccount(deps, await find(harness), 'eve@example.net')).rejects.toThrow(`${ada.email} is invited`)
    const { account } = await register(harness, { email: 'bob@example.com', password: ada.password })
    await expect(moveAccount(deps, account, ada.email)).rejects.toThrow(`${ada.email} has an invitation`)
    expect(await find(harness)).toMatchObject({ invitedUntil: expect.any(Date) })
  })

  test('gets no verification link', async () => {
    await invite(harness)
    await requestMail(deps, newClient(), 'verification', ada.email)
    expect(await deliver()).toBe('dropped')
    expect(reasons()).toEqual(['invited'])
  })

  test('gets a new link with the same end by forgetting its password', async () => {
    const first = await invite(harness)
    harness.advance(week - 2 * second)
    const token = await requestToken(harness, 'reset')
    expect(await item()).toMatchObject({ invited_until: end, password_reset_expires: end })
    const { subject, text = '' } = harness.mails.at(-1) ?? {}
    expect(subject).toBe('You are invited to Gatehouse')
    expect(text).toContain(`/invitation?token=${token}`)
    expect(text).toContain('until 8 March 2026 at 12:00 UTC.')
    expect(await codeOf(accept(first))).toBe('invalid-invitation')
    harness.advance(2 * second - 1)
    await accept(token)
  })

  test('gets none once the invitation is over', async () => {
    await invite(harness)
    harness.advance(week)
    await requestMail(deps, newClient(), 'reset', ada.email)
    expect(await deliver()).toBe('dropped')
    expect(reasons()).toEqual(['invitation-expired'])
  })

  test('gets as many of them as any account whose address is not verified', async () => {
    await invite(harness)
    for (let hour = 0; hour < 3; hour++) {
      for (let i = 0; i < 6; i++) {
        harness.advance(second)
        await requestToken(harness, 'reset')
      }
      harness.advance(60 * 60 * second)
    }
    // Five an hour, and ten a day to a plain address; the first is the operator's.
    expect(harness.mails).toHaveLength(1 + 10)
  })

  test('has no invitation any more once it is revoked, until it is invited again', async () => {
    const token = await invite(harness)
    harness.advance(second)
    await harness.operator.revoke(await find(harness), deps.now())
    expect(await item()).toMatchObject({ invited_until: deps.now().toISOString() })
    expect(await codeOf(accept(token))).toBe('invalid-invitation')
    harness.advance(second)
    await requestMail(deps, newClient(), 'reset', ada.email)
    expect(await deliver()).toBe('dropped')
    expect(reasons()).toEqual(['invitation-expired'])
    await accept(await invite(harness))
  })

  test('gets no link while it is locked, and accepting one of before unlocks nothing', async () => {
    const token = await invite(harness)
    await harness.operator.lock(await find(harness), deps.now())
    harness.advance(second)
    await requestMail(deps, newClient(), 'reset', ada.email)
    expect(await deliver()).toBe('dropped')
    await accept(token)
    expect(await codeOf(logIn(deps, home, accepted))).toBe('account-locked')
    const locked = await invite(harness, { email: 'bob@example.com' })
    await harness.operator.lock(await find(harness, 'bob@example.com'), deps.now())
    harness.advance(second)
    expect(await inviteOnce({ email: 'bob@example.com' })).toMatchObject({ outcome: 'invited', isLocked: true })
    expect(await deliver()).toBe('dropped')
    expect(await codeOf(accept(locked))).toBe('invalid-invitation')
  })
})
