import { expect, test } from 'vitest'
import { userResponse } from '../../api/make-replies.ts'
import { createHarness } from '../support/service/harness.ts'
import { register } from '../support/service/people.ts'

const harness = createHarness()

test('a view of an account has the fields of the contract in its order, and no secret', async () => {
  const { account } = await register(harness)
  expect(JSON.stringify(userResponse(harness.deps, account))).toBe(
    JSON.stringify({
      id: account.id,
      email: 'ada@example.com',
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: '2026-03-01T12:00:00.000Z',
    }),
  )
})
