import type { DeliveryDeps, Outcome } from './delivery.ts'
import { deliverLink } from './links.ts'
import type { MailMessage } from './mail-queue.ts'
import { deliverNotice } from './notices.ts'

/**
 * Handles one message of the queue, as often as it is delivered and in whatever order.
 *
 * @param sentAt when the message was put on the queue
 * @throws {DomainError} `unavailable`: to be delivered again
 */
export const deliverMail = (deps: DeliveryDeps, message: MailMessage, sentAt: Date): Promise<Outcome> =>
  'account_id' in message ? deliverNotice(deps, message, sentAt) : deliverLink(deps, message, sentAt)
