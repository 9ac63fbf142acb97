import type { Configured } from '../base/config.ts'
import { DomainError, type ErrorCode } from '../base/errors.ts'
import type { Counters } from '../base/limits/counters.ts'
import type { AuthEvent, System } from '../base/system.ts'
import type { Account, Accounts } from './account.ts'
import { guess } from './guesses.ts'
import { verifyPassword } from './passwords/password-hash.ts'

/** An attempt to prove that one knows the password of an account. */
export interface Attempt {
  clientAddress: string
  /** The address that guesses are counted for. */
  email: string
  password: string
  /** Finds the account, or null. Both take the same hash. */
  find(): Promise<Account | null>
  /** Whether only an account with a verified address is admitted. */
  mustBeVerified: boolean
  /** How a wrong password is refused. */
  refusal: keyof typeof wrongPassword
}

/** What is logged of a wrong password: at login, and where an access token says whose it must be. */
const wrongPassword = {
  'bad-credentials': { event: 'login-failed', reason: 'credentials' },
  'wrong-password': { event: 'wrong-password' },
} as const satisfies Partial<Record<ErrorCode, AuthEvent>>

type AdmissionDeps = Pick<System, 'now' | 'randomBytes' | 'log'> &
  Configured<'bcryptCost' | 'rateLimits'> & { accounts: Pick<Accounts, 'find'>; counters: Counters }

/**
 * The one place where a password is checked. First come the limits on guesses, then the password, then the lock, then
 * verification: only the right password reveals the last two. They take back their own guess and leave the count of the
 * others, which success alone clears.
 *
 * @throws {DomainError} `too-many-requests`, the attempt's own refusal, `account-locked`, `email-not-verified`,
 *   `unavailable`
 */
export async function admit(deps: AdmissionDeps, attempt: Attempt): Promise<Account> {
  const { clientAddress, email, password, find, mustBeVerified, refusal } = attempt
  const admitted = await guess(deps, clientAddress, email, async () => {
    const account = await find()
    const isRight = await verifyPassword(deps, password, account?.passwordHash ?? null)
    if (!isRight || account === null) {
      deps.log({ ...wrongPassword[refusal], ...(account && { account_id: account.id }) })
      return null
    }
    if (account.lockedAt !== null) throw refuse(deps, account, 'locked', 'account-locked')
    if (mustBeVerified && !account.isVerified) throw refuse(deps, account, 'unverified', 'email-not-verified')
    return account
  })
  if (admitted === null) throw new DomainError(refusal)
  return admitted
}

/**
 * Requires the account's password in addition to its access token, because a token may be left on somebody's machine. A
 * wrong password counts as a guess at the account, as it does at login.
 *
 * @throws {DomainError} `too-many-requests`, `wrong-password`, `account-locked`, `unavailable`
 */
export async function admitOwner(
  deps: AdmissionDeps,
  clientAddress: string,
  account: Account,
  password: string,
): Promise<void> {
  const find = async () => account
  const { email } = account
  await admit(deps, { clientAddress, email, password, find, mustBeVerified: false, refusal: 'wrong-password' })
}

function refuse(deps: Pick<System, 'log'>, { id }: Account, reason: string, code: ErrorCode): DomainError {
  deps.log({ event: 'login-failed', reason, account_id: id })
  return new DomainError(code)
}
