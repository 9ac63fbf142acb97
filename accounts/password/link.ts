import type { Configured } from '../../shared/base/config.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { callerAlone } from '../session/remembered-clients.ts'
import { hashToken } from '../token/token.ts'
import type { TokenHolders } from '../token/writes.ts'
import { type BreachDeps, hashUnbreached } from './breaches.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'
import { forgiveGuesses } from './guesses.ts'
import { type Password, requireLongEnough } from './password.ts'
import type { PasswordChange } from './writes.ts'

/** Dependencies of setting a password by a mailed link: a reset or an invitation. */
export type LinkDeps = System &
  BreachDeps &
  Configured<'bcryptCost' | 'mailFrom' | 'productName' | 'rateLimits'> & {
    tokens: TokenHolders<'reset'>
    counters: Pick<Counters<'Guesses'>, 'clear'>
    queueMail: MailQueue
    isCommonPassword: CommonPasswords
  }

/**
 * Finds the account that holds a link's token, and checks the new password for it. Both kinds of tokens have the same
 * place, and neither passes as the other.
 *
 * @returns also the token's hash; null when the token is of the other kind, or has expired
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
  // Skips the hash for an expired token. The condition of the write decides.
  if (!account || !isUsable(deps, account, kind)) return null
  // Checked late, because only the token tells the address. After this refusal the link still works.
  requireUnlikeAddress(deps, newPassword, account.email)
  return { account, hash }
}

/** Whether the token that an account holds is of a kind, and has not expired. */
export function isUsable(
  { now }: Pick<System, 'now'>,
  { tokens, invitedUntil }: Account,
  kind: 'reset' | 'invitation',
) {
  const { expiresAt } = tokens.reset
  return expiresAt !== null && expiresAt > now() && (invitedUntil === null) === (kind === 'reset')
}

/**
 * Prepares a write that sets a password by a link.
 *
 * @returns the values to store
 * @throws {DomainError} `password-too-common` for one that is known from a breach: nothing is spent or cleared then
 */
export async function prepareByLink(
  deps: LinkDeps,
  clientAddress: string,
  account: Account,
  newPassword: Password,
  notice: 'password-changed' | 'invitation-accepted',
): Promise<PasswordChange> {
  const passwordHash = await hashUnbreached(deps, newPassword)
  // Before the token is spent, so that the link still works if the counters do not answer.
  await forgiveGuesses(deps, account.email)
  const mark = await announce(deps, notice, account)
  return { passwordHash, mark, clients: callerAlone(account, clientAddress, deps.now()) }
}
