import type { Configured } from '../config.ts'
import type { Refuses } from '../errors.ts'
import type { System } from '../system.ts'
import type { Account } from './account.ts'
import { type DeliveryDeps, drop, mayStillCome, type Outcome, send } from './delivery.ts'
import { queueDelay } from './early-mail.ts'
import { type NoticeKind, writeNotice } from './letters.ts'
import { countNotice } from './mail-caps.ts'
import type { MailQueue, NoticeMessage } from './mail-queue.ts'
import { drawToken, hashToken } from './one-time-token.ts'

export const announceRefuses: Refuses = ['unavailable']

/**
 * Has an owner told of a write that follows at once. The message is queued first, so that no such write goes untold; the
 * worker mails only once the write is there, so that none is told of which did not happen. Only the owner of a verified
 * address is told: another address may be anybody's.
 *
 * @returns the mark that the write must leave on the account
 * @throws {DomainError} `unavailable`
 */
export async function announce(
  deps: Pick<System, 'now' | 'randomBytes'> & Configured<'mailFrom'> & { queueMail: MailQueue },
  kind: NoticeKind,
  { id, email, isVerified }: Account,
): Promise<string> {
  const token = drawToken(deps)
  if (isVerified && deps.config.mailFrom !== null) {
    await deps.queueMail({ kind, email, account_id: id, token, requested_at: deps.now().getTime() }, queueDelay)
  }
  return hashToken(token)
}

/**
 * Mails a notice, once what it tells of has happened. A changed password is told by the notice of the write that set it
 * last; a deletion is told once, however many requests asked for it.
 */
export async function deliverNotice(deps: DeliveryDeps, message: NoticeMessage, sentAt: Date): Promise<Outcome> {
  const { kind, email, account_id: id, token } = message
  const holder = await deps.accounts.find(email)
  const account = holder?.id === id ? holder : null
  const isDeletion = kind === 'account-deleted'
  if (account === null && !isDeletion) return drop(deps, 'no-account', id)

  const hasHappened = isDeletion ? account === null : account?.passwordChangedBy === hashToken(token)
  if (!hasHappened) return mayStillCome(deps, sentAt) ? 'early' : drop(deps, 'not-done', id)
  if (account?.isVerified === false) return drop(deps, 'unverified', id)
  if (!(await countNotice(deps, message))) return drop(deps, 'capped', id)
  const owner = account ?? { email, name: null, isVerified: true }
  return send(deps, email, writeNotice(kind, owner, deps.config), id)
}
