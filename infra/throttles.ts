import type { Route } from '../shared/routes.ts'

/** Requests per second, and how many of them at once, of all callers together; API Gateway answers the others 429. */
export interface Throttle {
  rate: number
  burst: number
}

/** Of the whole API: a tenth of the account's quota in a region (API Gateway, "Quotas"), which other APIs share. */
export const stageThrottle: Throttle = { rate: 1000, burst: 500 }

/**
 * A hash takes a whole vCPU for half a second at cost 12: 100 a second keep 50 of the account's 1,000 concurrent
 * executions busy, and an attack costs at most 100 dollars a day (86 GB-seconds a second, at 0.0000133 dollars each).
 */
const hashing: Throttle = { rate: 100, burst: 200 }

/** SES starts senders out of its sandbox at about 14 mails a second ("Managing your sending limits"). */
const mailing: Throttle = { rate: 14, burst: 50 }

/** What a route is throttled to below the stage's own limit. */
export function throttleOf({ hashes, may }: Pick<Route, 'hashes' | 'may'>): Throttle | null {
  if (hashes) return hashing
  return may.MailQueue ? mailing : null
}
