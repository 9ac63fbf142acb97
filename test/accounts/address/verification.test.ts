import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { hashToken } from '../../../accounts/token/token.ts'
import { createHarness } from '../../support/service/harness.ts'
import { newClient, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

describe('a verification token', () => {
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
