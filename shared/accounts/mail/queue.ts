import * as v from 'valibot'
import type { System } from '../../base/system.ts'
import { drawToken, type TokenKind } from '../tokens/one-time-token.ts'

/** Milliseconds since the epoch, within what a `Date` can hold. */
const Moment = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))

/**
 * A request to mail a link. It carries the token, so that a redelivery mails the same link.
 *
 * `registration`: the write of the account stores the token, and the worker waits for it. It counts against the cap of
 * its mailbox alone.
 * `verification`, `reset`: the worker stores the token, so that the request looks nothing up and reveals nothing.
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
 * A request to tell an owner about a write. That write stores the token's hash on the account, or deletes the account:
 * the worker waits until it has.
 */
export const NoticeMessage = v.object({
  kind: v.picklist(['password-changed', 'account-deleted']),
  email: v.string(),
  account_id: v.string(),
  token: v.string(),
  requested_at: Moment,
})
export type NoticeMessage = v.InferOutput<typeof NoticeMessage>

/** A message of the mail queue. */
export const MailMessage = v.variant('kind', [LinkMessage, NoticeMessage])
export type MailMessage = v.InferOutput<typeof MailMessage>

/** Puts a message on the queue. @param delaySeconds how long the queue holds it back, 0 to 900 */
export type MailQueue = (message: MailMessage, delaySeconds: number) => Promise<void>

/** Makes the queue deliver a message again after so many seconds. */
export type QueuedMail = (receiptHandle: string, seconds: number) => Promise<void>

/**
 * Puts a request for a link on the queue. Whether there is an account for it, only the worker finds out.
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
