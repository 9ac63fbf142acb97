import * as v from 'valibot'
import type { Deps } from '../deps.ts'
import { takeMail } from '../rate-limit.ts'
import { writeLetter } from './letters.ts'
import { drawToken, oneTimeToken, type TokenKind } from './one-time-token.ts'

/**
 * What travels on the mail queue. The token comes from the request, so that a redelivery mails the same link.
 *
 * `registration`: the account's own write stores the token; the worker only waits for it. There is one for each
 * account, so that the cap on mails does not count it.
 * `verification`, `reset`: the worker stores the token, so that the request needs no look-up and gives nothing away.
 */
export const MailMessage = v.object({
  kind: v.picklist(['registration', 'verification', 'reset']),
  email: v.string(),
  token: v.string(),
  /** Milliseconds since the epoch; expiry counts from here. */
  requested_at: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15)),
})
export type MailMessage = v.InferOutput<typeof MailMessage>

/** Has a link mailed, if there is an account for it: that is found out behind the queue. @throws `unavailable` */
export async function requestMail(
  deps: Pick<Deps, 'now' | 'randomBytes' | 'queueMail' | 'log'>,
  kind: TokenKind,
  email: string,
): Promise<void> {
  await deps.queueMail({ kind, email, token: drawToken(deps), requested_at: deps.now().getTime() }, 0)
  deps.log({ event: kind === 'reset' ? 'reset-requested' : 'verification-requested' })
}

/** Milliseconds after its message within which a registration's account must be there: register stops after 10 s. */
const maxLead = 60_000

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
  deps: Pick<Deps, 'now' | 'config' | 'accounts' | 'counters' | 'sendMail' | 'log'>,
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
    const mayStillCome = message.kind === 'registration' && now.getTime() - sentAt.getTime() <= maxLead
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
