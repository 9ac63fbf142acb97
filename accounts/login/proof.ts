import type { Configured } from '../../shared/base/config.ts'
import { DomainError, type ErrorCode, refusedAtLogin } from '../../shared/base/errors.ts'
import type { AuthEvent } from '../../shared/base/system.ts'
import { type Account, noPassword, type Prove, type Proven } from '../account/account.ts'
import { type FactorDeps, requireFactor } from '../factor/check.ts'
import type { Proof } from '../factor/shapes.ts'
import { needsPasskey } from '../passkey/passkey.ts'
import type { ProofPurpose } from '../passkey/shapes.ts'
import { type GuessDeps, type Guessed, guess } from '../password/guesses.ts'
import { verifyPassword } from '../password/hash.ts'
import type { Password } from '../password/password.ts'
import { byPassword } from '../token/claims.ts'
import { type PasskeyDeps, proveByPasskey } from './passkey-proof.ts'
import { type Claimant, finishProof } from './proven.ts'

/** An attempt to prove the password of an account. */
interface Attempt extends Guessed {
  password: Password
  /** Whether only an account with a verified address passes. */
  mustBeVerified: boolean
  /** A code of the second factor, if sent. */
  code: string | undefined
  /** What an account without a second factor must do first. */
  withoutFactor?: (account: Account, login: Login) => Promise<void>
  /** How a wrong password is refused. */
  refusal: keyof typeof wrongPassword
}

type Login = Proven['login']

/** A second factor's code, and the refusal when the account has changed meanwhile. */
type Asked = Pick<Attempt, 'code' | 'withoutFactor'> & { refusal: Attempt['refusal'] | 'invalid-provider-token' }

/** The event of a wrong password: at login, and where an access token names the account. */
const wrongPassword = {
  'bad-credentials': { event: 'login-failed', reason: 'credentials' },
  'wrong-password': { event: 'wrong-password' },
} as const satisfies Partial<Record<ErrorCode, AuthEvent>>

export type ProofDeps = FactorDeps & GuessDeps & Configured<'bcryptCost' | 'passkeyRpId' | 'secondFactor'>

/**
 * The one place that checks a password. First the limits on guesses, then the password, then the checks of
 * `finishProof`. If one of these refuses, this guess is uncounted, but earlier guesses stay: only success clears them.
 *
 * @throws {DomainError} `too-many-requests`, the attempt's own refusal, those of `finishProof`, `passkey-required`, those of
 *   `requireFactor` (as login answers them), those of `withoutFactor`, `unavailable`
 */
export async function provePassword(deps: ProofDeps, attempt: Attempt): Promise<Proven> {
  const { password, mustBeVerified, refusal } = attempt
  const proven = await guess(deps, attempt, async () => {
    // Found or not, one hash is computed.
    const account = await attempt.find()
    const isRight = await verifyPassword(deps, password, account)
    if (!isRight || account === null) {
      deps.log({ ...wrongPassword[refusal], ...(account && { account_id: account.id }) })
      return null
    }
    const login = byPassword(deps, account)
    const askFactor = (account: Account) => showFactor(deps, account, login, attempt)
    // A password is not spent by its use.
    return finishProof(deps, { account, by: 'password', login, askFactor, spend: async () => {} }, mustBeVerified)
  })
  if (proven === null) throw new DomainError(refusal)
  return proven
}

/** What an owner types in addition to an access token. */
interface Typed {
  password: Password
  code?: string | undefined
}

/**
 * Requires the account's password and second factor in addition to, say, an access token, which may be left on
 * somebody's machine. A wrong password counts as a guess, as at login. Accounts without a password have nothing to
 * guess.
 *
 * @throws {DomainError} `no-password`, those of `provePassword`, with `wrong-password`
 */
export async function proveByPassword(
  deps: ProofDeps,
  clientAddress: string,
  account: Account,
  { password, code }: Typed,
  mustBeVerified = false,
): Promise<Proven> {
  if (account.passwordHash === noPassword) throw new DomainError('no-password')
  const find = async () => account
  const { email } = account
  return provePassword(deps, { clientAddress, email, password, find, mustBeVerified, code, refusal: 'wrong-password' })
}

type OwnerDeps = ProofDeps & PasskeyDeps

/** What an owner sends in addition to an access token; where a new password is sent too, the other is the current one. */
export type SentProof = Proof | { current_password: Password; code?: string | undefined; assertion?: undefined }

/**
 * The owner's proof in addition to an access token: password and second factor, or a passkey. Each rule asks for it at
 * its place in the order of refusals.
 *
 * @param purpose the endpoint that the passkey's challenge was drawn for
 * @throws {DomainError} when it is asked for: those of `proveByPassword`, those of `proveByPasskey`
 */
export const ownerProof =
  (deps: OwnerDeps, clientAddress: string, account: Account, sent: SentProof, purpose: ProofPurpose): Prove =>
  async (mustBeVerified = false) => {
    if (sent.assertion !== undefined)
      return finishProof(deps, await proveByPasskey(deps, sent.assertion, purpose, account), mustBeVerified)
    const password = 'current_password' in sent ? sent.current_password : sent.password
    return proveByPassword(deps, clientAddress, account, { password, code: sent.code }, mustBeVerified)
  }

/**
 * Proves the owner of an account whom a provider has confirmed. A confirmation is no guess: limits on guesses do not
 * apply, and it clears none. The second factor is required as after a password.
 *
 * @throws {DomainError} those of `finishProof`, `passkey-required`, those of `requireFactor` (as login answers them), those of
 *   `withoutFactor`, `invalid-provider-token` when the account changed meanwhile, `unavailable`
 */
export const proveConfirmed = (
  deps: ProofDeps,
  { account, login, spend }: Pick<Claimant, 'account' | 'login' | 'spend'>,
  { mustBeVerified, ...asked }: Pick<Attempt, 'mustBeVerified' | 'code' | 'withoutFactor'>,
): Promise<Proven> => {
  const refusal = 'invalid-provider-token'
  const askFactor = (account: Account) => showFactor(deps, account, login, { ...asked, refusal })
  return finishProof(deps, { account, by: 'provider', login, askFactor, spend }, mustBeVerified)
}

/** Requires the account's second factor, or whatever an account without one must do. */
async function showFactor(deps: ProofDeps, account: Account, login: Login, { code, refusal, withoutFactor }: Asked) {
  try {
    if (needsPasskey(account, deps.config)) throw new DomainError('passkey-required')
    if (account.factor !== null) await requireFactor(deps, account, account.factor, code)
    else await withoutFactor?.(account, login)
  } catch (error) {
    if (refusal === 'wrong-password' || !(error instanceof DomainError)) throw error
    // The password or the factor has changed meanwhile.
    throw error.code === 'invalid-access-token' ? new DomainError(refusal) : refusedAtLogin(error)
  }
}
