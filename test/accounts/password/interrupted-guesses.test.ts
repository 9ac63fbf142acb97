import { describe, expect, test } from 'vitest'
import { logIn } from '../../../accounts/login/login.ts'
import { guess } from '../../../accounts/password/guesses.ts'
import { DomainError } from '../../../shared/base/errors.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, register } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'
import { guessesAt, home, right, wrong } from './guessing.ts'

const harness = createHarness()
const { deps } = harness
const { attempt, countOf, guessTimes } = guessesAt(harness)

describe('a guess that is taken back', () => {
  const failing = async () => {
    throw new DomainError('unavailable')
  }

  test('leaves the counts as they were', async () => {
    await guessTimes(3)
    await refusalOf(attempt(failing))
    expect(await countOf('guess')).toBe(3)
    await guessTimes(7)
    await refusalOf(attempt())
  })

  test('beside a right one gives nobody an additional guess', async () => {
    await refusalOf(
      attempt(async () => {
        await attempt(right)
        throw new DomainError('unavailable')
      }),
    )
    expect(await countOf('guess')).toBe(0)
    await guessTimes(10)
    await refusalOf(attempt())
  })
})

test('a guess that was counted although the counters did not answer is taken back', async () => {
  const take = deps.counters.takeGuess
  const lost = {
    ...deps.counters,
    takeGuess: async (...guessed: Parameters<typeof take>) => {
      await take(...guessed)
      throw new DomainError('unavailable')
    },
  }
  await expect(
    guess({ ...deps, counters: lost }, { clientAddress: home, email: ada.email, find: async () => null }, wrong),
  ).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await countOf('guess')).toBe(0)
})

describe('a guess under way', () => {
  test('makes the next guess wait a second, because it may be right', async () => {
    const { promise, resolve } = Promise.withResolvers<true>()
    // The others are sent after these are counted: requests need not arrive in order.
    const looks = Array.from({ length: 10 }, () => Promise.withResolvers<void>())
    const underWay = looks.map(look =>
      attempt(() => {
        look.resolve()
        return promise
      }),
    )
    await Promise.all(looks.map(look => look.promise))
    await Promise.all(Array.from({ length: 5 }, () => refusalOf(attempt()))).then(refusals => {
      for (const { message, options } of refusals) {
        expect(message).toBe('Another login is being checked')
        expect(options.headers).toEqual({ 'retry-after': '1' })
      }
    })
    resolve(true)
    await Promise.all(underWay)
    await attempt(right)
  })

  test.each([
    ['is still under way for two seconds', 1999, 'Another login is being checked'],
    ['has failed after them', 2000, 'Too many failed logins'],
  ])('%s', async (_, age, text) => {
    await guessTimes(10)
    harness.advance(age)
    expect((await refusalOf(attempt())).message).toMatch(text)
  })

  test('from another client does not show: the limit of a pair tells nothing about it', async () => {
    await guessTimes(10)
    harness.advance(2000)
    await attempt(async () => {
      expect((await refusalOf(attempt())).message).toMatch('Too many failed logins')
      return true
    }, '203.0.113.8')
  })

  test('from any client makes the next guess wait where the limit of the address refuses', async () => {
    for (let i = 0; i < 9; i++) await guessTimes(10, `198.51.100.${i}`)
    await guessTimes(9, '198.51.100.9')
    harness.advance(2000)
    await attempt(async () => {
      expect((await refusalOf(attempt(wrong, '192.0.2.1'))).message).toBe('Another login is being checked')
      return true
    })
    await attempt(right, '192.0.2.1')
  })

  test('makes no second write', async () => {
    await guessTimes(10)
    harness.calls.length = 0
    await refusalOf(attempt())
    expect(harness.calls).toEqual(['UpdateItem RateLimits', 'GetItem RateLimits'])
  })

  test('lets thirty right logins at once succeed, when each client does what Retry-After says', async () => {
    await register(harness)
    let waiting = 30
    for (let round = 0; round < 5 && waiting > 0; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: waiting }, () => logIn(deps, home, ada)))
      const refused = outcomes.flatMap(outcome =>
        outcome.status === 'rejected' ? [outcome.reason as DomainError] : [],
      )
      for (const { options } of refused) expect(options.headers).toEqual({ 'retry-after': '1' })
      waiting = refused.length
      harness.advance(1000)
    }
    expect(waiting).toBe(0)
  })
})

describe('an outage', () => {
  test('locks nobody out: a guess that could not be checked is uncounted', async () => {
    await register(harness)
    for (let i = 0; i < 20; i++) {
      harness.broken = 'Accounts'
      await expect(logIn(deps, home, ada)).rejects.toMatchObject({ code: 'unavailable' })
      harness.broken = null
    }
    expect(await countOf('guess')).toBe(0)
    await logIn(deps, home, ada)
  })

  test('of the counters as well does not hide the first failure', async () => {
    const failing = attempt(async () => {
      harness.broken = 'RateLimits'
      throw new DomainError('unavailable')
    })
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' })
    expect(harness.failures).toHaveLength(1)
  })
})
