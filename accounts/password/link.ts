import type { Configured } from '../../shared/base/config.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { callerAlone } from '../session/remembered-clients.ts'
import { hashToken } from '../token/token.ts'
import type { TokenHolders } from '../token/writes.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'
import { forgiveGuesses } from './guesses.ts'
import { hashPassword } from './hash.ts'
import { type Password, requireLongEnough } from './password.ts'
import type { PasswordChange } from './writes.ts'

/** What it takes to set a password by a mailed link: that of a reset, or that of an invitation. */
export type LinkDeps = System &
  Configured<'bcryptCost' | 'mailFrom' | 'passwordBlocklist' | 'productName' | 'rateLimits'> & {
    tokens: TokenHolders<'reset'>
    counters: Pick<Counters<'Guesses'>, 'clear'>
    queueMail: MailQueue
    isCommonPassword: CommonPasswords
  }

/**
 * Finds the account that holds the token of a link, for a password that it may have. Both kinds of links have their tokens in
 * the same place, and neither passes as the other.
 *
 * @returns also the token's hash; null when the token is not of this kind, or has expired
 * @throws {DomainError} `password-too-short` and `password-too-common`: before anything about the token, but for the
 *   account's own address
 */
export async function findHolder(
  deps: Omit<LinkDeps, 'counters' | 'queueMail'>,
  kind: 'reset' | 'invitation',
  token: string,
  newPassword: Password,
): Promise<{ account: Account; hash: string } | null> {
  requireLongEnough(newPassword)
  requireUncommon(deps, newPassword)
  const hash = hashToken(token)
  const account = await deps.tokens.findHolder('reset', hash)
  // An expired token is not worth the cost of a hash. The condition of the write decides.
  const expiresAt = account?.tokens.reset.expiresAt
  if (!account || !expiresAt || expiresAt <= deps.now()) return null
  if ((account.invitedUntil === null) !== (kind === 'reset')) return null
  // Only the token tells whose address it is. After this refusal the link still works, for another password.
  requireUnlikeAddress(deps, newPassword, account.email)
  return { account, hash }
}

/** Does what comes before the write that sets a password by a link. @returns what it stores */
export async function prepareByLink(
  deps: LinkDeps,
  clientAddress: string,
  account: Account,
  newPassword: Password,
  notice: 'password-changed' | 'invitation-accepted',
): Promise<PasswordChange> {
  const passwordHash = await hashPassword(deps, newPassword)
  // Before the token is spent, so that the link still works if the counters do not answer.
  await forgiveGuesses(deps, account.email)
  const mark = await announce(deps, notice, account)
  return { passwordHash, mark, clients: callerAlone(account, clientAddress, deps.now()) }
}
