import type { Configured } from '../../shared/base/config.ts'
import type { PasskeyLogin } from '../account/schemas.ts'
import type { PasskeyWrites } from '../passkey/writes.ts'
import { type Admitted, admitProven } from './admitted.ts'
import { type PasskeyDeps, proveHolder } from './passkey-proof.ts'

/**
 * Logs in the owner of an account by a passkey. It is no guess, so guesses at the password neither stop it nor are cleared.
 *
 * @throws {DomainError} those of `proveHolder`, those of `admitProven`
 */
export async function logInByPasskey(
  deps: PasskeyDeps & Configured<'requireEmailVerification'> & { passkeys: Pick<PasskeyWrites, 'findHolder'> },
  { assertion }: PasskeyLogin,
): Promise<Admitted> {
  const admitted = await admitProven(deps, await proveHolder(deps, assertion), deps.config.requireEmailVerification)
  // Of several requests with one challenge a single one logs in.
  const spend = async () => {
    await admitted.spend()
    deps.log({ event: 'logged-in', reason: 'passkey', account_id: admitted.account.id })
  }
  return { ...admitted, spend }
}
