import { describe, expect, test } from 'vitest'
import { logOutEverywhere } from '../../../accounts/session/ending.ts'
import { createHarness } from '../../support/service/harness.ts'
import { find, register } from '../../support/service/people.ts'

const harness = createHarness()
const clientAddress = '203.0.113.7'
const { deps } = harness

describe('logging out everywhere', () => {
  test('raises the token version and nothing else, in one write', async () => {
    await register(harness)
    const account = await find(harness)
    harness.calls.length = 0
    await logOutEverywhere(deps, clientAddress, account)
    expect(harness.calls).toEqual(['UpdateItem Accounts'])
    expect(await find(harness)).toEqual({ ...account, tokenVersion: 1 })
    expect(harness.events.at(-1)).toEqual({ event: 'logged-out-everywhere', account_id: account.id })
  })

  test('twice at once succeeds once', async () => {
    await register(harness)
    const account = await find(harness)
    const outcomes = await Promise.allSettled([
      logOutEverywhere(deps, clientAddress, account),
      logOutEverywhere(deps, clientAddress, account),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await find(harness)).tokenVersion).toBe(1)
  })
})
