import type { Configured } from '../base/config.ts'
import { DomainError } from '../base/errors.ts'
import type { System } from '../base/system.ts'
import type { Accounts, NewAccount } from './account.ts'
import { queueDelay } from './mail/early-mail.ts'
import type { MailQueue } from './mail/queue.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './passwords/common-passwords.ts'
import { requireLongEnough } from './passwords/password.ts'
import { hashPassword } from './passwords/password-hash.ts'
import type { UserCreate } from './schemas.ts'
import { drawToken, oneTimeToken } from './tokens/one-time-token.ts'

/**
 * Opens an account, and queues the mail with its verification link.
 *
 * The mail is queued before the account is written, so that no account exists whose mail was lost. The worker sends it
 * only after the account holds the token's hash, so that a failed registration mails nothing.
 *
 * @throws {DomainError} `password-too-short`, `password-too-common`, `email-taken`, `unavailable`
 */
export async function openAccount(
  deps: System &
    Configured<'adminEmail' | 'bcryptCost' | 'mailFrom' | 'passwordBlocklist' | 'productName'> & {
      accounts: Accounts
      queueMail: MailQueue
      isCommonPassword: CommonPasswords
    },
  { email, password, name }: UserCreate,
): Promise<NewAccount> {
  requireLongEnough(password)
  requireUncommon(deps, password)
  requireUnlikeAddress(deps, password, email)
  const passwordHash = await hashPassword(deps, password)
  const now = deps.now()
  const token = drawToken(deps)
  const account: NewAccount = {
    id: deps.newId(),
    email,
    name,
    passwordHash,
    isAdmin: email === deps.config.adminEmail,
    isVerified: false,
    tokenVersion: 0,
    createdAt: now,
    verification: oneTimeToken('verification', token, now),
  }
  if (deps.config.mailFrom !== null) {
    await deps.queueMail({ kind: 'registration', email, token, requested_at: now.getTime() }, queueDelay)
  }
  if (!(await deps.accounts.insert(account))) throw new DomainError('email-taken')
  deps.log({ event: 'registered', account_id: account.id })
  return account
}
