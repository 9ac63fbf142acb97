import { describe, expect, test } from 'vitest'
import { costOf } from '../../../accounts/password/hash.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, register } from '../../support/service/people.ts'
import { badEmails, complaints, detailOf } from './refusals.ts'

const harness = createHarness()

describe('login', () => {
  test('issues a bearer token that expires after the configured minutes', async () => {
    await register(harness)
    harness.config.accessTokenMinutes = 30
    const { status, body } = await send(harness, 'login', { body: ada })
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 1800,
    })
    const headers = { authorization: `Bearer ${body.access_token}` }
    expect((await send(harness, 'get-me', { headers })).body.email).toBe(ada.email)
  })

  test.each([
    ['a wrong password', { ...ada, password: 'wrong horse' }],
    ['an empty password', { ...ada, password: '' }],
    ['a password over 256 characters', { ...ada, password: 'x'.repeat(257) }],
    ['a password that is no text in Unicode', { ...ada, password: '\ud800' }],
    ['an unknown address', { ...ada, email: 'bob@example.com' }],
  ])('refuses %s in the same words', async (_, body) => {
    await register(harness)
    const answer = await send(harness, 'login', { body })
    expect([answer.status, answer.body.detail]).toEqual([401, 'Incorrect email or password'])
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  test('finds the account whatever the case of the address', async () => {
    await register(harness)
    expect((await send(harness, 'login', { body: { ...ada, email: ' Ada@EXAMPLE.com' } })).status).toBe(200)
  })

  test('takes a password however its accents are typed, twice: the first time it replaces an older hash', async () => {
    const password = 'crème brûlée'
    await register(harness, { ...ada, password: password.normalize('NFC') })
    harness.config.bcryptCost += 1
    const typed = { ...ada, password: password.normalize('NFD') }
    for (const _ of [1, 2]) {
      expect((await send(harness, 'login', { body: typed })).status).toBe(200)
      expect(costOf((await find(harness)).passwordHash)).toBe(harness.config.bcryptCost)
    }
  })

  test('refuses an unverified account while verification is required', async () => {
    await register(harness)
    harness.config.requireEmailVerification = true
    expect(await detailOf(send(harness, 'login', { body: ada }))).toEqual([
      403,
      'Please verify your email address before logging in',
    ])
  })

  test('tells that an account is locked only to a caller who knows its password', async () => {
    const { account } = await register(harness)
    await harness.operator.lock(account, harness.deps.now())
    const { status, body } = await send(harness, 'login', { body: ada })
    expect([status, body.code, body.detail]).toEqual([403, 'account-locked', 'This account is locked'])
    expect(await detailOf(send(harness, 'login', { body: { ...ada, password: 'wrong horse' } }))).toEqual([
      401,
      'Incorrect email or password',
    ])
    await harness.operator.unlock(account, harness.deps.now())
    expect((await send(harness, 'login', { body: ada })).status).toBe(200)
  })

  test('checks the shape, the limits, the credentials, the lock and the verification, in this order', async () => {
    const { token, account } = await register(harness)
    harness.config.requireEmailVerification = true
    await harness.operator.lock(account, harness.deps.now())
    for (let i = 0; i < 10; i++) await send(harness, 'login', { body: { ...ada, password: 'wrong horse' } })
    expect((await send(harness, 'login', { body: { email: ada.email } })).status).toBe(422)
    expect((await send(harness, 'login', { body: ada })).status).toBe(429)
    harness.advance(15 * 60 * 1000)
    expect((await send(harness, 'login', { body: { ...ada, password: 'wrong horse' } })).status).toBe(401)
    expect((await send(harness, 'login', { body: ada })).body.code).toBe('account-locked')
    await harness.operator.unlock(account, harness.deps.now())
    expect((await send(harness, 'login', { body: ada })).body.code).toBe('email-not-verified')
    await send(harness, 'verify-email', { body: { token } })
    expect((await send(harness, 'login', { body: ada })).status).toBe(200)
  })

  test('says which limit on guessing was exceeded, besides its own', async () => {
    for (let i = 0; i < 10; i++) await send(harness, 'login', { body: ada })
    const early = await send(harness, 'login', { body: ada })
    expect([early.body.detail, early.headers['retry-after']]).toEqual(['Another login is being checked', '1'])
    harness.advance(2000)
    const { headers, body } = await send(harness, 'login', { body: ada })
    expect(body.code).toBe('too-many-requests')
    expect(headers['ratelimit-policy']).toBe('"login";q=60;w=60, "failed-logins-pair";q=10;w=900')
    expect(headers.ratelimit).toBe('"login";r=48;t=58, "failed-logins-pair";r=0;t=898')
    expect(headers['retry-after']).toBe('898')
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    for (const email of badEmails)
      expect(await complaints(harness, 'login', { ...ada, email })).toEqual([422, ['/email']])
    for (const password of [undefined, null, 1, {}, []]) {
      expect(await complaints(harness, 'login', { ...ada, password })).toEqual([422, ['/password']])
    }
  })
})
