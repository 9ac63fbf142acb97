import type { Configured } from '../../base/config.ts'
import type { System } from '../../base/system.ts'
import type { Account } from '../account.ts'
import { drawToken, hashToken } from '../tokens/one-time-token.ts'
import { findMoved } from '../whereabouts.ts'
import { countChange, countDeletion } from './caps.ts'
import { type Recipient, writeNotice } from './letters.ts'
import { type DeliveryDeps, drop, dropCapped, mayStillCome, type Outcome, queueDelay, send } from './outcomes.ts'
import type { MailQueue, MessageOf, NoticeMessage } from './queue.ts'

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
  kind: NoticeMessage['kind'],
  { id, email, isVerified }: Account,
): Promise<string> {
  const token = drawToken(deps)
  if (isVerified && deps.config.mailFrom !== null) {
    await deps.queueMail({ kind, email, account_id: id, token, requested_at: deps.now().getTime() }, queueDelay)
  }
  return hashToken(token)
}

/**
 * Announces a move to the old address, and draws the token of its undo link.
 *
 * @returns the mark of the move, and whether the old mailbox gets the link
 * @throws {DomainError} `unavailable`
 */
export async function announceMove(
  deps: Pick<System, 'randomBytes'> & Configured<'mailFrom'> & { queueMail: MailQueue },
  { id: account_id, email, isVerified }: Account,
  newEmail: string,
  at: Date,
): Promise<{ mark: string; isUndoable: boolean }> {
  const token = drawToken(deps)
  const isUndoable = isVerified && deps.config.mailFrom !== null
  if (isUndoable) {
    const requested_at = at.getTime()
    await deps.queueMail(
      { kind: 'email-changed', email, account_id, new_email: newEmail, is_undoable: isUndoable, token, requested_at },
      queueDelay,
    )
  }
  return { mark: hashToken(token), isUndoable }
}

/** Mails the notice of a changed password. If it was changed again meanwhile, only the newest change is mailed. */
export async function tellOfChange(
  deps: DeliveryDeps,
  message: MessageOf<'password-changed'>,
  sentAt: Date,
): Promise<Outcome> {
  const { account_id: id, token } = message
  const account = await findOwner(deps, message)
  if (account === null) return drop(deps, 'no-account', id)
  if (account.passwordChangedBy !== hashToken(token)) return waitFor(deps, message, sentAt)
  if (!account.isVerified) return drop(deps, 'unverified', id)
  return (await countChange(deps, message)) ? tell(deps, message, account) : dropCapped(deps, id)
}

/** Mails the notice of a deletion, once, however many requests asked for it. */
export async function tellOfDeletion(
  deps: DeliveryDeps,
  message: MessageOf<'account-deleted'>,
  sentAt: Date,
): Promise<Outcome> {
  const { account_id: id, email } = message
  const found = await findMoved(deps, id, email)
  // If it was deleted elsewhere, another notice says so there: here somebody else may have registered.
  if (found.account !== null || found.email !== email) return waitFor(deps, message, sentAt)
  if (!(await countDeletion(deps, message))) return dropCapped(deps, id)
  return tell(deps, message, { email, name: null, isVerified: true })
}

/** Mails the notice of a move, whatever became of the account since. */
export async function tellOfMove(
  deps: DeliveryDeps,
  message: MessageOf<'email-changed'>,
  sentAt: Date,
): Promise<Outcome> {
  const { kind, email, account_id: id, new_email: newEmail, is_undoable, token, requested_at } = message
  if (!(await deps.moves.isDone(hashToken(token)))) return waitFor(deps, message, sentAt)
  const undoLink = is_undoable ? `${deps.config.siteUrl}/undo?token=${token}` : null
  const owner = { email, name: null, isVerified: true }
  return send(deps, email, writeNotice(kind, owner, new Date(requested_at), deps.config, { newEmail, undoLink }), id)
}

async function findOwner(deps: DeliveryDeps, { email, account_id: id }: NoticeMessage): Promise<Account | null> {
  const holder = await deps.accounts.find(email)
  return holder?.id === id ? holder : null
}

/** What becomes of a notice whose write has not happened. */
const waitFor = (deps: DeliveryDeps, { account_id: id }: Pick<NoticeMessage, 'account_id'>, sentAt: Date): Outcome =>
  mayStillCome(deps, sentAt) ? 'early' : drop(deps, 'not-done', id)

/** The write came right after the message. */
const tell = (deps: DeliveryDeps, { kind, email, account_id: id, requested_at }: NoticeMessage, owner: Recipient) =>
  send(deps, email, writeNotice(kind, owner, new Date(requested_at), deps.config), id)
