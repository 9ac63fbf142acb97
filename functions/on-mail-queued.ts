import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { deliverMail, MailMessage } from '../shared/accounts/mail.ts'
import type { ConsumerDepsOf } from '../shared/deps.ts'
import { mailer, queuedMail, rateLimits, system, users } from '../shared/live.ts'
import { report } from '../shared/report.ts'

type WorkerDeps = ConsumerDepsOf<'on-mail-queued'>

/**
 * Seconds until a registration's mail is tried again when its account is not there yet. Register writes it within its
 * own 10 s, if at all; after that the waits are longer, so that the worker gives the message up before the queue's ten
 * tries make a dead letter of it.
 */
const nextTry = (age: number): number => (age < 15_000 ? 5 : 15)

/** Handles each message of a batch by itself: only those that failed are delivered again. */
const onMailQueued =
  (deps: WorkerDeps) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures = []
    for (const record of Records) {
      if (!(await isHandled(deps, record))) batchItemFailures.push({ itemIdentifier: record.messageId })
    }
    return { batchItemFailures }
  }

async function isHandled(deps: WorkerDeps, { body, attributes, receiptHandle }: SQSRecord): Promise<boolean> {
  const message = readMessage(body)
  if (message === null) {
    deps.log({ event: 'mail-failed', reason: 'malformed' })
    return false
  }
  try {
    const sentAt = new Date(Number(attributes.SentTimestamp))
    const outcome = await deliverMail(deps, message, sentAt)
    if (outcome === 'early') await deps.postponeMail(receiptHandle, nextTry(deps.now().getTime() - sentAt.getTime()))
    return outcome !== 'early'
  } catch (error) {
    deps.log({ event: 'mail-failed' })
    report(error)
    return false
  }
}

/** Without a word about what is wrong: parsers quote what they were given, and there may be a token in it. */
function readMessage(body: string): MailMessage | null {
  try {
    return v.parse(MailMessage, JSON.parse(body))
  } catch {
    return null
  }
}

export default onMailQueued

let bound: ReturnType<typeof onMailQueued> | undefined
export const handler = (event: SQSEvent): Promise<SQSBatchResponse> => {
  bound ??= onMailQueued({ ...system, ...users(), ...rateLimits(), ...queuedMail(), ...mailer() })
  return bound(event)
}
