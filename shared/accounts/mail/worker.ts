import type { DeliveryDeps, Outcome } from './delivery.ts'
import { deliverLink } from './links.ts'
import { deliverNotice } from './notices.ts'
import type { MailMessage } from './queue.ts'

/**
 * Handles one message of the queue. Messages may arrive repeatedly and in any order.
 *
 * @param sentAt when the message was put on the queue
 * @throws {DomainError} `unavailable`; the queue then delivers the message again
 */
export const deliverMail = (deps: DeliveryDeps, message: MailMessage, sentAt: Date): Promise<Outcome> =>
  'account_id' in message ? deliverNotice(deps, message, sentAt) : deliverLink(deps, message, sentAt)
