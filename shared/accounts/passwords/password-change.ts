import type { Configured } from '../../base/config.ts'
import type { System } from '../../base/system.ts'
import type { Account } from '../account.ts'
import { type AdmissionDeps, admitOwner } from '../admission.ts'
import { announce } from '../mail/notices.ts'
import { onlyClient } from '../remembered-clients.ts'
import { renewTokens } from '../renewal.ts'
import type { ChangePasswordRequest } from '../schemas.ts'
import type { IssuedToken, IssuerDeps } from '../tokens/access-token.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'
import { requireLongEnough } from './password.ts'
import { hashPassword } from './password-hash.ts'

/**
 * Replaces an account's password, and voids its access tokens and reset links. Returns new tokens, so that the caller
 * stays logged in.
 *
 * @param sid the caller's session, if its access token has one
 * @throws {DomainError} `password-too-short`, `password-too-common`, those of `admitOwner` and `renewTokens`
 */
export async function changePassword(
  deps: System &
    IssuerDeps &
    AdmissionDeps &
    Configured<'passwordBlocklist' | 'productName'> & { isCommonPassword: CommonPasswords },
  clientAddress: string,
  account: Account,
  { current_password, new_password, code }: ChangePasswordRequest,
  sid?: string,
): Promise<IssuedToken> {
  requireLongEnough(new_password)
  requireUncommon(deps, new_password)
  requireUnlikeAddress(deps, new_password, account.email)
  await admitOwner(deps, clientAddress, account, { password: current_password, code })
  const passwordHash = await hashPassword(deps, new_password)
  const clients = onlyClient(account, clientAddress)
  let mark: string | undefined
  const tokens = await renewTokens(deps, account, sid, {}, async (present, kept) => {
    mark ??= await announce(deps, 'password-changed', account)
    return deps.accounts.changePassword(present, { passwordHash, mark, clients }, deps.now(), kept)
  })
  deps.log({ event: 'password-changed', account_id: account.id })
  return tokens
}
