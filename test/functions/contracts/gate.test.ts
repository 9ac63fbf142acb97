import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { endpointNames } from '../../support/api/rows.ts'
import { bearer, goodRequest, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, move, newClient, register } from '../../support/service/people.ts'
import { detailOf } from './refusals.ts'

const harness = createHarness()
const closed = [403, 'Accounts are opened by invitation here']
const elsewhere = [403, 'This email domain cannot be used here']
const administrator = [403, "An administrator's address cannot be changed here"]
const open = (changes: object) => send(harness, 'register', { body: { ...ada, ...changes } })

const setAdmin = async (isAdmin: boolean) => harness.operator.setAdmin(await find(harness), isAdmin, harness.deps.now())

/** Opens Ada's account with a verified address. */
async function openVerified(): Promise<void> {
  const { token } = await register(harness)
  await verifyEmail(harness.deps, newClient(), token)
  harness.advance(1000)
}

describe('where only operators open accounts, register', () => {
  test('refuses after 422 and before all else, and does and says nothing more', async () => {
    await register(harness)
    harness.config.signUp = 'invited'
    harness.config.passwordBlocklist = 'on'
    harness.config.rateLimits = new Map([['register-day', { limit: 1, seconds: 86_400 }]])
    expect((await open({ email: 'ada' })).status).toBe(422)
    harness.queue.length = 0
    harness.calls.length = 0
    const answers = await Promise.all(
      [{}, { email: 'bob@example.com' }, { email: 'admin@example.com' }, { password: 'seven77' }].map(open),
    )
    expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(answers.map(() => closed))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.code).toBe('sign-up-closed')
    expect(harness.calls).toEqual(answers.map(() => 'UpdateItem RateLimits'))
    expect([harness.queue, await harness.accountItems()]).toMatchObject([[], [{ email: ada.email }]])
  })

  test('says so first, wherever the address is', async () => {
    harness.config.signUp = 'invited'
    harness.config.signUpDomains = ['example.net']
    expect(await detailOf(open({}))).toEqual(closed)
  })

  test('is all that is closed: those who have an account log in and move', async () => {
    await openVerified()
    harness.config.signUp = 'invited'
    expect((await send(harness, 'login', { body: ada })).status).toBe(200)
    await move(harness, 'ada@example.org')
    await find(harness, 'ada@example.org')
  })
})

describe('where addresses are at some domains,', () => {
  test.each([
    ['ada@example.com', true],
    [' ADA@Example.COM ', true],
    ['ada@bücher.example', true],
    ['ada@sub.example.com', false],
    ['ada@notexample.com', false],
    ['ada@example.com.attacker.example', false],
    ['example.com@attacker.example', false],
    ['ada@example.co', false],
  ])('register and change-email ask of %s what follows the @: %s', async (email, isListed) => {
    await register(harness, { ...ada, email: 'eve@example.org' })
    const eve = await bearer(harness, 'eve@example.org')
    harness.config.signUpDomains = ['example.com', 'xn--bcher-kva.example']
    const answers = [
      await detailOf(send(harness, 'change-email', { body: { new_email: email }, headers: eve })),
      await detailOf(open({ email })),
    ]
    expect(answers).toEqual(
      isListed
        ? [
            [200, undefined],
            [201, undefined],
          ]
        : [elsewhere, elsewhere],
    )
  })

  test('no refusal lists them', async () => {
    harness.config.signUpDomains = ['customer.example']
    const { body, text } = await open({ password: 'seven77' })
    expect(body).toMatchObject({ status: 403, code: 'email-domain-not-allowed' })
    expect(text).not.toContain('customer')
  })

  test('change-email refuses the others after an administrator’s account, and counts and queues nothing', async () => {
    await openVerified()
    await setAdmin(true)
    harness.config.signUpDomains = ['example.com']
    const ask = async () =>
      send(harness, 'change-email', { body: { new_email: 'ada@example.org' }, headers: await bearer(harness) })
    expect(await detailOf(ask())).toEqual(administrator)
    await setAdmin(false)
    harness.queue.length = 0
    expect(await detailOf(ask())).toEqual(elsewhere)
    expect(harness.queue).toEqual([])
    expect((await harness.items('RateLimits')).filter(({ key }) => String(key).includes('change-email-day'))).toEqual(
      [],
    )
  })
})

test.each(endpointNames)(
  '%s opens nothing where only operators do, and moves to no other domain but back',
  async name => {
    const request = await goodRequest(harness, name)
    const before = await harness.accountItems()
    harness.config.signUp = 'invited'
    harness.config.signUpDomains = ['example.net']
    await send(harness, name, request)
    const after = await harness.accountItems()
    const known = (member: 'id' | 'email') => before.map(item => item[member])
    expect(after.filter(({ id }) => !known('id').includes(id))).toEqual([])
    const isMoved = after.some(({ email }) => !known('email').includes(email))
    expect(isMoved).toBe(name === 'undo')
  },
)
