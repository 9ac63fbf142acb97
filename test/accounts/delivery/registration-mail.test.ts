import { describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import type { MailMessage } from '../../../accounts/mail/queue.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, home, lastMessage, newClient, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

const deliver = (message: MailMessage, sentAt = deps.now()) => deliverMail(deps, message, sentAt)

describe('a registration', () => {
  test('is mailed once its account is there, with the link of its token', async () => {
    const { token } = await register(harness)
    expect(await deliver(lastMessage(harness))).toBe('sent')
    expect(harness.mails).toHaveLength(1)
    expect(harness.mails[0]).toMatchObject({ to: 'ada@example.com' })
    expect(harness.mails[0]?.text).toContain(`https://example.com/verify-email?token=${token}`)
    await verifyEmail(deps, newClient(), token)
  })

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
    expect(harness.mails).toEqual([])
  })

  test('that failed because the address is taken mails nothing', async () => {
    await register(harness)
    harness.advance(1)
    await openAccount(deps, home, { ...ada, name: null }).catch(() => {})
    expect(harness.queue).toHaveLength(2)
    const sentAt = deps.now()
    harness.advance(60_001)
    expect(await deliver(lastMessage(harness), sentAt)).toBe('dropped')
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
