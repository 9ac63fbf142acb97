import { DomainError } from '../errors.ts'
import { type Key, keyIn } from '../families.ts'
import { logError } from '../log.ts'
import type { System } from '../system.ts'
import { type Counters, pseudonym } from './counters.ts'
import { type Policy, type RateLimits, spans, windowOf } from './windows.ts'

/** The state of a count. */
interface LimitStatus {
  name: string
  policy: Policy
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

/** The IETF header fields of a count (draft-ietf-httpapi-ratelimit-headers-10 §3, §4). */
export const rateLimitFields = ({ name, policy, remaining, resetSeconds }: LimitStatus): Record<string, string> => ({
  'ratelimit-policy': `"${name}";q=${policy.limit};w=${policy.seconds}`,
  ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
})

export const secondsUntil = (then: Date, now: Date): number =>
  Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000))

/** The refusal of a request over a limit. @param what the limited thing in the plural, for the text */
export function tooMany(
  what: string,
  { policy, resetSeconds }: LimitStatus,
  fields: Record<string, string> = {},
): DomainError {
  return new DomainError('too-many-requests', {
    detail: `Too many ${what}: at most ${policy.limit} in ${inWords(policy.seconds)}. Try again in ${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}.`,
    headers: { 'retry-after': String(resetSeconds), ...fields },
  })
}

function inWords(seconds: number): string {
  const [unit, length] = [...spans].findLast(([, length]) => seconds % length === 0) ?? ['second', 1]
  return seconds === length ? `one ${unit}` : `${seconds / length} ${unit}s`
}

/** The policy of a limit, which settings may change; null for no limit. */
export const policyOf = (
  { config: { rateLimits } }: { config: { rateLimits: RateLimits } },
  name: string,
  usual: Policy,
): Policy | null => rateLimits && (rateLimits.get(name) ?? usual)

interface RequestCount extends LimitStatus {
  key: Key<'Requests'>
  isRefused: boolean
}

/**
 * Counts a request of a client IP address.
 *
 * @returns the count and its key; `isRefused` over the limit
 * @throws {DomainError} `unavailable` when the counters do not answer: it fails closed
 */
export async function countRequest(
  deps: { now(): Date; counters: Pick<Counters<'Requests'>, 'take'> },
  name: string,
  policy: Policy,
  clientAddress: string,
): Promise<RequestCount> {
  const now = deps.now()
  const { index, resetsAt } = windowOf(policy, now)
  const key = keyIn('Requests', name, pseudonym(clientAddress), policy.seconds, index)
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

export type CountWhileDeps = Pick<System, 'now' | 'log'> & {
  config: { rateLimits: RateLimits }
  counters: Pick<Counters<'Requests'>, 'take' | 'giveBack'>
}

/**
 * Counts a request while it runs, and uncounts it if it fails.
 *
 * @param policy null for no limit
 * @param run gets the count, also over the limit
 * @throws {DomainError} `unavailable`, and whatever `run` throws
 */
export async function countWhile<T>(
  deps: CountWhileDeps,
  name: string,
  policy: Policy | null,
  clientAddress: string,
  run: (count: RequestCount | null) => Promise<T>,
): Promise<T> {
  const count = policy && (await countRequest(deps, name, policy, clientAddress))
  try {
    return await run(count)
  } catch (error) {
    if (count?.isRefused === false) await deps.counters.giveBack(count.key).catch(cause => logError(deps, cause))
    throw error
  }
}
