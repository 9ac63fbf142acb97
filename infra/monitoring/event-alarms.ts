import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { metricsNamespace, stageDimension } from '../../shared/base/log.ts'
import { type CountedEvent, events } from '../../shared/base/system.ts'
import { type Optional, type Runbook, type RunbookText, runbooks } from './runbooks.ts'

/** The events that are metrics. */
export const countedEvents = Object.entries(events).flatMap(([name, isCounted]) => (isCounted ? [name] : []))

/** The metric that counts an event in a stage, from the functions' logs. */
export const countOf = (metricName: CountedEvent, stage: string): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { [stageDimension]: stage },
    statistic: Stats.SUM,
  })

const kinds = Object.entries<RunbookText>(runbooks).flatMap(([runbook, { floods }]) =>
  Object.entries(floods ?? {}).map(([event, flood]) => ({
    event: event as CountedEvent,
    ...flood,
    runbook: runbook as Runbook,
  })),
)

/**
 * The alarms on floods of events, with thresholds per number of minutes.
 *
 * @param has the optional parts of the stack
 */
export const floodsFor = (expectedAccounts: number, has: readonly Optional[]) =>
  kinds
    .filter(({ only }) => only === undefined || has.includes(only))
    .map(({ perMillion, least, minutes = 5, event, runbook }) => ({
      event,
      threshold: scale(perMillion, least, expectedAccounts),
      minutes,
      runbook,
    }))

/** Events that are metrics only where settings enable applications, passkeys or providers. */
export const optionalEvents: readonly string[] = kinds.flatMap(({ event, only }) => (only === undefined ? [] : [event]))

/** Requests answered with 429 in five minutes, by limits or throttles. Limits alone alarm at half of this. */
export const tooManyRequestsFor = (expectedAccounts: number): number => scale(1000, 100, expectedAccounts)

/** Requests answered with 5xx in a quarter of an hour, over all endpoints: a failing endpoint may be rarely called. */
export const lastingErrorsFor = (expectedAccounts: number): number => scale(3, 3, expectedAccounts)

const scale = (perMillion: number, least: number, accounts: number): number =>
  Math.max(least, Math.ceil((perMillion * accounts) / 1e6))
