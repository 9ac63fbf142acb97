import type { Configured } from '../../shared/base/config.ts'
import type { Account } from '../account/account.ts'
import type { AccountWrites } from '../account/writes.ts'
import { undoToken } from '../address/undo.ts'
import { type Change, undoable, undoableSetUp } from '../change/change.ts'
import { countChange, countDaily, countDeletion } from '../mail/caps.ts'
import { noticeLanguage } from '../mail/language.ts'
import { drop, dropCapped, mayStillCome, type Outcome, type SendDeps, send } from '../mail/outcomes.ts'
import type { MessageOf, NoticeMessage } from '../mail/queue.ts'
import { type NoticeDetails, writeNotice } from '../mail/templates.ts'
import { letterLanguage } from '../mail/words.ts'
import { needsPasskey, passkeysInForce } from '../passkey/passkey.ts'
import { hashToken } from '../token/token.ts'

export type NoticeDeps = SendDeps &
  Configured<'passkeyRpId' | 'secondFactor'> & { accounts: Pick<AccountWrites, 'find' | 'findByEmail'> }

/** The account's member with the idempotency token of the write that a notice tells of. */
const marks = {
  'password-changed': 'passwordChangedBy',
  'invitation-accepted': 'passwordChangedBy',
  'factor-replaced': 'factorChangedBy',
  'factor-removed': 'factorChangedBy',
  'passkey-removed': 'passkeyRemovedBy',
  'provider-disconnected': 'identityChangedBy',
  'recovery-code-used': 'recoveryCodeUsedBy',
} as const satisfies Partial<Record<NoticeMessage['kind'], keyof Account>>

type OwnersNotice = MessageOf<keyof typeof marks | 'password-known' | 'session-reused'>

/** Whether the write behind a notice has happened. The account keeps the token of the newest such write only. */
function hasHappened(message: OwnersNotice, account: Account): boolean {
  if (message.kind === 'password-known') return true
  if (message.kind === 'session-reused') return account.sessions.every(({ id }) => id !== message.session_id)
  return account[marks[message.kind]] === hashToken(message.token)
}

/**
 * Mails a notice to the mailbox that the account had then, wherever the account is by now. What a thief can cause is mailed once a
 * day.
 */
export async function tellOwner(deps: NoticeDeps, message: OwnersNotice, sentAt: Date): Promise<Outcome> {
  const { email, account_id: id } = message
  const account = await deps.accounts.find(id)
  if (account === null) return drop(deps, 'no-account', id)
  if (!hasHappened(message, account)) return waitFor(deps, message, sentAt)
  if (account.email === email && !account.isVerified) return drop(deps, 'unverified', id)
  if (message.kind === 'password-known' || message.kind === 'session-reused') {
    return (await countDaily(deps, message)) ? tell(deps, message, account) : drop(deps, 'told-today', id)
  }
  if (!(await countChange(deps, message))) return dropCapped(deps, id)
  // Owners who never had a passkey, or a provider, read nothing about them.
  const saysPasskeys = ['password-changed', 'passkey-removed'].includes(message.kind) && account.passkeyHandle !== null
  const saysProviders = ['password-changed', 'provider-disconnected'].includes(message.kind) && hadIdentities(account)
  return tell(deps, message, account, {
    ...('provider' in message && { provider: message.provider }),
    codesLeft: account.factor?.recoveryCodes.length ?? 0,
    passkeysLeft: saysPasskeys ? passkeysInForce(account, deps.config).length : undefined,
    providersLeft: saysProviders ? account.identities.length : undefined,
  })
}

/** Imported identities have no idempotency token. */
const hadIdentities = ({ identities, identityChangedBy }: Account): boolean =>
  identities.length > 0 || identityChangedBy !== null

type ChangeNotice = MessageOf<
  'factor-set-up' | 'passkey-added' | 'provider-connected' | 'email-changed' | 'change-undone' | 'moved-by-operator'
>

/** The notices of moves: each account makes few, and they are not capped. */
const moves = ['email-changed', 'change-undone', 'moved-by-operator']

/**
 * Mails the notice of a change to the address that the account had then, whatever happened to it since, with an undo link while that
 * works.
 */
export async function tellOfChange(deps: NoticeDeps, message: ChangeNotice, sentAt: Date): Promise<Outcome> {
  const { account_id: id, token } = message
  const hash = hashToken(token)
  const account = await deps.accounts.find(id)
  // A provider's word may open the account: its write may still come.
  const isAwaited = message.kind === 'provider-connected' && mayStillCome(deps, sentAt)
  if (account === null) return isAwaited ? 'early' : drop(deps, 'no-account', id)
  const change = account.changes.find(each => each.hash === hash)
  if (change === undefined) return waitFor(deps, message, sentAt)
  if (!moves.includes(message.kind) && !(await countChange(deps, message))) return dropCapped(deps, id)
  // Where everybody must have a second factor by now, a mailbox should not undo what was set up; its link still works.
  const mayUndo = moves.includes(message.kind) || deps.config.secondFactor !== 'required'
  const isUndoable = mayUndo && undoable(account, deps.now()).includes(change)
  return tell(deps, message, account, {
    ...('provider' in message && { provider: message.provider }),
    ...('new_email' in message && { newEmail: message.new_email }),
    isResetEnough: !needsPasskey(account, deps.config),
    isSetUpUndoable: isSetUpUndoable(deps, account, change),
    isUndoable,
  })
}

/** Whether the mailbox that is told of a move can undo it by the link of the second factor that was asked for. */
function isSetUpUndoable(deps: NoticeDeps, account: Account, { kind, email }: Change): boolean {
  return kind === 'email' && undoableSetUp(account, deps.now())?.email === email
}

/** Mails the notice of a deletion once to each mailbox, however many requests asked for it. */
export async function tellOfDeletion(
  deps: NoticeDeps,
  message: MessageOf<'account-deleted'>,
  sentAt: Date,
): Promise<Outcome> {
  const { account_id: id, email, is_former = false } = message
  if ((await deps.accounts.find(id)) !== null) return waitFor(deps, message, sentAt)
  // Whoever has proven the address by now is not told of a former owner of it. Anybody can register it.
  if (is_former && (await deps.accounts.findByEmail(email))?.isVerified) return drop(deps, 'no-account', id)
  if (!(await countDeletion(deps, message))) return dropCapped(deps, id)
  return tell(deps, message, null)
}

/** The outcome for a notice whose write has not happened. */
const waitFor = (deps: NoticeDeps, { account_id: id }: Pick<NoticeMessage, 'account_id'>, sentAt: Date): Outcome =>
  mayStillCome(deps, sentAt) ? 'early' : drop(deps, 'not-done', id)

/** Further content of a notice, and whether its link undoes what happened. */
type Details = Omit<NoticeDetails, 'undoLink'> & { isUndoable?: boolean }

/**
 * Mails a notice to the account's verified address of that time. The event happened when the message was requested,
 * give or take a few seconds.
 *
 * @param account null where it is deleted: the message then gives the language
 */
const tell = (
  deps: NoticeDeps,
  { kind, email, name = null, language, account_id: id, token, requested_at }: NoticeMessage,
  account: Account | null,
  { isUndoable = false, ...details }: Details = {},
): Promise<Outcome> => {
  const owner = { email, name, isVerified: true }
  const { words, linkEnd } = letterLanguage(deps, account ? noticeLanguage(account, deps.now()) : (language ?? null))
  const undoLink = isUndoable ? `${deps.config.siteUrl}/undo?token=${undoToken(token, id)}${linkEnd}` : null
  const letter = writeNotice(words, kind, owner, new Date(requested_at), deps.config, { ...details, undoLink })
  return send(deps, email, letter, id)
}
