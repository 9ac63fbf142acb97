import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { logError } from '../../shared/base/log.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, AddressReads, Proven } from '../account/account.ts'
import { type EnrolmentDeps, enrol } from '../factor/enrolment.ts'
import { hashPassword, isOutdated } from '../password/hash.ts'
import type { Password } from '../password/password.ts'
import type { PasswordWrites } from '../password/writes.ts'
import { rememberClient } from '../session/remembered-clients.ts'
import type { SessionWrites } from '../session/writes.ts'
import { type ProofDeps, provePassword } from './proof.ts'
import type { UserLogin } from './shapes.ts'

export type HolderDeps = System &
  ProofDeps &
  Configured<'bcryptCost' | 'secondFactor'> & {
    accounts: AddressReads
    passwords: Pick<PasswordWrites, 'replaceHash'>
    sessions: Pick<SessionWrites, 'remember'>
  }

/** Logs in the owner of an account by a password. @throws {DomainError} those of `proveHolder` */
export async function logIn(
  deps: HolderDeps & EnrolmentDeps & Configured<'requireEmailVerification'>,
  clientAddress: string,
  { mail_token, ...credentials }: UserLogin,
): Promise<Proven> {
  const proven = await proveHolder(deps, clientAddress, credentials, {
    mustBeVerified: deps.config.requireEmailVerification,
    enrol: (account, login) => enrol(deps, account, login, clientAddress, mail_token),
  })
  deps.log({ event: 'logged-in', account_id: proven.account.id })
  return proven
}

/** What a login requires beyond password and second factor. */
export interface Terms {
  mustBeVerified: boolean
  /**
   * Enrols an account without a second factor, where everybody needs one.
   *
   * @returns a token for the setup; null when a link was mailed
   */
  enrol(account: Account, login: Proven['login']): Promise<string | null>
}

/**
 * Finds the account of an address and a password, and remembers the client. An unknown address takes the same calls and
 * the same hash as a wrong password. Only the right password reveals that an account is locked, unverified or has a
 * second factor.
 *
 * @throws {DomainError} those of `provePassword`, `second-factor-setup`
 */
export async function proveHolder(
  deps: HolderDeps,
  clientAddress: string,
  { email, password, code }: Pick<UserLogin, 'email' | 'password' | 'code'>,
  { mustBeVerified, enrol }: Terms,
): Promise<Proven> {
  const proven = await provePassword(deps, {
    clientAddress,
    email,
    password,
    code,
    find: () => deps.accounts.findByEmail(email),
    mustBeVerified,
    withoutFactor: (account, login) => requireEnrolment(deps, account, login, enrol),
    refusal: 'bad-credentials',
  })
  await renewHash(deps, proven.account, password)
  await rememberClient(deps, proven.account, clientAddress)
  return proven
}

/** Refuses an account without a second factor where everybody needs one. @throws {DomainError} `second-factor-setup` */
export async function requireEnrolment(
  deps: Pick<System, 'log'> & Configured<'secondFactor'>,
  account: Account,
  login: Proven['login'],
  enrol: Terms['enrol'],
): Promise<void> {
  if (deps.config.secondFactor !== 'required') return
  const setupToken = await enrol(account, login)
  deps.log({ event: 'login-failed', reason: 'no-second-factor', account_id: account.id })
  throw new DomainError('second-factor-setup', setupToken === null ? {} : { members: { setup_token: setupToken } })
}

/** Replaces an outdated hash. If that fails, the login still succeeds, and the next one retries. */
async function renewHash(deps: HolderDeps, account: Account, password: Password): Promise<void> {
  if (!(await isOutdated(deps, account.passwordHash, password))) return
  try {
    await deps.passwords.replaceHash(account, await hashPassword(deps, password), deps.now())
  } catch (error) {
    logError(deps, error)
    deps.log({ event: 'rehash-failed', account_id: account.id })
  }
}
