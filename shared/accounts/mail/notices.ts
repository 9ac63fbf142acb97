import type { Configured } from '../../base/config.ts'
import type { System } from '../../base/system.ts'
import type { Account } from '../account.ts'
import { drawToken, hashToken } from '../tokens/one-time-token.ts'
import { countNotice } from './caps.ts'
import { type DeliveryDeps, drop, dropCapped, mayStillCome, type Outcome, queueDelay, send } from './delivery.ts'
import { type NoticeKind, writeNotice } from './letters.ts'
import type { MailQueue, NoticeMessage } from './queue.ts'

/**
 * Announces a write to the account's owner; the caller writes right afterwards. The message is queued first, so that no
 * such write goes unannounced. The worker mails only after it sees the write, so that nothing is announced that did not
 * happen. Only verified addresses get notices: any other may belong to somebody else.
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
 * Mails a notice, after its write has happened. If a password was changed again meanwhile, only the newest change is
 * mailed. A deletion is mailed once, however many requests asked for it.
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
  if (!(await countNotice(deps, message))) return dropCapped(deps, id)
  const owner = account ?? { email, name: null, isVerified: true }
  // The write came right after the message.
  const happenedAt = new Date(message.requested_at)
  return send(deps, email, writeNotice(kind, owner, happenedAt, deps.config), id)
}
