import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'

/** Handles each message of a batch by itself: only those that failed are delivered again. */
export const batch =
  (isHandled: (record: SQSRecord) => Promise<boolean>) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures = []
    for (const record of Records) {
      if (!(await isHandled(record))) batchItemFailures.push({ itemIdentifier: record.messageId })
    }
    return { batchItemFailures }
  }
