import type { PendingFactor, SecondFactor } from '../factor/factor.ts'
import type { Identity, Pointer } from '../identity/identity.ts'
import type { Passkey, PasskeyUse } from '../passkey/passkey.ts'
import type { Session } from '../session/session.ts'
import type { OneTimeToken, TokenKind } from '../token/token.ts'
import type { Account, IdentifiedAccount, NewAccount, RememberedClient } from './account.ts'

/** What a write of the profile stores; what it lacks stays. */
export interface ProfileChange {
  name?: string
  language?: string
  /** The language that notices go on using, and until when. */
  noticesIn?: { language: string; until: Date }
}

/** What a write that raises the token version stores. */
export interface TokenChange {
  mark: string
  /** The clients that the account keeps. */
  clients: readonly RememberedClient[]
}

/** What a write that replaces the password stores. */
export interface PasswordChange extends TokenChange {
  passwordHash: string
}

/** What a password reset stores. */
interface Reset extends PasswordChange {
  /** Whether passkeys stay. */
  keepsPasskeys?: boolean
  /** Whether identities stay. */
  keepsIdentities?: boolean
}

/** What connecting an identity stores. */
interface Connection {
  identity: Identity
  /** The pointer of the identity, as it was read. */
  pointer: Pointer | null
  mark: string
}

/** What accepting an invitation stores. */
export interface Acceptance extends PasswordChange {
  /** Null leaves the name that was invited. */
  name: string | null
}

/** A session as it was read and as it is to be, or null if it ends. The write fails if another one came in between. */
export interface SessionChange {
  before: Session
  after: Session | null
  /** Whether it fails also when another session has come or gone in between. */
  needsAllAsRead?: boolean
}

/** Accounts by their tokens. */
export interface TokenHolders<Kind extends TokenKind = TokenKind> {
  /** The account that holds this token's hash now, expired or not. */
  findByToken: (kind: Kind, hash: string) => Promise<Account | null>
}

/**
 * The users table. Each change is one conditional write on one item, or, where it touches the pointers of identities, one
 * transaction (`email-changes/email-change.ts` has the others). Reads are strongly consistent.
 *
 * A `mark` is a text that no other write has. It stays on the account: when the SDK repeats a write whose answer was
 * lost, the mark shows that the first one succeeded.
 */
export interface Accounts extends TokenHolders {
  find(email: string): Promise<Account | null>
  /** False when the address is taken. True when this very account exists already (a repeated write). */
  insert(account: NewAccount): Promise<boolean>
  /** Null when the account is gone or its token version has changed. */
  changeProfile(account: Account, change: ProfileChange, now: Date): Promise<Account | null>
  /** False when the hash is no longer the one in `account`. */
  replaceHash(account: Account, hash: string, now: Date): Promise<boolean>
  /**
   * False when a newer token was requested meanwhile, or the account is gone. A verification token for the account's own
   * address takes the place of a pending change of address; false also when the account is verified already. The token of an
   * invitation: false also when that has ended, been accepted or been replaced meanwhile.
   *
   * @param to the address that the account moves to when the token is spent
   */
  storeToken(kind: TokenKind, account: Account, token: OneTimeToken, now: Date, to?: string): Promise<boolean>
  /** Marks the account as verified. False when it is gone, or its token version has changed. */
  verify(account: Account, now: Date): Promise<boolean>
  /**
   * Marks the account as verified and clears the token, if the account still holds it for its own address and it has not
   * expired.
   */
  spendVerificationToken(account: Account, hash: string, mark: string, now: Date): Promise<boolean>
  /**
   * Replaces the password, forgets the former one, raises the token version and clears the token, under the same condition,
   * and if the account is not invited. Verifies an address that waits for it (`resetVerifies`). Removes all passkeys and
   * identities, unless they stay.
   */
  spendResetToken(account: Account, hash: string, change: Reset, now: Date): Promise<boolean>
  /**
   * The same with the token of an invitation, which ends: sets the password, and the name if there is one, and verifies the
   * address. False also when the account has another invitation, or none, in the meantime.
   */
  spendInvitation(account: Account, hash: string, change: Acceptance, now: Date): Promise<boolean>
  /**
   * Replaces the password, raises the token version, and voids reset links, including those on the queue. False when
   * the account is gone, its token version has changed, or a link with a date in the future was stored meanwhile.
   *
   * @param kept the only session that goes on; false when it has changed or ended meanwhile
   */
  changePassword(account: Account, change: PasswordChange, now: Date, kept?: SessionChange): Promise<boolean>
  /** Raises the token version. False when the account is gone or its token version has changed. */
  logOutEverywhere(account: Account, change: TokenChange, now: Date): Promise<boolean>
  /** Null when the account is gone or its token version has changed: then nothing is remembered. */
  rememberClients(account: Account, clients: readonly RememberedClient[], now: Date): Promise<Account | null>
  /**
   * Adds a session, and removes those of some ids. False when the account is gone, its token version has changed, or
   * there would be more than ten; of a session of an application or a browser also when other sessions have come or gone,
   * and of one that came through a browser's when that is gone.
   */
  addSession(account: Account, session: Session, removed: readonly string[], now: Date): Promise<boolean>
  /**
   * Replaces or removes a session, and removes those of some ids. False when the account is gone, or its token version
   * or the session has changed or ended meanwhile.
   *
   * @param now null when the account itself does not change: a refresh
   */
  changeSession(account: Account, change: SessionChange, removed: readonly string[], now: Date | null): Promise<boolean>
  /** False when the account is gone or its token version has changed. */
  storePendingFactor(account: Account, pending: PendingFactor, now: Date): Promise<boolean>
  /**
   * Puts a pending factor into force and raises the token version. False when the account is gone, or its token version
   * or the pending factor has changed.
   *
   * @param kept as for `changePassword`
   */
  setFactor(
    account: Account,
    factor: SecondFactor,
    change: TokenChange,
    now: Date,
    kept?: SessionChange,
  ): Promise<boolean>
  /** Removes the factor, its recovery codes and a pending one, and raises the token version, under the same condition. */
  removeFactor(account: Account, change: TokenChange, now: Date, kept?: SessionChange): Promise<boolean>
  /** False when the account or its factor is gone, or its token version has changed. */
  replaceRecoveryCodes(account: Account, hashes: readonly string[], now: Date): Promise<boolean>
  /**
   * Removes a recovery code and clears the count of wrong codes. False when the code is not there (any more), the account
   * is gone or its token version has changed.
   */
  spendRecoveryCode(account: Account, hash: string, mark: string, now: Date): Promise<boolean>
  /**
   * Raises the last step and clears the count of wrong codes. False when the last step is not older any more, the account
   * is gone or its token version has changed, as it has with another factor.
   */
  spendCode(account: Account, step: number, mark: string, now: Date): Promise<boolean>
  /**
   * Counts a code as wrong.
   *
   * @param id of the code, so that it counts once
   * @returns how many there are in a row; null when that would be too many, the account is gone or its token version has
   *   changed
   */
  addWrongCode(account: Account, id: string, now: Date): Promise<number | null>
  /** No longer counts a code as wrong. */
  returnWrongCode(account: Account, id: string, now: Date): Promise<void>
  /** The account of a passkey's handle, read again by itself: an index only finds where it may be. */
  findByPasskeyHandle(handle: string): Promise<Account | null>
  /**
   * Stores the handle and the domain of passkeys, if there is none; of another domain's, the passkeys go.
   *
   * @returns the account with the handle that it has now; null when it is gone or its token version has changed
   */
  storePasskeyHandle(account: Account, handle: string, rpId: string, now: Date): Promise<Account | null>
  /**
   * Adds a passkey. One that is there already stays as it is.
   *
   * @returns the account as it is now; null when it is gone, its token version has changed, or there are ten
   */
  addPasskey(account: Account, passkey: Passkey, mark: string, now: Date): Promise<Account | null>
  /** @returns the account as it is now; null when it or the passkey is gone, or its token version has changed */
  renamePasskey(account: Account, id: string, label: string, now: Date): Promise<Account | null>
  /** Removes a passkey and raises the token version. False as for `removeFactor`, and when the passkey is gone. */
  removePasskey(account: Account, id: string, change: TokenChange, now: Date, kept?: SessionChange): Promise<boolean>
  /**
   * Notes that a passkey was used. False when it or the account is gone, its token version has changed, or its count, if it
   * counts, has reached this one.
   *
   * @param mark no other write has it
   */
  notePasskeyUse(account: Account, id: string, use: PasskeyUse, mark: string, now: Date): Promise<boolean>
  /**
   * The account that an identity logs in to, and the pointer as it was read, which leads nowhere where there is no account: it
   * was read three times, so that the account was not just moving.
   */
  findByIdentity(key: string): Promise<{ account: Account | null; pointer: Pointer | null }>
  /**
   * Opens an account with an identity, in one transaction.
   *
   * @returns `taken` when the address has an account; `lost` when the pointer is not as it was read any more
   */
  openByIdentity(account: IdentifiedAccount, connection: Connection): Promise<'opened' | 'taken' | 'lost'>
  /**
   * Connects an identity that the account does not have, in one transaction.
   *
   * @param verifies whether the identity proves the account's address
   * @returns the account as it is now; null when it is gone, or its token version, its identities or the pointer have changed
   */
  connectIdentity(account: Account, connection: Connection, verifies: boolean, now: Date): Promise<Account | null>
  /**
   * Disconnects an identity that the account has and raises the token version, in one transaction. False as for `removeFactor`,
   * and when its identities have changed.
   */
  disconnectIdentity(
    account: Account,
    key: string,
    change: TokenChange,
    now: Date,
    kept?: SessionChange,
  ): Promise<boolean>
  /** `changed`: its token version is another. `absent`: a repeated write has deleted it, or it has another address. */
  delete(account: Account): Promise<'deleted' | 'changed' | 'absent'>
}
