import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import type { Account, AccountReads } from '../account/account.ts'
import { forgiveCodes } from '../factor/code-limits.ts'
import { needsPasskey } from '../passkey/passkey.ts'
import { guess } from './guesses.ts'
import { verifyPassword } from './hash.ts'
import { findHolder, type LinkDeps, prepareByLink } from './link.ts'
import type { Password } from './password.ts'
import type { ResetPasswordRequest } from './shapes.ts'
import type { PasswordWrites } from './writes.ts'

type ResetDeps = LinkDeps &
  Configured<'passkeyRpId' | 'secondFactor'> & {
    accounts: AccountReads
    passwords: Pick<PasswordWrites, 'reset'>
    counters: Pick<Counters<'Guesses'>, 'takeGuess' | 'returnGuess' | 'forgiveGuess'> &
      Pick<Counters<'Codes'>, 'take' | 'clear'>
  }

/**
 * Replaces the password of the account that holds the token, and revokes its access tokens. A token works once.
 * Passkeys and identities, possibly a thief's, are removed unless their owner keeps them; passkeys that a mailbox must
 * not replace stay.
 *
 * Refuses a revoked password, which somebody else may know. Testing for it is a guess, so each attempt counts until the
 * password is set, and a match stays counted.
 *
 * @throws {DomainError} `password-too-short` and `password-too-common` (before anything about the token, but for the
 *   account's own address), `invalid-reset-token`, `former-password`, `too-many-requests`, `unavailable`
 */
export async function resetPassword(
  deps: ResetDeps,
  clientAddress: string,
  { token, new_password, keep_other_logins = false }: ResetPasswordRequest,
): Promise<void> {
  const found = await findHolder(deps, 'reset', token, new_password)
  if (found === null) throw new DomainError('invalid-reset-token')
  const { account, hash } = found
  const former = account.formerPasswordHash
  const kept = {
    keepsPasskeys: keep_other_logins || needsPasskey(account, deps.config),
    keepsIdentities: keep_other_logins,
  }
  const set = () => setPassword(deps, clientAddress, account, hash, new_password, kept)
  if (former === null) return set()
  const isSet = await guess(deps, clientAddress, account.email, async () => {
    if (await verifyPassword(deps, new_password, former)) return null
    await set()
    return true
  })
  if (isSet === null) throw new DomainError('former-password')
}

async function setPassword(
  deps: ResetDeps,
  clientAddress: string,
  account: Account,
  tokenHash: string,
  newPassword: Password,
  kept: { keepsPasskeys: boolean; keepsIdentities: boolean },
): Promise<void> {
  await forgiveCodes(deps, account)
  const change = await prepareByLink(deps, clientAddress, account, newPassword, 'password-changed')
  if (!(await deps.passwords.reset(account, tokenHash, { ...change, ...kept }, deps.now()))) {
    throw new DomainError('invalid-reset-token')
  }
  deps.log({ event: 'password-reset', account_id: account.id })
}
