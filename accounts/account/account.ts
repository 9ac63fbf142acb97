import type { OpenableEmail } from '../address/address.ts'
import type { Change } from '../change/change.ts'
import type { PendingFactor, SecondFactor } from '../factor/factor.ts'
import type { Identity } from '../identity/identity.ts'
import type { Passkey } from '../passkey/passkey.ts'
import type { Session } from '../session/session.ts'
import type { OneTimeToken, TokenKind } from '../token/token.ts'

/** Stored in place of a hash when an account has no password until its first reset. No password matches it. */
export const noPassword = '*'

/** Whether a text has the form of an account's id: a UUIDv7, or that of an imported account. */
export const isAccountId = (text: string): boolean => /^[\w.:|-]{1,128}$/.test(text)

export interface Account {
  /** Of the form of `isAccountId`, compared byte by byte. */
  id: string
  /** Canonical (`address.ts`). */
  email: string
  name: string | null
  /** The language of its mails as stored; it may no longer be offered. Null when none was chosen. */
  language: string | null
  /** The language that notices use until `languageUntil`; null when the language has never changed. */
  languageBefore: string | null
  languageUntil: Date | null
  passwordHash: string
  /** Hash of a revoked password, which somebody else may know. Null when there is none, or a reset has replaced it. */
  formerPasswordHash: string | null
  isAdmin: boolean
  isVerified: boolean
  /** Sorted. Only operators write them. */
  roles: readonly string[]
  /** When its invitation expires; null without one, and then the reset token is that of a reset. */
  invitedUntil: Date | null
  /** When an operator locked it, or null. Nobody can log in to a locked account. */
  lockedAt: Date | null
  /** Raised by a new password, a log-out everywhere and operators. Access tokens of an older version are revoked. */
  tokenVersion: number
  createdAt: Date
  /** Idempotency token of the last write that reset or changed the password. */
  passwordChangedBy: string | null
  /** When that was; null where it is not known, or there was none yet. */
  passwordChangedAt: Date | null
  /** The client addresses that its owner logged in from, newest first. */
  clients: RememberedClient[]
  /** At most `maxSessions`. Some may have ended. */
  sessions: Session[]
  /** The second factor, or null. */
  factor: SecondFactor | null
  /** A second factor that waits to be confirmed, expired or not, or null. */
  pendingFactor: PendingFactor | null
  /** Wrong codes in a row. */
  wrongCodes: number
  /** Idempotency token of the last write that replaced or removed a factor. */
  factorChangedBy: string | null
  /** Idempotency token of the last write that used a recovery code. */
  recoveryCodeUsedBy: string | null
  /** At most ten, the oldest first. */
  passkeys: readonly Passkey[]
  /** The user handle in authenticators: 64 random bytes in base64url, drawn once and kept. Null before the first setup. */
  passkeyHandle: string | null
  /** The domain that its passkeys are bound to; null while there is no handle. */
  passkeyRpId: string | null
  /** Idempotency token of the last write that removed a passkey. */
  passkeyRemovedBy: string | null
  /** At most five, the oldest first. */
  identities: readonly Identity[]
  /** Idempotency token of the last write that disconnected an identity. */
  identityChangedBy: string | null
  /** Changes of the last seven days of which its owner is told, the oldest first. */
  changes: readonly Change[]
  /** When the newest one was made, whatever became of it; null before the first. */
  changedAt: Date | null
  /** The changes that the mail with its reset link listed, by their hashes. */
  resetLists: readonly string[]
  /** The last token of each kind. `requestedAt` stays when the token is cleared. */
  tokens: Record<TokenKind, { [K in keyof OneTimeToken]: OneTimeToken[K] | null }>
  /** The address that the verification token proves and moves the account to; null when it proves the account's own. */
  pendingEmail: string | null
  /** Whether a password reset verifies the address: an operator moved the account there. */
  resetVerifies: boolean
}

/** A client address that an account's owner logged in from. */
export interface RememberedClient {
  /** HMAC-SHA256 of the address, keyed with the account's id, so that it differs from account to account. */
  hash: string
  /** The time of the last login from there, to the day. */
  at: Date
}

/** An account as a person opens it: with a verification token, and without a reset token. */
export type NewAccount = Pick<
  Account,
  'id' | 'name' | 'language' | 'passwordHash' | 'isAdmin' | 'isVerified' | 'tokenVersion' | 'createdAt'
> & { email: OpenableEmail; verification: OneTimeToken }

/** An account as an identity opens it: its address is proven, and it has no password. */
export type IdentifiedAccount = Omit<NewAccount, 'verification'>

/** Whether the account is still the same, and its access tokens have not been revoked since. */
export const isAsRead = (anew: Account | null, before: Pick<Account, 'id' | 'tokenVersion'>): anew is Account =>
  anew?.id === before.id && anew.tokenVersion === before.tokenVersion

/** Attempts of a write that loses races to other writes of its account. */
export const maxAttempts = 3

/** Stored by a write of the profile; an absent member leaves its attribute alone. */
export interface ProfileChange {
  name?: string
  language?: string
  /** The language that notices keep using, and until when. */
  noticesIn?: { language: string; until: Date }
}

/** Stored by a write that raises the token version. */
export interface TokenChange {
  mark: string
  /** The clients that the account keeps. */
  clients: readonly RememberedClient[]
}

/** Accounts by their id: what holds a token, code, session, link or message knows it. */
export interface AccountReads {
  find(id: string): Promise<Account | null>
}

/** Accounts by their address, as people type it. */
export interface AddressReads {
  findByEmail(email: string): Promise<Account | null>
}

/** Which account an address leads to. */
export interface EntryReads {
  findIdAt(email: string): Promise<string | null>
}

declare const proof: unique symbol

/** The owner of an account, proven. Only `finishProof` makes this type, so every login passes its checks. */
export interface Proven {
  readonly [proof]: true
  account: Account
  by: 'password' | 'passkey' | 'provider'
  /** Time and methods of the proof. */
  login: { authTime: Date; amr: readonly string[] }
  /**
   * Spends a proof that works once: after everything that may fail, before the first write.
   *
   * @throws {DomainError} when another request has used it, or the account has changed
   */
  spend(): Promise<void>
}

/**
 * Asks a caller with an access token to prove that the account is theirs: by password and second factor, or by a
 * passkey. The error names why a proof is refused.
 *
 * @param mustBeVerified whether only an account with a verified address will do
 */
export type Prove = (mustBeVerified?: boolean) => Promise<Proven>
