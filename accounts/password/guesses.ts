import type { Configured } from '../../shared/base/config.ts'
import { type Key, keyIn } from '../../shared/base/families.ts'
import { type CountedGuess, type Counters, type GuessRefusal, pseudonym } from '../../shared/base/limits/counters.ts'
import { type GuessLimit, refuseGuess, returnGuess, takeGuess } from '../../shared/base/limits/guess-limit.ts'
import { hour, minute, type Policy, windowOf } from '../../shared/base/limits/windows.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { isRemembered, rememberedClients } from '../session/remembered-clients.ts'

/** Limits on guesses (OWASP ASVS 6.3.1): per pair of client and submitted address, and per submitted address. */
export const guessing = {
  pair: { limit: 10, seconds: 15 * minute },
  address: { limit: 100, seconds: hour },
} as const satisfies Record<string, Policy>

/** Guesses of all remembered clients together in an hour: each has the limit of a pair in each quarter of an hour. */
const rememberedLimit = rememberedClients * guessing.pair.limit * (guessing.address.seconds / guessing.pair.seconds)

type CountDeps = Pick<System, 'now'> & Configured<'rateLimits'>
export type GuessDeps = CountDeps &
  Pick<System, 'randomBytes' | 'log'> & {
    counters: Pick<Counters<'Guesses'>, 'takeGuess' | 'returnGuess' | 'forgiveGuess'>
  }

/** Whose password is guessed, and who guesses. */
export interface Guessed {
  clientAddress: string
  /** The address that guesses are counted for. */
  email: string
  /** Finds the account, or null. */
  find(): Promise<Account | null>
}

/** Bytes of a guess's id: the few hundred ids of an item never collide. */
const idBytes = 6

/**
 * Counts a guess at an address's password before checking it, so that parallel guesses cannot exceed the limit. A right
 * guess is uncounted, and so is a guess whose check fails: an outage must lock nobody out.
 *
 * @param check returns what a right guess gives access to; null when the guess is wrong
 * @throws {DomainError} `too-many-requests`, `unavailable`, and whatever `check` throws
 */
export async function guess<T>(deps: GuessDeps, guessed: Guessed, check: () => Promise<T | null>): Promise<T | null> {
  if (deps.config.rateLimits === null) return check()
  const counted = await reserve(deps, guessed)
  let found: T | null
  try {
    found = await check()
  } catch (error) {
    await returnGuess(deps, counted)
    throw error
  }
  if (found !== null) await deps.counters.forgiveGuess(counted)
  return found
}

/**
 * One item per address and hour holds the address's guesses and, by client and quarter of an hour, those of the pairs:
 * one write counts both, and one deletion clears all.
 *
 * Strangers' guesses do not lock out a remembered client: over the limit per address its guesses are counted apart.
 * Only then is the account looked up, whether it exists or not.
 */
async function reserve(deps: GuessDeps, guessed: Guessed): Promise<CountedGuess<'Guesses'>> {
  const { clientAddress, email } = guessed
  const now = deps.now()
  const { resetsAt } = windowOf(guessing.address, now)
  const pair = `${pseudonym(clientAddress)}#${windowOf(guessing.pair, now).index}`
  const id = Buffer.from(deps.randomBytes(idBytes)).toString('base64url')
  const take = (counted: CountedGuess<'Guesses'>, perAddress: number) =>
    takeGuess(deps, counted, { perPair: guessing.pair.limit, perAddress, resetsAt })

  const counted = { key: guessKey(email, now), pair, at: now, id }
  const refusal = await take(counted, guessing.address.limit)
  if (refusal === null) return counted
  if (refusal.by === 'pair' || !(await isKnown(deps, guessed))) {
    throw refuseGuess(deps, limitOf(refusal.by), refusal)
  }

  const remembered = { ...counted, key: rememberedKey(counted.key) }
  const rememberedRefusal = await take(remembered, rememberedLimit)
  if (rememberedRefusal === null) return remembered
  throw refuseGuess(deps, limitOf(rememberedRefusal.by), rememberedRefusal)
}

async function isKnown({ now }: GuessDeps, { clientAddress, find }: Guessed): Promise<boolean> {
  const account = await find()
  return account !== null && isRemembered(account, clientAddress, now())
}

const limitOf = (by: GuessRefusal['by']): GuessLimit => ({
  name: `failed-logins-${by}`,
  policy: guessing[by],
  reason: by,
  what: 'failed logins for this address',
})

/** Clears the guesses at an address after its owner's proof. */
export async function forgiveGuesses(
  deps: CountDeps & { counters: Pick<Counters<'Guesses'>, 'clear'> },
  email: string,
): Promise<void> {
  if (deps.config.rateLimits === null) return
  const key = guessKey(email, deps.now())
  await Promise.all([deps.counters.clear(key), deps.counters.clear(rememberedKey(key))])
}

const rememberedKey = (key: Key<'Guesses'>): Key<'Guesses'> => `${key}#remembered`

const guessKey = (email: string, now: Date): Key<'Guesses'> =>
  keyIn('Guesses', pseudonym(email), windowOf(guessing.address, now).index)
