import type { Configured } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import type { Counters } from '../../base/limits/counters.ts'
import type { System } from '../../base/system.ts'
import type { Account, Accounts, TokenHolders } from '../account.ts'
import { forgiveGuesses, guess } from '../admission/guesses.ts'
import { onlyClient } from '../admission/remembered-clients.ts'
import { forgiveCodes } from '../codes/code-limits.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { hashToken } from '../one-time-token.ts'
import { requireLongEnough } from '../password.ts'
import { hashPassword, verifyPassword } from '../password-hash.ts'
import type { ResetPasswordRequest } from '../schemas.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'

type ResetDeps = System &
  Configured<'bcryptCost' | 'mailFrom' | 'passwordBlocklist' | 'productName' | 'rateLimits'> & {
    accounts: TokenHolders<'reset'> & Pick<Accounts, 'find' | 'spendResetToken'>
    counters: Pick<Counters<'Guesses'>, 'takeGuess' | 'returnGuess' | 'forgiveGuess' | 'clear'> &
      Pick<Counters<'Codes'>, 'take' | 'clear'>
    queueMail: MailQueue
    isCommonPassword: CommonPasswords
  }

/**
 * Replaces the password of the account that holds the token, and voids its access tokens. A token works once.
 *
 * A password that was voided, because somebody else may know it, is not taken again. Whoever asks whether a password is that
 * one is guessing it: so each try counts until the password is set, and a match after that.
 *
 * @throws {DomainError} `password-too-short` and `password-too-common` (before anything about the token, but for the
 *   account's own address), `invalid-reset-token`, `former-password`, `too-many-requests`, `unavailable`
 */
export async function resetPassword(
  deps: ResetDeps,
  clientAddress: string,
  { token, new_password }: ResetPasswordRequest,
): Promise<void> {
  requireLongEnough(new_password)
  requireUncommon(deps, new_password)
  const hash = hashToken(token)
  const account = await deps.accounts.findByToken('reset', hash)
  // An expired token is not worth the cost of a hash. The condition of the write decides.
  const expiresAt = account?.tokens.reset.expiresAt
  if (!account || !expiresAt || expiresAt <= deps.now()) throw new DomainError('invalid-reset-token')
  // Only the token tells whose address it is. After this refusal the link still works, for another password.
  requireUnlikeAddress(deps, new_password, account.email)

  const former = account.formerPasswordHash
  const set = () => setPassword(deps, clientAddress, account, hash, new_password)
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
  newPassword: string,
): Promise<void> {
  const passwordHash = await hashPassword(deps, newPassword)
  // Before the token is spent, so that the link still works if the counters do not answer.
  await Promise.all([forgiveGuesses(deps, account.email), forgiveCodes(deps, account)])
  const mark = await announce(deps, 'password-changed', account)
  const change = { passwordHash, mark, clients: onlyClient(account, clientAddress) }
  if (!(await deps.accounts.spendResetToken(account, tokenHash, change, deps.now()))) {
    throw new DomainError('invalid-reset-token')
  }
  deps.log({ event: 'password-reset', account_id: account.id })
}
