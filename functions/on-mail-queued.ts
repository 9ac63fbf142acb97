import type { SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { deliverMail } from '../accounts/delivery/deliver-mail.ts'
import { drop, retryDelay } from '../accounts/mail/outcomes.ts'
import { MailMessage, OutdatedMessage } from '../accounts/mail/queue.ts'
import type { Granted } from '../api/deps.ts'
import { batch } from '../api/lambda.ts'
import { logError } from '../shared/base/log.ts'

type WorkerDeps = Granted<'on-mail-queued'>

// mail/outcomes.ts says how long a message waits between tries, infra/constructs/mail.ts how often it is tried, and where
// it goes after that.
const onMailQueued = (deps: WorkerDeps) => batch(record => isHandled(deps, record))

async function isHandled(deps: WorkerDeps, { body, attributes, receiptHandle }: SQSRecord): Promise<boolean> {
  const message = readMessage(body)
  if (message === null) {
    deps.log({ event: 'mail-failed', reason: 'malformed' })
    return false
  }
  try {
    const sentAt = new Date(Number(attributes.SentTimestamp))
    const outcome = message === 'outdated' ? drop(deps, message) : await deliverMail(deps, message, sentAt)
    if (outcome === 'early') await deps.postponeMail(receiptHandle, retryDelay(deps.now().getTime() - sentAt.getTime()))
    return outcome !== 'early'
  } catch (error) {
    deps.log({ event: 'mail-failed' })
    logError(deps, error)
    return false
  }
}

/** Does not say what is wrong: parsers quote their input, which may hold a token. @returns `outdated` for one of 0.4.0 */
function readMessage(body: string): MailMessage | 'outdated' | null {
  try {
    const read = JSON.parse(body)
    return v.is(OutdatedMessage, read) ? 'outdated' : v.parse(MailMessage, read)
  } catch {
    return null
  }
}

export default onMailQueued
