import type { Configured } from '../../base/config.ts'
import { atLogin, DomainError, type ErrorCode, factorCodes } from '../../base/errors.ts'
import type { AuthEvent, ReasonOf, System } from '../../base/system.ts'
import type { Account } from '../account.ts'
import { type FactorDeps, requireFactor } from '../codes/factor-check.ts'
import type { SecondFactor } from '../factor.ts'
import { verifyPassword } from '../password-hash.ts'
import { type GuessDeps, guess } from './guesses.ts'

/** An attempt to prove that one knows the password of an account. */
interface Attempt {
  clientAddress: string
  /** The address that guesses are counted for. */
  email: string
  password: string
  /** Finds the account, or null. Either way one hash is computed. */
  find(): Promise<Account | null>
  /** Whether only an account with a verified address is admitted. */
  mustBeVerified: boolean
  /** A code of the second factor, if one was sent. */
  code: string | undefined
  /** What an account without a second factor must do first. */
  withoutFactor?: (account: Account) => Promise<void>
  /** How a wrong password is refused. */
  refusal: keyof typeof wrongPassword
}

/** What is logged of a wrong password: at login, and where an access token names the account. */
const wrongPassword = {
  'bad-credentials': { event: 'login-failed', reason: 'credentials' },
  'wrong-password': { event: 'wrong-password' },
} as const satisfies Partial<Record<ErrorCode, AuthEvent>>

export type AdmissionDeps = FactorDeps & GuessDeps & Configured<'bcryptCost'>

/**
 * The one place where a password is checked, and the second factor. First come the limits on guesses, then the password,
 * then the lock, then verification, then the second factor: only the right password reveals the last three. If one of
 * them refuses, this guess no longer counts, but the earlier ones do: only success clears them.
 *
 * @throws {DomainError} `too-many-requests`, the attempt's own refusal, `account-locked`, `email-not-verified`, those of
 *   `requireFactor` (with status 401 at login), those of `withoutFactor`, `unavailable`
 */
export async function admit(deps: AdmissionDeps, attempt: Attempt): Promise<Account> {
  const { clientAddress, email, password, find, mustBeVerified, withoutFactor, refusal } = attempt
  const admitted = await guess(deps, clientAddress, email, async () => {
    const account = await find()
    const isRight = await verifyPassword(deps, password, account?.passwordHash ?? null)
    if (!isRight || account === null) {
      deps.log({ ...wrongPassword[refusal], ...(account && { account_id: account.id }) })
      return null
    }
    if (account.lockedAt !== null) throw refuse(deps, account, 'locked', 'account-locked')
    if (mustBeVerified && !account.isVerified) throw refuse(deps, account, 'unverified', 'email-not-verified')
    if (account.factor !== null) await showFactor(deps, account, account.factor, attempt)
    else await withoutFactor?.(account)
    return account
  })
  if (admitted === null) throw new DomainError(refusal)
  return admitted
}

/** What an owner sends in addition to an access token, to prove that the account is theirs. */
interface Proof {
  password: string
  code?: string | undefined
}

/**
 * Requires the account's password and second factor in addition to its access token, because a token may be left on
 * somebody's machine. A wrong password counts as a guess at the account, as it does at login.
 *
 * @throws {DomainError} `too-many-requests`, `wrong-password`, `account-locked`, those of `requireFactor`, `unavailable`,
 *   and `email-not-verified` if the address must be verified
 */
export async function admitOwner(
  deps: AdmissionDeps,
  clientAddress: string,
  account: Account,
  { password, code }: Proof,
  mustBeVerified = false,
): Promise<void> {
  const find = async () => account
  const { email } = account
  await admit(deps, { clientAddress, email, password, find, mustBeVerified, code, refusal: 'wrong-password' })
}

async function showFactor(deps: AdmissionDeps, account: Account, factor: SecondFactor, { code, refusal }: Attempt) {
  try {
    await requireFactor(deps, account, factor, code)
  } catch (error) {
    if (refusal !== 'bad-credentials' || !(error instanceof DomainError)) throw error
    // The password or the factor changed meanwhile.
    if (error.code === 'invalid-access-token') throw new DomainError(refusal)
    throw factorCodes.has(error.code) ? new DomainError(error.code, { ...error.options, ...atLogin }) : error
  }
}

function refuse(
  deps: Pick<System, 'log'>,
  { id }: Account,
  reason: ReasonOf<'login-failed'>,
  code: ErrorCode,
): DomainError {
  deps.log({ event: 'login-failed', reason, account_id: id })
  return new DomainError(code)
}
