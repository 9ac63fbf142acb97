import type { AuthEvent } from './deps.ts'

/** Where CloudWatch keeps the counts of authentication events: a metric for each kind of event. */
export const metricsNamespace = 'Gatehouse'

/** Their only dimension. One with an account's id would make a metric of every account. */
export const stageDimension = 'Stage'

/**
 * One event as a line of its own, from which CloudWatch takes a count of one (Amazon CloudWatch, "Specification:
 * Embedded metric format"). The reason only travels along, for whoever searches the log.
 */
export const metricLine = ({ event, reason }: AuthEvent, stage: string, now: Date): string =>
  JSON.stringify({
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: metricsNamespace,
          Dimensions: [[stageDimension]],
          Metrics: [{ Name: event, Unit: 'Count' }],
        },
      ],
    },
    [stageDimension]: stage,
    [event]: 1,
    ...(reason && { reason }),
  })
