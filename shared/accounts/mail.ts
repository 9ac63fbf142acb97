import type { Configured } from '../config.ts'
import type { Counters } from '../limits/counters.ts'
import { hour, type Policy, windowOf } from '../limits/policy.ts'
import type { System } from '../system.ts'
import type { Accounts } from './account.ts'
import { type Letter, writeLetter } from './letters.ts'
import type { MailMessage } from './mail-queue.ts'
import { oneTimeToken, type TokenKind } from './one-time-token.ts'
import { longestWait } from './registration-race.ts'

export type Mailer = (to: string, letter: Letter) => Promise<void>

/** Mails per kind and address: enough for a person who keeps asking, useless for flooding an inbox. */
export const mailing: Policy = { limit: 5, seconds: hour }

const paths: Record<TokenKind, string> = { verification: 'verify-email', reset: 'reset-password' }

/**
 * Handles one message of the queue, as often as it is delivered and in whatever order.
 *
 * A message is stored when it is newer than what the account holds, mailed again when it is that very one and its token
 * is unspent, and dropped otherwise: an older one never overtakes a newer, and a used link never comes back to life.
 *
 * @param sentAt when the message was put on the queue
 * @returns `early` when the registration that it belongs to has not been written yet
 * @throws {DomainError} `unavailable`: to be delivered again
 */
export async function deliverMail(
  deps: Pick<System, 'now' | 'log'> &
    Configured<'mailFrom' | 'rateLimits' | 'siteUrl'> & { accounts: Accounts; counters: Counters; sendMail: Mailer },
  message: MailMessage,
  sentAt: Date,
): Promise<'sent' | 'dropped' | 'early'> {
  const kind: TokenKind = message.kind === 'reset' ? 'reset' : 'verification'
  const token = oneTimeToken(kind, message.token, new Date(message.requested_at))
  const now = deps.now()
  const drop = (reason: string, account_id?: string): 'dropped' => {
    deps.log({ event: 'mail-dropped', reason, ...(account_id && { account_id }) })
    return 'dropped'
  }

  if (token.expiresAt <= now) return drop('expired')
  const account = await deps.accounts.find(message.email)
  if (account === null) {
    const mayStillCome = message.kind === 'registration' && now.getTime() - sentAt.getTime() <= longestWait
    return mayStillCome ? 'early' : drop('no-account')
  }
  if (kind === 'verification' && account.isVerified) return drop('verified', account.id)

  const held = account.tokens[kind]
  const isStored = held.hash === token.hash && held.requestedAt?.getTime() === message.requested_at
  if (!isStored) {
    const isNewer = held.requestedAt === null || held.requestedAt < token.requestedAt
    if (message.kind === 'registration' || !isNewer) return drop('superseded', account.id)
    if (!(await takeMail(deps, kind, account.email))) return drop('capped', account.id)
    if (!(await deps.accounts.storeToken(kind, account, token, now))) return drop('superseded', account.id)
  }
  if (deps.config.mailFrom === null) return drop('delivery-off', account.id)

  const link = `${deps.config.siteUrl}/${paths[kind]}?token=${message.token}`
  await deps.sendMail(account.email, writeLetter(kind, account, link))
  deps.log({ event: 'mail-sent', account_id: account.id })
  return 'sent'
}

/** Takes one of the mails that an address may get. @returns false over the cap */
export async function takeMail(
  deps: Pick<System, 'now'> & Configured<'rateLimits'> & { counters: Counters },
  kind: TokenKind,
  email: string,
): Promise<boolean> {
  if (deps.config.rateLimits === null) return true
  const { index, resetsAt } = windowOf(mailing, deps.now())
  return (await deps.counters.take(`mail#${kind}#${email}#${index}`, { limit: mailing.limit, resetsAt })) !== null
}
