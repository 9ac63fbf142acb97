import { beforeEach, describe, expect, test } from 'vitest'
import { forgiveGuesses, guess, guessing } from '../../../shared/accounts/guesses.ts'
import { logIn } from '../../../shared/accounts/login.ts'
import { logOutEverywhere } from '../../../shared/accounts/logout.ts'
import { changePassword } from '../../../shared/accounts/passwords/password-change.ts'
import { resetPassword } from '../../../shared/accounts/passwords/password-reset.ts'
import { DomainError } from '../../../shared/errors.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, register, requestToken } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const minute = 60_000
const day = 24 * 60 * minute
const home = '203.0.113.7'

const wrong = async () => null
const right = async () => true as const
const attempt = (look: () => Promise<true | null> = wrong, remote = home, email: string = ada.email) =>
  guess(deps, remote, email, look)
const guessTimes = async (times: number, remote = home) => {
  for (let i = 0; i < times; i++) await attempt(wrong, remote)
}
/** Makes a hundred wrong guesses at one address from ten remotes, and waits until none is under way. */
const exhaustGuesses = async () => {
  for (let i = 0; i < 10; i++) await guessTimes(10, `198.51.100.${i}`)
  harness.advance(2000)
}
const itemsOf = async (kind: string) =>
  (await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith(kind))

/** How many guesses count against an address. */
const countOf = async (kind: string) => {
  const [item] = await itemsOf(kind)
  return item?.guesses instanceof Set ? item.guesses.size : 0
}

describe('wrong guesses at a password', () => {
  test('are refused after ten in a quarter of an hour from one remote', async () => {
    await guessTimes(guessing.pair.limit)
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
    harness.advance(15 * minute - 2001)
    await refusalOf(attempt())
    harness.advance(1)
    await attempt()
  })

  test('do not slip through when they come at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => attempt()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('do not slip through from eleven remotes at once', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 11 }, (_, i) => i).flatMap(i =>
        Array.from({ length: 12 }, () => attempt(wrong, `198.51.100.${i}`)),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  })

  test('from other remotes or at other addresses count apart', async () => {
    await guessTimes(10)
    await attempt(wrong, '203.0.113.8')
    await attempt(wrong, home, 'bob@example.com')
  })

  test('are refused after a hundred in an hour from anywhere', async () => {
    await exhaustGuesses()
    const refusal = await refusalOf(attempt(wrong, '198.51.100.99'))
    expect(refusal.message).toMatch('at most 100 in one hour. Try again in 3598 seconds.')
    harness.advance(60 * minute - 2000)
    await attempt(wrong, '198.51.100.99')
  })

  test('are cleared for all remotes when the password is reset', async () => {
    await exhaustGuesses()
    await forgiveGuesses(deps, ada.email)
    await attempt(wrong, '198.51.100.0')
    await attempt(wrong, '198.51.100.99')
  })

  test('are one write each', async () => {
    await attempt()
    expect(harness.calls).toEqual(['UpdateItem RateLimits'])
  })

  test('leave no address in the table, of a person or of a remote', async () => {
    await attempt()
    const text = JSON.stringify(await harness.items('RateLimits'))
    expect(text).not.toContain('ada')
    expect(text).not.toContain(home)
  })
})

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

describe('a write of the counters that is sent twice, since its answer was lost,', () => {
  beforeEach(() => {
    harness.retriesWrites = true
  })

  test('counts a guess once', async () => {
    await guessTimes(10)
    expect(await countOf('guess')).toBe(10)
    await refusalOf(attempt())
  })

  test('takes a guess back once', async () => {
    await guessTimes(3)
    await attempt(right)
    expect(await countOf('guess')).toBe(3)
    await refusalOf(
      attempt(async () => {
        throw new DomainError('unavailable')
      }),
    )
    expect(await countOf('guess')).toBe(3)
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
  await expect(guess({ ...deps, counters: lost }, home, ada.email, wrong)).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await countOf('guess')).toBe(0)
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

describe('a guess under way', () => {
  test('makes the next guess wait a second, because it may be right', async () => {
    const { promise, resolve } = Promise.withResolvers<true>()
    const underWay = Array.from({ length: 10 }, () => attempt(() => promise))
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
  test('locks nobody out: a guess that could not be checked is taken back', async () => {
    await register(harness)
    for (let i = 0; i < 20; i++) {
      harness.broken = 'Users'
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

describe('a remembered remote', () => {
  test('can log in despite the guesses of strangers, and has ten guesses of its own', async () => {
    await register(harness)
    await logIn(deps, home, ada)
    await exhaustGuesses()
    await logIn(deps, home, ada)
    await guessTimes(10)
    harness.advance(2000)
    expect((await refusalOf(attempt(right))).message).toMatch('at most 10 in 15 minutes')
    expect(await countOf('guess')).toBe(100)
  })

  test('is one of five, for 90 days', async () => {
    await register(harness)
    for (let i = 0; i < 6; i++) await logIn(deps, `203.0.113.${i}`, ada)
    expect((await find(harness)).remotes).toHaveLength(5)
    await exhaustGuesses()
    await refusalOf(logIn(deps, '203.0.113.0', ada))
    await logIn(deps, '203.0.113.1', ada)
    harness.advance(90 * day - 2000 - 1)
    await exhaustGuesses()
    await logIn(deps, '203.0.113.5', ada)
    await forgiveGuesses(deps, ada.email)
    harness.advance(90 * day)
    await exhaustGuesses()
    await refusalOf(logIn(deps, '203.0.113.5', ada))
  })

  test('is written at most once a day, as a hash that reveals no address', async () => {
    const { account } = await register(harness)
    await logIn(deps, home, ada)
    harness.calls.length = 0
    await logIn(deps, home, ada)
    expect(harness.calls.filter(call => call === 'UpdateItem Users')).toEqual([])
    harness.advance(day)
    await logIn(deps, home, ada)
    expect(harness.calls.filter(call => call === 'UpdateItem Users')).toHaveLength(1)
    const [entry] = (await find(harness)).remotes
    expect(entry).toEqual({ hash: expect.stringMatching(/^[\w-]{43}$/), at: deps.now() })
    expect(account.remotes).toEqual([])
  })

  test('does not fail the login when it cannot be written', async () => {
    await register(harness)
    harness.beforeCall = command => {
      harness.broken = command === 'UpdateItem' && harness.calls.at(-1) === 'UpdateItem Users' ? 'Users' : null
    }
    await logIn(deps, home, ada)
    expect(harness.failures).toHaveLength(1)
  })

  test('is looked up only after the limit has refused, and for unknown addresses alike', async () => {
    await register(harness)
    const callsFor = async (email: string) => {
      for (let i = 0; i < 10; i++)
        for (let guesses = 0; guesses < 10; guesses++) await attempt(wrong, `198.51.100.${i}`, email)
      harness.calls.length = 0
      await refusalOf(attempt(wrong, '192.0.2.1', email))
      return [...harness.calls]
    }
    const known = await callsFor(ada.email)
    expect(known).toEqual(['UpdateItem RateLimits', 'GetItem RateLimits', 'GetItem Users'])
    expect(await callsFor('nobody@example.com')).toEqual(known)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a log-out everywhere', async () => logOutEverywhere(deps, home, await find(harness))],
    [
      'a change of the password',
      async () =>
        changePassword(deps, home, await find(harness), { current_password: ada.password, new_password: ada.password }),
    ],
    [
      'a reset',
      async () =>
        resetPassword(deps, home, { token: await requestToken(harness, 'reset'), new_password: ada.password }),
    ],
  ])('is forgotten by %s from another, which stays', async (_, act) => {
    await register(harness)
    await logIn(deps, home, ada)
    await logIn(deps, '203.0.113.8', ada)
    await act()
    await exhaustGuesses()
    await logIn(deps, home, ada)
    await refusalOf(logIn(deps, '203.0.113.8', ada))
  })

  test('is not written by a login that a password change overtook', async () => {
    await register(harness)
    const account = await find(harness)
    await logOutEverywhere(deps, home, account)
    expect(await deps.accounts.rememberRemotes(account, [{ hash: 'late', at: deps.now() }], deps.now())).toBeNull()
    expect((await find(harness)).remotes).toEqual([])
  })
})

test('nothing is counted when the limits are off', async () => {
  harness.config.rateLimits = null
  for (let i = 0; i < 20; i++) await attempt()
  await forgiveGuesses(deps, ada.email)
  expect(harness.calls).toEqual([])
})
