import type { OpenableEmail } from '../address/address.ts'
import type { PendingFactor, SecondFactor } from '../factor/factor.ts'
import type { Identity } from '../identity/identity.ts'
import type { Passkey } from '../passkey/passkey.ts'
import type { Session } from '../session/session.ts'
import type { OneTimeToken, TokenKind } from '../token/token.ts'

/** Stored in place of a hash when an account has no password until its first reset. No password matches it. */
export const noPassword = '*'

export interface Account {
  /** A UUIDv7, or an imported account's own id: 1 to 128 of `[\w.:|-]`. Compared byte by byte. */
  id: string
  /** Canonical (`address.ts`). */
  email: string
  name: string | null
  /** The language of its mails, as it was stored: its tag may not be offered any more. Null when none was chosen. */
  language: string | null
  /** The language that notices use until `languageUntil`; null when the language has never changed. */
  languageBefore: string | null
  languageUntil: Date | null
  passwordHash: string
  /** Of a password that somebody else may know, and that is void; null when there is none, or a reset has replaced it. */
  formerPasswordHash: string | null
  isAdmin: boolean
  isVerified: boolean
  /** Sorted. Only operators write them. */
  roles: readonly string[]
  /** Until when it is invited, or was; null when it is no invited account. Then the reset token is a reset's. */
  invitedUntil: Date | null
  /** When an operator locked it, or null. Nobody can log in to a locked account. */
  lockedAt: Date | null
  /** A new password, a log-out everywhere and operators raise it. Access tokens of an older version are void. */
  tokenVersion: number
  createdAt: Date
  /** The mark of the last write that reset or changed the password. */
  passwordChangedBy: string | null
  /** The client addresses that its owner logged in from, newest first. */
  clients: RememberedClient[]
  /** At most ten. Some may have ended. */
  sessions: Session[]
  /** The second factor, or null. */
  factor: SecondFactor | null
  /** A second factor that waits to be confirmed, expired or not, or null. */
  pendingFactor: PendingFactor | null
  /** Wrong codes in a row. */
  wrongCodes: number
  /** The mark of the last write that set up a first factor. */
  factorSetUpBy: string | null
  /** The mark of the last write that replaced or removed a factor. */
  factorChangedBy: string | null
  /** The mark of the last write that used a recovery code. */
  recoveryCodeUsedBy: string | null
  /** At most ten, the oldest first. */
  passkeys: readonly Passkey[]
  /** What authenticators know the account by: 64 random bytes in base64url, drawn once and kept. Null before the first setup. */
  passkeyHandle: string | null
  /** The domain that its passkeys are bound to; null while there is no handle. */
  passkeyRpId: string | null
  /** The mark of the last write that added a passkey. */
  passkeyAddedBy: string | null
  /** The mark of the last write that removed one. */
  passkeyRemovedBy: string | null
  /** At most five, the oldest first. */
  identities: readonly Identity[]
  /** The mark of the last write that connected or disconnected one. */
  identityChangedBy: string | null
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

/** Whether an account that was read anew is the one of before, and nothing has voided its access tokens since. */
export const isAsRead = (anew: Account | null, before: Pick<Account, 'id' | 'tokenVersion'>): anew is Account =>
  anew?.id === before.id && anew.tokenVersion === before.tokenVersion

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

/** Accounts by their address. */
export interface AccountReads {
  find(email: string): Promise<Account | null>
}

declare const proof: unique symbol

/** The owner of an account who may act as such. Only `finishProof` makes one: so nothing logs in without what it asks. */
export interface Proven {
  readonly [proof]: true
  account: Account
  by: 'password' | 'passkey' | 'provider'
  /** When and how they have proven who they are. */
  login: { authTime: Date; amr: readonly string[] }
  /**
   * Uses up a proof that works once. It comes after all that may fail, and before the first write.
   *
   * @throws {DomainError} when another request has used it, or the account has changed
   */
  spend(): Promise<void>
}

/**
 * Asks for the proof that somebody owns the account that their access token stands for: a password and a second factor, or a
 * passkey. What it throws says why the proof is refused.
 *
 * @param mustBeVerified whether only an account with a verified address will do
 */
export type Prove = (mustBeVerified?: boolean) => Promise<Proven>
