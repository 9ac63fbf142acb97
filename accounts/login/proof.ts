import type { Configured } from '../../shared/base/config.ts'
import { DomainError, type ErrorCode, refusedAtLogin } from '../../shared/base/errors.ts'
import type { AuthEvent } from '../../shared/base/system.ts'
import { type Account, noPassword } from '../account/account.ts'
import type { Proof } from '../account/schemas.ts'
import { type FactorDeps, requireFactor } from '../factor/check.ts'
import type { ProofPurpose } from '../passkey/challenge.ts'
import { needsPasskey } from '../passkey/passkey.ts'
import { type GuessDeps, guess } from '../password/guesses.ts'
import { verifyPassword } from '../password/hash.ts'
import type { Password } from '../password/password.ts'
import { byPassword } from '../token/claims.ts'
import { type Admitted, admitProven, type Proven } from './admitted.ts'
import { type PasskeyDeps, proveOwner } from './passkey-proof.ts'

/** An attempt to prove that one knows the password of an account. */
interface Attempt {
  clientAddress: string
  /** The address that guesses are counted for. */
  email: string
  password: Password
  /** Finds the account, or null. Either way one hash is computed. */
  find(): Promise<Account | null>
  /** Whether only an account with a verified address is admitted. */
  mustBeVerified: boolean
  /** A code of the second factor, if one was sent. */
  code: string | undefined
  /** What an account without a second factor must do first. */
  withoutFactor?: (account: Account, login: Login) => Promise<void>
  /** How a wrong password is refused. */
  refusal: keyof typeof wrongPassword
}

type Login = Admitted['login']

/** What a second factor is asked for with, and how it is refused that the account has changed meanwhile. */
type Asked = Pick<Attempt, 'code' | 'withoutFactor'> & { refusal: Attempt['refusal'] | 'invalid-provider-token' }

/** What is logged of a wrong password: at login, and where an access token names the account. */
const wrongPassword = {
  'bad-credentials': { event: 'login-failed', reason: 'credentials' },
  'wrong-password': { event: 'wrong-password' },
} as const satisfies Partial<Record<ErrorCode, AuthEvent>>

export type AdmissionDeps = FactorDeps & GuessDeps & Configured<'bcryptCost' | 'passkeyRpId' | 'secondFactor'>

/**
 * The one place where a password is checked. First come the limits on guesses, then the password, then what `admitProven`
 * asks. If one of these refuses, this guess no longer counts, but the earlier ones do: only success clears them.
 *
 * @throws {DomainError} `too-many-requests`, the attempt's own refusal, those of `admitProven`, `passkey-required`, those of
 *   `requireFactor` (as login answers them), those of `withoutFactor`, `unavailable`
 */
export async function admit(deps: AdmissionDeps, attempt: Attempt): Promise<Admitted> {
  const { clientAddress, email, password, find, mustBeVerified, refusal } = attempt
  const admitted = await guess(deps, clientAddress, email, async () => {
    const account = await find()
    const isRight = await verifyPassword(deps, password, account?.passwordHash ?? null)
    if (!isRight || account === null) {
      deps.log({ ...wrongPassword[refusal], ...(account && { account_id: account.id }) })
      return null
    }
    const login = byPassword(deps, account)
    const askFactor = (account: Account) => showFactor(deps, account, login, attempt)
    // A password works as often as it is entered.
    return admitProven(deps, { account, by: 'password', login, askFactor, spend: async () => {} }, mustBeVerified)
  })
  if (admitted === null) throw new DomainError(refusal)
  return admitted
}

/** What an owner types in addition to an access token, to prove that the account is theirs. */
interface Typed {
  password: Password
  code?: string | undefined
}

/**
 * Requires the account's password and second factor of somebody who has something else already, such as an access token: that
 * may be left on somebody's machine. A wrong password counts as a guess at the account, as it does at login. One that there is
 * not cannot be guessed.
 *
 * @throws {DomainError} `no-password`, those of `admit`, with `wrong-password`
 */
export async function admitByPassword(
  deps: AdmissionDeps,
  clientAddress: string,
  account: Account,
  { password, code }: Typed,
  mustBeVerified = false,
): Promise<Admitted> {
  if (account.passwordHash === noPassword) throw new DomainError('no-password')
  const find = async () => account
  const { email } = account
  return admit(deps, { clientAddress, email, password, find, mustBeVerified, code, refusal: 'wrong-password' })
}

export type OwnerDeps = AdmissionDeps & PasskeyDeps

/**
 * Requires a proof of the account's owner in addition to an access token: password and second factor, or a passkey.
 *
 * @param purpose the endpoint, which the passkey's challenge was drawn for
 * @throws {DomainError} those of `admitByPassword`, those of `proveOwner`
 */
export async function admitOwner(
  deps: OwnerDeps,
  clientAddress: string,
  account: Account,
  proof: Proof,
  purpose: ProofPurpose,
  mustBeVerified = false,
): Promise<Admitted> {
  if (proof.assertion === undefined) return admitByPassword(deps, clientAddress, account, proof, mustBeVerified)
  return admitProven(deps, await proveOwner(deps, proof.assertion, purpose, account), mustBeVerified)
}

/**
 * Admits the owner of an account whom a provider has confirmed. It is no guess, so guesses at the password neither stop it nor are
 * cleared; the second factor is asked for as after a password.
 *
 * @throws {DomainError} those of `admitProven`, `passkey-required`, those of `requireFactor` (as login answers them), those of
 *   `withoutFactor`, `invalid-provider-token` when the account changed meanwhile, `unavailable`
 */
export const admitConfirmed = (
  deps: AdmissionDeps,
  { account, login, spend }: Pick<Proven, 'account' | 'login' | 'spend'>,
  { mustBeVerified, ...asked }: Pick<Attempt, 'mustBeVerified' | 'code' | 'withoutFactor'>,
): Promise<Admitted> => {
  const refusal = 'invalid-provider-token'
  const askFactor = (account: Account) => showFactor(deps, account, login, { ...asked, refusal })
  return admitProven(deps, { account, by: 'provider', login, askFactor, spend }, mustBeVerified)
}

/** Asks for the second factor of an account, if it has one, or for what else it must have. */
async function showFactor(
  deps: AdmissionDeps,
  account: Account,
  login: Login,
  { code, refusal, withoutFactor }: Asked,
) {
  try {
    if (needsPasskey(account, deps.config)) throw new DomainError('passkey-required')
    if (account.factor !== null) await requireFactor(deps, account, account.factor, code)
    else await withoutFactor?.(account, login)
  } catch (error) {
    if (refusal === 'wrong-password' || !(error instanceof DomainError)) throw error
    // The password or the factor changed meanwhile.
    throw error.code === 'invalid-access-token' ? new DomainError(refusal) : refusedAtLogin(error)
  }
}
