import { DomainError } from './errors.ts'
import { type AuthEvent, type CountedEvent, events, type Failure, type System } from './system.ts'

/** Logs bugs and failures of AWS. Other refusals are the caller's mistakes, and are not logged. */
export function logError(deps: Pick<System, 'log'>, error: unknown): void {
  if (!(error instanceof DomainError) || error.code === 'unavailable') deps.log(withoutInput(error))
}

/**
 * The loggable part of an error: name and message, and a bug's stack. Never other members, where libraries keep their
 * input. Without the message if AWS answered: SES names recipients in it.
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

/** Whether AWS answered with this error, unlike a timeout. */
const isAnswer = (error: Error): error is Error & { $metadata: { httpStatusCode: number; requestId?: string } } =>
  '$metadata' in error && typeof (error.$metadata as { httpStatusCode?: unknown })?.httpStatusCode === 'number'

/** CloudWatch's namespace of the metrics: one for each kind of event that alarms count. */
export const metricsNamespace = 'Gatehouse'

/** The only dimension of these metrics. A second one with account ids would make a metric for each account. */
export const stageDimension = 'Stage'

type Counted = AuthEvent<string> & { event: CountedEvent }

export const isCounted = (entry: AuthEvent<string>): entry is Counted => events[entry.event]

/**
 * An event as a log line that CloudWatch counts (Amazon CloudWatch, "Specification: Embedded metric format"). The
 * reason is not part of the metric: people search the log for it.
 */
export const metricLine = ({ event, reason }: Counted, stage: string, now: Date): string =>
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
