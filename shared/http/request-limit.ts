import type { Configured } from '../config.ts'
import type { Counters } from '../limits/counters.ts'
import { minute, type Policy, windowOf } from '../limits/policy.ts'
import { pseudonym } from '../limits/pseudonym.ts'
import { type LimitStatus, secondsUntil } from '../limits/refusal.ts'
import type { System } from '../system.ts'

/** The policy of a route whose row says `limit`; null when its requests are not counted. */
export function policyOf({ config }: Configured<'rateLimits'>, name: string, limit: number): Policy | null {
  return config.rateLimits && (config.rateLimits.get(name) ?? { limit, seconds: minute })
}

/**
 * Counts one request of a remote address.
 *
 * @returns how the count stands; `isRefused` when this request was one too many
 * @throws {DomainError} `unavailable`: the limit is closed, not open, while the counters do not answer
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
