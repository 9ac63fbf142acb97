import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, Prove } from '../account/account.ts'
import { type RenewalDeps, renewTokens } from '../session/renewal.ts'
import type { IssuedToken } from '../token/access-token.ts'
import { amrOf } from '../token/claims.ts'
import { drawRecoveryCodes, hashRecoveryCode } from './codes.ts'
import type { FactorWrites } from './writes.ts'

/**
 * Removes an account's second factor with its recovery codes, and revokes its access tokens; the caller stays logged in.
 *
 * @param sid the caller's session, if its access token has one
 * @throws {DomainError} `no-second-factor`, those of `prove`, `second-factor-required-here`, those of `renewTokens`
 */
export async function removeFactor(
  deps: RenewalDeps & { factors: Pick<FactorWrites, 'remove'> },
  prove: Prove,
  clientAddress: string,
  account: Account,
  sid?: string,
): Promise<IssuedToken> {
  if (account.factor === null) throw new DomainError('no-second-factor')
  const { by, login, spend } = await prove()
  if (deps.config.secondFactor === 'required') throw new DomainError('second-factor-required-here')
  // Afterwards a password alone proves the account.
  const amr = by === 'passkey' ? login.amr : amrOf({ factor: null })
  const renewal = { account, clientAddress, sid, amr, spend, event: 'factor-removed' } as const
  return renewTokens(deps, renewal, (present, change, kept) => deps.factors.remove(present, change, deps.now(), kept))
}

/**
 * Replaces an account's recovery codes.
 *
 * @returns the new ones
 * @throws {DomainError} `no-second-factor`, those of `prove`, `unavailable`, and `invalid-access-token` when the account
 *   is gone or its token version changed meanwhile
 */
export async function renewRecoveryCodes(
  deps: Pick<System, 'now' | 'randomBytes' | 'log'> & { factors: Pick<FactorWrites, 'replaceRecoveryCodes'> },
  prove: Prove,
  account: Account,
): Promise<readonly string[]> {
  if (account.factor === null) throw new DomainError('no-second-factor')
  const { spend } = await prove()
  await spend()
  const codes = drawRecoveryCodes(deps)
  if (!(await deps.factors.replaceRecoveryCodes(account, codes.map(hashRecoveryCode), deps.now()))) {
    throw new DomainError('invalid-access-token')
  }
  deps.log({ event: 'recovery-codes-renewed', account_id: account.id })
  return codes
}
