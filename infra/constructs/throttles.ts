import { type Row, rows } from '../../shared/needs.ts'

/**
 * Requests per second, and how many of them at once, of all callers together; API Gateway answers the others 429.
 *
 * They bound what an attack costs and how many machines it takes, and stand well above what well-behaved clients send: a
 * client that ignores 429 can spend a throttle for everybody. An HTTP API cannot throttle by caller; what can be put in
 * front is in the README.
 */
interface Throttle {
  rate: number
  burst: number
}

/**
 * Of each route that has no other: three times the busiest route of a million accounts, which is the profile read 40
 * times a month, and in the busiest hour four times as often as on average (62 a second). API Gateway's quota for the
 * whole account is 10,000 a second.
 */
export const stageThrottle: Throttle = { rate: 200, burst: 400 }

/**
 * Of all routes that hash, together. A hash takes a whole vCPU for half a second at cost 12: 100 a second keep some 60
 * of the account's 1,000 concurrent executions busy, and an attack that spends them costs about 200 dollars a day
 * (docs/deploy.md, "What an attack costs"). A million accounts log in 6 times a second in their busiest hour.
 */
const hashing: Throttle = { rate: 100, burst: 200 }

const hashingRoutes = Object.values(rows).flatMap(({ hashes, on = [] }) => (hashes ? on : []))

/** What a route is throttled to by itself; null for the stage's own throttle. */
export function throttleOf({ hashes, throttle }: Row): Throttle | null {
  if (hashes) return share(hashing, hashingRoutes.length)
  return throttle ? { rate: throttle[0], burst: throttle[1] } : null
}

const share = ({ rate, burst }: Throttle, parts: number): Throttle => ({
  rate: Math.floor(rate / parts),
  burst: Math.floor(burst / parts),
})
