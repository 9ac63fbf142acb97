import { isToken } from '../tokens/one-time-token.ts'
import { type DeliveryDeps, drop, type Outcome } from './delivery.ts'
import { deliverLink } from './links.ts'
import { deliverNotice } from './notices.ts'
import type { MailMessage } from './queue.ts'

/**
 * Milliseconds by which the clock of a function may run ahead of the queue's. A link dated further ahead would replace
 * every link that its owner asks for until then.
 */
const clockSkew = 10_000

/**
 * Handles one message of the queue. Messages may arrive repeatedly and in any order.
 *
 * @param sentAt when the message was put on the queue
 * @throws {DomainError} `unavailable`; the queue then delivers the message again
 */
export async function deliverMail(deps: DeliveryDeps, message: MailMessage, sentAt: Date): Promise<Outcome> {
  if (message.requested_at > sentAt.getTime() + clockSkew) return drop(deps, 'dated-ahead')
  // It becomes part of a link: nothing else may be mailed in its place.
  if (!isToken(message.token)) return drop(deps, 'not-a-token')
  return 'account_id' in message ? deliverNotice(deps, message, sentAt) : deliverLink(deps, message, sentAt)
}
