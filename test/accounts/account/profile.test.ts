import { describe, expect, test } from 'vitest'
import { accountView, changeProfile } from '../../../accounts/account/profile.ts'
import { createHarness } from '../../support/service/harness.ts'
import { register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const second = 1000

describe('renaming', () => {
  test('stores the name, an empty one too', async () => {
    const { account } = await register(harness)
    harness.advance(second)
    expect((await changeProfile(deps, account, { name: 'Countess' })).name).toBe('Countess')
    expect((await changeProfile(deps, account, { name: '' })).name).toBe('')
    const [item] = await harness.accountItems()
    expect(item).toMatchObject({ name: '', updated_at: '2026-03-01T12:00:01.000Z' })
  })

  test('to null changes nothing, and writes nothing', async () => {
    const { account } = await register(harness)
    harness.calls.length = 0
    expect(await changeProfile(deps, account, { name: null })).toEqual(account)
    expect(harness.calls).toEqual([])
  })
})

test('a view of an account has the contract’s fields in its order, and no secret', async () => {
  const { account } = await register(harness)
  expect(JSON.stringify(accountView(deps, account))).toBe(
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
