import { addressRefusals, DomainError } from '../base/errors.ts'
import type { Account, Accounts } from './account.ts'
import type { OneTimeToken } from './tokens/one-time-token.ts'

/** A span of token versions whose changes cannot be undone any more, because one of them and all later ones were undone. */
export interface UndoneSpan {
  from: number
  to: number
  at: Date
}

/** What is known of an account that moved to another address, for eight days from its last move. */
export interface Whereabouts {
  /** Its newest address. */
  email: string
  undone: readonly UndoneSpan[]
}

/** A change that a link can undo. */
export interface Undoable {
  id: string
  /** The address that the account comes back to. */
  email: string
  /** The version that the change replaced. */
  tokenVersion: number
  at: Date
  expiresAt: Date
}

/** A move to a new address, given a pending change. */
export interface Move {
  to: string
  /** The hash of the token that was mailed to the new address. */
  hash: string
  /** A text that no other write has. The undo link's hash too. */
  mark: string
  /** Whether the old mailbox gets an undo link. */
  isUndoable: boolean
  at: Date
}

/** The undoing of a change. */
export interface Undoing {
  /** The hash of the undo link's token, which is spent. */
  hash: string
  email: string
  /** The link by which a new password is chosen. */
  reset: OneTimeToken
  undone: readonly UndoneSpan[]
  mark: string
  at: Date
}

/**
 * Moves of accounts to other addresses, and back: the only writes of several items. Each is one transaction, on condition
 * that the account's id, token version and time of the last change are as read. `lost` is the answer when they are not.
 */
export interface Moves {
  /** Where the account of an id moved to; null when it did not within eight days. */
  find(id: string): Promise<Whereabouts | null>
  /** Whether the move or the undoing with this mark has happened. Known for eight days. */
  isDone(mark: string): Promise<boolean>
  /** What an undo link undoes; null when it was used. It may have expired. */
  findUndoable(hash: string): Promise<Undoable | null>
  move(account: Account, move: Move): Promise<'done' | 'taken' | 'lost'>
  /** Makes the account void and brings it back. An unverified account at that address gives way. */
  undo(account: Account, undoing: Undoing): Promise<'done' | 'taken' | 'lost'>
}

export interface MoveDeps {
  accounts: Pick<Accounts, 'find'>
  moves: Pick<Moves, 'find'>
}

/** How often something is read again that others keep changing. */
export const maxAttempts = 3

/**
 * Finds the account of an id from an address that it had. Nobody may take an account for deleted that only moved.
 *
 * @returns its last address too: where it is, or where it was deleted
 * @throws {DomainError} `unavailable`
 */
export async function findMoved(
  { accounts, moves }: MoveDeps,
  id: string,
  email: string,
): Promise<{ account: Account | null; email: string }> {
  for (let address = email, attempt = 0; attempt <= maxAttempts; attempt++) {
    const account = await accounts.find(address)
    if (account?.id === id) return { account, email: address }
    const moved = await moves.find(id)
    // It can come back to an address after that was read, so the newest one is always read after it is known.
    if (moved === null || (moved.email === address && attempt > 0)) return { account: null, email: address }
    address = moved.email
  }
  throw new DomainError('unavailable')
}

/** @throws {DomainError} `administrator`: the next who registers the address that it leaves may become one */
export function requireMovable({ isAdmin }: Account): void {
  if (isAdmin) throw new DomainError('administrator', { detail: addressRefusals.administrator })
}
