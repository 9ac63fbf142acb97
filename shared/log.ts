import { DomainError } from './errors.ts'
import type { AuthEvent, Failure, System } from './system.ts'

/** Logs bugs, and parts of AWS that do not answer. Other refusals are the caller's affair. */
export function report(deps: Pick<System, 'log'>, error: unknown): void {
  if (!(error instanceof DomainError) || error.code === 'unavailable') deps.log(withoutInput(error))
}

/**
 * What of an error goes into the log: its name and message, and the stack of a bug. Never its other members, among
 * which libraries like to keep what they were given; and of an answer of AWS not even the message: SES names recipients
 * in its own.
 */
function withoutInput(error: unknown): Failure {
  if (!(error instanceof Error)) return { error: typeof error }
  const { name, message, stack, cause } = error
  if (isAnswer(error)) {
    const { httpStatusCode: status, requestId: request } = error.$metadata
    return { error: name, status, ...(request !== undefined && { request }) }
  }
  const isBug = !(error instanceof DomainError)
  return {
    error: name,
    message,
    ...(isBug && stack !== undefined && { stack }),
    ...(cause !== undefined && { cause: withoutInput(cause) }),
  }
}

/** Whether AWS has answered with this error, unlike one that came about on the way. */
const isAnswer = (error: Error): error is Error & { $metadata: { httpStatusCode: number; requestId?: string } } =>
  '$metadata' in error && typeof (error.$metadata as { httpStatusCode?: unknown })?.httpStatusCode === 'number'

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
