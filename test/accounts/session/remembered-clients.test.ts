import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { logOutEverywhere } from '../../../accounts/session/ending.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword } from '../../support/service/owner.ts'
import { ada, find, register } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'
import { guessesAt, home, right, wrong } from '../password/guessing.ts'

const harness = createHarness()
const { deps } = harness
const { attempt, countOf, exhaustGuesses, guessTimes } = guessesAt(harness)
const hour = 60 * 60_000
const day = 24 * hour

describe('a remembered client', () => {
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

  test('is one of five', async () => {
    await register(harness)
    for (let i = 0; i < 6; i++) await logIn(deps, `203.0.113.${i}`, ada)
    expect((await find(harness)).clients).toHaveLength(5)
    await exhaustGuesses()
    await refusalOf(logIn(deps, '203.0.113.0', ada))
    await logIn(deps, '203.0.113.1', ada)
  })

  test.each([
    ['until the last moment of the days that the guide to security names', -1, true],
    ['no longer than these', 0, false],
  ])('is one %s', async (_, more, isOne) => {
    const [, days] = /within (\d+) days has ten guesses/.exec(await readFile('docs/security.md', 'utf8')) ?? []
    await register(harness)
    // In the middle of an hour, so that the guesses and the next login share a window.
    harness.advance(hour / 2)
    await logIn(deps, home, ada)
    harness.advance(Number(days) * day + more - 2000)
    await exhaustGuesses()
    const again = logIn(deps, home, ada)
    if (isOne) await again
    else expect((await refusalOf(again)).code).toBe('too-many-requests')
  })

  test('is written at most once a day, as a hash that reveals no address', async () => {
    const { account } = await register(harness)
    await logIn(deps, home, ada)
    harness.calls.length = 0
    await logIn(deps, home, ada)
    expect(harness.calls.filter(call => call === 'UpdateItem Accounts')).toEqual([])
    harness.advance(day)
    await logIn(deps, home, ada)
    expect(harness.calls.filter(call => call === 'UpdateItem Accounts')).toHaveLength(1)
    const [entry] = (await find(harness)).clients
    expect(entry).toEqual({ hash: expect.stringMatching(/^[\w-]{43}$/), at: deps.now() })
    expect(account.clients).toEqual([])
  })

  test('does not fail the login when it cannot be written', async () => {
    await register(harness)
    harness.beforeCall = command => {
      harness.broken = command === 'UpdateItem' && harness.calls.at(-1) === 'UpdateItem Accounts' ? 'Accounts' : null
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
    expect(known).toEqual(['UpdateItem RateLimits', 'GetItem RateLimits', 'GetItem Accounts', 'GetItem Accounts'])
    expect(await callsFor('nobody@example.com')).toEqual(known)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a log-out everywhere', async () => logOutEverywhere(deps, home, await find(harness))],
    [
      'a change of the password',
      async () =>
        changePassword(deps, home, await find(harness), { current_password: ada.password, new_password: ada.password }),
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

  test('that a verification cannot write does not fail it', async () => {
    const { token } = await register(harness)
    let isSpent = false
    harness.beforeCall = command => {
      harness.broken = isSpent ? 'Accounts' : null
      isSpent ||= command === 'UpdateItem'
    }
    await verifyEmail(deps, home, token)
    harness.beforeCall = () => {}
    harness.broken = null
    expect(await find(harness)).toMatchObject({ isVerified: true, clients: [] })
    expect(harness.failures).toHaveLength(1)
  })
})
