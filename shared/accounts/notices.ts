import type { Configured } from '../config.ts'
import type { Counters } from '../limits/counters.ts'
import { hour, type Policy, windowOf } from '../limits/policy.ts'
import type { System } from '../system.ts'
import type { Account } from './account.ts'
import { type DeliveryDeps, drop, mayStillCome, type Outcome, send } from './delivery.ts'
import { headStart } from './early-mail.ts'
import { type NoticeKind, writeNotice } from './letters.ts'
import type { MailQueue, NoticeMessage } from './mail-queue.ts'
import { drawToken, hashToken } from './one-time-token.ts'

/** Notices of changed passwords to one account: more than an owner makes, too few to bury them. */
export const noticing: Policy = { limit: 5, seconds: hour }

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
    await deps.queueMail({ kind, email, account_id: id, token, requested_at: deps.now().getTime() }, headStart)
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
  if (!(await takeNotice(deps, message))) return drop(deps, 'capped', id)
  return send(deps, email, writeNotice(kind, { email, name: account?.name ?? null }, deps.config.siteUrl), id)
}

/** Milliseconds for which a deletion is remembered as told: longer than the queue keeps a message. */
const remembered = 48 * hour * 1000

/** Counts a message once, however often it is delivered. @returns false over the cap */
async function takeNotice(
  deps: Configured<'rateLimits'> & { counters: Counters },
  { kind, account_id: id, token, requested_at }: NoticeMessage,
): Promise<boolean> {
  if (kind === 'account-deleted') {
    const resetsAt = new Date(requested_at + remembered)
    return deps.counters.takeOnce(`notice#${kind}#${id}`, hashToken(token), { limit: 1, resetsAt })
  }
  if (deps.config.rateLimits === null) return true
  const { index, resetsAt } = windowOf(noticing, new Date(requested_at))
  return deps.counters.takeOnce(`notice#${kind}#${id}#${index}`, hashToken(token), { limit: noticing.limit, resetsAt })
}
