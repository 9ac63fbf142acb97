import type { Configured } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import type { Counters } from '../../base/limits/counters.ts'
import type { System } from '../../base/system.ts'
import type { Account, Accounts } from '../account.ts'
import { admitOwner } from '../admission.ts'
import { announce } from '../mail/notices.ts'
import type { MailQueue } from '../mail/queue.ts'
import { onlyClient } from '../remembered-clients.ts'
import type { ChangePasswordRequest } from '../schemas.ts'
import { type IssuedToken, issueAccessToken, type Signer } from '../tokens/access-token.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'
import { requireLongEnough } from './password.ts'
import { hashPassword } from './password-hash.ts'

/**
 * Replaces an account's password, and voids its access tokens and reset links. Returns a new access token, so that the
 * caller stays logged in. The token is signed before the write: if signing fails, nothing has changed.
 *
 * @throws {DomainError} `password-too-short`, `password-too-common`, `too-many-requests`, `wrong-password`,
 *   `unavailable`, and `invalid-access-token` when the account is gone or its token version changed meanwhile
 */
export async function changePassword(
  deps: System &
    Configured<
      | 'accessTokenMinutes'
      | 'bcryptCost'
      | 'issuer'
      | 'mailFrom'
      | 'passwordBlocklist'
      | 'productName'
      | 'rateLimits'
      | 'tokenAudience'
    > & {
      accounts: Accounts
      counters: Counters
      queueMail: MailQueue
      signer: Signer
      isCommonPassword: CommonPasswords
    },
  clientAddress: string,
  account: Account,
  { current_password, new_password }: ChangePasswordRequest,
): Promise<IssuedToken> {
  requireLongEnough(new_password)
  requireUncommon(deps, new_password)
  requireUnlikeAddress(deps, new_password, account.email)
  await admitOwner(deps, clientAddress, account, current_password)
  const passwordHash = await hashPassword(deps, new_password)
  const token = await issueAccessToken(deps, { ...account, tokenVersion: account.tokenVersion + 1 })
  const mark = await announce(deps, 'password-changed', account)
  const change = { passwordHash, mark, clients: onlyClient(account, clientAddress) }
  if (!(await deps.accounts.changePassword(account, change, deps.now()))) {
    throw new DomainError('invalid-access-token')
  }
  deps.log({ event: 'password-changed', account_id: account.id })
  return token
}
