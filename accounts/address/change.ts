import { addressRefusals, DomainError } from '../../shared/base/errors.ts'
import type { Account, AccountReads, RememberedClient } from '../account/account.ts'
import type { Passkey } from '../passkey/passkey.ts'
import type { OneTimeToken } from '../token/token.ts'
import type { MovableEmail, Undoable } from './address.ts'

/** Token versions whose changes can no longer be undone, because the first of them was undone with all that followed. */
export interface UndoneSpan {
  from: number
  to: number
  at: Date
  /** When the first change was made: another change of the same version may be older. */
  since?: Date
}

/** An account that changed its address, known for eight days after the last change. */
export interface EmailHistory {
  /** Its newest address. */
  email: string
  undone: readonly UndoneSpan[]
}

/** A change of an account's address. */
export interface EmailChange {
  /** The new address. */
  to: MovableEmail
  /** The hash of the token that was mailed to the new address. */
  hash: string
  /** The clients that the account remembers. */
  clients: readonly RememberedClient[]
  /** Idempotency token, unique per write: the hash of the undo link's token. */
  mark: string
  /** Whether the old mailbox gets an undo link. */
  isUndoable: boolean
  at: Date
  /** The former language that notices use, if any; an undo brings it back. */
  language?: string | null
}

/** A move that revokes all access to the account, except by the passkeys that stay. */
export interface Takeback {
  /** The address after the move. */
  email: string
  /** The token of the link by which the owner chooses a new password. */
  reset: OneTimeToken
  undone: readonly UndoneSpan[]
  /** The passkeys that stay, if any. */
  passkeys?: readonly Passkey[]
  mark: string
  at: Date
}

/** The undoing of a change. */
export interface Undoing extends Takeback {
  /** The hash of the undo link's token, which is spent. */
  hash: string
  /** Whether the second factor stays if the account does not move. */
  keepsFactor: boolean
  /** The language that the account and its notices return to; null keeps the present one. */
  language: string | null
}

/**
 * Moves accounts to other addresses, and back: the only writes of several items. Each is one conditional transaction
 * over the account's id, token version, identities and, for a move, time of the last change. `lost` when one of them
 * has changed, `taken` when another account has the address. Entries of identities follow a move; every other write
 * here deletes them.
 */
export interface EmailChanges {
  /** The newest address of an account; null when it has not changed it within eight days. */
  find(id: string): Promise<EmailHistory | null>
  /** Whether the change or the undo with this idempotency token has happened. Known for eight days. */
  isDone(mark: string): Promise<boolean>
  /** What an undo link undoes; null when it was used. It may have expired. */
  findUndoable(hash: string): Promise<Undoable | null>
  move(account: Account, move: EmailChange): Promise<'done' | 'taken' | 'lost'>
  /**
   * Revokes all access to the account, and moves it back to the address. An unverified account that somebody else
   * opened there is replaced, unless an operator moved it there.
   */
  undo(account: Account, undoing: Undoing): Promise<'done' | 'taken' | 'lost'>
  /** The same for an operator, to any other address, which a password reset then verifies. */
  moveByOperator(account: Account, takeback: Takeback): Promise<'done' | 'taken' | 'lost'>
  /**
   * Revokes all access in place, except by the second factor, the identities and the passkeys that stay. Conditional on
   * the id and the token version alone, so other writes cannot stall it. False when either has changed.
   */
  revokeAccess(account: Account, now: Date, passkeys?: readonly Passkey[]): Promise<boolean>
}

interface FormerEmailDeps {
  accounts: AccountReads
  emailChanges: Pick<EmailChanges, 'find'>
}

/** Attempts of a read or a write, when others keep changing the account. */
export const maxAttempts = 3

/**
 * Finds an account by its id and a present or former address: an account that only moved must not count as deleted.
 *
 * @returns also its last address: its present one, or that of its deletion
 * @throws {DomainError} `unavailable`
 */
export async function findByFormerEmail(
  { accounts, emailChanges }: FormerEmailDeps,
  id: string,
  email: string,
): Promise<{ account: Account | null; email: string }> {
  for (let address = email, attempt = 0; attempt < maxAttempts; attempt++) {
    const account = await accounts.find(address)
    if (account?.id === id) return { account, email: address }
    const moved = await emailChanges.find(id)
    // The account may return to an address that was already tried, so the newest address is read after that.
    if (moved === null || (moved.email === address && attempt > 0)) return { account: null, email: address }
    address = moved.email
  }
  throw new DomainError('unavailable')
}

/**
 * Refuses to change an administrator's address: if `ADMIN_EMAIL` is set, the next person to register the address that it
 * leaves would become an administrator.
 *
 * @throws {DomainError} `administrator`
 */
export function refuseAdministrator({ isAdmin }: Account): void {
  if (isAdmin) throw new DomainError('administrator', { detail: addressRefusals.administrator })
}
