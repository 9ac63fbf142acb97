import type { Configured } from '../base/config.ts'
import type { Counters } from '../base/limits/counters.ts'
import { minute, type Policy, windowOf } from '../base/limits/policy.ts'
import { pseudonym } from '../base/limits/pseudonym.ts'
import { type LimitStatus, secondsUntil } from '../base/limits/refusal.ts'
import type { System } from '../base/system.ts'

/** The policy of a route with a `limit`; null when requests are not counted. */
export function policyOf({ config }: Configured<'rateLimits'>, name: string, limit: number): Policy | null {
  return config.rateLimits && (config.rateLimits.get(name) ?? { limit, seconds: minute })
}

/**
 * Counts one request of a remote address.
 *
 * @returns the count; `isRefused` when this request is over the limit
 * @throws {DomainError} `unavailable` when the counters do not answer: the request is refused, not let through
 */
export async function countRequest(
  deps: Pick<System, 'now'> & { counters: Counters },
  name: string,
  policy: Policy,
  remote: string,
): Promise<LimitStatus & { isRefused: boolean }> {
  const now = deps.now()
  const { index, resetsAt } = windowOf(policy, now)
  const count = await deps.counters.take(`${name}#${pseudonym(remote)}#${policy.seconds}#${index}`, {
    limit: policy.limit,
    resetsAt,
  })
  return {
    name,
    policy,
    remaining: count === null ? 0 : policy.limit - count,
    resetSeconds: secondsUntil(resetsAt, now),
    isRefused: count === null,
  }
}
