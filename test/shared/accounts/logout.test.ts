import { describe, expect, test } from 'vitest'
import { logOutEverywhere } from '../../../shared/accounts/logout.ts'
import { find, register } from '../../support/people.ts'
import { createWorld } from '../../support/world.ts'

const world = createWorld()
const remote = '203.0.113.7'
const { deps } = world

describe('logging out everywhere', () => {
  test('raises the token version and nothing else, in one write', async () => {
    await register(world)
    const account = await find(world)
    world.calls.length = 0
    await logOutEverywhere(deps, remote, account)
    expect(world.calls).toEqual(['UpdateItem Users'])
    expect(await find(world)).toEqual({ ...account, tokenVersion: 1 })
    expect(world.events.at(-1)).toEqual({ event: 'logged-out-everywhere', account_id: account.id })
  })

  test('has its effect and success once though its write is sent twice', async () => {
    await register(world)
    world.retriesWrites = true
    await logOutEverywhere(deps, remote, await find(world))
    expect((await find(world)).tokenVersion).toBe(1)
  })

  test('of two at once has one winner', async () => {
    await register(world)
    const account = await find(world)
    const outcomes = await Promise.allSettled([
      logOutEverywhere(deps, remote, account),
      logOutEverywhere(deps, remote, account),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await find(world)).tokenVersion).toBe(1)
  })

  test('tells that the token is void when the account is gone, and brings nothing back', async () => {
    await register(world)
    const account = await find(world)
    await deps.accounts.delete(account)
    await expect(logOutEverywhere(deps, remote, account)).rejects.toMatchObject({ code: 'invalid-access-token' })
    expect(await world.items('Users')).toEqual([])
  })
})
