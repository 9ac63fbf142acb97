import { isToken, oneTimeToken, type TokenKind } from '../tokens/one-time-token.ts'
import { countLink } from './caps.ts'
import { type DeliveryDeps, drop, dropCapped, mayStillCome, type Outcome, send } from './delivery.ts'
import { writeLink } from './letters.ts'
import { tellOfChange, tellOfDeletion, tellOfKnownPassword } from './notices.ts'
import type { MailMessage, MessageOf } from './queue.ts'
import { deliverSetupLink } from './setup-link.ts'

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
  switch (message.kind) {
    case 'registration':
    case 'verification':
    case 'reset':
      return deliverLink(deps, message, sentAt)
    case 'second-factor':
      return deliverSetupLink(deps, message)
    case 'password-changed':
    case 'factor-set-up':
    case 'factor-replaced':
    case 'factor-removed':
    case 'recovery-code-used':
      return tellOfChange(deps, message, sentAt)
    case 'account-deleted':
      return tellOfDeletion(deps, message, sentAt)
    case 'password-known':
      return tellOfKnownPassword(deps, message)
  }
}

const paths: Record<TokenKind, string> = { verification: 'verify-email', reset: 'reset-password' }

/**
 * Stores a link's token on the account and mails the link.
 *
 * A message newer than the account's last one is stored and mailed. The last one itself is mailed again, as long as its
 * token is unused. Any other is dropped: an older message never replaces a newer one, and a used link never works
 * again. Locked accounts get no links. (They do get notices, because those tell what has already happened.)
 */
async function deliverLink(
  deps: DeliveryDeps,
  message: MessageOf<'registration' | TokenKind>,
  sentAt: Date,
): Promise<Outcome> {
  const kind: TokenKind = message.kind === 'reset' ? 'reset' : 'verification'
  const token = oneTimeToken(kind, message.token, new Date(message.requested_at))
  const now = deps.now()

  if (token.expiresAt <= now) return drop(deps, 'expired')
  const account = await deps.accounts.find(message.email)
  const held = account?.tokens[kind]
  const isNewer = !held?.requestedAt || held.requestedAt < token.requestedAt
  // The account found here may be an older one, which is deleted before the registration writes its own.
  if (message.kind === 'registration' && isNewer && mayStillCome(deps, sentAt)) return 'early'
  if (!account || !held) return drop(deps, 'no-account')
  if (account.lockedAt !== null) return drop(deps, 'locked', account.id)
  if (kind === 'verification' && account.isVerified) return drop(deps, 'verified', account.id)

  const isStored = held.hash === token.hash && held.requestedAt?.getTime() === message.requested_at
  if (!isStored && (message.kind === 'registration' || !isNewer)) return drop(deps, 'superseded', account.id)
  if (!(await countLink(deps, message, account))) return dropCapped(deps, account.id)
  if (!isStored && !(await deps.accounts.storeToken(kind, account, token, now))) {
    return drop(deps, 'superseded', account.id)
  }
  // Reads once more: meanwhile a newer message may have replaced this link, or the account may be locked.
  const holder = await deps.accounts.find(message.email)
  if (holder?.id !== account.id || holder.tokens[kind].hash !== token.hash) return drop(deps, 'superseded', account.id)
  if (holder.lockedAt !== null) return drop(deps, 'locked', account.id)

  const link = `${deps.config.siteUrl}/${paths[kind]}?token=${message.token}`
  return send(deps, account.email, writeLink(kind, account, link, deps.config), account.id)
}
