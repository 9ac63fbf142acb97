import * as v from 'valibot'
import type { Refuses } from '../errors.ts'
import type { System } from '../system.ts'
import { drawToken, type TokenKind } from './one-time-token.ts'

/** Milliseconds since the epoch, within what a `Date` can hold. */
const Moment = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))

/**
 * A link that is to be mailed. The token comes from the request, so that a redelivery mails the same link.
 *
 * `registration`: the account's own write stores the token; the worker only waits for it. It counts against the cap of
 * its mailbox alone.
 * `verification`, `reset`: the worker stores the token, so that the request needs no look-up and gives nothing away.
 */
export const LinkMessage = v.object({
  kind: v.picklist(['registration', 'verification', 'reset']),
  email: v.string(),
  token: v.string(),
  /** Expiry counts from here. */
  requested_at: Moment,
})
export type LinkMessage = v.InferOutput<typeof LinkMessage>

/**
 * What an owner is to be told. The write that it tells of leaves the token's hash on the account, or leaves no account:
 * the worker waits for that.
 */
export const NoticeMessage = v.object({
  kind: v.picklist(['password-changed', 'account-deleted']),
  email: v.string(),
  account_id: v.string(),
  token: v.string(),
  requested_at: Moment,
})
export type NoticeMessage = v.InferOutput<typeof NoticeMessage>

/** What travels on the mail queue. */
export const MailMessage = v.variant('kind', [LinkMessage, NoticeMessage])
export type MailMessage = v.InferOutput<typeof MailMessage>

/** Puts a message on the queue. @param delaySeconds how long the queue keeps it back, 0 to 900 */
export type MailQueue = (message: MailMessage, delaySeconds: number) => Promise<void>

/** Has the queue hand a message out again after so many seconds. */
export type QueuedMail = (receiptHandle: string, seconds: number) => Promise<void>

export const requestMailRefuses: Refuses = ['unavailable']

/**
 * Has a link mailed, if there is an account for it: that is found out behind the queue.
 *
 * @throws {DomainError} `unavailable`
 */
export async function requestMail(
  deps: Pick<System, 'now' | 'randomBytes' | 'log'> & { queueMail: MailQueue },
  kind: TokenKind,
  email: string,
): Promise<void> {
  await deps.queueMail({ kind, email, token: drawToken(deps), requested_at: deps.now().getTime() }, 0)
  deps.log({ event: kind === 'reset' ? 'reset-requested' : 'verification-requested' })
}
