import type { Configured } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import type { Counters } from '../../base/limits/counters.ts'
import { logError } from '../../base/log.ts'
import type { System } from '../../base/system.ts'
import type { Account, Accounts } from '../account.ts'
import { markFormerEmail, unmarkFormerEmail } from '../deletion-marks.ts'
import {
  type EmailChanges,
  findByFormerEmail,
  maxAttempts,
  refuseAdministrator,
  type Undoable,
  type UndoneSpan,
} from '../email-change.ts'
import { queueDelay } from '../mail/outcomes.ts'
import type { MailQueue } from '../mail/queue.ts'
import { drawToken, hashToken, lifetimes, type OneTimeToken, oneTimeToken } from '../tokens/one-time-token.ts'

type UndoDeps = System &
  Configured<'mailFrom'> & { accounts: Accounts; counters: Counters; emailChanges: EmailChanges; queueMail: MailQueue }

/**
 * Undoes a change of an account, for the owner of the mailbox that the link was mailed to: the account gets that address
 * again and loses its password, its second factor and its sessions, and a reset link is mailed there. The change may be one
 * of the address, or the setting up of a second factor.
 *
 * It voids the undo links of the same and of every later change, so that a thief who moved the account twice cannot undo
 * the undoing. Links of earlier changes go on working.
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
    refuseAdministrator(account)
    // Read after the account: if the account is unchanged when the undo is written, these are too.
    const undone = (await deps.emailChanges.find(account.id))?.undone ?? []
    if (undone.some(({ from, to }) => from <= change.tokenVersion && change.tokenVersion <= to)) {
      throw new DomainError('invalid-undo-token')
    }
    // Each attempt has a link of its own: what it lost to may have voided the last one's.
    const reset = await queueReset(deps, account, change.email)
    const spans = withSpan(undone, { from: change.tokenVersion, to: account.tokenVersion, at })
    const undoing = { hash, email: change.email, reset, undone: spans, mark: hashToken(drawToken(deps)), at }
    const outcome = await bringBack(deps, account, change, () => deps.emailChanges.undo(account, undoing))
    if (outcome === 'taken') throw new DomainError('invalid-undo-token')
    if (outcome === 'done') {
      deps.log({ event: 'change-undone', account_id: account.id })
      return
    }
  }
  throw new DomainError('unavailable')
}

/**
 * Draws the token of a reset link. Its mail is queued before the write, as a registration's is: no account comes back whose
 * reset link was lost.
 */
async function queueReset(
  deps: UndoDeps,
  { id: account_id, lockedAt, tokens }: Account,
  email: string,
): Promise<OneTimeToken> {
  const token = drawToken(deps)
  // Newer than every link that was mailed before, also where another clock ran ahead.
  const requested_at = Math.max(deps.now().getTime(), Number(tokens.reset.requestedAt) + 1)
  if (lockedAt === null && deps.config.mailFrom !== null) {
    await deps.queueMail({ kind: 'undone', email, account_id, token, requested_at }, queueDelay)
  }
  return oneTimeToken('reset', token, new Date(requested_at))
}

/** Writes, with the marks for imports: the account leaves one address, and has the other one again. */
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

/** Adds a span in the place of those that lie in it, and drops those whose links have expired. */
const withSpan = (spans: readonly UndoneSpan[], added: UndoneSpan): UndoneSpan[] => [
  ...spans.filter(({ from, at }) => from < added.from && at.getTime() + lifetimes.undo > added.at.getTime()),
  added,
]
