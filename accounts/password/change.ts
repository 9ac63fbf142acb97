import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, Prove } from '../account/account.ts'
import { type RenewalDeps, renewTokens } from '../session/renewal.ts'
import type { IssuedToken } from '../token/access-token.ts'
import { type BreachDeps, requireUnbreached } from './breaches.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'
import { hashPassword } from './hash.ts'
import type { Password } from './password.ts'
import { requireLongEnough } from './password.ts'
import type { PasswordWrites } from './writes.ts'

/**
 * Replaces an account's password, and revokes its access tokens and reset links. Returns new tokens, so that the caller
 * stays logged in.
 *
 * @param sid the caller's session, if its access token has one
 * @throws {DomainError} `password-too-short`, `password-too-common`, those of `prove` and `renewTokens`
 */
export async function changePassword(
  deps: System &
    RenewalDeps &
    BreachDeps &
    Configured<'bcryptCost' | 'productName'> & {
      passwords: Pick<PasswordWrites, 'change'>
      isCommonPassword: CommonPasswords
    },
  prove: Prove,
  clientAddress: string,
  account: Account,
  password: Password,
  sid?: string,
): Promise<IssuedToken> {
  requireLongEnough(password)
  requireUncommon(deps, password)
  requireUnlikeAddress(deps, password, account.email)
  // Not beside the hash: the proof before it may spend a recovery code.
  await requireUnbreached(deps, password)
  const { login, spend } = await prove()
  const passwordHash = await hashPassword(deps, password)
  const renewal = { account, clientAddress, sid, amr: login.amr, spend, event: 'password-changed' } as const
  return renewTokens(deps, renewal, (present, change, kept) =>
    deps.passwords.change(present, { ...change, passwordHash }, deps.now(), kept),
  )
}
