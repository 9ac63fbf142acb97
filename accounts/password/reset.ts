import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import { type Account, type AccountReads, maxAttempts } from '../account/account.ts'
import { forgiveCodes } from '../factor/code-limits.ts'
import { needsPasskey } from '../passkey/passkey.ts'
import { guess } from './guesses.ts'
import { verifyPassword } from './hash.ts'
import { findHolder, isUsable, type LinkDeps, prepareByLink } from './link.ts'
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
  const set = () => setPassword(deps, clientAddress, account, hash, new_password, keep_other_logins)
  if (former === null) return set()
  const attempt = { clientAddress, email: account.email, find: async () => account }
  const isSet = await guess(deps, attempt, async () => {
    if (await verifyPassword(deps, new_password, { ...account, passwordHash: former })) return null
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
  keepsListed: boolean,
): Promise<void> {
  const change = await prepareByLink(deps, clientAddress, account, newPassword, 'password-changed')
  // Not for a password that is refused: whoever holds a link could clear the counter of wrong codes again and again.
  await forgiveCodes(deps, account)
  for (let present = account, attempt = 0; attempt < maxAttempts; attempt++) {
    const keepsPasskeys = keepsListed || needsPasskey(present, deps.config)
    if (await deps.passwords.reset(present, tokenHash, { ...change, keepsPasskeys, keepsListed }, deps.now())) {
      return deps.log({ event: 'password-reset', account_id: account.id })
    }
    // A change was made during the hash: its undo link may have to stay.
    const fresh = await deps.accounts.find(account.id)
    const isHeld = fresh?.tokens.reset.hash === tokenHash && isUsable(deps, fresh, 'reset')
    if (!isHeld) throw new DomainError('invalid-reset-token')
    present = fresh
  }
  throw new DomainError('unavailable')
}
