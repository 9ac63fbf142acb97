import type { CountWhileDeps } from '../../shared/base/limits/request-limit.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, Proven } from '../account/account.ts'
import { shareOf } from '../mail/mailbox.ts'
import type { MailQueue } from '../mail/queue.ts'
import { type RememberingDeps, rememberClient } from '../session/remembered-clients.ts'
import { type IssuerDeps, sign, toSeconds } from '../token/access-token.ts'
import { claimsOf, setupAudience } from '../token/claims.ts'
import { drawToken, hashToken } from '../token/token.ts'
import { type SetupLinks, setupLinkKey } from './setup-link.ts'

/** Seconds to install an app, to set it up and to enter its first code. */
export const setupTokenLifetime = 10 * 60

export type EnrolmentDeps = Pick<System, 'randomBytes'> &
  CountWhileDeps &
  RememberingDeps &
  IssuerDeps & {
    addresses: { verify(account: Account, now: Date): Promise<boolean> }
    counters: Pick<SetupLinks, 'findSetupLink' | 'spendSetupLink'>
    queueMail: MailQueue
  }

/**
 * Gives a token that sets up a second factor to a person who has both a link from the mailbox and the password or a
 * provider's word. Otherwise mails such a link: a stolen password alone must not enrol.
 *
 * @param mailToken of the opened link, if any
 * @returns the token, or null when a link is mailed
 * @throws {DomainError} `unavailable`; then the link still works
 */
export async function enrol(
  deps: EnrolmentDeps,
  account: Account,
  login: Proven['login'],
  clientAddress: string,
  mailToken: string | undefined,
): Promise<string | null> {
  const setupToken = mailToken === undefined ? null : await redeem(deps, account, login, clientAddress, mailToken)
  return setupToken ?? mailSetupLink(deps, account, clientAddress)
}

/** Mails such a link. @returns null: there is no token yet @throws {DomainError} `unavailable` */
export async function mailSetupLink(
  deps: Pick<System, 'randomBytes'> & CountWhileDeps & { queueMail: MailQueue },
  { id: account_id, email }: Account,
  clientAddress: string,
): Promise<null> {
  const requested_at = deps.now().getTime()
  await shareOf(deps, clientAddress, email, is_excess =>
    deps.queueMail({ kind: 'second-factor', account_id, token: drawToken(deps), requested_at, is_excess }, 0),
  )
  return null
}

/** Spends a link last, so that it still works if something before fails. @returns null when it does not work */
async function redeem(
  deps: EnrolmentDeps,
  account: Account,
  login: Proven['login'],
  clientAddress: string,
  mailToken: string,
): Promise<string | null> {
  const key = setupLinkKey(mailToken)
  const link = await deps.counters.findSetupLink(key)
  const isValid = link?.id === account.id && link.tokenVersion === account.tokenVersion && link.expiresAt > deps.now()
  if (!isValid) return null
  const setupToken = await issueSetupToken(deps, account, login)
  // Only a reader of the mailbox has the link, which verifies the address as a second factor requires.
  if (!account.isVerified && !(await deps.addresses.verify(account, deps.now()))) return null
  if (!(await deps.counters.spendSetupLink(key, hashToken(drawToken(deps))))) return null
  await rememberClient(deps, account, clientAddress)
  return setupToken
}

function issueSetupToken(deps: EnrolmentDeps, account: Account, login: Proven['login']): Promise<string> {
  const issuedAt = toSeconds(deps.now())
  const verified = { ...account, isVerified: true }
  const audience = setupAudience(deps.config)
  return sign(deps, claimsOf(verified, login, deps.config, issuedAt, issuedAt + setupTokenLifetime, audience))
}
