import type { Counters } from './counters.ts'
import { type Policy, windowOf } from './policy.ts'
import { pseudonym } from './pseudonym.ts'
import { type LimitStatus, secondsUntil } from './refusal.ts'
import type { RateLimits } from './setting.ts'

/** The policy of a limit, which the settings may change; null when nothing is counted. */
export const policyOf = (
  { config: { rateLimits } }: { config: { rateLimits: RateLimits } },
  name: string,
  usual: Policy,
): Policy | null => rateLimits && (rateLimits.get(name) ?? usual)

/**
 * Counts one request of a remote address.
 *
 * @returns the count and its key; `isRefused` when this request is over the limit
 * @throws {DomainError} `unavailable` when the counters do not answer: the request is refused, not let through
 */
export async function countRequest(
  deps: { now(): Date; counters: Counters },
  name: string,
  policy: Policy,
  remote: string,
): Promise<LimitStatus & { key: string; isRefused: boolean }> {
  const now = deps.now()
  const { index, resetsAt } = windowOf(policy, now)
  const key = `${name}#${pseudonym(remote)}#${policy.seconds}#${index}`
  const count = await deps.counters.take(key, { limit: policy.limit, resetsAt })
  return {
    key,
    name,
    policy,
    remaining: count === null ? 0 : policy.limit - count,
    resetSeconds: secondsUntil(resetsAt, now),
    isRefused: count === null,
  }
}
