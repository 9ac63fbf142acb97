import type { Configured } from '../../shared/base/config.ts'
import type { Proven } from '../account/account.ts'
import type { PasskeyWrites } from '../passkey/writes.ts'
import { type PasskeyDeps, provePasskeyHolder } from './passkey-proof.ts'
import { finishProof } from './proven.ts'
import type { PasskeyLogin } from './shapes.ts'

/**
 * Logs in the owner of an account by a passkey. A passkey is no guess: limits on guesses do not apply, and it clears none.
 *
 * @throws {DomainError} those of `provePasskeyHolder`, those of `finishProof`
 */
export async function logInByPasskey(
  deps: PasskeyDeps & Configured<'requireEmailVerification'> & { passkeys: Pick<PasskeyWrites, 'findHolder'> },
  { assertion }: PasskeyLogin,
): Promise<Proven> {
  const proven = await finishProof(
    deps,
    await provePasskeyHolder(deps, assertion),
    deps.config.requireEmailVerification,
  )
  // Of parallel requests with one challenge only one logs in.
  const spend = async () => {
    await proven.spend()
    deps.log({ event: 'logged-in', reason: 'passkey', account_id: proven.account.id })
  }
  return { ...proven, spend }
}
