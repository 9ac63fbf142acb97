import type { Configured } from '../base/config.ts'
import { DomainError } from '../base/errors.ts'
import { type CountedGuess, type Counters, type GuessRefusal, pseudonym } from '../base/limits/counters.ts'
import { rateLimitFields, secondsUntil, tooMany } from '../base/limits/request-limit.ts'
import { hour, minute, type Policy, windowOf } from '../base/limits/windows.ts'
import { logError } from '../base/log.ts'
import type { System } from '../base/system.ts'
import type { Accounts } from './account.ts'
import { isRemembered, rememberedClients } from './remembered-clients.ts'

/** Limits on guesses (OWASP ASVS 6.3.1): per pair of client and submitted address, and per submitted address. */
export const guessing = {
  pair: { limit: 10, seconds: 15 * minute },
  address: { limit: 100, seconds: hour },
} as const satisfies Record<string, Policy>

/** Guesses of all remembered clients together in an hour: each has the limit of a pair in each quarter of it. */
const rememberedLimit = rememberedClients * guessing.pair.limit * (guessing.address.seconds / guessing.pair.seconds)

/** Milliseconds that a guess may take: a hash takes half a second, and a login may start cold. */
const checkTime = 2000

type CountDeps = Pick<System, 'now'> & Configured<'rateLimits'> & { counters: Counters }
type GuessDeps = CountDeps & Pick<System, 'randomBytes' | 'log'> & { accounts: Pick<Accounts, 'find'> }

/** Bytes of a guess's id: among the few hundred ids that one item can hold, no two are ever equal. */
const idBytes = 6

async function giveBack(deps: GuessDeps, counted: CountedGuess): Promise<void> {
  await deps.counters.returnGuess(counted).catch(cause => logError(deps, cause))
}

/**
 * Counts a guess at the password of an address and then checks it, so that parallel guesses cannot exceed the limit. A
 * right guess is removed from the count, and so is one whose check fails: an outage must not lock anybody out.
 *
 * @param check returns what a right guess gives access to; null when the guess is wrong
 * @throws {DomainError} `too-many-requests`, `unavailable`, and whatever `check` throws
 */
export async function guess<T>(
  deps: GuessDeps,
  clientAddress: string,
  email: string,
  check: () => Promise<T | null>,
): Promise<T | null> {
  if (deps.config.rateLimits === null) return check()
  const counted = await reserve(deps, clientAddress, email)
  let found: T | null
  try {
    found = await check()
  } catch (error) {
    await giveBack(deps, counted)
    throw error
  }
  if (found !== null) await deps.counters.forgiveGuess(counted)
  return found
}

/**
 * One item per address and hour holds the address's guesses and, by client and quarter of the hour, those of the pairs:
 * one write counts both, and one deletion clears them all.
 *
 * Strangers' guesses do not lock out a client that the account remembers: beyond the limit per address, its guesses are
 * counted apart. Only then is the account looked up, whether it exists or not.
 */
async function reserve(deps: GuessDeps, clientAddress: string, email: string): Promise<CountedGuess> {
  const now = deps.now()
  const { resetsAt } = windowOf(guessing.address, now)
  const pair = `${pseudonym(clientAddress)}#${windowOf(guessing.pair, now).index}`
  const id = Buffer.from(deps.randomBytes(idBytes)).toString('base64url')
  const take = async (counted: CountedGuess, perAddress: number) => {
    try {
      return await deps.counters.takeGuess(counted, { perPair: guessing.pair.limit, perAddress, resetsAt })
    } catch (error) {
      // The guess may be counted all the same.
      await giveBack(deps, counted)
      throw error
    }
  }

  const counted = { key: guessKey(email, now), pair, at: now, id }
  const refusal = await take(counted, guessing.address.limit)
  if (refusal === null) return counted
  if (refusal.by === 'pair' || !(await isKnown(deps, clientAddress, email))) throw refuse(deps, refusal)

  const remembered = { ...counted, key: rememberedKey(counted.key) }
  const rememberedRefusal = await take(remembered, rememberedLimit)
  if (rememberedRefusal === null) return remembered
  throw refuse(deps, rememberedRefusal)
}

async function isKnown({ accounts, now }: GuessDeps, clientAddress: string, email: string): Promise<boolean> {
  const account = await accounts.find(email)
  return account !== null && isRemembered(account, clientAddress, now())
}

const refuse = (deps: GuessDeps, { by, newest }: GuessRefusal): DomainError =>
  refuseGuess(deps, newest, `failed-logins-${by}`, by, guessing[by], 'failed logins for this address')

/**
 * Refuses a guess over a limit. If the newest guess may still be under check, the refusal lasts only a second: a right one
 * clears the count.
 *
 * @param newest when the newest guess that counts was made
 * @param name of the limit, in the `RateLimit` fields
 * @param reason what is logged
 * @param what there is too much of, for the answer's text
 */
export function refuseGuess(
  deps: Pick<System, 'now' | 'log'>,
  newest: Date,
  name: string,
  reason: string,
  policy: Policy,
  what: string,
): DomainError {
  const now = deps.now()
  if (now.getTime() - newest.getTime() < checkTime) {
    return new DomainError('too-many-requests', {
      detail: 'Another login is being checked',
      headers: { 'retry-after': '1' },
    })
  }
  deps.log({ event: 'login-limited', reason })
  const resetSeconds = secondsUntil(windowOf(policy, now).resetsAt, now)
  const count = { name, policy, remaining: 0, resetSeconds }
  return tooMany(what, count, rateLimitFields(count))
}

/** Clears the guesses at an address, when its owner has proven that it is theirs. */
export async function forgiveGuesses(deps: CountDeps, email: string): Promise<void> {
  if (deps.config.rateLimits === null) return
  const key = guessKey(email, deps.now())
  await Promise.all([deps.counters.clear(key), deps.counters.clear(rememberedKey(key))])
}

const rememberedKey = (key: string): string => `remembered-${key}`

const guessKey = (email: string, now: Date): string =>
  `guess#${pseudonym(email)}#${windowOf(guessing.address, now).index}`
