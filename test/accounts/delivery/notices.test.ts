import { beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword, deleteAccount } from '../../support/service/owner.ts'
import {
  ada,
  find,
  lastMessage,
  move,
  register,
  registerVerified,
  requestMove,
  requestToken,
} from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'
const hour = 60 * 60_000
let account: Account

const change = async (new_password = toPassword('battery staple'), current_password = ada.password) =>
  changePassword(deps, clientAddress, await find(harness), { current_password, new_password })
const remove = async () => deleteAccount(deps, clientAddress, await find(harness), { password: ada.password })
const deliver = (message = lastMessage(harness), age = 0) => {
  const sentAt = deps.now().getTime() - age
  return deliverMail(deps, { ...message, requested_at: sentAt }, new Date(sentAt))
}
const droppedFor = () => harness.events.at(-1)?.reason

beforeEach(async () => {
  account = await registerVerified(harness)
  harness.queue.length = 0
})

describe.each([
  ['a changed password', 'password-changed', change],
  ['a deleted account', 'account-deleted', remove],
] as const)('the owner of %s', (_, kind, act) => {
  test('is told of it by a message that waits two seconds', async () => {
    await act()
    expect(lastMessage(harness)).toMatchObject({ kind, email: ada.email, account_id: account.id })
    expect(harness.queue.at(-1)?.delaySeconds).toBe(2)
  })

  test('is mailed again only when the message is delivered again', async () => {
    await act()
    harness.mails.length = 0
    expect([await deliver(), await deliver()]).toEqual(['sent', 'sent'])
    expect(harness.mails).toHaveLength(2)
  })

  test('is mailed once SES answers again, though the message was counted before', async () => {
    await act()
    harness.mails.length = 0
    harness.broken = 'SES'
    await expect(deliver()).rejects.toMatchObject({ code: 'unavailable' })
    harness.broken = null
    expect(await deliver()).toBe('sent')
  })
})

describe.each([
  ['a change', change],
  ['a deletion', remove],
] as const)('of %s that did not happen', (_, act) => {
  test('no notice is mailed: its message waits a minute, and is dropped', async () => {
    harness.beforeCall = (command, table) => {
      harness.broken = table === 'Accounts' && /Update|Transact/.test(command) ? 'Accounts' : null
    }
    await expect(act()).rejects.toMatchObject({ code: 'unavailable' })
    Object.assign(harness, { broken: null, beforeCall: () => {} })
    harness.mails.length = 0
    expect(await deliver(undefined, 60_000)).toBe('early')
    expect(await deliver(undefined, 60_001)).toBe('dropped')
    expect(droppedFor()).toBe('not-done')
    expect(harness.mails).toEqual([])
  })
})

test('every notice greets by the name of that time, whatever became of the account', async () => {
  await change(ada.password)
  await deliver()
  const other = 'ada@example.org'
  await move(harness, other)
  const moved = lastMessage(harness)
  await deps.accounts.changeProfile(await find(harness, other), { name: 'Mallory' }, deps.now())
  await deliver(moved)
  await deleteAccount(deps, clientAddress, await find(harness, other), { password: ada.password })
  await deliver()
  const greetings = harness.mails
    .filter(({ text }) => !text.includes('/change-email'))
    .map(({ text }) => text.split('\n')[0])
  expect(greetings).toEqual(['Hello Ada,', 'Hello Ada,', 'Hello Mallory,'])
})

test('a link greets by name at an address that is verified, and at no other', async () => {
  await requestToken(harness, 'reset')
  await requestMove(harness, 'ada@example.org')
  await register(harness, { ...ada, email: 'bob@example.com' })
  await deliver()
  harness.advance(1)
  for (const kind of ['verification', 'reset'] as const) await requestToken(harness, kind, 'bob@example.com')
  const greetings = harness.mails.map(({ to, text }) => [to, text.split('\n')[0]])
  expect(greetings).toEqual([
    [ada.email, 'Hello Ada,'],
    ['ada@example.org', 'Hello,'],
    ...Array(3).fill(['bob@example.com', 'Hello,']),
  ])
})

test('a notice says when the write happened, however late it is mailed', async () => {
  await change()
  const message = lastMessage(harness)
  harness.advance(10 * hour)
  await deliver(message, 10 * hour)
  expect(harness.mails.at(-1)?.text).toContain('was changed on 1 March 2026 at 12:00 UTC.')
})

test('no notice goes to an address that is not verified', async () => {
  await register(harness, { ...ada, email: 'bob@example.com' })
  const bob = await find(harness, 'bob@example.com')
  harness.queue.length = 0
  await changePassword(deps, clientAddress, bob, {
    current_password: ada.password,
    new_password: toPassword('battery staple'),
  })
  const changed = await find(harness, 'bob@example.com')
  await deleteAccount(deps, clientAddress, changed, { password: toPassword('battery staple') })
  expect(harness.queue).toEqual([])
})

test('no notice goes to an address that is not verified any more', async () => {
  await change()
  await harness.setAttributes(account.id, { is_verified: false })
  expect([await deliver(), droppedFor()]).toEqual(['dropped', 'unverified'])
})

test('a change that a newer one overtook is covered by the newer one’s notice', async () => {
  await change()
  const first = lastMessage(harness)
  await change(ada.password, toPassword('battery staple'))
  expect(await deliver(first, 60_001)).toBe('dropped')
  expect(await deliver()).toBe('sent')
})

test('a change whose account is deleted since is covered by the deletion’s notice', async () => {
  await change(ada.password)
  const changed = lastMessage(harness)
  await remove()
  expect(await deliver(changed)).toBe('dropped')
  expect(await deliver()).toBe('sent')
})

test('an account gets at most five notices an hour, each message counted once', async () => {
  harness.config.bcryptCost = 4
  const notices = []
  for (let i = 0; i <= 5; i++) {
    await change(ada.password)
    const message = lastMessage(harness)
    notices.push(await deliver(message))
    if (i < 5) expect(await deliver(message)).toBe('sent')
  }
  expect(notices).toEqual([...Array(5).fill('sent'), 'dropped'])
  expect(harness.events.at(-1)?.event).toBe('mail-capped')
  harness.advance(hour)
  await change(ada.password)
  expect(await deliver()).toBe('sent')
})

test('without limits there is no cap, but a deletion still causes one notice', async () => {
  harness.config.rateLimits = null
  for (let i = 0; i < 10; i++) {
    await change(ada.password)
    expect(await deliver()).toBe('sent')
  }
  account = await find(harness)
  await Promise.all([1, 2].map(() => deleteAccount(deps, clientAddress, account, { password: ada.password })))
  const [first, second] = harness.queue.slice(-2).map(({ message }) => message)
  expect([await deliver(first), await deliver(second)]).toEqual(['sent', 'dropped'])
})
