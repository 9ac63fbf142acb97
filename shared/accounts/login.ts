import type { Configured } from '../base/config.ts'
import { DomainError } from '../base/errors.ts'
import { logError } from '../base/log.ts'
import type { System } from '../base/system.ts'
import type { Account, Accounts } from './account.ts'
import { type AdmissionDeps, admit } from './admission/admission.ts'
import { withClient } from './admission/remembered-clients.ts'
import { type EnrolmentDeps, enrol } from './factors/enrolment.ts'
import { normalForm } from './password.ts'
import { hashPassword, isOutdated } from './password-hash.ts'
import type { UserLogin } from './schemas.ts'
import { openSession } from './sessions/opening.ts'
import { type IssuedToken, type IssuerDeps, issueAccessToken } from './tokens/access-token.ts'

type LoginDeps = System &
  Configured<'bcryptCost'> & { accounts: Pick<Accounts, 'find' | 'replaceHash' | 'rememberClients'> }

/**
 * Finds the account that an address and a password belong to. An unknown address takes the same calls and the same hash
 * as a wrong password. Only the right password reveals that an account is locked or not verified, or has a second factor.
 *
 * @throws {DomainError} those of `admit`, `second-factor-setup`
 */
export async function logIn(
  deps: LoginDeps & AdmissionDeps & EnrolmentDeps & Configured<'requireEmailVerification'>,
  clientAddress: string,
  { email, password, code, mail_token }: UserLogin,
): Promise<Account> {
  const account = await admit(deps, {
    clientAddress,
    email,
    password,
    code,
    find: () => deps.accounts.find(email),
    mustBeVerified: deps.config.requireEmailVerification,
    withoutFactor: account => requireEnrolment(deps, account, clientAddress, mail_token),
    refusal: 'bad-credentials',
  })
  await renewHash(deps, account, normalForm(password))
  await rememberClient(deps, account, clientAddress)
  deps.log({ event: 'logged-in', account_id: account.id })
  return account
}

/**
 * Issues the tokens of a login, and opens a session if that was asked for.
 *
 * @throws {DomainError} `unavailable`, and `bad-credentials` when the account is gone or its token version changed
 *   meanwhile
 */
export async function issueLoginTokens(
  deps: Pick<System, 'randomBytes' | 'pause' | 'log'> &
    IssuerDeps & { accounts: Pick<Accounts, 'find' | 'addSession'> },
  account: Account,
  session: { label: string | null } | undefined,
): Promise<IssuedToken> {
  if (!session || deps.config.sessionDays === 0) return issueAccessToken(deps, account)
  const opened = await openSession(deps, account, session.label)
  if (opened === 'outdated') {
    deps.log({ event: 'login-failed', reason: 'outdated', account_id: account.id })
    throw new DomainError('bad-credentials')
  }
  if (opened === 'busy') throw new DomainError('unavailable')
  deps.log({ event: 'session-opened', account_id: account.id })
  return opened
}

/**
 * Refuses an account without a second factor where everybody needs one.
 *
 * @param mailToken of a link that was mailed to its address, if there is one
 */
async function requireEnrolment(
  deps: EnrolmentDeps,
  account: Account,
  clientAddress: string,
  mailToken: string | undefined,
): Promise<void> {
  if (deps.config.secondFactor !== 'required') return
  const setupToken = await enrol(deps, account, clientAddress, mailToken)
  deps.log({ event: 'login-failed', reason: 'no-second-factor', account_id: account.id })
  throw new DomainError('second-factor-setup', setupToken === null ? {} : { members: { setup_token: setupToken } })
}

/** Replaces a hash that is outdated. If that fails, the login still succeeds, and the next one tries again. */
async function renewHash(deps: LoginDeps, account: Account, password: string): Promise<void> {
  if (!isOutdated(deps, account.passwordHash, password)) return
  try {
    await deps.accounts.replaceHash(account, await hashPassword(deps, password), deps.now())
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
