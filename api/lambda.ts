import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { reportSlow } from '../shared/base/timing.ts'

/** `T`, if it has no member that `Shape` lacks. */
export type Exactly<Shape, T extends Shape> = T & { [K in Exclude<keyof T, keyof Shape>]: never }

/** What Lambda calls: an event and its context in, an answer out. */
export type Handler<E, R> = (event: E, context: Context) => Promise<R>

/**
 * Binds a function to Lambda. Its parts of the outside world are made on the first event, and kept as long as the
 * execution environment lives. A part that the function's row grants and that is missing here does not compile, nor does
 * one that the row does not grant.
 */
export function lambda<D, E, R, P extends D>(
  bind: (deps: D) => Handler<E, R>,
  parts: () => Exactly<D, P>,
): Handler<E, R> {
  let handler: Handler<E, R> | undefined
  return (event, context) =>
    reportSlow(async () => {
      handler ??= bind(parts())
      return await handler(event, context)
    })
}

/** Handles each message of a batch by itself, so that the queue delivers only the failed ones again. */
export const batch =
  (isHandled: (record: SQSRecord) => Promise<boolean>) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures = []
    for (const record of Records) {
      if (!(await isHandled(record))) batchItemFailures.push({ itemIdentifier: record.messageId })
    }
    return { batchItemFailures }
  }
