import type { Configured } from '../base/config.ts'
import type { Counters } from '../base/limits/counters.ts'
import { logError } from '../base/log.ts'
import type { System } from '../base/system.ts'
import type { Account, Accounts } from './account.ts'
import { admit } from './admission.ts'
import { normalForm } from './passwords/password.ts'
import { hashPassword, isOutdated } from './passwords/password-hash.ts'
import { withClient } from './remembered-clients.ts'
import type { UserLogin } from './schemas.ts'

type LoginDeps = System & Configured<'bcryptCost'> & { accounts: Accounts }

/**
 * Finds the account that an address and a password belong to. An unknown address takes the same calls and the same hash
 * as a wrong password. Only the right password reveals that an account is locked or not verified.
 *
 * @throws {DomainError} `too-many-requests`, `bad-credentials`, `account-locked`, `email-not-verified`, `unavailable`
 */
export async function logIn(
  deps: LoginDeps & Configured<'rateLimits' | 'requireEmailVerification'> & { counters: Counters },
  clientAddress: string,
  { email, password }: UserLogin,
): Promise<Account> {
  const account = await admit(deps, {
    clientAddress,
    email,
    password,
    find: () => deps.accounts.find(email),
    mustBeVerified: deps.config.requireEmailVerification,
    refusal: 'bad-credentials',
  })
  if (isOutdated(deps, account.passwordHash)) await renewHash(deps, account, password)
  await rememberClient(deps, account, clientAddress)
  deps.log({ event: 'logged-in', account_id: account.id })
  return account
}

/** Replaces a hash of another form or cost. If that fails, the login still succeeds, and the next one tries again. */
async function renewHash(deps: LoginDeps, account: Account, password: string): Promise<void> {
  try {
    await deps.accounts.replaceHash(account, await hashPassword(deps, normalForm(password)), deps.now())
  } catch (error) {
    logError(deps, error)
    deps.log({ event: 'rehash-failed', account_id: account.id })
  }
}

/** Remembers the caller's address. If that fails, the login still succeeds, and the next one tries again. */
async function rememberClient(deps: LoginDeps, account: Account, clientAddress: string): Promise<void> {
  const now = deps.now()
  const clients = withClient(account, clientAddress, now)
  if (clients === null) return
  try {
    await deps.accounts.rememberClients(account, clients, now)
  } catch (error) {
    logError(deps, error)
  }
}
