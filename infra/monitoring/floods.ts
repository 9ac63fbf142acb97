import type { AuthEvent } from '../../shared/runtime/system.ts'
import type { Runbook } from './runbooks.ts'

interface Flood {
  event: AuthEvent['event']
  /** In five minutes. */
  threshold: number
  runbook: Runbook
}

/**
 * Events that are harmless one by one, and a sign of an attack in large numbers. A million accounts do not reach the
 * thresholds: they log in 460 times in five minutes, and 1,850 times in their busiest hour.
 */
export const floods: readonly Flood[] = [
  // A client that obeys Retry-After is refused once a minute: this takes a hundred such clients at once.
  { event: 'request-limited', threshold: 500, runbook: 'limited-requests' },
  // A quarter of the logins in the busiest hour. One remote may fail ten times per address: at least fifty pairs.
  { event: 'login-failed', threshold: 500, runbook: 'failed-logins' },
  // People give up after a few: this takes some twenty people who forgot their passwords at once.
  { event: 'login-limited', threshold: 100, runbook: 'failed-logins' },
  // Needs an access token. One remote may fail ten times per account: at least five accounts.
  { event: 'wrong-password', threshold: 50, runbook: 'wrong-passwords' },
  // Of a million accounts, 6 register in five minutes, and 24 in the busiest hour. One remote may register 200 a day.
  { event: 'registered', threshold: 100, runbook: 'registrations' },
]

/** Requests answered with 429 in five minutes, by limits or throttles. Limits alone have an alarm at half of this. */
export const tooManyRequests = 1000
