import { DomainError, type ErrorCode } from '../../shared/base/errors.ts'
import type { ReasonOf, System } from '../../shared/base/system.ts'
import type { Account, Proven } from '../account/account.ts'

/** An owner with a right proof, before any further check. */
export interface Claimant {
  account: Account
  by: Proven['by']
  login: Proven['login']
  /** Requires a second factor. Null where the proof counts as two. */
  askFactor: ((account: Account) => Promise<void>) | null
  spend: Proven['spend']
}

/**
 * The checks after every right proof, in this order: the lock, verification, the second factor. Only a right proof reveals them.
 *
 * @param mustBeVerified whether only an account with a verified address passes
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
 * The methods of a passkey login (RFC 8176 §2): a key in possession, which verified its user, and so two factors (NIST
 * SP 800-63B-4 §3.2.5).
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
