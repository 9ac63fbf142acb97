import { describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { requestEmailChange } from '../../../accounts/address/request.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { logIn } from '../../../accounts/login/login.ts'
import * as caps from '../../../accounts/mail/caps.ts'
import { mailboxOf, perClient } from '../../../accounts/mail/mailbox.ts'
import { type LinkMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, lastMessage, newClient, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const hour = 60 * 60_000
const day = 24 * hour
const unverified = { email: ada.email, isVerified: false }

let drawn = 0
type AskedKind = 'registration' | 'reset' | 'verification'
const message = (kind: AskedKind, email: string = ada.email): LinkMessage => {
  drawn += 1
  const common = { token: String(drawn).padStart(43, '0'), requested_at: deps.now().getTime() }
  return kind === 'registration' ? { kind, account_id: email, ...common } : { kind, email, ...common }
}
const take = (kind: AskedKind, email: string = ada.email, isVerified = false) =>
  caps.countLink(deps, message(kind, email), { email, isVerified })

test.each([
  ['bob@example.com', 'bob@example.com', true],
  ['bob+shop@example.com', 'bob@example.com', false],
  ['bob+a+b@example.com', 'bob@example.com', false],
  ['+bob@example.com', '+bob@example.com', true],
  ['b.o.b@example.com', 'b.o.b@example.com', true],
  ['bob@gmail.com', 'bob@gmail.com', true],
  ['b.o.b@gmail.com', 'bob@gmail.com', false],
  ['b.ob+a.b@googlemail.com', 'bob@gmail.com', false],
  ['bob@googlemail.com', 'bob@gmail.com', true],
  ['b.o.b@gmail.com.example', 'b.o.b@gmail.com.example', true],
])('a mail to %s arrives in the mailbox of %s, as its plain address: %s', (email, mailbox, isPlain) => {
  expect(mailboxOf(email)).toEqual({ mailbox, isPlain })
})

test.each([
  ['links of a kind to an address', caps.perAddress, 5, 3600],
  ['links to all variants of an address', caps.perVariants, 20, 86_400],
  ['links to the plain address of a mailbox', caps.perPlainAddress, 10, 86_400],
  ['links that one client asks for, to an address that is not verified', perClient, 3, 86_400],
  ['links to new addresses, and notices of a kind, of an account', caps.perAccount, 5, 3600],
  ['links to new addresses of an account', caps.newAddresses, 10, 86_400],
  ['notices of what a thief causes', caps.perThief, 1, 86_400],
  ['notices of a deletion, which the queue keeps for a day', caps.perDeletion, 1, 172_800],
])('of %s there are as many as the documents promise, in their time', (_, cap, limit, seconds) => {
  expect(cap).toEqual({ limit, seconds })
})

describe('links', () => {
  test('are at most five of a kind in an hour to an address', async () => {
    for (let i = 0; i < 5; i++) expect(await take('reset')).toBe(true)
    expect(await take('reset')).toBe(false)
    expect(await take('verification')).toBe(true)
    harness.advance(hour)
    expect(await take('reset')).toBe(true)
  })

  test('count a message once, however often it is delivered', async () => {
    const messages = Array.from({ length: 5 }, () => message('reset'))
    for (let delivery = 0; delivery < 3; delivery++)
      for (const message of messages) expect(await caps.countLink(deps, message, unverified)).toBe(true)
    expect(await take('reset')).toBe(false)
    for (const message of messages) expect(await caps.countLink(deps, message, unverified)).toBe(true)
  })

  test('that anyone can request are twenty a day to a mailbox, whatever the tags', async () => {
    for (let i = 0; i < 10; i++) {
      expect(await take('registration', `bob+${i}@example.com`)).toBe(true)
      expect(await take('verification', `bob+${i}@example.com`)).toBe(true)
    }
    for (const kind of ['registration', 'verification', 'reset'] as const)
      expect(await take(kind, 'bob+new@example.com')).toBe(false)
    expect(await take('registration', 'eve+new@example.com')).toBe(true)
    harness.advance(day)
    expect(await take('registration', 'bob+new@example.com')).toBe(true)
  })

  test('to variants of an address leave the plain one its ten a day', async () => {
    for (let i = 0; i <= 20; i++) await take('registration', `bob+${i}@example.com`)
    for (let i = 0; i < 10; i++) {
      expect(await take(i % 2 ? 'verification' : 'reset', 'bob@example.com')).toBe(true)
      if (i % 4 === 3) harness.advance(hour)
    }
    for (const kind of ['registration', 'verification', 'reset'] as const)
      expect(await take(kind, 'bob@example.com')).toBe(false)
    harness.advance(day)
    expect(await take('registration', 'bob@example.com')).toBe(true)
  })

  test('to one mailbox of Gmail count together, however it is written', async () => {
    for (let i = 0; i < 20; i++) await take('registration', i % 2 ? `v.w+${i}@gmail.com` : `vw+${i}@googlemail.com`)
    expect(await take('registration', 'v.w@googlemail.com')).toBe(false)
    for (let i = 0; i < 10; i++) expect(await take('registration', 'vw@gmail.com')).toBe(true)
    expect(await take('registration', 'vw@gmail.com')).toBe(false)
    // The same mailbox, but an address of its own, with its own caps.
    expect(await take('registration', 'vw@googlemail.com')).toBe(true)
  })

  test('that reset a password are never denied to a verified address by requests of strangers', async () => {
    for (let i = 0; i < 20; i++) await take('registration', `bob+${i}@example.com`)
    for (let i = 0; i < 10; i++) await take('registration', 'bob@example.com')
    for (const email of ['bob@example.com', 'bob+shop@example.com']) {
      expect(await take('reset', email, true)).toBe(true)
      expect(await take('reset', email)).toBe(false)
    }
  })

  test('are one write for each cap', async () => {
    await take('verification')
    expect(harness.calls).toEqual(['UpdateItem RateLimits', 'UpdateItem RateLimits'])
  })

  test('leave no address in the table', async () => {
    await take('verification', 'bob+shop@example.com')
    expect(JSON.stringify(await harness.items('RateLimits'))).not.toContain('bob')
  })

  test('have no cap when the limits are off', async () => {
    harness.config.rateLimits = null
    for (let i = 0; i < 40; i++) expect(await take('registration')).toBe(true)
    expect(harness.calls).toEqual([])
  })
})

describe('the links that one client causes', () => {
  const stranger = '198.51.100.66'
  const mallory = { ...ada, email: 'mallory@example.net' }
  const marks = () => harness.queue.map(({ message }) => 'is_excess' in message && message.is_excess)

  /** Everything that a stranger can request that mails an address. */
  const ways = (from: string, email: string): (() => Promise<unknown>)[] => [
    () => openAccount(deps, from, { ...ada, email, name: null }),
    // Where everybody needs a second factor, a right password mails a link.
    () => logIn(deps, from, { ...ada, email }).catch(() => {}),
    () => requestMail(deps, from, 'verification', email),
    () => requestMail(deps, from, 'reset', email),
    async () => requestEmailChange(deps, from, await find(harness, mallory.email), email),
  ]
  async function ask(way: () => Promise<unknown>): Promise<void> {
    harness.queue.length = 0
    await way()
    for (const { message } of harness.queue) await deliverMail(deps, message, deps.now())
    harness.advance(1)
  }

  test.each([
    ['the address', () => 'bob@example.com', 'bob@example.com'],
    ['tags', (i: number) => `bob+${i}@example.com`, 'bob+shop@example.com'],
    [
      'dots at Gmail',
      (i: number) => `${'v'.repeat(i + 1)}.${'v'.repeat(11 - i)}@gmail.com`,
      `v.v.${'v'.repeat(10)}@gmail.com`,
    ],
  ])('by %s are three a day, whatever it asks for, and leave newcomers theirs', async (_, variant, newcomer) => {
    harness.config.secondFactor = 'required'
    await register(harness, mallory)
    for (let round = 0; round < 10; round++) {
      const email = variant(round)
      for (const way of ways(stranger, email)) await ask(way)
      await deps.accounts.delete(await find(harness, email), deps.now())
    }
    expect(harness.mails).toHaveLength(3)
    harness.mails.length = 0
    for (const way of ways(newClient(), newcomer).slice(0, 3)) await ask(way)
    expect(harness.mails.map(({ to }) => to)).toEqual(Array(3).fill(newcomer))
  })

  test('are not those that failed, for the queue’s silence or a taken address', async () => {
    await register(harness)
    harness.broken = 'queue'
    const failing = ways(stranger, ada.email)
    for (const way of failing) await way().catch(() => {})
    harness.broken = null
    for (let i = 0; i < 4; i++) await expect(failing[0]?.()).rejects.toMatchObject({ code: 'email-taken' })
    harness.queue.length = 0
    for (let i = 0; i < 4; i++) await requestMail(deps, stranger, 'verification', ada.email)
    expect(marks()).toEqual([false, false, false, true])
  })

  test('have no limit when the limits are off', async () => {
    harness.config.rateLimits = null
    for (let i = 0; i < 6; i++) await requestMail(deps, stranger, 'reset', ada.email)
    expect(marks()).toEqual(Array(6).fill(false))
  })

  test.each(['registration', 'verification', 'reset', 'second-factor', 'email-change'] as const)(
    'beyond that are dropped, %s, unless the address is verified, and use nothing up',
    async kind => {
      const marked = { ...message('reset'), kind, is_excess: true, account_id: 'id', new_email: 'bob@example.com' }
      expect(await caps.countLink(deps, marked as LinkMessage, unverified)).toBe(false)
      expect(harness.calls).toEqual([])
      // The new address of an account is unverified, whatever its present one is.
      expect(await caps.countLink(deps, marked as LinkMessage, { ...unverified, isVerified: true })).toBe(
        kind !== 'email-change',
      )
    },
  )
})

test('an account mails ten links a day to new addresses, five in an hour', async () => {
  const { account } = await register(harness)
  for (let i = 0; i < 20; i++) {
    harness.advance(hour / 6)
    await requestEmailChange(deps, newClient(), account, `ada@${i}.example.com`)
    await deliverMail(deps, lastMessage(harness), deps.now())
  }
  expect(harness.mails).toHaveLength(10)
  expect(harness.events.filter(({ event }) => event === 'mail-capped')).toHaveLength(10)
})

test('a message that was counted but not stored is mailed by a later try', async () => {
  await register(harness)
  harness.advance(1)
  const reset = message('reset')
  for (let i = 0; i < 10; i++) {
    harness.beforeCall = command => {
      harness.broken = command === 'UpdateItem' && harness.calls.at(-1) === 'UpdateItem Accounts' ? 'Accounts' : null
    }
    await expect(deliverMail(deps, reset, deps.now())).rejects.toMatchObject({ code: 'unavailable' })
  }
  Object.assign(harness, { broken: null, beforeCall: () => {} })
  expect(await deliverMail(deps, reset, deps.now())).toBe('sent')
})

test.each([
  ['is stored', 2],
  ['is mailed', 3],
])('a link that a newer one replaces before it %s is not mailed', async (_, read) => {
  await register(harness)
  harness.advance(1)
  const [older, newer] = [message('reset'), { ...message('reset'), requested_at: deps.now().getTime() + 1 }]
  let reads = 0
  harness.beforeCall = async (command, table) => {
    if (command !== 'GetItem' || table !== 'Accounts' || ++reads !== read) return
    harness.beforeCall = () => {}
    await deliverMail(deps, newer, deps.now())
  }
  expect(await deliverMail(deps, older, deps.now())).toBe('dropped')
  expect(harness.mails).toHaveLength(1)
  expect((await find(harness)).tokens.reset.requestedAt?.getTime()).toBe(newer.requested_at)
})
