import type { Deps } from '../deps.ts'
import { DomainError } from '../errors.ts'
import { forgiveGuesses, reserveGuess } from '../rate-limit.ts'
import { report } from '../report.ts'
import type { ResetPasswordRequest, UserCreate, UserLogin } from '../schemas.ts'
import { drawToken, hashToken, type OneTimeToken, oneTimeToken, type TokenKind } from './one-time-token.ts'
import { hashPassword, isOutdated, requireLongEnough, verifyPassword } from './password.ts'

export interface Account {
  /** UUIDv7. */
  id: string
  /** Canonical (`email.ts`). */
  email: string
  name: string | null
  passwordHash: string
  isAdmin: boolean
  isVerified: boolean
  /** Raised by a password reset: access tokens of an older version are void. */
  tokenVersion: number
  createdAt: Date
  /** What is known of the last token of each kind; `requestedAt` outlives the token. */
  tokens: Record<TokenKind, { [K in keyof OneTimeToken]: OneTimeToken[K] | null }>
}

/** An account as it is written first: with a verification token, never with a reset token. */
export type NewAccount = Omit<Account, 'tokens'> & { verification: OneTimeToken }

/** The specification's UserResponse. */
export const accountView = ({ id, email, name, isAdmin, isVerified, createdAt }: Omit<Account, 'tokens'>) => ({
  id,
  email,
  name,
  is_admin: isAdmin,
  is_verified: isVerified,
  created_at: createdAt.toISOString(),
})

/**
 * How long the queue keeps a registration's mail back, in seconds: about as long as the account's own write takes, so
 * that the worker seldom comes too early.
 */
const registrationDelay = 2

/**
 * Opens an account and has a verification link mailed to its address.
 *
 * The mail is queued before the account is written: an account whose mail was lost cannot exist. The worker sends it
 * only once the account holds the token's hash: a registration that failed mails nothing.
 *
 * @throws {DomainError} `password-too-short`, `email-taken`, `unavailable`
 */
export async function openAccount(
  deps: Pick<Deps, 'now' | 'newId' | 'randomBytes' | 'config' | 'accounts' | 'queueMail' | 'log'>,
  { email, password, name }: UserCreate,
): Promise<NewAccount> {
  requireLongEnough(password)
  const passwordHash = await hashPassword(deps, password)
  const now = deps.now()
  const token = drawToken(deps)
  const account: NewAccount = {
    id: deps.newId(),
    email,
    name,
    passwordHash,
    isAdmin: email === deps.config.adminEmail,
    isVerified: false,
    tokenVersion: 0,
    createdAt: now,
    verification: oneTimeToken('verification', token, now),
  }
  if (deps.config.mailFrom !== null) {
    await deps.queueMail({ kind: 'registration', email, token, requested_at: now.getTime() }, registrationDelay)
  }
  if (!(await deps.accounts.insert(account))) throw new DomainError('email-taken')
  deps.log({ event: 'registered', account_id: account.id })
  return account
}

/**
 * Finds the account that an address and a password belong to. An unknown address takes the same calls and the same
 * hash as a wrong password.
 *
 * @throws {DomainError} `too-many-requests`, `bad-credentials`, `email-not-verified`, `unavailable`
 */
export async function logIn(
  deps: Pick<Deps, 'now' | 'randomBytes' | 'config' | 'accounts' | 'counters' | 'log'>,
  remote: string,
  { email, password }: UserLogin,
): Promise<Account> {
  const guess = await reserveGuess(deps, remote, email)
  const account = await deps.accounts.find(email)
  const isRight = await verifyPassword(deps, password, account?.passwordHash ?? null)
  if (account === null || !isRight) {
    deps.log({ event: 'login-failed', reason: 'credentials', ...(account && { account_id: account.id }) })
    throw new DomainError('bad-credentials')
  }
  await guess.forgive()
  if (deps.config.requireEmailVerification && !account.isVerified) {
    deps.log({ event: 'login-failed', reason: 'unverified', account_id: account.id })
    throw new DomainError('email-not-verified')
  }
  if (isOutdated(deps, account.passwordHash)) await renewHash(deps, account, password)
  deps.log({ event: 'logged-in', account_id: account.id })
  return account
}

/** Replaces a hash of another form or cost. The login stands without it: the next one tries again. */
async function renewHash(
  deps: Pick<Deps, 'now' | 'randomBytes' | 'config' | 'accounts' | 'log'>,
  account: Account,
  password: string,
): Promise<void> {
  try {
    await deps.accounts.replaceHash(account, await hashPassword(deps, password.normalize('NFC')), deps.now())
  } catch (error) {
    report(error)
    deps.log({ event: 'rehash-failed', account_id: account.id })
  }
}

/**
 * Gives an account another name; `null` leaves it as it is.
 *
 * @throws {DomainError} `invalid-access-token` when the account vanished or its password was reset meanwhile
 */
export async function renameAccount(
  deps: Pick<Deps, 'now' | 'accounts'>,
  account: Account,
  name: string | null,
): Promise<Account> {
  if (name === null) return account
  const renamed = await deps.accounts.rename(account, name, deps.now())
  if (renamed === null) throw new DomainError('invalid-access-token')
  return renamed
}

/**
 * Marks the address of whoever holds the token as verified. A token works once: should the answer of the write be lost
 * and the SDK send it again, the person is told that the link is spent, which by then is true.
 *
 * @throws {DomainError} `invalid-verification-token`, `unavailable`
 */
export async function verifyEmail(deps: Pick<Deps, 'now' | 'accounts' | 'log'>, token: string): Promise<void> {
  const hash = hashToken(token)
  const account = await deps.accounts.findByToken('verification', hash)
  if (account === null || !(await deps.accounts.spendVerificationToken(account, hash, deps.now()))) {
    throw new DomainError('invalid-verification-token')
  }
  deps.log({ event: 'email-verified', account_id: account.id })
}

/**
 * Replaces the password of whoever holds the token, and voids the access tokens issued before. A token works once.
 *
 * @throws {DomainError} `password-too-short` (before anything about the token), `invalid-reset-token`, `unavailable`
 */
export async function resetPassword(
  deps: Pick<Deps, 'now' | 'randomBytes' | 'config' | 'accounts' | 'counters' | 'log'>,
  { token, new_password }: ResetPasswordRequest,
): Promise<void> {
  requireLongEnough(new_password)
  const hash = hashToken(token)
  const account = await deps.accounts.findByToken('reset', hash)
  // Only spares a hash: the condition of the write decides.
  const isWorthHashing = account?.tokens.reset.expiresAt && account.tokens.reset.expiresAt > deps.now()
  if (!account || !isWorthHashing) throw new DomainError('invalid-reset-token')

  const passwordHash = await hashPassword(deps, new_password)
  // Before the token is spent: should the counters not answer, the link still works.
  await forgiveGuesses(deps, account.email)
  if (!(await deps.accounts.spendResetToken(account, hash, passwordHash, deps.now()))) {
    throw new DomainError('invalid-reset-token')
  }
  deps.log({ event: 'password-reset', account_id: account.id })
}
