import { DomainError, type ErrorCode } from '../../shared/base/errors.ts'
import type { ReasonOf, System } from '../../shared/base/system.ts'
import type { Account, Proven } from '../account/account.ts'

/** Somebody who has proven whose account it is, and was asked nothing else yet. */
export interface Claimant {
  account: Account
  by: Proven['by']
  login: Proven['login']
  /** Asks for what the proof lacks: a second factor. Null where the proof is two already. */
  askFactor: ((account: Account) => Promise<void>) | null
  spend: Proven['spend']
}

/**
 * What is asked of everybody who has proven whose account it is, in this order: the lock, then verification, then the second
 * factor. Only a right proof reveals them.
 *
 * @param mustBeVerified whether only an account with a verified address is proven
 * @throws {DomainError} `account-locked`, `email-not-verified`, those of `askFactor`
 */
export async function finishProof(
  deps: Pick<System, 'log'>,
  { account, by, login, askFactor, spend }: Claimant,
  mustBeVerified: boolean,
): Promise<Proven> {
  if (account.lockedAt !== null) throw refuse(deps, account, 'locked', 'account-locked')
  if (mustBeVerified && !account.isVerified) throw refuse(deps, account, 'unverified', 'email-not-verified')
  await askFactor?.(account)
  return { account, by, login, spend } as Proven
}

/**
 * How the owner of a passkey has logged in (RFC 8176 §2): with a key that they hold, which knew them, and so with two factors
 * (NIST SP 800-63B-4 §3.2.5).
 */
export const passkeyAmr: readonly string[] = ['pop', 'user', 'mfa']

function refuse(
  deps: Pick<System, 'log'>,
  { id }: Account,
  reason: ReasonOf<'login-failed'>,
  code: ErrorCode,
): DomainError {
  deps.log({ event: 'login-failed', reason, account_id: id })
  return new DomainError(code)
}
