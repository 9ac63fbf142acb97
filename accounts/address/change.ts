import { addressRefusals, DomainError } from '../../shared/base/errors.ts'
import type { Account, AccountReads, RememberedClient } from '../account/account.ts'
import type { Passkey } from '../passkey/passkey.ts'
import type { OneTimeToken } from '../token/token.ts'
import type { MovableEmail, Undoable } from './address.ts'
/** Token versions whose changes can no longer be undone: the first of them was undone with all that followed. */
export interface UndoneSpan {
  from: number
  to: number
  at: Date
  /** When the first of them was made: another one of the same version may be older. */
  since?: Date
}

/** What is known of an account that changed its address, for eight days from the last change. */
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
  /** A text that no other write has: the hash of the undo link's token. */
  mark: string
  /** Whether the old mailbox gets an undo link. */
  isUndoable: boolean
  at: Date
  /** For its undoing: the former language that notices use, if they do. */
  language?: string | null
}

/** A move that removes everything which gives access to the account, but for the passkeys that stay. */
export interface Takeback {
  /** Where the account is afterwards. */
  email: string
  /** The token of the link by which the owner chooses a new password. */
  reset: OneTimeToken
  undone: readonly UndoneSpan[]
  /** Those that stay, if any do. */
  passkeys?: readonly Passkey[]
  mark: string
  at: Date
}

/** The undoing of a change. */
export interface Undoing extends Takeback {
  /** The hash of the undo link's token, which is spent. */
  hash: string
  /** Whether the second factor stays, where the account does not move. */
  keepsFactor: boolean
  /** The language that the account has again, for notices too; null leaves its own. */
  language: string | null
}

/**
 * Moves accounts to other addresses, and back: the only writes of several items. Each is one transaction, on condition
 * that the account's id, token version, identities and, where it moves, time of the last change are as read; `lost` when they
 * are not, `taken` when another account has the address. The pointers of identities follow a move; all else removes them.
 */
export interface EmailChanges {
  /** The newest address of an account; null when it has not changed it within eight days. */
  find(id: string): Promise<EmailHistory | null>
  /** Whether the change or the undoing with this mark has happened. Known for eight days. */
  isDone(mark: string): Promise<boolean>
  /** What an undo link undoes; null when it was used. It may have expired. */
  findUndoable(hash: string): Promise<Undoable | null>
  move(account: Account, move: EmailChange): Promise<'done' | 'taken' | 'lost'>
  /**
   * Removes everything that gives access to the account, and brings it back to the address. An unverified account that
   * somebody else opened at that address is replaced; not one that an operator moved there.
   */
  undo(account: Account, undoing: Undoing): Promise<'done' | 'taken' | 'lost'>
  /** The same by an operator, to any other address: a password reset verifies it. */
  moveByOperator(account: Account, takeback: Takeback): Promise<'done' | 'taken' | 'lost'>
  /**
   * Removes what gives access to an account where it is, but for its second factor, its identities and the passkeys that stay.
   * One write, on condition of the id and the token version alone: others cannot stall it. False when they are not as read.
   */
  voidAccess(account: Account, now: Date, passkeys?: readonly Passkey[]): Promise<boolean>
}

interface FormerEmailDeps {
  accounts: AccountReads
  emailChanges: Pick<EmailChanges, 'find'>
}

/** How often a read or a write is tried when others keep changing the account. */
export const maxAttempts = 3

/**
 * Finds an account by its id and an address that it has or had: an account that only moved must not count as deleted.
 *
 * @returns also its last address: where it is, or where it was deleted
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
    // The account can come back to an address that was read before: so the newest address is read after it is known.
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
