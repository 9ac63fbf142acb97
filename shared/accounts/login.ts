import type { Configured } from '../config.ts'
import { DomainError } from '../errors.ts'
import type { Counters } from '../limits/counters.ts'
import { report } from '../log.ts'
import type { UserLogin } from '../schemas.ts'
import type { System } from '../system.ts'
import type { Account, Accounts } from './account.ts'
import { reserveGuess } from './guesses.ts'
import { normalForm } from './password.ts'
import { hashPassword, isOutdated, verifyPassword } from './password-hash.ts'

type LoginDeps = System & Configured<'bcryptCost'> & { accounts: Accounts }

/**
 * Finds the account that an address and a password belong to. An unknown address takes the same calls and the same
 * hash as a wrong password.
 *
 * @throws {DomainError} `too-many-requests`, `bad-credentials`, `email-not-verified`, `unavailable`
 */
export async function logIn(
  deps: LoginDeps & Configured<'rateLimits' | 'requireEmailVerification'> & { counters: Counters },
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
async function renewHash(deps: LoginDeps, account: Account, password: string): Promise<void> {
  try {
    await deps.accounts.replaceHash(account, await hashPassword(deps, normalForm(password)), deps.now())
  } catch (error) {
    report(deps, error)
    deps.log({ event: 'rehash-failed', account_id: account.id })
  }
}
