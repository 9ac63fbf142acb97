import type { Configured } from '../../shared/base/config.ts'
import type { ReasonOf } from '../../shared/base/system.ts'
import { type Account, type AddressReads, noPassword } from '../account/account.ts'
import { undoable } from '../change/change.ts'
import type { Provider } from '../identity/provider.ts'
import { countLink } from '../mail/caps.ts'
import { drop, dropCapped, mayStillCome, type Outcome, type SendDeps, send } from '../mail/outcomes.ts'
import { type LinkMessage, links, type MessageOf } from '../mail/queue.ts'
import { writeLink } from '../mail/templates.ts'
import { letterLanguage } from '../mail/words.ts'
import { askedAtReset, loginsOf } from '../password/logins.ts'
import { oneTimeToken, type TokenKind } from '../token/token.ts'
import type { TokenWrites } from '../token/writes.ts'

export type LinkDeps = SendDeps &
  Configured<'passkeyRpId' | 'secondFactor'> & {
    accounts: AddressReads
    tokens: Pick<TokenWrites, 'store'>
    providers: readonly Provider[]
  }

/** The links whose token an account stores. */
type HeldLink = Exclude<LinkMessage, MessageOf<'second-factor'>>

/**
 * Stores a link's token on the account and mails the link.
 *
 * A message newer than the account's last one is stored and mailed. The last one is mailed again while its token is
 * unused. Any other is dropped: an older message never replaces a newer one, and a used link never works again. Locked
 * accounts get no links, but do get notices of what has already happened.
 *
 * An invited account that asks for a reset link gets its invitation anew, with the same expiry: a lost mail needs no
 * operator, and a stranger cannot extend it.
 */
export async function deliverLink(deps: LinkDeps, message: HeldLink, sentAt: Date): Promise<Outcome> {
  const { token: kind, lifetime, isAwaited } = links[message.kind]
  const to = message.kind === 'email-change' ? message.new_email : undefined
  const requested = oneTimeToken(lifetime, message.token, new Date(message.requested_at))
  const now = deps.now()

  if (requested.expiresAt <= now) return drop(deps, 'expired')
  const account = await ('email' in message
    ? deps.accounts.findByEmail(message.email)
    : deps.accounts.find(message.account_id))
  const held = account?.tokens[kind]
  const isNewer = !held?.requestedAt || held.requestedAt < requested.requestedAt
  // This account may be an older one, deleted before the registration writes its own.
  if (isAwaited && isNewer && mayStillCome(deps, sentAt)) return 'early'
  if (!account || !held) return drop(deps, 'no-account')
  const refusal = refusalOf(account, kind, to !== undefined, now)
  if (refusal !== null) return drop(deps, refusal, account.id)

  const invitedUntil = kind === 'reset' ? account.invitedUntil : null
  const token = invitedUntil ? { ...requested, expiresAt: invitedUntil } : requested
  const isStored = held.hash === token.hash && held.requestedAt?.getTime() === message.requested_at
  if (!isStored && (isAwaited || !isNewer)) return drop(deps, 'superseded', account.id)
  if (!(await countLink(deps, message, account))) return dropCapped(deps, account.id)
  const lists = kind === 'reset' ? undoable(account, now).map(change => change.hash) : []
  if (!isStored && !(await deps.tokens.store(kind, account, token, now, { to, lists }))) {
    return drop(deps, 'superseded', account.id)
  }
  // A consistent read: a newer message may have replaced this link, the account may have moved, or be locked by now.
  const holder = await deps.accounts.find(account.id)
  const isHolder = holder?.email === account.email && holder.tokens[kind].hash === token.hash
  if (!isHolder) return drop(deps, 'superseded', account.id)
  if (holder.lockedAt !== null) return drop(deps, 'locked', account.id)

  const { words, linkEnd } = letterLanguage(deps, holder.language)
  const { letter, page } = invitedUntil ? links.invitation : links[message.kind]
  const client = 'client' in message && message.client ? `&client=${message.client}` : ''
  const isReset = letter === 'reset'
  const logins = isReset ? loginsOf(deps, holder) : undefined
  const about = isReset ? aboutReset(deps, holder) : ''
  const link = `${deps.config.siteUrl}/${page}?token=${message.token}${linkEnd}${client}${about}`
  // A reader of mail to a new address learns nothing about the account before entering its password.
  const recipient = to === undefined ? holder : { email: to, name: null, isVerified: false }
  const hadInvitation = message.kind === 'undone' && message.had_invitation
  const mail = writeLink(words, letter, recipient, link, deps.config, invitedUntil, logins, hadInvitation)
  return send(deps, recipient.email, mail, account.id)
}

/** Facts about the account for the page of a reset link: whether to ask about other logins, and whether it never had a password. */
function aboutReset(deps: LinkDeps, account: Account): string {
  const asked = askedAtReset(deps, account)
  const logins = asked.length > 0 ? '&logins=1' : ''
  const app = asked.some(({ kind }) => kind === 'app') ? '&app=1' : ''
  const isFirst = account.passwordHash === noPassword && account.formerPasswordHash === null
  return `${logins}${app}${isFirst ? '&first=1' : ''}`
}

/** Why an account gets no link of a kind; null where it does. @param isToNew whether the link goes to a new address */
function refusalOf(
  { lockedAt, invitedUntil, isVerified }: Account,
  kind: TokenKind,
  isToNew: boolean,
  now: Date,
): ReasonOf<'mail-dropped'> | null {
  if (lockedAt !== null) return 'locked'
  if (kind === 'reset') return invitedUntil !== null && invitedUntil <= now ? 'invitation-expired' : null
  if (invitedUntil !== null) return 'invited'
  return isVerified && !isToNew ? 'verified' : null
}
