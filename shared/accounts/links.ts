import { type DeliveryDeps, drop, mayStillCome, type Outcome, send } from './delivery.ts'
import { writeLink } from './letters.ts'
import { countLink } from './mail-caps.ts'
import type { LinkMessage } from './mail-queue.ts'
import { oneTimeToken, type TokenKind } from './one-time-token.ts'

const paths: Record<TokenKind, string> = { verification: 'verify-email', reset: 'reset-password' }

/**
 * Mails a link, once the account holds its token.
 *
 * A message is stored when it is newer than what the account holds, mailed again when it is that very one and its token
 * is unspent, and dropped otherwise: an older one never overtakes a newer, and a used link never comes back to life. To a
 * locked account no link is mailed at all; a notice still is: what it tells of has happened.
 */
export async function deliverLink(deps: DeliveryDeps, message: LinkMessage, sentAt: Date): Promise<Outcome> {
  const kind: TokenKind = message.kind === 'reset' ? 'reset' : 'verification'
  const token = oneTimeToken(kind, message.token, new Date(message.requested_at))
  const now = deps.now()

  if (token.expiresAt <= now) return drop(deps, 'expired')
  const account = await deps.accounts.find(message.email)
  const held = account?.tokens[kind]
  const isNewer = !held?.requestedAt || held.requestedAt < token.requestedAt
  // An older account at the address may be deleted before the registration's own is written.
  if (message.kind === 'registration' && isNewer && mayStillCome(deps, sentAt)) return 'early'
  if (!account || !held) return drop(deps, 'no-account')
  if (account.lockedAt !== null) return drop(deps, 'locked', account.id)
  if (kind === 'verification' && account.isVerified) return drop(deps, 'verified', account.id)

  const isStored = held.hash === token.hash && held.requestedAt?.getTime() === message.requested_at
  if (!isStored && (message.kind === 'registration' || !isNewer)) return drop(deps, 'superseded', account.id)
  if (!(await countLink(deps, message, account))) return drop(deps, 'capped', account.id)
  if (!isStored && !(await deps.accounts.storeToken(kind, account, token, now))) {
    return drop(deps, 'superseded', account.id)
  }
  // Once more: a newer message may have been stored meanwhile, and this link be dead, or the account locked.
  const holder = await deps.accounts.find(message.email)
  if (holder?.id !== account.id || holder.tokens[kind].hash !== token.hash) return drop(deps, 'superseded', account.id)
  if (holder.lockedAt !== null) return drop(deps, 'locked', account.id)

  const link = `${deps.config.siteUrl}/${paths[kind]}?token=${message.token}`
  return send(deps, account.email, writeLink(kind, account, link, deps.config), account.id)
}
