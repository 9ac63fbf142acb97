import type { AuthEvent } from '../../shared/system.ts'
import type { Runbook } from './runbooks.ts'

interface Flood {
  event: AuthEvent['event']
  /** In five minutes. */
  threshold: number
  runbook: Runbook
}

/**
 * Events that are nothing alone and an attack in numbers. Each threshold is out of reach of a million accounts, which log
 * in 460 times in five minutes, in their busiest hour 1,850 times.
 */
export const floods: readonly Flood[] = [
  // A client that obeys Retry-After is refused once a minute: it takes a hundred of them at once.
  { event: 'request-limited', threshold: 500, runbook: 'limited-requests' },
  // A quarter of the busiest hour's logins. One remote has ten for an address: these are fifty pairs at least.
  { event: 'login-failed', threshold: 500, runbook: 'failed-logins' },
  // People stop after a few: it takes some twenty who forgot their passwords at once.
  { event: 'login-limited', threshold: 100, runbook: 'failed-logins' },
  // It takes an access token and a wrong password, ten for a remote and an account: five accounts at least.
  { event: 'wrong-password', threshold: 50, runbook: 'wrong-passwords' },
  // A million accounts register 6 times in five minutes, in their busiest hour 24 times. One remote may 300 times.
  { event: 'registered', threshold: 100, runbook: 'registrations' },
]

/** Of requests answered 429, in five minutes: by the limits, which have an alarm of their own at half, and by throttles. */
export const tooManyRequests = 1000
