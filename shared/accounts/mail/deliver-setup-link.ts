import { setupLinkKey } from '../setup-link.ts'
import { lifetimes } from '../tokens/one-time-token.ts'
import { countLink } from './caps.ts'
import { writeLink } from './letters.ts'
import { type DeliveryDeps, drop, dropCapped, type Outcome, send } from './outcomes.ts'
import type { MessageOf } from './queue.ts'

/**
 * Stores a link with which an account without a second factor sets one up, and mails it. Each link works by itself: a
 * newer one does not void it.
 */
export async function deliverSetupLink(deps: DeliveryDeps, message: MessageOf<'second-factor'>): Promise<Outcome> {
  const { email, account_id: id, token, requested_at } = message
  const expiresAt = new Date(requested_at + lifetimes['second-factor'])
  if (expiresAt <= deps.now()) return drop(deps, 'expired', id)
  const account = await deps.accounts.find(email)
  if (account?.id !== id) return drop(deps, 'no-account', id)
  if (account.lockedAt !== null) return drop(deps, 'locked', id)
  if (account.factor !== null) return drop(deps, 'has-factor', id)
  if (!(await countLink(deps, message, account))) return dropCapped(deps, id)
  const { tokenVersion } = account
  if (!(await deps.counters.storeSetupLink(setupLinkKey(token), { id, tokenVersion, expiresAt }))) {
    return drop(deps, 'superseded', id)
  }
  const link = `${deps.config.siteUrl}/second-factor?token=${token}`
  return send(deps, email, writeLink('second-factor', account, link, deps.config), id)
}
