/** A limit on a counter: how many, and until when the counter counts. */
interface Ceiling {
  limit: number
  resetsAt: Date
}

interface GuessLimits {
  perPair: number
  perAddress: number
  resetsAt: Date
}

/**
 * A guess, and where it is counted. It has an id, so that a write which the SDK sends again, since its answer was lost,
 * counts it once and takes it back once.
 */
export interface CountedGuess {
  key: string
  pair: string
  id: string
}

/** Why a guess was not taken: which limit it would pass, and when the newest guess that counts was taken. */
export interface GuessRefusal {
  by: 'pair' | 'address'
  newest: Date
}

/** The rate limits table: atomic counters that expire. */
export interface Counters {
  /** Adds one unless that passes the limit. @returns the count after it, or null when it was refused */
  take(key: string, ceiling: Ceiling): Promise<number | null>
  /** Adds a member to a set unless that makes it larger than the limit. @returns whether it is in the set */
  takeOnce(key: string, member: string, ceiling: Ceiling): Promise<boolean>
  /** Adds a guess to two sets of one item unless that makes either larger than its limit. @returns null when it did */
  takeGuess(guess: CountedGuess, now: Date, limits: GuessLimits): Promise<GuessRefusal | null>
  /** Takes a guess back: it was never made. */
  returnGuess(guess: CountedGuess): Promise<void>
  /** Takes a guess back and clears its pair: it was right. */
  forgiveGuess(guess: CountedGuess): Promise<void>
  /** Clears all counts of a key. */
  clear(key: string): Promise<void>
}
