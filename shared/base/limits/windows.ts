// Windows of rate limits. A route's own limit is in its row (api/routes.ts).

/** A fixed window: at most `limit` in each span of `seconds`, counted from the epoch. */
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
 * Accounts that a client IP address may open: more than a company or a class opens in a day, and so few that robots
 * need many addresses. `RATE_LIMITS` can change it by this name.
 */
export const accountsPerClient = { name: 'register-day', policy: { limit: 200, seconds: day } } as const

/** The window at `now`. */
export function windowOf({ seconds }: Pick<Policy, 'seconds'>, now: Date): { index: number; resetsAt: Date } {
  const index = Math.floor(now.getTime() / 1000 / seconds)
  return { index, resetsAt: new Date((index + 1) * seconds * 1000) }
}

/** The policies that `RATE_LIMITS` overrides, by route; null for no limits. */
export type RateLimits = ReadonlyMap<string, Policy> | null

/**
 * Reads the setting `RATE_LIMITS`: `on`, `off`, or overrides such as `login=10/minute,register=5/hour`.
 *
 * @param limited the routes with a limit; not needed for a checked setting
 * @returns a sentence about a mistake
 */
export function parseRateLimits(text: string, limited?: readonly string[]): RateLimits | string {
  if (/^off$/i.test(text)) return null
  const overrides = new Map<string, Policy>()
  if (/^on$/i.test(text)) return overrides
  for (const entry of text.split(',')) {
    const [, name = '', limit, unit = ''] = /^\s*([a-z-]+)\s*=\s*(\d{1,7})\s*\/\s*([a-z]+)\s*$/.exec(entry) ?? []
    const seconds = spans.get(unit)
    if (name !== '' && limited?.includes(name) === false) {
      return `there is no limit '${name}': they are ${limited.join(', ')}`
    }
    if (name === '' || overrides.has(name) || seconds === undefined || Number(limit) < 1) {
      const units = [...spans.keys()].join(', ')
      return `'${entry.trim()}' is not <route>=<number>/<unit>, each route once, a number from 1 on, and a unit of ${units}`
    }
    overrides.set(name, { limit: Number(limit), seconds })
  }
  return overrides
}
