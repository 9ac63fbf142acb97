/** A fixed window: at most `limit` in each span of `seconds`, spans counted from the epoch. */
export interface Policy {
  limit: number
  seconds: number
}

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour

/** Units of time, in seconds. */
export const spans = new Map([
  ['second', 1],
  ['minute', minute],
  ['hour', hour],
  ['day', day],
])

/**
 * Accounts that one remote may open: more than a company or a class behind one address opens in a day, and few enough that
 * robots need many remotes. `RATE_LIMITS` can change it, by this name.
 */
export const accountsOfRemote = { name: 'register-day', policy: { limit: 200, seconds: day } } as const

/** The window that `now` lies in. */
export function windowOf({ seconds }: Pick<Policy, 'seconds'>, now: Date): { index: number; resetsAt: Date } {
  const index = Math.floor(now.getTime() / 1000 / seconds)
  return { index, resetsAt: new Date((index + 1) * seconds * 1000) }
}
