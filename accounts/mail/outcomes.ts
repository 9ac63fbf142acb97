import type { Configured } from '../../shared/base/config.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import type { ReasonOf, System } from '../../shared/base/system.ts'
import type { AccountReads } from '../account/account.ts'
import type { Letter } from './layout.ts'
import type { Sender } from './templates.ts'
import type { LetterWordsIn } from './words.ts'

/**
 * Mails about a write that has not happened yet. Registrations and notices queue their message before the write, so
 * that no write lacks its mail. The worker mails only after it sees the write. Until then the message is early and
 * waits; when the write can no longer happen, the worker (`delivery/`) drops it.
 */

/** Seconds for which the queue delays the message: about as long as the write takes, so that few are early. */
export const queueDelay = 2

/**
 * Milliseconds from queueing for which a message waits for its write. A request runs for 20 s at most; the rest allows
 * for clock skew and for writes on their way.
 */
const maxWait = 60_000

/** Milliseconds from queueing in which most requests end: they run for 10 s at most. The rest is a margin. */
const mostRequests = 15_000

/**
 * Seconds until an early message is retried. Later attempts are further apart, so that the worker drops the message
 * before the queue's ten attempts make it a dead letter.
 *
 * @param age in milliseconds from queueing
 */
export const retryDelay = (age: number): number => (age < mostRequests ? 5 : 15)

export type Mailer = (to: string, letter: Letter) => Promise<void>

/** Dependencies of every delivery: its recipient, its cap, its template and the way out. */
export type SendDeps = Pick<System, 'now' | 'log'> &
  Configured<keyof Sender | 'languages' | 'mailFrom' | 'rateLimits' | 'siteUrl'> & {
    accounts: AccountReads
    counters: Pick<Counters<'Mails'>, 'takeOnce'>
    sendMail: Mailer
    letterWords: LetterWordsIn
  }

/** The outcome of a message; `early` means that its write has not happened yet. */
export type Outcome = 'sent' | 'dropped' | 'early'

export function drop(deps: Pick<System, 'log'>, reason: ReasonOf<'mail-dropped'>, accountId?: string): 'dropped' {
  deps.log({ event: 'mail-dropped', reason, ...(accountId !== undefined && { account_id: accountId }) })
  return 'dropped'
}

/** Drops a mail over a cap, with an event of its own, because its owner may miss it. */
export function dropCapped(deps: Pick<System, 'log'>, accountId: string): 'dropped' {
  deps.log({ event: 'mail-capped', account_id: accountId })
  return 'dropped'
}

/** Whether a message's write may still happen. */
export const mayStillCome = (deps: Pick<System, 'now'>, sentAt: Date): boolean =>
  deps.now().getTime() - sentAt.getTime() <= maxWait

/** Sends a mail, if delivery is configured. */
export async function send(
  deps: Pick<SendDeps, 'log' | 'sendMail'> & Configured<'mailFrom'>,
  to: string,
  letter: Letter,
  accountId: string,
): Promise<Outcome> {
  if (deps.config.mailFrom === null) return drop(deps, 'delivery-off', accountId)
  await deps.sendMail(to, letter)
  deps.log({ event: 'mail-sent', account_id: accountId })
  return 'sent'
}
