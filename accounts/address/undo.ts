import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { logError } from '../../shared/base/log.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, AccountReads } from '../account/account.ts'
import { announceUndo } from '../mail/announcements.ts'
import { formerLanguage } from '../mail/language.ts'
import { queueDelay } from '../mail/outcomes.ts'
import type { MailQueue } from '../mail/queue.ts'
import { needsPasskey, type Passkey } from '../passkey/passkey.ts'
import { drawToken, hashToken, lifetimes, type OneTimeToken, oneTimeToken } from '../token/token.ts'
import type { Undoable } from './address.ts'
import { type EmailChanges, findByFormerEmail, maxAttempts, refuseAdministrator, type UndoneSpan } from './change.ts'
import { type MarkDeps, markFormerEmail, unmarkFormerEmail } from './deletion-marks.ts'

type UndoDeps = System &
  MarkDeps<'mark' | 'unmark' | 'marks'> &
  Configured<'mailFrom' | 'passkeyRpId' | 'secondFactor'> & {
    accounts: AccountReads
    emailChanges: Pick<EmailChanges, 'find' | 'findUndoable' | 'undo' | 'revokeAccess'>
    queueMail: MailQueue
  }

/**
 * Undoes a change of an account, for the owner of the mailbox that the link was mailed to: of the address, a new second
 * factor or passkey, or a new identity. The account returns to that address and loses its password, second factor,
 * passkeys, identities and sessions. A reset link is mailed to the address.
 *
 * It also undoes a change of language that notices did not follow yet when the change was made.
 *
 * Where `SECOND_FACTOR` is required, an account that does not move keeps its second factor: a mailbox alone must not
 * remove it. An account with passkeys instead keeps those older than the change. A passkey's link keeps a second factor
 * whose own link would not remove it.
 *
 * If a thief keeps changing the account, all access is revoked in place first, and then it is moved. If only the first
 * succeeds, the link keeps working.
 *
 * It revokes the undo links of the same and of every later change, so that a thief who moved the account twice cannot
 * undo this. Links of earlier changes keep working.
 *
 * @throws {DomainError} `invalid-undo-token`, `administrator`, `unavailable`
 */
export async function undoChange(deps: UndoDeps, token: string): Promise<void> {
  const hash = hashToken(token)
  const at = deps.now()
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const change = await deps.emailChanges.findUndoable(hash)
    if (change === null || change.expiresAt <= at) throw new DomainError('invalid-undo-token')
    const { account } = await findByFormerEmail(deps, change.id, change.email)
    if (account === null) throw new DomainError('invalid-undo-token')
    const isAway = account.email !== change.email
    if (isAway) refuseAdministrator(account)
    // Read after the account: if the account is unchanged at the write, so are these.
    const undone = (await deps.emailChanges.find(account.id))?.undone ?? []
    if (undone.some(span => isIn(span, change))) {
      throw new DomainError('invalid-undo-token')
    }
    const mark = isAway ? await announceUndo(deps, account, change.email) : hashToken(drawToken(deps))
    // Each attempt has a link of its own: the winner of the race may have revoked the last one.
    const reset = await queueReset(deps, 'undone', account, change.email)
    const spans = withSpan(undone, { from: change.tokenVersion, to: account.tokenVersion, at, since: change.at })
    const keepsFactor = !isAway && (await isGuarded(deps, account, change))
    const passkeys = passkeysKept(deps, account, change)
    // A later change of language, after notices had followed the first, has replaced it on the account.
    const language = change.language ?? formerLanguage(account, change.at)
    const undoing = { hash, email: change.email, reset, keepsFactor, passkeys, language, undone: spans, mark, at }
    const outcome = await bringBack(deps, account, change, () => deps.emailChanges.undo(account, undoing))
    if (outcome === 'taken') throw new DomainError('invalid-undo-token')
    if (outcome === 'done') {
      deps.log({ event: 'change-undone', account_id: account.id })
      return
    }
    await deps.emailChanges.revokeAccess(account, deps.now(), passkeys)
  }
  throw new DomainError('unavailable')
}

/** Whether an undo has revoked the undo link of this change. */
const isIn = ({ from, to, since }: UndoneSpan, { tokenVersion, at }: Undoable): boolean =>
  from <= tokenVersion && tokenVersion <= to && !(since && tokenVersion === from && at < since)

/** Whether a mailbox alone must not remove the second factor. */
async function isGuarded(
  deps: Pick<UndoDeps, 'emailChanges' | 'config' | 'now'>,
  { factorSetUpBy }: Account,
  { at, isPasskey }: Undoable,
): Promise<boolean> {
  if (deps.config.secondFactor === 'required') return true
  if (!isPasskey) return false
  const own = factorSetUpBy === null ? null : await deps.emailChanges.findUndoable(factorSetUpBy)
  return own === null || own.expiresAt <= deps.now() || own.at < at
}

/** The passkeys that stay where a mailbox must not replace them: those older than the passkey that the link undoes. */
const passkeysKept = (
  { config }: Pick<UndoDeps, 'config'>,
  account: Account,
  { at, isPasskey }: Undoable,
): readonly Passkey[] =>
  needsPasskey(account, config) ? account.passkeys.filter(({ createdAt }) => !isPasskey || createdAt < at) : []

/**
 * Draws the token of a reset link to the account's new address. Its mail is queued before the write, as a
 * registration's is, so that no link is lost. A locked account gets none.
 */
export async function queueReset(
  deps: Pick<System, 'now' | 'randomBytes'> & Configured<'mailFrom'> & { queueMail: MailQueue },
  kind: 'undone' | 'moved',
  { id: account_id, lockedAt, tokens }: Account,
  email: string,
): Promise<OneTimeToken> {
  const token = drawToken(deps)
  // Newer than every link mailed before, even if another clock ran ahead.
  const requested_at = Math.max(deps.now().getTime(), Number(tokens.reset.requestedAt) + 1)
  if (lockedAt === null && deps.config.mailFrom !== null) {
    await deps.queueMail({ kind, email, account_id, token, requested_at }, queueDelay)
  }
  return oneTimeToken('reset', token, new Date(requested_at))
}

/** Writes the move with its marks for imports: the account leaves one address and returns to the other. */
async function bringBack<O>(
  deps: UndoDeps,
  account: Account,
  change: Undoable,
  write: () => Promise<O | 'done'>,
): Promise<O | 'done'> {
  if (account.email === change.email) return write()
  const unmark = await markFormerEmail(deps, account, deps.now())
  const outcome = await write()
  // A mark too many only makes imports ask for `--also-deleted`.
  const unmarked = outcome === 'done' ? unmarkFormerEmail(deps, change, account.tokenVersion) : unmark()
  await unmarked.catch(cause => logError(deps, cause))
  return outcome
}

/** Adds a span in place of those within it, and drops spans whose links have expired. */
const withSpan = (spans: readonly UndoneSpan[], added: UndoneSpan): UndoneSpan[] => [
  ...spans.filter(({ from, at }) => from < added.from && at.getTime() + lifetimes.undo > added.at.getTime()),
  added,
]
