import type { Configured } from '../../base/config.ts'
import type { System } from '../../base/system.ts'
import type { Account } from '../account.ts'
import { findByFormerEmail, type Undoable } from '../email-change.ts'
import { drawToken, hashToken, lifetimes } from '../tokens/one-time-token.ts'
import { countChange, countDeletion, countKnownPassword } from './caps.ts'
import { type NoticeDetails, type Recipient, writeNotice } from './letters.ts'
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
  { id: account_id, email, isVerified, tokenVersion: token_version }: Account,
): Promise<string> {
  const token = drawToken(deps)
  if (isVerified && deps.config.mailFrom !== null) {
    const message = { email, account_id, token, requested_at: deps.now().getTime() }
    await deps.queueMail(
      kind === 'factor-set-up' ? { ...message, kind, token_version } : { ...message, kind },
      queueDelay,
    )
  }
  return hashToken(token)
}

/**
 * Announces a change of address to the old address, and draws the token of its undo link.
 *
 * @returns the mark of the change, and whether the old mailbox gets the link
 * @throws {DomainError} `unavailable`
 */
export async function announceEmailChange(
  deps: Pick<System, 'randomBytes'> & Configured<'mailFrom'> & { queueMail: MailQueue },
  { id: account_id, email, isVerified, factor }: Account,
  newEmail: string,
  at: Date,
): Promise<{ mark: string; isUndoable: boolean }> {
  const token = drawToken(deps)
  // A mailbox alone must not undo what took a second factor.
  const isTold = isVerified && deps.config.mailFrom !== null
  const isUndoable = isTold && factor === null
  if (isTold) {
    const requested_at = at.getTime()
    await deps.queueMail(
      { kind: 'email-changed', email, account_id, new_email: newEmail, is_undoable: isUndoable, token, requested_at },
      queueDelay,
    )
  }
  return { mark: hashToken(token), isUndoable }
}

/** Where the write that a notice tells of leaves its mark on the account. */
const marks = {
  'password-changed': 'passwordChangedBy',
  'factor-replaced': 'factorChangedBy',
  'factor-removed': 'factorChangedBy',
  'recovery-code-used': 'recoveryCodeUsedBy',
} as const satisfies Partial<Record<NoticeMessage['kind'], keyof Account>>

/** Mails the notice of a change. If the same was changed again meanwhile, only the newest change is mailed. */
export async function tellOfChange(
  deps: DeliveryDeps,
  message: MessageOf<keyof typeof marks>,
  sentAt: Date,
): Promise<Outcome> {
  const { kind, account_id: id, token } = message
  const account = await findOwner(deps, message)
  if (account === null) return drop(deps, 'no-account', id)
  if (account[marks[kind]] !== hashToken(token)) return waitFor(deps, message, sentAt)
  if (!account.isVerified) return drop(deps, 'unverified', id)
  if (!(await countChange(deps, message))) return dropCapped(deps, id)
  return tell(deps, message, account, { codesLeft: account.factor?.recoveryCodes.length ?? 0 })
}

/**
 * Mails the notice of a first second factor, with a link that undoes it, to the address that the account had then,
 * whatever became of it since. Whoever set it up cannot prevent that by setting up another one or by moving the account.
 */
export async function tellOfSetUp(
  deps: DeliveryDeps,
  message: MessageOf<'factor-set-up'>,
  sentAt: Date,
): Promise<Outcome> {
  const { email, account_id: id, token } = message
  const hash = hashToken(token)
  const { account } = await findByFormerEmail(deps, id, email)
  if (account === null) return drop(deps, 'no-account', id)
  const isDone = account.factorSetUpBy === hash || (await deps.emailChanges.findUndoable(hash)) !== null
  if (!isDone) return waitFor(deps, message, sentAt)
  if (!(await countChange(deps, message))) return dropCapped(deps, id)
  await deps.counters.allowUndo(hash, undoableSetUp(message))
  const { name, isVerified } = account
  return tell(deps, message, { email, name, isVerified }, { undoLink: `${deps.config.siteUrl}/undo?token=${token}` })
}

/** What the undo link of a first second factor undoes. */
export function undoableSetUp({
  email,
  account_id: id,
  token_version: tokenVersion,
  requested_at,
}: Pick<MessageOf<'factor-set-up'>, 'email' | 'account_id' | 'token_version' | 'requested_at'>): Undoable {
  return { id, email, tokenVersion, at: new Date(requested_at), expiresAt: new Date(requested_at + lifetimes.undo) }
}

/** Mails that somebody without the second factor knows the password, once a day (ASVS 6.3.5). */
export async function tellOfKnownPassword(deps: DeliveryDeps, message: MessageOf<'password-known'>): Promise<Outcome> {
  const { account_id: id } = message
  const account = await findOwner(deps, message)
  if (account === null) return drop(deps, 'no-account', id)
  if (!account.isVerified) return drop(deps, 'unverified', id)
  return (await countKnownPassword(deps, message)) ? tell(deps, message, account) : dropCapped(deps, id)
}

/** Mails the notice of a deletion, once, however many requests asked for it. */
export async function tellOfDeletion(
  deps: DeliveryDeps,
  message: MessageOf<'account-deleted'>,
  sentAt: Date,
): Promise<Outcome> {
  const { account_id: id, email } = message
  const found = await findByFormerEmail(deps, id, email)
  // If it was deleted elsewhere, another notice says so there: here somebody else may have registered.
  if (found.account !== null || found.email !== email) return waitFor(deps, message, sentAt)
  if (!(await countDeletion(deps, message))) return dropCapped(deps, id)
  return tell(deps, message, { email, name: null, isVerified: true })
}

/** Mails the notice of a change of address, whatever became of the account since. */
export async function tellOfEmailChange(
  deps: DeliveryDeps,
  message: MessageOf<'email-changed'>,
  sentAt: Date,
): Promise<Outcome> {
  const { kind, email, account_id: id, new_email: newEmail, is_undoable, token, requested_at } = message
  if (!(await deps.emailChanges.isDone(hashToken(token)))) return waitFor(deps, message, sentAt)
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

/** Mails a notice. The change happened when the message was requested, give or take a few seconds. */
const tell = (
  deps: DeliveryDeps,
  { kind, email, account_id: id, requested_at }: NoticeMessage,
  owner: Recipient,
  details?: NoticeDetails,
): Promise<Outcome> => send(deps, email, writeNotice(kind, owner, new Date(requested_at), deps.config, details), id)
