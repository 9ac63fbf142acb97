import { describe, expect, test } from 'vitest'
import { forgiveGuesses, guessing, reserveGuess } from '../../../shared/accounts/guesses.ts'
import { refusalOf } from '../../support/refusal.ts'
import { createWorld } from '../../support/world.ts'

const world = createWorld()
const minute = 60_000

describe('guesses at a password', () => {
  const guess = (remote = '203.0.113.7', email = 'ada@example.com') => reserveGuess(world.deps, remote, email)
  const guessTimes = async (times: number, remote?: string) => {
    for (let i = 0; i < times; i++) await guess(remote)
  }

  test('are refused after ten in a quarter of an hour from one remote', async () => {
    await guessTimes(guessing.pair.limit)
    const refusal = await refusalOf(guess())
    expect(refusal.code).toBe('too-many-requests')
    expect(refusal.message).toBe(
      'Too many failed logins for this address: at most 10 in 15 minutes. Try again in 900 seconds.',
    )
    expect(refusal.particulars.headers).toEqual({
      'retry-after': '900',
      'ratelimit-policy': '"failed-logins-pair";q=10;w=900',
      ratelimit: '"failed-logins-pair";r=0;t=900',
    })
    world.advance(15 * minute - 1)
    await refusalOf(guess())
    world.advance(1)
    await guess()
  })

  test('do not slip through when they come at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => guess()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('from other remotes or at other addresses count apart', async () => {
    await guessTimes(10)
    await guess('203.0.113.8')
    await guess('203.0.113.7', 'bob@example.com')
  })

  test('are refused after a hundred in an hour from anywhere', async () => {
    for (let remote = 0; remote < 10; remote++) await guessTimes(10, `203.0.113.${remote}`)
    const refusal = await refusalOf(guess('198.51.100.1'))
    expect(refusal.message).toMatch('at most 100 in one hour. Try again in 3600 seconds.')
    world.advance(60 * minute)
    await guess('198.51.100.1')
  })

  test('that were right clear their pair and do not count for the address', async () => {
    await guessTimes(9)
    await (await guess()).forgive()
    await guessTimes(10)
    for (let remote = 0; remote < 8; remote++) await guessTimes(10, `198.51.100.${remote}`)
    await guess('192.0.2.1')
  })

  test('are cleared for all remotes when the password is reset', async () => {
    for (let remote = 0; remote < 10; remote++) await guessTimes(10, `203.0.113.${remote}`)
    await forgiveGuesses(world.deps, 'ada@example.com')
    await guess('203.0.113.0')
    await guess('198.51.100.1')
  })

  test('forgiven after they were cleared leave no item behind', async () => {
    const right = await guess()
    await forgiveGuesses(world.deps, 'ada@example.com')
    await right.forgive()
    expect(await world.items('RateLimits')).toEqual([])
  })

  test('are one write each', async () => {
    await guess()
    expect(world.calls).toEqual(['UpdateItem RateLimits'])
  })
})

test('nothing is counted when the limits are off', async () => {
  world.config.rateLimits = null
  for (let i = 0; i < 20; i++) await reserveGuess(world.deps, '203.0.113.7', 'ada@example.com')
  await forgiveGuesses(world.deps, 'ada@example.com')
  expect(world.calls).toEqual([])
})
