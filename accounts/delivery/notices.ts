import type { Configured } from '../../shared/base/config.ts'
import type { Account } from '../account/account.ts'
import { type EmailChanges, findByFormerEmail } from '../address/change.ts'
import { type SetupLinks, undoableSetUp } from '../factor/setup-link.ts'
import { countChange, countDaily, countDeletion } from '../mail/caps.ts'
import { noticeLanguage } from '../mail/language.ts'
import { drop, dropCapped, mayStillCome, type Outcome, type SendDeps, send } from '../mail/outcomes.ts'
import type { MessageOf, NoticeMessage } from '../mail/queue.ts'
import { type NoticeDetails, writeNotice } from '../mail/templates.ts'
import { letterLanguage } from '../mail/words.ts'
import { needsPasskey, passkeysInForce } from '../passkey/passkey.ts'
import { hashToken } from '../token/token.ts'

export type NoticeDeps = SendDeps &
  Configured<'passkeyRpId' | 'secondFactor'> & {
    counters: Pick<SetupLinks, 'allowUndo'>
    emailChanges: Pick<EmailChanges, 'find' | 'isDone' | 'findUndoable'>
  }

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

/** Mails a notice to the owner of an account that is still at the address. What a thief can cause is mailed once a day. */
export async function tellOwner(deps: NoticeDeps, message: OwnersNotice, sentAt: Date): Promise<Outcome> {
  const { email, account_id: id } = message
  const account = await deps.accounts.find(email)
  if (account?.id !== id) return drop(deps, 'no-account', id)
  if (!hasHappened(message, account)) return waitFor(deps, message, sentAt)
  if (!account.isVerified) return drop(deps, 'unverified', id)
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

/**
 * Mails the notice of a first second factor, a passkey or a provider, with an undo link, to the address that the
 * account had then. Setting up another one or moving the account does not prevent that. There is no link where
 * everybody must have a second factor, because setting it up already took the mailbox. Nor for a passkey or provider
 * added to an account with an app.
 */
export async function tellOfSetUp(
  deps: NoticeDeps,
  message: MessageOf<'factor-set-up' | 'passkey-added' | 'provider-connected'>,
  sentAt: Date,
): Promise<Outcome> {
  const { kind, email, account_id: id, token } = message
  const hash = hashToken(token)
  const { account } = await findByFormerEmail(deps, id, email)
  if (account === null) return drop(deps, 'no-account', id)
  const isDone = account[setUpMarks[kind]] === hash || (await deps.emailChanges.findUndoable(hash)) !== null
  if (!isDone) return waitFor(deps, message, sentAt)
  if (!(await countChange(deps, message))) return dropCapped(deps, id)
  const said = {
    ...(message.kind === 'provider-connected' && { provider: message.provider }),
    isResetEnough: !needsPasskey(account, deps.config),
  }
  const isGuarded = message.kind !== 'factor-set-up' && !message.is_undoable
  if (isGuarded || deps.config.secondFactor === 'required') return tell(deps, message, account, said)
  const then = { id, email, tokenVersion: message.token_version }
  const undoable = undoableSetUp(then, new Date(message.requested_at))
  await deps.counters.allowUndo(hash, { ...undoable, isPasskey: kind !== 'factor-set-up' })
  return tell(deps, message, account, { ...said, isUndoable: true })
}

/** The same for whatever was set up. */
const setUpMarks = {
  'factor-set-up': 'factorSetUpBy',
  'passkey-added': 'passkeyAddedBy',
  'provider-connected': 'identityChangedBy',
} as const

/** Mails the notice of a deletion once, however many requests asked for it. */
export async function tellOfDeletion(
  deps: NoticeDeps,
  message: MessageOf<'account-deleted'>,
  sentAt: Date,
): Promise<Outcome> {
  const { account_id: id, email } = message
  const found = await findByFormerEmail(deps, id, email)
  // If it was deleted at another address, another notice goes there; here somebody else may have registered.
  if (found.account !== null || found.email !== email) return waitFor(deps, message, sentAt)
  if (!(await countDeletion(deps, message))) return dropCapped(deps, id)
  return tell(deps, message, null)
}

/** Mails the notice of a move, or of its undo, to the address that the account left, whatever happened to it since. */
export async function tellOfMove(
  deps: NoticeDeps,
  message: MessageOf<'email-changed' | 'change-undone' | 'moved-by-operator'>,
  sentAt: Date,
): Promise<Outcome> {
  if (!(await deps.emailChanges.isDone(hashToken(message.token)))) return waitFor(deps, message, sentAt)
  if (message.kind === 'moved-by-operator') return tell(deps, message, null)
  const waysBack = message.kind === 'email-changed' ? await findWaysBack(deps, message) : {}
  return tell(deps, message, null, { newEmail: message.new_email, ...waysBack })
}

/** The former mailbox's ways to undo a change of address: by its own link, or by that of an earlier second factor. */
async function findWaysBack(
  deps: NoticeDeps,
  { email, is_undoable, set_up_by }: MessageOf<'email-changed'>,
): Promise<Details> {
  if (is_undoable) return { isUndoable: true }
  const setUp = set_up_by === undefined ? null : await deps.emailChanges.findUndoable(set_up_by)
  return { isSetUpUndoable: setUp?.email === email && setUp.expiresAt > deps.now() }
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
 * @param account null where it may be deleted: the message then gives the language
 */
const tell = (
  deps: NoticeDeps,
  { kind, email, name = null, language, account_id: id, token, requested_at }: NoticeMessage,
  account: Account | null,
  { isUndoable = false, ...details }: Details = {},
): Promise<Outcome> => {
  const owner = { email, name, isVerified: true }
  const { words, linkEnd } = letterLanguage(deps, account ? noticeLanguage(account, deps.now()) : (language ?? null))
  const undoLink = isUndoable ? `${deps.config.siteUrl}/undo?token=${token}${linkEnd}` : null
  const letter = writeNotice(words, kind, owner, new Date(requested_at), deps.config, { ...details, undoLink })
  return send(deps, email, letter, id)
}
