import { describe, expect, test } from 'vitest'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, register } from '../../support/service/people.ts'

const harness = createHarness()

describe('login', () => {
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
})
