import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { type Account, type AccountReads, type EntryReads, isAccountId, maxAttempts } from '../account/account.ts'
import { type Change, undoable, undoableSetUp } from '../change/change.ts'
import { changeOf } from '../change/changes.ts'
import { announceUndo } from '../mail/announcements.ts'
import { formerLanguage } from '../mail/language.ts'
import { queueDelay } from '../mail/outcomes.ts'
import type { MailQueue } from '../mail/queue.ts'
import { needsPasskey, type Passkey } from '../passkey/passkey.ts'
import { drawToken, hashToken, type OneTimeToken, oneTimeToken } from '../token/token.ts'
import { refuseAdministrator } from './gate.ts'
import type { AddressWrites } from './writes.ts'
import { type Yielding, yieldingOf } from './yielding.ts'

type UndoDeps = System &
  Configured<'mailFrom' | 'passkeyRpId' | 'secondFactor'> & {
    accounts: AccountReads & EntryReads
    addresses: Pick<AddressWrites, 'undo'>
    queueMail: MailQueue
  }

/** Bytes of the random part of an undo link's token. */
const randomPart = 32

/**
 * The token of an undo link: the notice's token and the account's id, so that the account is found without an index.
 *
 * @param token of the notice, which has a fixed length
 */
export const undoToken = (token: string, id: string): string =>
  Buffer.concat([Buffer.from(token, 'base64url'), Buffer.from(id)]).toString('base64url')

/** Reads such a token in its one spelling; null for any other text. */
function readUndoToken(text: string): { hash: string; id: string } | null {
  const bytes = Buffer.from(text, 'base64url')
  const id = bytes.subarray(randomPart).toString()
  const isCanonical = bytes.toString('base64url') === text
  return isCanonical && isAccountId(id) ? { hash: hashToken(bytes.toString('base64url', 0, randomPart)), id } : null
}

/**
 * Undoes a change of an account, for the owner of the mailbox that the link was mailed to: of the address, a new second
 * factor or passkey, or a new identity. The account returns to that address and loses its password, second factor,
 * passkeys, identities and sessions. A reset link is mailed to the address.
 *
 * It also undoes a change of language that notices did not follow yet when the change was made.
 *
 * Where `SECOND_FACTOR` is required, an account that does not move keeps its second factor: a mailbox alone must not
 * remove it. An account with passkeys instead keeps those older than the change. The link of a passkey or an identity keeps a second
 * factor whose own link would not remove it.
 *
 * It voids the undo links of the same and of every later change, so that a thief who moved the account twice cannot
 * undo this. Links of earlier changes keep working.
 *
 * @throws {DomainError} `invalid-undo-token`, `administrator`, `unavailable`
 */
export async function undoChange(deps: UndoDeps, token: string): Promise<void> {
  const read = readUndoToken(token)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const now = deps.now()
    const account = read && (await deps.accounts.find(read.id))
    const undone = account && undoable(account, now).find(({ hash }) => hash === read?.hash)
    if (!account || !undone) throw new DomainError('invalid-undo-token')
    const isAway = account.email !== undone.email
    if (isAway) refuseAdministrator(account)
    const found = isAway ? await findThere(deps, undone) : nobody
    // Each attempt has links of its own: the winner of the race may have voided the last ones.
    const hash = isAway ? await announceUndo(deps, account, undone.email) : hashToken(drawToken(deps))
    const reset = await queueReset(deps, 'undone', account, found.yielding?.reason === 'invited')
    const undoing = {
      ...found,
      undone,
      email: undone.email,
      reset,
      change: changeOf(account, { kind: 'undone', hash, hasLink: false }, now),
      keepsFactor: !isAway && keepsFactor(deps, account, undone),
      passkeys: passkeysKept(deps, account, undone),
      // A later change of language, after notices had followed the first, has replaced it on the account.
      language: undone.language ?? formerLanguage(account, undone.at),
    }
    if (await deps.addresses.undo(account, undoing, now)) {
      deps.log({ event: 'change-undone', account_id: account.id })
      const { yielding } = found
      if (yielding) deps.log({ event: 'account-gave-way', account_id: yielding.account.id, reason: yielding.reason })
      return
    }
  }
  throw new DomainError('unavailable')
}

/** What leads away from an address: the id in its entry, and the account that gives way. */
interface Found {
  entry: string | null
  yielding: Yielding | null
}

const nobody: Found = { entry: null, yielding: null }

/** Looks at an address to which an account comes back. @throws {DomainError} `invalid-undo-token` when another account has it */
async function findThere({ accounts }: Pick<UndoDeps, 'accounts'>, { email, at }: Change): Promise<Found> {
  const entry = await accounts.findIdAt(email)
  const holder = entry === null ? null : await accounts.find(entry)
  if (holder?.email !== email) return { entry, yielding: null }
  const yielding = yieldingOf(holder, at)
  if (yielding === null) throw new DomainError('invalid-undo-token')
  return { entry, yielding }
}

/** Whether a mailbox alone must not remove the second factor. */
function keepsFactor(
  { config, now }: Pick<UndoDeps, 'config' | 'now'>,
  account: Account,
  { kind, at }: Change,
): boolean {
  if (config.secondFactor === 'required') return true
  if (kind !== 'passkey' && kind !== 'provider') return false
  // One that is set up between this and the write was set up later.
  if (account.factor === null) return false
  const setUp = undoableSetUp(account, now())
  return setUp === null || setUp.at < at
}

/** The passkeys that stay where a mailbox must not replace them: those older than the passkey that the link undoes. */
const passkeysKept = (
  { config }: Pick<UndoDeps, 'config'>,
  account: Account,
  { kind, at }: Change,
): readonly Passkey[] => {
  const isPasskey = kind === 'passkey' || kind === 'provider'
  return needsPasskey(account, config) ? account.passkeys.filter(({ createdAt }) => !isPasskey || createdAt < at) : []
}

/**
 * Draws the token of a reset link to the account's new address. Its mail is queued before the write, as a
 * registration's is, so that no link is lost. A locked account gets none.
 *
 * @param hadInvitation whether an invitation to the address is void by that
 */
export async function queueReset(
  deps: Pick<System, 'now' | 'randomBytes'> & Configured<'mailFrom'> & { queueMail: MailQueue },
  kind: 'undone' | 'moved',
  { id: account_id, lockedAt, tokens }: Account,
  hadInvitation = false,
): Promise<OneTimeToken> {
  const token = drawToken(deps)
  // Newer than every link mailed before, even if another clock ran ahead.
  const requested_at = Math.max(deps.now().getTime(), Number(tokens.reset.requestedAt) + 1)
  if (lockedAt === null && deps.config.mailFrom !== null) {
    const link = { account_id, token, requested_at }
    await deps.queueMail(
      kind === 'moved' ? { kind, ...link } : { kind, ...link, ...(hadInvitation && { had_invitation: true }) },
      queueDelay,
    )
  }
  return oneTimeToken('reset', token, new Date(requested_at))
}
