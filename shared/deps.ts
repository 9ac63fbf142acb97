import type { JSONWebKeySet } from 'jose'
import type { Account, NewAccount } from './accounts/account.ts'
import type { Letter } from './accounts/letters.ts'
import type { MailMessage } from './accounts/mail.ts'
import type { OneTimeToken, TokenKind } from './accounts/one-time-token.ts'
import type { Policy } from './rate-limit.ts'
import type { ConsumerName, consumers, Grants, RouteName, routes } from './routes.ts'

/**
 * The outside world, as the domain sees it. `live.ts` builds it on AWS; tests build one they can steer.
 *
 * Domain functions take the slice they use as their first parameter. Whatever fails out there is thrown as
 * `DomainError('unavailable')`.
 */
export interface Deps
  extends System,
    UserParts,
    RateLimitParts,
    MailQueueParts,
    QueuedMailParts,
    MailerParts,
    SignerParts,
    KeyParts {}

/** What every function has. */
export interface System {
  now(): Date
  /** A UUIDv7 (RFC 9562 §5.7): unique, and ordered by time. */
  newId(): string
  randomBytes(size: number): Uint8Array
  config: Config
  /** Writes one structured event. Never an address, a password or a token. */
  log(event: AuthEvent): void
}

export interface AuthEvent {
  event:
    | 'registered'
    | 'logged-in'
    | 'login-failed'
    | 'login-limited'
    | 'request-limited'
    | 'reset-requested'
    | 'verification-requested'
    | 'password-reset'
    | 'email-verified'
    | 'mail-sent'
    | 'mail-dropped'
    | 'mail-failed'
    | 'rehash-failed'
  account_id?: string
  reason?: string
}

/** Settings, as functions see them. */
export interface Config {
  accessTokenMinutes: number
  /** Canonical, or null for none. */
  adminEmail: string | null
  bcryptCost: number
  /** The `iss` of access tokens: `{base_url}/auth`. */
  issuer: string
  /** Whether mails are sent: `MAIL_FROM` is set. */
  mailFrom: string | null
  /** By route; null when nothing is counted. */
  rateLimits: ReadonlyMap<string, Policy> | null
  requireEmailVerification: boolean
  /** Without a slash at its end. */
  siteUrl: string
  tokenAudience: string
}

export interface UserParts {
  accounts: Accounts
}

export interface RateLimitParts {
  counters: Counters
}

export interface MailQueueParts {
  /** @param delaySeconds how long the queue keeps it back, 0 to 900 */
  queueMail(message: MailMessage, delaySeconds: number): Promise<void>
}

export interface QueuedMailParts {
  /** Has the queue hand a message out again after so many seconds. */
  postponeMail(receiptHandle: string, seconds: number): Promise<void>
}

export interface MailerParts {
  sendMail(to: string, letter: Letter): Promise<void>
}

export interface SignerParts {
  signer: {
    /** RFC 7638 thumbprint of the key that signs. */
    keyId(): Promise<string>
    /** RSASSA-PKCS1-v1_5 with SHA-256 over `data`. */
    sign(data: Uint8Array): Promise<Uint8Array>
  }
}

export interface KeyParts {
  /** Every published key; the same object for as long as the function's environment lives. */
  publicKeys(): Promise<JSONWebKeySet>
}

/** The users table. Each change is one conditional write on one item; reads are strongly consistent. */
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
  spendVerificationToken(account: Account, hash: string, now: Date): Promise<boolean>
  /** Replaces the password, raises the token version and clears the token, if the account still holds it unexpired. */
  spendResetToken(account: Account, hash: string, passwordHash: string, now: Date): Promise<boolean>
}

/** A limit on a counter: how many, and until when the counter counts. */
export interface Ceiling {
  limit: number
  resetsAt: Date
}

/** The rate limits table: atomic counters that expire. */
export interface Counters {
  /** Adds one unless that passes the limit. @returns the count after it, or null when it was refused */
  take(key: string, ceiling: Ceiling): Promise<number | null>
  /** Adds one to two counts of one item unless that passes either's limit. @returns which refused, or null */
  takeGuess(key: string, pair: string, limits: GuessLimits): Promise<'pair' | 'address' | null>
  /** Takes back one guess and clears its pair's count. */
  forgiveGuess(key: string, pair: string): Promise<void>
  /** Clears all counts of a key. */
  clear(key: string): Promise<void>
}

export interface GuessLimits {
  perPair: number
  perAddress: number
  resetsAt: Date
}

interface PartsByResource {
  Users: UserParts
  RateLimits: RateLimitParts
  MailQueue: MailQueueParts
  QueuedMail: QueuedMailParts
  MailIdentity: MailerParts
  SigningKey: SignerParts
  SigningKeys: KeyParts
}

export type Intersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** Exactly the parts of the outside world that a row's grants open, so that no function can use another's. */
export type PartsOf<G extends Grants> = System &
  ([keyof G & keyof PartsByResource] extends [never]
    ? unknown
    : Intersection<PartsByResource[keyof G & keyof PartsByResource]>)

export type DepsOf<N extends RouteName> = PartsOf<(typeof routes)[N]['may']>

export type ConsumerDepsOf<N extends ConsumerName> = PartsOf<(typeof consumers)[N]['may']>
