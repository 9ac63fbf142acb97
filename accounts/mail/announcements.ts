import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { drawToken, hashToken } from '../token/token.ts'
import { noticeLanguage } from './language.ts'
import { queueDelay } from './outcomes.ts'
import type { MailQueue, NoticeMessage } from './queue.ts'

/**
 * Announces a write to the account's owner; the caller writes right afterwards. The message is queued first, so that
 * every write is announced. The worker mails only after it sees the write, so that nothing else is announced. Only
 * verified addresses get notices: any other may belong to somebody else.
 *
 * @param provider its name, if the notice is about one
 * @returns the idempotency token that the write must store
 * @throws {DomainError} `unavailable`
 */
export const announce = (
  deps: AnnounceDeps,
  kind: Exclude<NoticeMessage['kind'], 'session-reused' | 'email-changed' | 'change-undone' | 'provider-connected'>,
  account: Account,
  provider = '',
): Promise<string> =>
  queueNotice(deps, account, message => {
    const version = { token_version: account.tokenVersion }
    if (kind === 'factor-set-up') return { ...message, kind, ...version }
    // A mailbox alone must not undo what needed a second factor.
    if (kind === 'passkey-added') return { ...message, kind, ...version, is_undoable: account.factor === null }
    if (kind === 'provider-disconnected') return { ...message, kind, provider }
    return { ...message, kind }
  })

/** Announces that a session ends because its token was reused. @throws {DomainError} `unavailable` */
export const announceReuse = (deps: AnnounceDeps, account: Account, session_id: string): Promise<string> =>
  queueNotice(deps, account, message => ({ ...message, kind: 'session-reused', session_id }))

/** Announces that a provider is connected. @param provider its name @throws {DomainError} `unavailable` */
export const announceConnection = (
  deps: AnnounceDeps,
  account: Addressee & Pick<Account, 'tokenVersion' | 'factor'>,
  provider: string,
): Promise<string> =>
  queueNotice(deps, account, message => ({
    ...message,
    kind: 'provider-connected',
    provider,
    token_version: account.tokenVersion,
    is_undoable: account.factor === null,
  }))

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
 * Announces a change of address to the old address, and draws the token of its undo link.
 *
 * @returns the idempotency token of the change, and whether the old mailbox gets the link
 * @throws {DomainError} `unavailable`
 */
export async function announceEmailChange(
  deps: AnnounceDeps,
  account: Account,
  new_email: string,
): Promise<{ mark: string; isUndoable: boolean }> {
  const { isVerified, factor, factorSetUpBy } = account
  // A mailbox alone must not undo what needed a second factor.
  const isUndoable = isVerified && deps.config.mailFrom !== null && factor === null
  const setUp = factor !== null && factorSetUpBy !== null ? { set_up_by: factorSetUpBy } : {}
  const details = { new_email, is_undoable: isUndoable, ...setUp }
  const mark = await queueNotice(deps, account, message => ({ ...message, kind: 'email-changed', ...details }))
  return { mark, isUndoable }
}

/** Announces an undo to the address that the account leaves. @throws {DomainError} `unavailable` */
export const announceUndo = (deps: AnnounceDeps, account: Account, new_email: string): Promise<string> =>
  queueNotice(deps, account, message => ({ ...message, kind: 'change-undone', new_email }))
