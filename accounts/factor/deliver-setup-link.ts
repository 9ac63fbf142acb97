import { countLink } from '../mail/caps.ts'
import { drop, dropCapped, type Outcome, type SendDeps, send } from '../mail/outcomes.ts'
import { links, type MessageOf } from '../mail/queue.ts'
import { writeLink } from '../mail/templates.ts'
import { letterLanguage } from '../mail/words.ts'
import { lifetimes } from '../token/token.ts'
import { type SetupLinks, setupLinkKey } from './setup-link.ts'

export type SetupLinkDeps = SendDeps & { counters: Pick<SetupLinks, 'storeSetupLink'> }

/** Stores and mails a link that sets up a second factor on an account without one. A newer link does not revoke it. */
export async function deliverSetupLink(deps: SetupLinkDeps, message: MessageOf<'second-factor'>): Promise<Outcome> {
  const { account_id: id, token, requested_at } = message
  const expiresAt = new Date(requested_at + lifetimes['second-factor'])
  if (expiresAt <= deps.now()) return drop(deps, 'expired', id)
  const account = await deps.accounts.find(id)
  if (account === null) return drop(deps, 'no-account', id)
  if (account.lockedAt !== null) return drop(deps, 'locked', id)
  if (account.factor !== null) return drop(deps, 'has-factor', id)
  if (!(await countLink(deps, message, account))) return dropCapped(deps, id)
  const { tokenVersion } = account
  if (!(await deps.counters.storeSetupLink(setupLinkKey(token), { id, tokenVersion, expiresAt }))) {
    return drop(deps, 'superseded', id)
  }
  const { words, linkEnd } = letterLanguage(deps, account.language)
  const link = `${deps.config.siteUrl}/${links['second-factor'].page}?token=${token}${linkEnd}`
  return send(deps, account.email, writeLink(words, 'second-factor', account, link, deps.config), id)
}
