import { DomainError } from './errors.ts'

/** Logs bugs, and parts of AWS that do not answer. Other refusals are the caller's affair. */
export function report(error: unknown): void {
  if (!(error instanceof DomainError) || error.code === 'unavailable') console.error(withoutInput(error))
}

/**
 * What of an error goes into the log: its name and message, and the stack of a bug. Never its other members, among
 * which libraries like to keep what they were given; and of an answer of AWS not even the message: SES names recipients
 * in its own.
 */
function withoutInput(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error }
  const { name, message, stack, cause } = error
  if (isAnswer(error))
    return { error: name, status: error.$metadata.httpStatusCode, request: error.$metadata.requestId }
  const isBug = !(error instanceof DomainError)
  return { error: name, message, ...(isBug && { stack }), ...(cause !== undefined && { cause: withoutInput(cause) }) }
}

/** Whether AWS has answered with this error, unlike one that came about on the way. */
const isAnswer = (error: Error): error is Error & { $metadata: { httpStatusCode: number; requestId?: string } } =>
  '$metadata' in error && typeof (error.$metadata as { httpStatusCode?: unknown })?.httpStatusCode === 'number'
