import type { Configured } from '../config.ts'
import type { Counters } from '../limits/counters.ts'
import { hour, minute, type Policy, windowOf } from '../limits/policy.ts'
import { rateLimitFields, secondsUntil, tooMany } from '../limits/refusal.ts'
import type { System } from '../system.ts'

/** What stops guessing (OWASP ASVS 6.3.1): per pair of remote and submitted address, and per submitted address. */
export const guessing = {
  pair: { limit: 10, seconds: 15 * minute },
  address: { limit: 100, seconds: hour },
} as const satisfies Record<string, Policy>

type GuessDeps = Pick<System, 'now'> & Configured<'rateLimits'> & { counters: Counters }

/** A guess at a password that has been counted before it is looked at, so that parallel guesses do not slip through. */
export interface Guess {
  /** Takes the count back: the guess was right. */
  forgive(): Promise<void>
}

/**
 * Counts a login against the limits on guessing. One item by address and hour holds the address's count and, by remote
 * and quarter of the hour, the pairs': one write counts both, and one deletion clears them all.
 *
 * @throws {DomainError} `too-many-requests`, `unavailable`
 */
export async function reserveGuess(
  deps: GuessDeps & Pick<System, 'log'>,
  remote: string,
  email: string,
): Promise<Guess> {
  if (deps.config.rateLimits === null) return { forgive: async () => {} }
  const now = deps.now()
  const { resetsAt } = windowOf(guessing.address, now)
  const pairWindow = windowOf(guessing.pair, now)
  const key = guessKey(email, now)
  const pair = `${remote}#${pairWindow.index}`
  const refusedBy = await deps.counters.takeGuess(key, pair, {
    perPair: guessing.pair.limit,
    perAddress: guessing.address.limit,
    resetsAt,
  })
  if (refusedBy !== null) {
    deps.log({ event: 'login-limited', reason: refusedBy })
    const standing = {
      name: `failed-logins-${refusedBy}`,
      policy: guessing[refusedBy],
      remaining: 0,
      resetSeconds: secondsUntil(refusedBy === 'pair' ? pairWindow.resetsAt : resetsAt, now),
    }
    throw tooMany('failed logins for this address', standing, rateLimitFields(standing))
  }
  return { forgive: () => deps.counters.forgiveGuess(key, pair) }
}

/** Clears what was counted against an address: its owner has just proven to be in charge of it. */
export async function forgiveGuesses(deps: GuessDeps, email: string): Promise<void> {
  if (deps.config.rateLimits !== null) await deps.counters.clear(guessKey(email, deps.now()))
}

const guessKey = (email: string, now: Date): string => `guess#${email}#${windowOf(guessing.address, now).index}`
