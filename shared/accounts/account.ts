import { DomainError, type Refuses } from '../errors.ts'
import type { System } from '../system.ts'
import type { OneTimeToken, TokenKind } from './one-time-token.ts'

export interface Account {
  /** A UUIDv7, or what an imported account brought along: 1 to 128 of `[\w.:|-]`. Compared as it is written. */
  id: string
  /** Canonical (`email.ts`). */
  email: string
  name: string | null
  passwordHash: string
  isAdmin: boolean
  isVerified: boolean
  /** When an operator locked it, or null. Whoever knows the password of a locked account still cannot log in. */
  lockedAt: Date | null
  /** Raised by a reset, a change, a log-out everywhere and operators: access tokens of an older version are void. */
  tokenVersion: number
  createdAt: Date
  /** The mark of the write that set the password last, if it was a reset or a change. */
  passwordChangedBy: string | null
  /** Where its owner has logged in from, the newest first. */
  remotes: RememberedRemote[]
  /** What is known of the last token of each kind; `requestedAt` outlives the token. */
  tokens: Record<TokenKind, { [K in keyof OneTimeToken]: OneTimeToken[K] | null }>
}

/** A remote that an account's owner has logged in from. */
export interface RememberedRemote {
  /** HMAC-SHA256 of the remote under the account's id, so that no two accounts share one. */
  hash: string
  /** When somebody last logged in from there, to the day. */
  at: Date
}

/** An account as it is written first: with a verification token, never with a reset token. */
export type NewAccount = Omit<Account, 'tokens' | 'lockedAt' | 'passwordChangedBy' | 'remotes'> & {
  verification: OneTimeToken
}

/** What is written when a password is replaced. */
export interface PasswordChange {
  passwordHash: string
  mark: string
  /** What the account still remembers. */
  remotes: readonly RememberedRemote[]
}

/**
 * The users table. Each change is one conditional write on one item; reads are strongly consistent.
 *
 * A `mark` is a text that no other write has. It stays on the account, so that a write whose answer was lost, and which
 * the SDK sends again, finds itself and not a rival.
 */
export interface Accounts {
  find(email: string): Promise<Account | null>
  /** Whoever holds this token's hash now, its expiry not considered. */
  findByToken(kind: TokenKind, hash: string): Promise<Account | null>
  /** False when the address is taken; true too when this very account is there already (a retried write). */
  insert(account: NewAccount): Promise<boolean>
  /** Null when the account is gone or its token version has moved on. */
  rename(account: Account, name: string, now: Date): Promise<Account | null>
  /** False when the hash is no longer the one in `account`. */
  replaceHash(account: Account, hash: string, now: Date): Promise<boolean>
  /** False when a newer token has been requested meanwhile, or the account is gone (or verified, for that kind). */
  storeToken(kind: TokenKind, account: Account, token: OneTimeToken, now: Date): Promise<boolean>
  /** Marks the account verified and clears the token, if the account still holds it unexpired. */
  spendVerificationToken(account: Account, hash: string, mark: string, now: Date): Promise<boolean>
  /** Replaces the password, raises the token version and clears the token, if the account still holds it unexpired. */
  spendResetToken(account: Account, hash: string, change: PasswordChange, now: Date): Promise<boolean>
  /**
   * Replaces the password, raises the token version, and voids reset links, those on the queue too. False when the
   * account is gone or its token version has moved on.
   */
  changePassword(account: Account, change: PasswordChange, now: Date): Promise<boolean>
  /** Raises the token version. False when the account is gone or its token version has moved on. */
  logOutEverywhere(account: Account, change: Omit<PasswordChange, 'passwordHash'>, now: Date): Promise<boolean>
  /** Null when the account is gone or its token version has moved on: then nothing is to be remembered. */
  rememberRemotes(account: Account, remotes: readonly RememberedRemote[], now: Date): Promise<Account | null>
  /** False when the token version has moved on; true too when there is no such account any more (a retried write). */
  delete(account: Account): Promise<boolean>
}

export const renameAccountRefuses: Refuses = ['invalid-access-token', 'unavailable']

/**
 * Gives an account another name; `null` leaves it as it is.
 *
 * @throws {DomainError} `unavailable`, and `invalid-access-token` when the account vanished or its password was reset
 *   meanwhile
 */
export async function renameAccount(
  deps: Pick<System, 'now'> & { accounts: Accounts },
  account: Account,
  name: string | null,
): Promise<Account> {
  if (name === null) return account
  const renamed = await deps.accounts.rename(account, name, deps.now())
  if (renamed === null) throw new DomainError('invalid-access-token')
  return renamed
}
