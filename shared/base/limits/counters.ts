import { createHmac } from 'node:crypto'
import type { Family, Key } from '../families.ts'

/** How much a counter may hold, and when it expires. */
interface Ceiling {
  limit: number
  resetsAt: Date
}

/** How many guesses two counts may hold, and when both expire. */
export interface GuessLimits {
  perPair: number
  perAddress: number
  resetsAt: Date
}

/**
 * A guess, when it was made, and where it is counted. The SDK repeats a write whose answer was lost: thanks to the id,
 * such a write still counts the guess once, and removes it once.
 */
export interface CountedGuess<F extends Family = Family> {
  key: Key<F>
  pair: string
  at: Date
  id: string
}

/**
 * Why a guess was refused: the limit that it would exceed, and the time of the newest guess that counts for this limit.
 * So the limit of a pair tells nothing about the guesses of others.
 */
export interface GuessRefusal {
  by: 'pair' | 'address'
  newest: Date
}

/**
 * The rate limits table: atomic counters, and marks, that expire.
 *
 * Its members are properties, not methods: for those the compiler would let a function use the keys of families that its
 * row does not grant (TypeScript, "strictFunctionTypes").
 */
export interface Counters<F extends Family = Family> {
  /** Adds one, unless that exceeds the limit. @returns the new count, or null when it would exceed the limit */
  take: (key: Key<F>, ceiling: Ceiling) => Promise<number | null>
  /** Takes back one that was added. */
  giveBack: (key: Key<F>) => Promise<void>
  /** Adds a member to a set, unless the set becomes larger than the limit. @returns whether the set has the member */
  takeOnce: (key: Key<F>, member: string, ceiling: Ceiling) => Promise<boolean>
  /** The members of such a set, which may have expired. */
  members: (key: Key<F>) => Promise<string[]>
  /** Adds a guess to two sets of one item, unless either exceeds its limit. @returns null when the guess was added */
  takeGuess: (guess: CountedGuess<F>, limits: GuessLimits) => Promise<GuessRefusal | null>
  /** Removes a guess that could not be checked. */
  returnGuess: (guess: CountedGuess<F>) => Promise<void>
  /** Removes a guess that was right, and clears the count of its pair. */
  forgiveGuess: (guess: CountedGuess<F>) => Promise<void>
  /** Adds a mark to a set, which then expires with this mark. If the set is full, the mark takes the place of the others. */
  mark: (key: Key<F>, mark: string, ceiling: Ceiling) => Promise<void>
  /** Removes a mark. */
  unmark: (key: Key<F>, mark: string) => Promise<void>
  /** The marks of a key: some may have expired. */
  marks: (key: Key<F>) => Promise<string[]>
  /** Clears all counts of a key. */
  clear: (key: Key<F>) => Promise<void>
}

/** Makes these pseudonyms differ from any other hash of the same text. It is no secret. */
const purpose = 'gatehouse counters'

/**
 * Replaces an email or client address in the table of counters, so that the table and its backups show none. Anyone
 * with a list of candidates can still find out which of them it is.
 */
export const pseudonym = (address: string): string =>
  createHmac('sha256', purpose).update(address).digest('base64url').slice(0, characters)

/** 132 bits: no two addresses share a counter. */
const characters = 22
