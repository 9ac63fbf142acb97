import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { hashToken } from '../../../accounts/token/token.ts'
import { createHarness } from '../../support/service/harness.ts'
import { find, newClient, register, requestToken } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const second = 1000
const hour = 60 * 60 * second
const day = 24 * hour

describe('a verification token', () => {
  test.each([
    ['works until the last moment of its day', day - 1, true],
    ['is dead when its day is over', day, false],
  ])('%s', async (_, age, works) => {
    const { token } = await register(harness)
    harness.advance(age)
    if (works) await verifyEmail(deps, newClient(), token)
    else
      await expect(verifyEmail(deps, newClient(), token)).rejects.toMatchObject({ code: 'invalid-verification-token' })
    expect((await find(harness)).isVerified).toBe(works)
  })

  test('is cleared with its expiry when it is used', async () => {
    const { token } = await register(harness)
    await verifyEmail(deps, newClient(), token)
    const [item] = await harness.accountItems()
    expect(item).toMatchObject({ is_verified: true, email_verification_requested_at: '2026-03-01T12:00:00.000Z' })
    expect(item).not.toHaveProperty('email_verification_token')
    expect(item).not.toHaveProperty('email_verification_expires')
  })

  test('works once, even when a hundred use it at once', async () => {
    const { token } = await register(harness)
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => verifyEmail(deps, newClient(), token)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('lets one of ten succeed, though each write is sent twice', async () => {
    const { token } = await register(harness)
    harness.retriesWrites = true
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => verifyEmail(deps, newClient(), token)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is replaced by a newer one', async () => {
    const { token: first } = await register(harness)
    harness.advance(second)
    const newer = await requestToken(harness, 'verification')
    await expect(verifyEmail(deps, newClient(), first)).rejects.toMatchObject({ code: 'invalid-verification-token' })
    await verifyEmail(deps, newClient(), newer)
  })

  test.each([
    ['empty', () => ''],
    ['unknown', () => 'A'.repeat(43)],
    ['truncated by one character', (token: string) => token.slice(0, -1)],
    ['longer by one character', (token: string) => `${token}A`],
    ['its own hash', hashToken],
  ])('is refused when it is %s', async (_, change) => {
    const { token } = await register(harness)
    await expect(verifyEmail(deps, newClient(), change(token))).rejects.toMatchObject({
      code: 'invalid-verification-token',
    })
  })
})
