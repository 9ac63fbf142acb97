import { DomainError } from '../errors.ts'
import { type Policy, spans } from './policy.ts'

/** The state of a count. */
export interface LimitStatus {
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

/** The refusal of a request over a limit. `detail` names the limit. */
export function tooMany(
  what: string,
  { policy, resetSeconds }: LimitStatus,
  fields: Record<string, string> = {},
): DomainError {
  return new DomainError('too-many-requests', {
    detail: `Too many ${what}: at most ${policy.limit} in ${inWords(policy.seconds)}. Try again in ${resetSeconds} seconds.`,
    headers: { 'retry-after': String(resetSeconds), ...fields },
  })
}

function inWords(seconds: number): string {
  const [unit, length] = [...spans].findLast(([, length]) => seconds % length === 0) ?? ['second', 1]
  return seconds === length ? `one ${unit}` : `${seconds / length} ${unit}s`
}
