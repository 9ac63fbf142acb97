import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, lastMessage, move, newClient, register, requestMove } from '../../support/service/people.ts'
import { badEmails, complaints, detailOf } from './refusals.ts'

const hour = 60 * 60_000
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
  const ask = async (new_email: unknown) =>
    send(harness, 'change-email', { body: { new_email }, headers: await bearer(harness) })

  test('answers alike for a taken, a free and one’s own address, and looks none of them up', async () => {
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

  test('queues a fresh token each time, for the canonical address', async () => {
    await open()
    const { id } = await find(harness)
    await ask('Ada@Example.ORG')
    expect(harness.queue.at(-1)).toEqual({
      delaySeconds: 0,
      message: {
        kind: 'email-change',
        account_id: id,
        new_email: moved,
        token: expect.stringMatching(/^[\w-]{43}$/),
        requested_at: harness.deps.now().getTime(),
        is_excess: false,
      },
    })
  })

  test('of all accounts of a client mails as many links a day as it may open accounts, and answers no other', async () => {
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

  test('is not counted while the queue does not answer', async () => {
    harness.config.rateLimits = new Map([['register-day', { limit: 1, seconds: 86_400 }]])
    await open()
    harness.broken = 'queue'
    for (let i = 0; i < 4; i++) expect((await ask(moved)).status).toBe(503)
    harness.broken = null
    await ask(moved)
    expect(lastMessage(harness)).toMatchObject({ kind: 'email-change', is_excess: false })
  })

  test('refuses with 422 what is no address, and an administrator’s account', async () => {
    await open()
    for (const new_email of badEmails) {
      expect(await complaints(harness, 'change-email', { new_email })).toEqual([422, ['/new_email']])
    }
    await setAdmin()
    expect(await detailOf(ask(moved))).toEqual(administrator)
  })
})

describe('confirm-email-change', () => {
  const confirm = (token: unknown, password: unknown = ada.password) =>
    send(harness, 'confirm-email-change', { body: { token, password } })

  test('moves the account with its id, name and password, once', async () => {
    await open()
    const { id } = await find(harness)
    const token = await requestMove(harness, moved)
    expect((await confirm(token)).body).toEqual({ message: 'Your email address has been changed.', success: true })
    expect(await harness.deps.accounts.findByEmail(ada.email)).toBeNull()
    expect(await find(harness, moved)).toMatchObject({ id, name: 'Ada', isVerified: true, pendingEmail: null })
    expect((await send(harness, 'login', { body: { email: moved, password: ada.password } })).status).toBe(200)
    expect(await detailOf(confirm(token))).toEqual([400, 'Invalid or expired email change token'])
  })

  test('revokes every access token', async () => {
    await open()
    const headers = await bearer(harness)
    await confirm(await requestMove(harness, moved))
    expect((await send(harness, 'get-me', { headers })).status).toBe(401)
  })

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

  test('does not take a token for the account’s own address, nor verify-email a token for another address', async () => {
    const { token } = await register(harness)
    expect((await confirm(token)).status).toBe(400)
    harness.advance(1000)
    const pending = await requestMove(harness, moved)
    expect((await send(harness, 'verify-email', { body: { token: pending } })).status).toBe(400)
    expect((await confirm(pending)).status).toBe(200)
  })
})

test.each([
  ['confirm-email-change', 'in the last millisecond of its day', 24 * hour - 1, 200],
  ['confirm-email-change', 'no longer after its day', 24 * hour, 400],
  ['undo', 'in the last second of its seven days', 7 * 24 * hour - 1000, 200],
  ['undo', 'no longer after seven days', 7 * 24 * hour, 400],
] as const)('%s takes a token %s', async (name, _, age, status) => {
  await open()
  const token = await (name === 'undo' ? move : requestMove)(harness, moved)
  harness.advance(age)
  const body = { token, ...(name === 'confirm-email-change' && { password: ada.password }) }
  expect((await send(harness, name, { body })).status).toBe(status)
})

describe('undo', () => {
  const undo = (token: unknown) => send(harness, 'undo', { body: { token } })
  const refused = [400, 'Invalid or expired undo link']

  test('brings the account back without a password, and queues a reset link to the old address, once', async () => {
    await open()
    const { id } = await find(harness)
    const token = await move(harness, moved)
    expect((await undo(token)).body).toEqual({
      message: 'The change has been undone. A link to choose a new password has been sent.',
      success: true,
    })
    expect(await harness.deps.accounts.findByEmail(moved)).toBeNull()
    expect(await find(harness)).toMatchObject({ id, passwordHash: '*', sessions: [], isVerified: true })
    expect(harness.queue.slice(-2)).toMatchObject([
      { message: { kind: 'change-undone', email: moved, account_id: id } },
      { message: { kind: 'undone', account_id: id } },
    ])
    expect(await detailOf(undo(token))).toEqual(refused)
  })

  test('refuses what is no link, a deleted account’s, and an administrator’s account', async () => {
    expect(await detailOf(undo('x'))).toEqual(refused)
    await open()
    const token = await move(harness, moved)
    await setAdmin(moved)
    expect(await detailOf(undo(token))).toEqual(administrator)
    await harness.deps.accounts.delete(await find(harness, moved), harness.deps.now())
    expect(await detailOf(undo(token))).toEqual(refused)
  })

  test('takes the place of an account at the old address whose address is not verified, and not of a verified one', async () => {
    await open()
    const { id } = await find(harness)
    const token = await move(harness, moved)
    const stranger = await register(harness)
    await verifyEmail(harness.deps, newClient(), stranger.token)
    expect(await detailOf(undo(token))).toEqual(refused)
    await harness.deps.accounts.delete(await find(harness), harness.deps.now())
    await register(harness)
    expect((await undo(token)).status).toBe(200)
    expect((await find(harness)).id).toBe(id)
  })
})
