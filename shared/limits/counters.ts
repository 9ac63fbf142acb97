/** A limit on a counter: how many, and until when the counter counts. */
export interface Ceiling {
  limit: number
  resetsAt: Date
}

export interface GuessLimits {
  perPair: number
  perAddress: number
  resetsAt: Date
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
  /** Adds one to two counts of one item unless that passes either's limit. @returns null when it did */
  takeGuess(key: string, pair: string, now: Date, limits: GuessLimits): Promise<GuessRefusal | null>
  /** Takes one guess back: it was never made. */
  returnGuess(key: string, pair: string): Promise<void>
  /** Takes back one guess and clears its pair's count: it was right. */
  forgiveGuess(key: string, pair: string): Promise<void>
  /** Clears all counts of a key. */
  clear(key: string): Promise<void>
}
