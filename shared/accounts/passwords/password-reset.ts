import type { Configured } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import type { Counters } from '../../base/limits/counters.ts'
import type { System } from '../../base/system.ts'
import type { Accounts } from '../account.ts'
import { forgiveGuesses } from '../guesses.ts'
import { announce } from '../mail/notices.ts'
import type { MailQueue } from '../mail/queue.ts'
import { onlyClient } from '../remembered-clients.ts'
import type { ResetPasswordRequest } from '../schemas.ts'
import { hashToken } from '../tokens/one-time-token.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'
import { requireLongEnough } from './password.ts'
import { hashPassword } from './password-hash.ts'

/**
 * Replaces the password of the account that holds the token, and voids its access tokens. A token works once.
 *
 * @throws {DomainError} `password-too-short` and `password-too-common` (before anything about the token, but for the
 *   account's own address), `invalid-reset-token`, `unavailable`
 */
export async function resetPassword(
  deps: System &
    Configured<'bcryptCost' | 'mailFrom' | 'passwordBlocklist' | 'productName' | 'rateLimits'> & {
      accounts: Accounts
      counters: Counters
      queueMail: MailQueue
      isCommonPassword: CommonPasswords
    },
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

  const passwordHash = await hashPassword(deps, new_password)
  // Before the token is spent, so that the link still works if the counters do not answer.
  await forgiveGuesses(deps, account.email)
  const mark = await announce(deps, 'password-changed', account)
  const change = { passwordHash, mark, clients: onlyClient(account, clientAddress) }
  if (!(await deps.accounts.spendResetToken(account, hash, change, deps.now()))) {
    throw new DomainError('invalid-reset-token')
  }
  deps.log({ event: 'password-reset', account_id: account.id })
}
