import { DomainError } from '../errors.ts'
import type { Family } from '../families.ts'
import { logError } from '../log.ts'
import type { ReasonOf, System } from '../system.ts'
import type { CountedGuess, Counters, GuessLimits, GuessRefusal } from './counters.ts'
import { rateLimitFields, secondsUntil, tooMany } from './request-limit.ts'
import { type Policy, windowOf } from './windows.ts'

/** A limit on guesses, and the texts of its refusal. */
export interface GuessLimit {
  /** In the `RateLimit` fields. */
  name: string
  policy: Policy
  /** The logged reason. */
  reason: ReasonOf<'login-limited'>
  /** The limited thing, for the answer's text. */
  what: string
}

type ReturnDeps<F extends Family> = Pick<System, 'log'> & { counters: Pick<Counters<F>, 'returnGuess'> }

/** Counts a guess, and uncounts it after a failed call, which may have counted. @returns null when counted */
export async function takeGuess<F extends Family>(
  deps: ReturnDeps<F> & { counters: Pick<Counters<F>, 'takeGuess'> },
  guess: CountedGuess<F>,
  limits: GuessLimits,
): Promise<GuessRefusal | null> {
  try {
    return await deps.counters.takeGuess(guess, limits)
  } catch (error) {
    await returnGuess(deps, guess)
    throw error
  }
}

/** Uncounts a guess that could not be checked. If that fails, it counts until its window ends. */
export const returnGuess = async <F extends Family>(deps: ReturnDeps<F>, guess: CountedGuess<F>): Promise<void> =>
  deps.counters.returnGuess(guess).catch(cause => logError(deps, cause))

/** Milliseconds that a guess may take: a hash takes half a second, and a login may begin with a cold start. */
const checkTime = 2000

/**
 * Refuses a guess over a limit. While the newest guess may be under check, the refusal lasts only a second: a right
 * guess clears the count.
 *
 * @param refusal with the time of the newest counted guess
 */
export function refuseGuess(
  deps: Pick<System, 'now' | 'log'>,
  { name, policy, reason, what }: GuessLimit,
  refusal: Pick<GuessRefusal, 'newest'>,
): DomainError {
  const now = deps.now()
  if (now.getTime() - refusal.newest.getTime() < checkTime) {
    return new DomainError('too-many-requests', {
      detail: 'Another login is being checked',
      headers: { 'retry-after': '1' },
    })
  }
  deps.log({ event: 'login-limited', reason })
  const count = { name, policy, remaining: 0, resetSeconds: secondsUntil(windowOf(policy, now).resetsAt, now) }
  return tooMany(what, count, rateLimitFields(count))
}
