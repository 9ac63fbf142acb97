import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { metricsNamespace, stageDimension } from '../../shared/base/log.ts'
import type { AuthEvent } from '../../shared/base/system.ts'
import type { Runbook } from './runbooks.ts'

/** The metric that counts an event in a stage. The functions log the event. */
export const countOf = (metricName: AuthEvent['event'], stage: string): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { [stageDimension]: stage },
    statistic: Stats.SUM,
  })

/**
 * Events that are harmless one by one, and a sign of an attack in large numbers: in five minutes, for each million of
 * `EXPECTED_ACCOUNTS`, but at least `least`. A million accounts do not reach the thresholds: they log in 460 times in five
 * minutes, and 2,300 times in their busiest hour.
 */
const kinds: readonly { event: AuthEvent['event']; perMillion: number; least: number; runbook: Runbook }[] = [
  // A client that obeys Retry-After is refused once a minute: this takes a hundred such clients at once, or ten.
  { event: 'request-limited', perMillion: 500, least: 50, runbook: 'limited-requests' },
  // A fifth of the logins in the busiest hour. One client may fail ten times per address: at least fifty pairs, or five.
  { event: 'login-failed', perMillion: 500, least: 50, runbook: 'failed-logins' },
  // People give up after a few: this takes some twenty people who forgot their passwords at once, or four.
  { event: 'login-limited', perMillion: 100, least: 20, runbook: 'failed-logins' },
  // Needs an access token, or a link to a new address. One client may fail ten times per account: at least five accounts, or two.
  { event: 'wrong-password', perMillion: 50, least: 20, runbook: 'wrong-passwords' },
  // Needs the right password. One account admits five in a quarter of an hour: at least ten accounts, or four.
  { event: 'wrong-code', perMillion: 50, least: 20, runbook: 'wrong-codes' },
  // One owner in a hundred loses the phone in a month: two do in five minutes.
  { event: 'recovery-code-used', perMillion: 20, least: 5, runbook: 'recovery-codes' },
  // A session's owner and somebody else, or a client that forgets to keep what it gets: 4,600 refresh in five minutes.
  { event: 'session-reused', perMillion: 20, least: 5, runbook: 'reused-sessions' },
  // Of a million accounts, one or two move in five minutes, and six in the busiest hour.
  { event: 'email-changed', perMillion: 50, least: 10, runbook: 'changed-addresses' },
  // Each is an owner whose password somebody else knows.
  { event: 'change-undone', perMillion: 10, least: 3, runbook: 'changed-addresses' },
  // Of a million accounts, 6 register in five minutes, and 29 in the busiest hour. One client may register 200 a day.
  { event: 'registered', perMillion: 100, least: 20, runbook: 'registrations' },
]

/** Their thresholds, in five minutes. */
export const floodsFor = (expectedAccounts: number) =>
  kinds.map(({ perMillion, least, ...flood }) => ({ ...flood, threshold: scaled(perMillion, least, expectedAccounts) }))

/** Requests answered with 429 in five minutes, by limits or throttles. Limits alone have an alarm at half of this. */
export const tooManyRequestsFor = (expectedAccounts: number): number => scaled(1000, 100, expectedAccounts)

const scaled = (perMillion: number, least: number, accounts: number): number =>
  Math.max(least, Math.ceil((perMillion * accounts) / 1e6))
