import { DomainError } from '../../base/errors.ts'
import type { Account } from '../account.ts'
import { type AdmissionDeps, admitOwner } from '../admission.ts'
import { announce } from '../mail/notices.ts'
import { onlyClient } from '../remembered-clients.ts'
import { renewTokens } from '../renewal.ts'
import type { SecondFactorRequest } from '../schemas.ts'
import type { IssuedToken, IssuerDeps } from '../tokens/access-token.ts'
import { drawRecoveryCodes, hashRecoveryCode } from './codes.ts'

/**
 * Removes an account's second factor with its recovery codes, and voids its access tokens; the caller stays logged in.
 *
 * @param sid the caller's session, if its access token has one
 * @throws {DomainError} `no-second-factor`, those of `admitOwner`, `second-factor-required-here`, those of `renewTokens`
 */
export async function removeFactor(
  deps: AdmissionDeps & IssuerDeps,
  clientAddress: string,
  account: Account,
  proof: SecondFactorRequest,
  sid?: string,
): Promise<IssuedToken> {
  if (account.factor === null) throw new DomainError('no-second-factor')
  await admitOwner(deps, clientAddress, account, proof)
  if (deps.config.secondFactor === 'required') throw new DomainError('second-factor-required-here')
  const clients = onlyClient(account, clientAddress)
  let mark: string | undefined
  const tokens = await renewTokens(deps, account, sid, { factor: null }, async (present, kept) => {
    mark ??= await announce(deps, 'factor-removed', account)
    return deps.accounts.removeFactor(present, { mark, clients }, deps.now(), kept)
  })
  deps.log({ event: 'factor-removed', account_id: account.id })
  return tokens
}

/**
 * Replaces an account's recovery codes.
 *
 * @returns the new ones
 * @throws {DomainError} `no-second-factor`, those of `admitOwner`, `unavailable`, and `invalid-access-token` when the account
 *   is gone or its token version changed meanwhile
 */
export async function renewRecoveryCodes(
  deps: AdmissionDeps,
  clientAddress: string,
  account: Account,
  proof: SecondFactorRequest,
): Promise<readonly string[]> {
  if (account.factor === null) throw new DomainError('no-second-factor')
  await admitOwner(deps, clientAddress, account, proof)
  const codes = drawRecoveryCodes(deps)
  if (!(await deps.accounts.replaceRecoveryCodes(account, codes.map(hashRecoveryCode), deps.now()))) {
    throw new DomainError('invalid-access-token')
  }
  deps.log({ event: 'recovery-codes-renewed', account_id: account.id })
  return codes
}
