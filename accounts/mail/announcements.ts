import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { type Change, undoable } from '../change/change.ts'
import { drawToken, hashToken } from '../token/token.ts'
import { noticeLanguage } from './language.ts'
import { mayStillCome, queueDelay } from './outcomes.ts'
import type { MailQueue, NoticeMessage } from './queue.ts'

/**
 * Announces a write to the account's owner; the caller writes right afterwards. The message is queued first, so that
 * every write is announced. The worker mails only after it sees the write, so that nothing else is announced. Only
 * verified addresses get notices: any other may belong to somebody else.
 *
 * @param provider its name, if the notice is about one
 * @returns the hash that the write must store
 * @throws {DomainError} `unavailable`
 */
export const announce = (
  deps: AnnounceDeps,
  kind: Exclude<NoticeMessage['kind'], 'session-reused' | 'account-deleted' | 'email-changed' | 'change-undone'>,
  account: Addressee,
  provider = '',
): Promise<string> =>
  queueNotice(deps, account, message =>
    kind === 'provider-connected' || kind === 'provider-disconnected'
      ? { ...message, kind, provider }
      : { ...message, kind },
  )

/** Announces that a session ends because its token was reused. @throws {DomainError} `unavailable` */
export const announceReuse = (deps: AnnounceDeps, account: Account, session_id: string): Promise<string> =>
  queueNotice(deps, account, message => ({ ...message, kind: 'session-reused', session_id }))

/**
 * Announces a deletion to the account's mailbox, and to each mailbox of a living undo link: a thief who moves an account and deletes
 * it is heard of where it counts. Who moved it with a second factor left no link there: that mailbox is told while the notice of the
 * move may still be on its way, which finds no account then.
 *
 * @throws {DomainError} `unavailable`
 */
export async function announceDeletion(deps: AnnounceDeps, account: Account): Promise<void> {
  await queueNotice(deps, account, message => ({ ...message, kind: 'account-deleted' }))
  const isUntold = ({ kind, at }: Change) => kind === 'email' && account.factor !== null && mayStillCome(deps, at)
  const told = [...undoable(account, deps.now()), ...account.changes.filter(isUntold)]
  const former = new Set(told.map(({ email }) => email))
  former.delete(account.email)
  for (const email of former) {
    const addressee = { ...account, email, isVerified: true }
    await queueNotice(deps, addressee, message => ({ ...message, kind: 'account-deleted', is_former: true }))
  }
}

/** The recipient of a notice. */
type Addressee = Pick<Account, 'id' | 'email' | 'name' | 'isVerified' | 'language' | 'languageBefore' | 'languageUntil'>

type AnnounceDeps = Pick<System, 'now' | 'randomBytes'> & Configured<'mailFrom'> & { queueMail: MailQueue }

/** The members of every notice. */
type Common = Pick<NoticeMessage, 'email' | 'name' | 'language' | 'account_id' | 'token' | 'requested_at'>

async function queueNotice(
  deps: AnnounceDeps,
  account: Addressee,
  write: (message: Common) => NoticeMessage,
): Promise<string> {
  const { id: account_id, email, name, isVerified } = account
  const token = drawToken(deps)
  if (isVerified && deps.config.mailFrom !== null) {
    const now = deps.now()
    const language = noticeLanguage(account, now)
    const said = { email, name, ...(language !== null && { language }) }
    await deps.queueMail(write({ ...said, account_id, token, requested_at: now.getTime() }), queueDelay)
  }
  return hashToken(token)
}

/**
 * Announces a change of address to the old address.
 *
 * @returns the change's hash, and whether the old mailbox gets an undo link: it must not undo what needed a second factor
 * @throws {DomainError} `unavailable`
 */
export async function announceEmailChange(
  deps: AnnounceDeps,
  account: Account,
  new_email: string,
): Promise<Pick<Change, 'hash' | 'hasLink'>> {
  const hasLink = account.isVerified && deps.config.mailFrom !== null && account.factor === null
  const hash = await queueNotice(deps, account, message => ({ ...message, kind: 'email-changed', new_email }))
  return { hash, hasLink }
}

/** Announces an undo to the address that the account leaves. @throws {DomainError} `unavailable` */
export const announceUndo = (deps: AnnounceDeps, account: Account, new_email: string): Promise<string> =>
  queueNotice(deps, account, message => ({ ...message, kind: 'change-undone', new_email }))
