import { describe, expect, test } from 'vitest'
import { forgiveGuesses } from '../../../accounts/password/guesses.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'
import { guessesAt, home, right, wrong } from './guessing.ts'

const harness = createHarness()
const { deps } = harness
const { attempt, exhaustGuesses, guessTimes } = guessesAt(harness)
const minute = 60_000

describe('wrong guesses at a password', () => {
  test('are refused after ten in a quarter of an hour from one client', async () => {
    await guessTimes(10)
    harness.advance(2000)
    const refusal = await refusalOf(attempt())
    expect(refusal.code).toBe('too-many-requests')
    expect(refusal.message).toBe(
      'Too many failed logins for this address: at most 10 in 15 minutes. Try again in 898 seconds.',
    )
    expect(refusal.options.headers).toEqual({
      'retry-after': '898',
      'ratelimit-policy': '"failed-logins-pair";q=10;w=900',
      ratelimit: '"failed-logins-pair";r=0;t=898',
    })
    expect(harness.events.at(-1)).toEqual({ event: 'login-limited', reason: 'pair' })
    harness.advance(15 * minute - 2001)
    await refusalOf(attempt())
    harness.advance(1)
    await attempt()
  })

  test('do not slip through when they come at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => attempt()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('do not slip through from eleven clients at once', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 11 }, (_, i) => i).flatMap(i =>
        Array.from({ length: 12 }, () => attempt(wrong, `198.51.100.${i}`)),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  })

  test('from other clients or at other addresses count apart', async () => {
    await guessTimes(10)
    await attempt(wrong, '203.0.113.8')
    await attempt(wrong, home, 'bob@example.com')
  })

  test('are refused after a hundred in an hour from anywhere', async () => {
    await exhaustGuesses()
    const refusal = await refusalOf(attempt(wrong, '198.51.100.99'))
    expect(refusal.message).toMatch('at most 100 in one hour. Try again in 3598 seconds.')
    expect(harness.events.at(-1)).toEqual({ event: 'login-limited', reason: 'address' })
    harness.advance(60 * minute - 2000)
    await attempt(wrong, '198.51.100.99')
  })

  test('are cleared for all clients when the password is reset', async () => {
    await exhaustGuesses()
    await forgiveGuesses(deps, ada.email)
    await attempt(wrong, '198.51.100.0')
    await attempt(wrong, '198.51.100.99')
  })

  test('are one write each', async () => {
    await attempt()
    expect(harness.calls).toEqual(['UpdateItem RateLimits'])
  })

  test('leave no address in the table, of a person or of a client', async () => {
    await attempt()
    const text = JSON.stringify(await harness.items('RateLimits'))
    expect(text).not.toContain('ada')
    expect(text).not.toContain(home)
  })
})

describe('a right guess', () => {
  test('clears its pair and does not count for the address', async () => {
    await guessTimes(9)
    await attempt(right)
    await guessTimes(10)
    for (let i = 0; i < 8; i++) await guessTimes(10, `198.51.100.${i}`)
    await attempt(wrong, '192.0.2.1')
  })

  test('that was cleared meanwhile leaves no item behind', async () => {
    await attempt(async () => {
      await forgiveGuesses(deps, ada.email)
      return true
    })
    expect(await harness.items('RateLimits')).toEqual([])
  })
})

test('nothing is counted when the limits are off', async () => {
  harness.config.rateLimits = null
  for (let i = 0; i < 20; i++) await attempt()
  await forgiveGuesses(deps, ada.email)
  expect(harness.calls).toEqual([])
})
