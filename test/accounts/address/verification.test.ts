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
