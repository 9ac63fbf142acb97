import { createHmac } from 'node:crypto'
import type { Family, Key } from '../families.ts'

/** A counter's maximum, and its expiry. */
interface Ceiling {
  limit: number
  resetsAt: Date
}

/** The maximum of two counts of guesses, and their expiry. */
export interface GuessLimits {
  perPair: number
  perAddress: number
  resetsAt: Date
}

/**
 * A guess, its time, and its counters. The SDK retries a write whose answer was lost: thanks to the id the guess is
 * still counted once, and removed once.
 */
export interface CountedGuess<F extends Family = Family> {
  key: Key<F>
  pair: string
  at: Date
  id: string
}

/**
 * Why a guess was refused: the exceeded limit, and the time of its newest guess. So the limit of a pair reveals nothing
 * about others' guesses.
 */
export interface GuessRefusal {
  by: 'pair' | 'address'
  newest: Date
}

/**
 * The rate limits table: atomic counters, which expire.
 *
 * Its members are properties, not methods, so that the compiler checks key prefixes against the row's grants
 * (TypeScript, "strictFunctionTypes").
 */
export interface Counters<F extends Family = Family> {
  /** Adds one within the limit. @returns the new count, or null when the limit is reached */
  take: (key: Key<F>, ceiling: Ceiling) => Promise<number | null>
  /** Undoes one `take`. */
  giveBack: (key: Key<F>) => Promise<void>
  /** Adds a member to a set, within the limit. @returns whether the set has the member */
  takeOnce: (key: Key<F>, member: string, ceiling: Ceiling) => Promise<boolean>
  /** The members of such a set, expired or not. */
  members: (key: Key<F>) => Promise<string[]>
  /** Adds a guess to two sets of an item, within both limits. @returns null when added */
  takeGuess: (guess: CountedGuess<F>, limits: GuessLimits) => Promise<GuessRefusal | null>
  /** Removes a guess that could not be checked. */
  returnGuess: (guess: CountedGuess<F>) => Promise<void>
  /** Removes a right guess, and clears the count of its pair. */
  forgiveGuess: (guess: CountedGuess<F>) => Promise<void>
  /** Clears all counts of a key. */
  clear: (key: Key<F>) => Promise<void>
}

/** Makes these pseudonyms differ from other hashes of the same text. It is no secret. */
const purpose = 'gatehouse counters'

/**
 * Replaces an email or client IP address in the table of counters, so that neither the table nor its backups show any.
 * With a list of candidates it can still be found.
 */
export const pseudonym = (address: string): string =>
  createHmac('sha256', purpose).update(address).digest('base64url').slice(0, characters)

/** 132 bits: no two addresses collide. */
const characters = 22
