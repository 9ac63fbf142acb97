import { describe, expect, test } from 'vitest'
import {
  countLink,
  mailboxOf,
  perAddress,
  perPlainAddress,
  perVariants,
} from '../../../../shared/accounts/mail/caps.ts'
import { deliverMail } from '../../../../shared/accounts/mail/deliver-mail.ts'
import type { LinkMessage } from '../../../../shared/accounts/mail/queue.ts'
import { createHarness } from '../../../support/service/harness.ts'
import { ada, find, lastMessage, register } from '../../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const hour = 60 * 60_000
const day = 24 * hour
const unverified = { isVerified: false }

let drawn = 0
type AskedKind = 'registration' | 'reset' | 'verification'
const message = (kind: AskedKind, email: string = ada.email): LinkMessage => {
  drawn += 1
  return {
    kind,
    email,
    token: String(drawn).padStart(43, '0'),
    requested_at: deps.now().getTime(),
  }
}
const take = (kind: AskedKind, email?: string, account = unverified) => countLink(deps, message(kind, email), account)

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
])('a mail to %s arrives in the mailbox of %s, whose plain address it is: %s', (email, mailbox, isPlain) => {
  expect(mailboxOf(email)).toEqual({ mailbox, isPlain })
})

describe('links', () => {
  test('are at most five of a kind in an hour to an address', async () => {
    for (let i = 0; i < perAddress.limit; i++) expect(await take('reset')).toBe(true)
    expect(await take('reset')).toBe(false)
    expect(await take('verification')).toBe(true)
    harness.advance(hour)
    expect(await take('reset')).toBe(true)
  })

  test('count a message once, however often it is delivered', async () => {
    const messages = Array.from({ length: perAddress.limit }, () => message('reset'))
    for (let delivery = 0; delivery < 3; delivery++)
      for (const message of messages) expect(await countLink(deps, message, unverified)).toBe(true)
    expect(await take('reset')).toBe(false)
    for (const message of messages) expect(await countLink(deps, message, unverified)).toBe(true)
  })

  test('that anyone can request are at most twenty a day to a mailbox, whatever the tags', async () => {
    for (let i = 0; i < perVariants.limit / 2; i++) {
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
    for (let i = 0; i <= perVariants.limit; i++) await take('registration', `bob+${i}@example.com`)
    for (let i = 0; i < perPlainAddress.limit; i++) {
      expect(await take(i % 2 ? 'verification' : 'reset', 'bob@example.com')).toBe(true)
      if (i % 4 === 3) harness.advance(hour)
    }
    for (const kind of ['registration', 'verification', 'reset'] as const)
      expect(await take(kind, 'bob@example.com')).toBe(false)
    harness.advance(day)
    expect(await take('registration', 'bob@example.com')).toBe(true)
  })

  test('to one mailbox of Gmail count together, however it is written', async () => {
    for (let i = 0; i < perVariants.limit; i++)
      await take('registration', i % 2 ? `v.w+${i}@gmail.com` : `vw+${i}@googlemail.com`)
    expect(await take('registration', 'v.w@googlemail.com')).toBe(false)
    for (let i = 0; i < perPlainAddress.limit; i++) expect(await take('registration', 'vw@gmail.com')).toBe(true)
    expect(await take('registration', 'vw@gmail.com')).toBe(false)
    // The same mailbox, but an address of its own: it uses up nothing of the other's.
    expect(await take('registration', 'vw@googlemail.com')).toBe(true)
  })

  test('that reset a password are never denied to a verified address by what strangers ask for', async () => {
    for (let i = 0; i < perVariants.limit; i++) await take('registration', `bob+${i}@example.com`)
    for (let i = 0; i < perPlainAddress.limit; i++) await take('registration', 'bob@example.com')
    for (const email of ['bob@example.com', 'bob+shop@example.com']) {
      expect(await take('reset', email, { isVerified: true })).toBe(true)
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
    for (let i = 0; i < 2 * perVariants.limit; i++) expect(await take('registration')).toBe(true)
    expect(harness.calls).toEqual([])
  })
})

test('62 registrations at one mailbox mail twenty, and open their accounts all the same', async () => {
  for (let i = 0; i < 62; i++) {
    await register(harness, { ...ada, email: `bob+${i}@example.com` })
    await deliverMail(deps, lastMessage(harness), deps.now())
  }
  expect(harness.mails).toHaveLength(20)
  expect(await harness.items('Users')).toHaveLength(62)
})

test('a message that was counted but not stored is mailed by a later try', async () => {
  await register(harness)
  harness.advance(1)
  const reset = message('reset')
  for (let i = 0; i < 2 * perAddress.limit; i++) {
    harness.beforeCall = command => {
      harness.broken = command === 'UpdateItem' && harness.calls.at(-1) === 'UpdateItem Users' ? 'Users' : null
    }
    await expect(deliverMail(deps, reset, deps.now())).rejects.toMatchObject({ code: 'unavailable' })
  }
  Object.assign(harness, { broken: null, beforeCall: () => {} })
  expect(await deliverMail(deps, reset, deps.now())).toBe('sent')
})

test('a link that became void meanwhile is not mailed: the slower of two workers drops it', async () => {
  await register(harness)
  harness.advance(1)
  const [older, newer] = [message('reset'), { ...message('reset'), requested_at: deps.now().getTime() + 1 }]
  let reads = 0
  harness.beforeCall = async (command, table) => {
    if (command !== 'GetItem' || table !== 'Users' || ++reads !== 2) return
    harness.beforeCall = () => {}
    await deliverMail(deps, newer, deps.now())
  }
  expect(await deliverMail(deps, older, deps.now())).toBe('dropped')
  expect(harness.mails).toHaveLength(1)
  expect((await find(harness)).tokens.reset.requestedAt?.getTime()).toBe(newer.requested_at)
})
