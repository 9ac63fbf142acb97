import { describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { hashToken, type TokenKind } from '../../../accounts/token/token.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, home, lastMessage, newClient, register } from '../../support/service/people.ts'

const lifetimes = { verification: 24 * 60 * 60_000, reset: 60 * 60_000 }
const harness = createHarness()
const clientAddress = '203.0.113.7'
const { deps } = harness
const kinds: TokenKind[] = ['verification', 'reset']

/** Requests a link. @returns the message on the queue */
async function ask(kind: TokenKind, email: string = ada.email): Promise<MailMessage> {
  await requestMail(deps, newClient(), kind, email)
  return lastMessage(harness)
}

const deliver = (message: MailMessage, sentAt = deps.now()) => deliverMail(deps, message, sentAt)
const links = () => harness.mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1])
const droppedFor = () => harness.events.at(-1)?.reason

describe.each(kinds)('a %s message', kind => {
  const attribute = kind === 'reset' ? 'password_reset' : 'email_verification'

  test('stores the hash of its token and mails its link', async () => {
    await register(harness)
    harness.advance(1000)
    const message = await ask(kind)
    expect(await deliver(message)).toBe('sent')
    expect(links()).toEqual([message.token])
    expect((await harness.accountItems())[0]).toMatchObject({
      [`${attribute}_token`]: hashToken(message.token),
      [`${attribute}_expires`]: new Date(message.requested_at + lifetimes[kind]).toISOString(),
      [`${attribute}_requested_at`]: new Date(message.requested_at).toISOString(),
    })
  })

  test('for an address without an account is dropped', async () => {
    expect(await deliver(await ask(kind, 'bob@example.com'))).toBe('dropped')
    expect(harness.mails).toEqual([])
    expect(await harness.items('Accounts')).toEqual([])
  })

  test('delivered again mails the same link again, and is not counted', async () => {
    await register(harness)
    harness.advance(1000)
    const message = await ask(kind)
    for (let i = 0; i < 7; i++) expect(await deliver(message)).toBe('sent')
    expect(links()).toEqual(Array.from({ length: 7 }, () => message.token))
  })

  test('never overtakes a newer one', async () => {
    await register(harness)
    harness.advance(1000)
    const older = await ask(kind)
    harness.advance(1)
    const newer = await ask(kind)
    expect(await deliver(newer)).toBe('sent')
    expect(await deliver(older)).toBe('dropped')
    expect(links()).toEqual([newer.token])
    expect((await find(harness)).tokens[kind].hash).toBe(hashToken(newer.token))
  })

  test('delivered again after its link was used does not make the link work again', async () => {
    await register(harness)
    harness.advance(1000)
    const message = await ask(kind)
    await deliver(message)
    if (kind === 'reset')
      await resetPassword(deps, clientAddress, { token: message.token, new_password: toPassword('battery staple') })
    else await verifyEmail(deps, newClient(), message.token)
    expect(await deliver(message)).toBe('dropped')
    expect(links()).toHaveLength(1)
    expect((await find(harness)).tokens[kind].hash).toBeNull()
  })

  test('that waited until its link expired is dropped', async () => {
    await register(harness)
    harness.advance(1000)
    const message = await ask(kind)
    harness.advance(lifetimes[kind] - 1)
    expect(await deliver(message)).toBe('sent')
    harness.advance(1)
    expect(await deliver(message)).toBe('dropped')
  })

  test('over the cap of five an hour is dropped; the last mailed link still works', async () => {
    await register(harness)
    const messages: MailMessage[] = []
    for (let i = 0; i < 6; i++) {
      harness.advance(1000)
      messages.push(await ask(kind))
      await deliver(lastMessage(harness))
    }
    expect(links()).toEqual(messages.slice(0, 5).map(({ token }) => token))
    expect(harness.events.at(-1)?.event).toBe('mail-capped')
    expect((await find(harness)).tokens[kind].hash).toBe(hashToken(messages[4]?.token ?? ''))
  })

  test('is stored but not mailed while delivery is not configured', async () => {
    await register(harness)
    harness.advance(1000)
    harness.config.mailFrom = null
    const message = await ask(kind)
    expect(await deliver(message)).toBe('dropped')
    expect(harness.mails).toEqual([])
    expect((await find(harness)).tokens[kind].hash).toBe(hashToken(message.token))
  })
})

describe('a message', () => {
  test.each([
    ['ten seconds ahead of the queue is handled', 10_000, 'sent'],
    ['further ahead is dropped', 10_001, 'dropped'],
  ])('dated %s', async (_, ahead, outcome) => {
    await register(harness)
    harness.advance(1000)
    const message = await ask('reset')
    expect(await deliver({ ...message, requested_at: deps.now().getTime() + ahead })).toBe(outcome)
    expect(harness.mails).toHaveLength(outcome === 'sent' ? 1 : 0)
  })

  test.each(['', 'a', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(40)}&x=`, `${'a'.repeat(43)}&x=y`, 'ä'.repeat(43)])(
    'whose token is %j is dropped, and stores nothing',
    async token => {
      await register(harness)
      harness.advance(1000)
      const before = await harness.items('Accounts')
      for (const kind of kinds) expect(await deliver({ ...(await ask(kind)), token })).toBe('dropped')
      expect(droppedFor()).toBe('not-a-token')
      expect(await harness.items('Accounts')).toEqual(before)
      expect(harness.mails).toEqual([])
    },
  )
})

test('a verified account is sent no further verification link', async () => {
  const { token } = await register(harness)
  await verifyEmail(deps, newClient(), token)
  harness.advance(1000)
  const before = await harness.items('Accounts')
  expect(await deliver(await ask('verification'))).toBe('dropped')
  expect(droppedFor()).toBe('verified')
  expect(await harness.items('Accounts')).toEqual(before)
})

test('links are built from the configured site alone', async () => {
  await register(harness)
  harness.config.siteUrl = 'https://www.example.org/account'
  await deliver(lastMessage(harness))
  expect(harness.mails[0]?.html).toContain('https://www.example.org/account/verify-email?token=')
  expect(harness.mails[0]?.html).not.toContain('https://example.com')
})

describe('a registration', () => {
  test('waits for an account that is not there yet, for a minute', async () => {
    const message: MailMessage = {
      kind: 'registration',
      account_id: deps.newId(),
      token: 't'.repeat(43),
      requested_at: deps.now().getTime(),
    }
    const sentAt = deps.now()
    expect(await deliver(message, sentAt)).toBe('early')
    harness.advance(60_000)
    expect(await deliver(message, sentAt)).toBe('early')
    harness.advance(1)
    expect(await deliver(message, sentAt)).toBe('dropped')
    expect(harness.events.at(-1)?.reason).toBe('no-account')
    expect(harness.mails).toEqual([])
  })

  test('waits for its own account, whatever other one is at its address', async () => {
    await register(harness)
    const older = await find(harness)
    harness.advance(1)
    await openAccount({ ...deps, accounts: { ...deps.accounts, open: async () => true } }, home, {
      ...ada,
      name: null,
    })
    const message = lastMessage(harness)
    expect(await deliver(message)).toBe('early')
    await deps.accounts.delete(older, deps.now())
    expect(await deliver(message)).toBe('early')
  })

  test('stores nothing: its account was written with the hash', async () => {
    await register(harness)
    const before = await harness.items('Accounts')
    harness.calls.length = 0
    await deliver(lastMessage(harness))
    expect(await harness.items('Accounts')).toEqual(before)
    expect(harness.calls.filter(call => call.startsWith('Update'))).toEqual(['UpdateItem RateLimits'])
  })
})
