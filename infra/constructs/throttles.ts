import { isHashing, type Row, rows } from '../../shared/api/needs.ts'
import { functionNames, routeKeysOf } from '../../shared/api/route-keys.ts'

/**
 * Requests per second, and the burst, of all callers together. API Gateway answers requests beyond them with 429.
 *
 * Throttles limit what an attack costs and how many concurrent executions it takes. They are far above what well-behaved
 * clients send, because a client that ignores 429 can use up a throttle for everyone. An HTTP API cannot throttle per
 * caller; README says what to put in front of it.
 */
interface Throttle {
  rate: number
  burst: number
}

/**
 * For each route without its own throttle: three times what a million accounts send to the busiest route. That route
 * reads the profile, 40 times a month per account, and four times the average in the busiest hour (62 a second). API
 * Gateway's quota is 10,000 a second for the account.
 */
export const stageThrottle: Throttle = { rate: 200, burst: 400 }

/**
 * For all routes that hash, together. A hash takes a full vCPU for half a second at cost 12: 100 a second keep some 60 of
 * the account's 1,000 concurrent executions busy, and an attack that spends them costs about 200 dollars a day
 * (docs/deploy.md, "What an attack costs"). A million accounts log in 6 times a second in their busiest hour.
 */
const hashing: Throttle = { rate: 100, burst: 200 }

const hashingRoutes = functionNames.filter(name => isHashing(rows[name])).flatMap(routeKeysOf)

/** The throttle of each route of a row; null for the throttle of the stage. */
export function throttleOf(row: Row): Throttle | null {
  const { throttle } = row
  if (isHashing(row)) return share(hashing, hashingRoutes.length)
  return throttle ? { rate: throttle[0], burst: throttle[1] } : null
}

const share = ({ rate, burst }: Throttle, parts: number): Throttle => ({
  rate: Math.floor(rate / parts),
  burst: Math.floor(burst / parts),
})
