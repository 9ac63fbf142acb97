import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, newClient, register, requestMove } from '../../support/service/people.ts'
import { complaints, detailOf } from './refusals.ts'

const harness = createHarness()
const moved = 'ada@example.org'
const administrator = [403, "An administrator's address cannot be changed here"]
const setAdmin = async (email?: string) =>
  harness.operator.setAdmin(await find(harness, email), true, harness.deps.now())

/** Opens Ada's account with a verified address. */
async function open(): Promise<void> {
  const { token } = await register(harness)
  await verifyEmail(harness.deps, newClient(), token)
  harness.advance(1000)
}

describe('change-email', () => {
  test('answers alike for a taken, a free and one’s own address, without a lookup', async () => {
    await open()
    await register(harness, { email: 'bob@example.com', password: 'correct horse' })
    const message = 'If the address can be used, a link has been sent to it.'
    for (const address of ['bob@example.com', moved, ada.email]) {
      const headers = await bearer(harness)
      harness.calls.length = 0
      const { status, body } = await send(harness, 'change-email', { body: { new_email: address }, headers })
      expect([status, body]).toEqual([200, { message, success: true }])
      const count = 'UpdateItem RateLimits'
      expect(harness.calls).toEqual([count, 'GetPublicKey', 'GetItem Accounts', count, count, 'SendMessage'])
    }
  })

  test('mails as many links a day for a client as it may open accounts', async () => {
    harness.config.rateLimits = new Map([['register-day', { limit: 3, seconds: 86_400 }]])
    const people = ['a', 'b', 'c', 'd'].map(name => `${name}@example.com`)
    for (const email of people) await register(harness, { ...ada, email })
    harness.queue.length = 0
    const ask = async (email: string, clientAddress: string) => {
      const body = { new_email: `new-${harness.queue.length}-${email}` }
      const { status, text } = await send(harness, 'change-email', {
        body,
        headers: await bearer(harness, email),
        clientAddress,
      })
      return [status, text]
    }
    const answers: unknown[] = []
    for (const email of people) answers.push(await ask(email, '198.51.100.1'))
    expect(answers).toEqual(people.map(() => answers[0]))
    expect(harness.queue).toHaveLength(3)
    expect(harness.events.map(({ event }) => event)).toContain('mail-capped')
    await ask('d@example.com', '198.51.100.2')
    expect(harness.queue).toHaveLength(4)
    harness.advance(12 * 3_600_000)
    await ask('d@example.com', '198.51.100.1')
    expect(harness.queue).toHaveLength(5)
  })
})

describe('confirm-email-change', () => {
  const confirm = (token: unknown, password: unknown = ada.password) =>
    send(harness, 'confirm-email-change', { body: { token, password } })

  test('refuses in its order, and only success spends the token', async () => {
    await open()
    const token = await requestMove(harness, moved)
    expect(await complaints(harness, 'confirm-email-change', { token, password: 1 })).toEqual([422, ['/password']])
    expect(await detailOf(confirm('x', 'wrong'))).toEqual([400, 'Invalid or expired email change token'])

    await register(harness, { email: moved, password: 'correct horse' })
    await setAdmin()
    await harness.operator.lock(await find(harness), harness.deps.now())
    expect(await detailOf(confirm(token, 'wrong'))).toEqual([400, 'Incorrect current password'])
    expect(await detailOf(confirm(token))).toEqual([403, 'This account is locked'])
    await harness.operator.unlock(await find(harness), harness.deps.now())
    expect(await detailOf(confirm(token))).toEqual(administrator)
    await harness.operator.setAdmin(await find(harness), false, harness.deps.now())
    harness.config.signUpDomains = ['example.com']
    expect(await detailOf(confirm(token))).toEqual([403, 'This email domain cannot be used here'])
    harness.config.signUpDomains = ['example.org']
    expect(await detailOf(confirm(token))).toEqual([400, 'Email already registered'])
    await harness.deps.accounts.delete(await find(harness, moved), harness.deps.now())
    expect((await confirm(token)).status).toBe(200)
  })

  test('says that one’s own address is taken', async () => {
    await open()
    expect(await detailOf(confirm(await requestMove(harness, ada.email)))).toEqual([400, 'Email already registered'])
  })

  test('counts wrong passwords as logins do, at the address until now', async () => {
    await open()
    const token = await requestMove(harness, moved)
    for (let i = 0; i < 10; i++) await confirm(token, 'wrong')
    harness.advance(2000)
    expect((await confirm(token)).status).toBe(429)
    expect((await send(harness, 'login', { body: ada })).status).toBe(429)
  })

  test('grants nothing to an account that moves to ADMIN_EMAIL', async () => {
    harness.config.adminEmail = moved
    await open()
    await confirm(await requestMove(harness, moved))
    expect((await find(harness, moved)).isAdmin).toBe(false)
  })
})
