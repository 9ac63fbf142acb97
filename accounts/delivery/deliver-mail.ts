import { deliverSetupLink, type SetupLinkDeps } from '../factor/deliver-setup-link.ts'
import { drop, type Outcome } from '../mail/outcomes.ts'
import { isLink, type MailMessage } from '../mail/queue.ts'
import { isToken } from '../token/token.ts'
import { deliverLink, type LinkDeps } from './links.ts'
import { type NoticeDeps, tellOfChange, tellOfDeletion, tellOwner } from './notices.ts'

/**
 * Milliseconds by which a function's clock may run ahead of the queue's. A link dated further ahead would block every
 * link that its owner asks for until then.
 */
const clockSkew = 10_000

/**
 * Handles a message of the queue. Messages may arrive repeatedly and in any order.
 *
 * @param sentAt when the message was put on the queue
 * @throws {DomainError} `unavailable`; the queue then delivers the message again
 */
export async function deliverMail(
  deps: LinkDeps & NoticeDeps & SetupLinkDeps,
  message: MailMessage,
  sentAt: Date,
): Promise<Outcome> {
  if (message.requested_at > sentAt.getTime() + clockSkew) return drop(deps, 'dated-ahead')
  // The token becomes part of a link, so nothing else may take its place.
  if (!isToken(message.token)) return drop(deps, 'not-a-token')
  if (isLink(message))
    return message.kind === 'second-factor' ? deliverSetupLink(deps, message) : deliverLink(deps, message, sentAt)
  switch (message.kind) {
    case 'password-changed':
    case 'invitation-accepted':
    case 'factor-replaced':
    case 'factor-removed':
    case 'passkey-removed':
    case 'provider-disconnected':
    case 'recovery-code-used':
    case 'password-known':
    case 'session-reused':
      return tellOwner(deps, message, sentAt)
    case 'factor-set-up':
    case 'passkey-added':
    case 'provider-connected':
    case 'email-changed':
    case 'moved-by-operator':
    case 'change-undone':
      return tellOfChange(deps, message, sentAt)
    case 'account-deleted':
      return tellOfDeletion(deps, message, sentAt)
  }
}
