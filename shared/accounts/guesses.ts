import type { Configured } from '../config.ts'
import { DomainError, type Refuses } from '../errors.ts'
import type { CountedGuess, Counters, GuessRefusal } from '../limits/counters.ts'
import { hour, minute, type Policy, windowOf } from '../limits/policy.ts'
import { pseudonym } from '../limits/pseudonym.ts'
import { rateLimitFields, secondsUntil, tooMany } from '../limits/refusal.ts'
import { report } from '../log.ts'
import type { System } from '../system.ts'
import type { Accounts } from './account.ts'
import { isRemembered, rememberedRemotes } from './remembered-remotes.ts'

/** What stops guessing (OWASP ASVS 6.3.1): per pair of remote and submitted address, and per submitted address. */
export const guessing = {
  pair: { limit: 10, seconds: 15 * minute },
  address: { limit: 100, seconds: hour },
} as const satisfies Record<string, Policy>

/** Of remembered remotes together: what each of them has, in each quarter of the hour. */
const ownLimit = rememberedRemotes * guessing.pair.limit * (guessing.address.seconds / guessing.pair.seconds)

/** Milliseconds for which a guess may be under way: a hash takes half a second, and a login may start cold. */
const underWay = 2000

type CountDeps = Pick<System, 'now'> & Configured<'rateLimits'> & { counters: Counters }
type GuessDeps = CountDeps & Pick<System, 'randomBytes' | 'log'> & { accounts: Pick<Accounts, 'find'> }

/** Of a guess's id: among the hundred that one item holds, no two are ever the same. */
const idBytes = 6

async function giveBack(deps: GuessDeps, counted: CountedGuess): Promise<void> {
  await deps.counters.returnGuess(counted).catch(cause => report(deps, cause))
}

export const guessRefuses: Refuses = ['too-many-requests', 'unavailable']

/**
 * Counts a guess at the password of an address, then has it looked at, so that parallel guesses do not slip through. A
 * right one is taken back, and so is one that could not be looked at: an outage locks nobody out.
 *
 * @param look finds what the guess opens; null when it is wrong
 * @throws {DomainError} `too-many-requests`, `unavailable`, and whatever `look` throws
 */
export async function guess<T>(
  deps: GuessDeps,
  remote: string,
  email: string,
  look: () => Promise<T | null>,
): Promise<T | null> {
  if (deps.config.rateLimits === null) return look()
  const counted = await reserve(deps, remote, email)
  let found: T | null
  try {
    found = await look()
  } catch (error) {
    await giveBack(deps, counted)
    throw error
  }
  if (found !== null) await deps.counters.forgiveGuess(counted)
  return found
}

/**
 * One item by address and hour holds the address's guesses and, by remote and quarter of the hour, the pairs': one write
 * counts both, and one deletion clears them all.
 *
 * Strangers' guesses do not lock out a remote that the account remembers: beyond the limit per address it has a count of
 * its own. Only then is the account looked up, and so is one that does not exist.
 */
async function reserve(deps: GuessDeps, remote: string, email: string): Promise<CountedGuess> {
  const now = deps.now()
  const { resetsAt } = windowOf(guessing.address, now)
  const pair = `${pseudonym(remote)}#${windowOf(guessing.pair, now).index}`
  const id = Buffer.from(deps.randomBytes(idBytes)).toString('base64url')
  const take = async (counted: CountedGuess, perAddress: number) => {
    try {
      return await deps.counters.takeGuess(counted, now, { perPair: guessing.pair.limit, perAddress, resetsAt })
    } catch (error) {
      // It may have been counted all the same.
      await giveBack(deps, counted)
      throw error
    }
  }

  const counted = { key: guessKey(email, now), pair, id }
  const refusal = await take(counted, guessing.address.limit)
  if (refusal === null) return counted
  if (refusal.by === 'pair' || !(await isKnown(deps, remote, email))) throw refuse(deps, refusal)

  const own = { ...counted, key: ownKey(counted.key) }
  const ownRefusal = await take(own, ownLimit)
  if (ownRefusal === null) return own
  throw refuse(deps, ownRefusal)
}

async function isKnown({ accounts, now }: GuessDeps, remote: string, email: string): Promise<boolean> {
  const account = await accounts.find(email)
  return account !== null && isRemembered(account, remote, now())
}

/** A guess that is still under way may be right, and then counts no more: whoever comes beside it waits a second. */
function refuse(deps: GuessDeps, { by, newest }: GuessRefusal): DomainError {
  const now = deps.now()
  if (now.getTime() - newest.getTime() < underWay) {
    return new DomainError('too-many-requests', {
      detail: 'Another login is being checked',
      headers: { 'retry-after': '1' },
    })
  }
  deps.log({ event: 'login-limited', reason: by })
  const policy = guessing[by]
  const resetSeconds = secondsUntil(windowOf(policy, now).resetsAt, now)
  const count = { name: `failed-logins-${by}`, policy, remaining: 0, resetSeconds }
  return tooMany('failed logins for this address', count, rateLimitFields(count))
}

/** Clears what was counted against an address: its owner has just proven to be in charge of it. */
export async function forgiveGuesses(deps: CountDeps, email: string): Promise<void> {
  if (deps.config.rateLimits === null) return
  const key = guessKey(email, deps.now())
  await Promise.all([deps.counters.clear(key), deps.counters.clear(ownKey(key))])
}

const ownKey = (key: string): string => `own-${key}`

const guessKey = (email: string, now: Date): string =>
  `guess#${pseudonym(email)}#${windowOf(guessing.address, now).index}`
