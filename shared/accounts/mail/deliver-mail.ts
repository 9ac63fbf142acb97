import type { Account } from '../account.ts'
import { isToken, oneTimeToken, type TokenKind } from '../tokens/one-time-token.ts'
import { countLink } from './caps.ts'
import { deliverSetupLink } from './deliver-setup-link.ts'
import { type LinkKind, writeLink } from './letters.ts'
import { tellOfChange, tellOfDeletion, tellOfEmailChange, tellOfKnownPassword, tellOfSetUp } from './notices.ts'
import { type DeliveryDeps, drop, dropCapped, mayStillCome, type Outcome, send } from './outcomes.ts'
import type { LinkMessage, MailMessage, MessageOf } from './queue.ts'

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
    case 'undone':
    case 'email-change':
      return deliverLink(deps, message, sentAt)
    case 'second-factor':
      return deliverSetupLink(deps, message)
    case 'password-changed':
    case 'factor-replaced':
    case 'factor-removed':
    case 'recovery-code-used':
      return tellOfChange(deps, message, sentAt)
    case 'factor-set-up':
      return tellOfSetUp(deps, message, sentAt)
    case 'account-deleted':
      return tellOfDeletion(deps, message, sentAt)
    case 'password-known':
      return tellOfKnownPassword(deps, message)
    case 'email-changed':
      return tellOfEmailChange(deps, message, sentAt)
  }
}

/** The links whose token an account stores. */
type HeldLink = Exclude<LinkMessage, MessageOf<'second-factor'>>

const links: Record<HeldLink['kind'], { kind: TokenKind; letter: LinkKind; path: string }> = {
  registration: { kind: 'verification', letter: 'verification', path: 'verify-email' },
  verification: { kind: 'verification', letter: 'verification', path: 'verify-email' },
  'email-change': { kind: 'verification', letter: 'email-change', path: 'change-email' },
  reset: { kind: 'reset', letter: 'reset', path: 'reset-password' },
  undone: { kind: 'reset', letter: 'reset', path: 'reset-password' },
}

/**
 * Stores a link's token on the account and mails the link.
 *
 * A message newer than the account's last one is stored and mailed. The last one itself is mailed again, as long as its
 * token is unused. Any other is dropped: an older message never replaces a newer one, and a used link never works
 * again. The tokens of `registration` and `undone` are stored by the write that they wait for. Locked accounts get no
 * links, but they do get notices, because those tell what has already happened.
 */
async function deliverLink(deps: DeliveryDeps, message: HeldLink, sentAt: Date): Promise<Outcome> {
  const { kind, letter, path } = links[message.kind]
  const isAwaited = message.kind === 'registration' || message.kind === 'undone'
  const to = message.kind === 'email-change' ? message.new_email : undefined
  const token = oneTimeToken(kind, message.token, new Date(message.requested_at))
  const now = deps.now()

  if (token.expiresAt <= now) return drop(deps, 'expired')
  const account = await findRecipient(deps, message)
  const held = account?.tokens[kind]
  const isNewer = !held?.requestedAt || held.requestedAt < token.requestedAt
  // The account found here may be an older one, which is deleted before the registration writes its own.
  if (isAwaited && isNewer && mayStillCome(deps, sentAt)) return 'early'
  if (!account || !held) return drop(deps, 'no-account')
  if (account.lockedAt !== null) return drop(deps, 'locked', account.id)
  if (kind === 'verification' && to === undefined && account.isVerified) return drop(deps, 'verified', account.id)

  const isStored = held.hash === token.hash && held.requestedAt?.getTime() === message.requested_at
  if (!isStored && (isAwaited || !isNewer)) return drop(deps, 'superseded', account.id)
  if (!(await countLink(deps, message, account))) return dropCapped(deps, account.id)
  if (!isStored && !(await deps.accounts.storeToken(kind, account, token, now, to))) {
    return drop(deps, 'superseded', account.id)
  }
  // Reads once more: meanwhile a newer message may have replaced this link, or the account may be locked.
  const holder = await deps.accounts.find(message.email)
  if (holder?.id !== account.id || holder.tokens[kind].hash !== token.hash) return drop(deps, 'superseded', account.id)
  if (holder.lockedAt !== null) return drop(deps, 'locked', account.id)

  const link = `${deps.config.siteUrl}/${path}?token=${message.token}`
  // Whoever reads mail to a new address learns nothing of the account before entering its password.
  const recipient = to === undefined ? account : { email: to, name: null, isVerified: false }
  return send(deps, recipient.email, writeLink(letter, recipient, link, deps.config), account.id)
}

/** The account at a message's address; none but the one that the message names, if it does. */
async function findRecipient(deps: DeliveryDeps, message: HeldLink): Promise<Account | null> {
  const account = await deps.accounts.find(message.email)
  return 'account_id' in message && message.account_id !== account?.id ? null : account
}
