import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import type { ChangePasswordRequest } from '../account/schemas.ts'
import { admitOwner, type OwnerDeps } from '../login/proof.ts'
import { renewTokens } from '../session/renewal.ts'
import type { IssuedToken, IssuerDeps } from '../token/access-token.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'
import { hashPassword } from './hash.ts'
import { requireLongEnough } from './password.ts'
import type { PasswordWrites } from './writes.ts'

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
    OwnerDeps &
    Configured<'passwordBlocklist' | 'productName'> & {
      passwords: Pick<PasswordWrites, 'change'>
      isCommonPassword: CommonPasswords
    },
  clientAddress: string,
  account: Account,
  { new_password, ...proof }: ChangePasswordRequest,
  sid?: string,
): Promise<IssuedToken> {
  requireLongEnough(new_password)
  requireUncommon(deps, new_password)
  requireUnlikeAddress(deps, new_password, account.email)
  const { assertion, code } = proof
  const typed = assertion === undefined ? { password: proof.current_password, code } : proof
  const { login, spend } = await admitOwner(deps, clientAddress, account, typed, 'change-password')
  const passwordHash = await hashPassword(deps, new_password)
  const renewal = { account, clientAddress, sid, amr: login.amr, spend, event: 'password-changed' } as const
  return renewTokens(deps, renewal, (present, change, kept) =>
    deps.passwords.change(present, { ...change, passwordHash }, deps.now(), kept),
  )
}
