import type { Configured } from '../../base/config.ts'
import type { Counters } from '../../base/limits/counters.ts'
import type { System } from '../../base/system.ts'
import type { Accounts } from '../account.ts'
import { maxWait } from './early-mail.ts'
import type { Letter } from './letter-layout.ts'

export type Mailer = (to: string, letter: Letter) => Promise<void>

/** What the worker needs to handle a message. */
export type DeliveryDeps = Pick<System, 'now' | 'log'> &
  Configured<'mailFrom' | 'productName' | 'rateLimits' | 'siteUrl' | 'supportEmail'> & {
    accounts: Accounts
    counters: Counters
    sendMail: Mailer
  }

/** What became of a message; `early` means that its write has not happened yet. */
export type Outcome = 'sent' | 'dropped' | 'early'

export function drop(deps: Pick<System, 'log'>, reason: string, accountId?: string): 'dropped' {
  deps.log({ event: 'mail-dropped', reason, ...(accountId !== undefined && { account_id: accountId }) })
  return 'dropped'
}

/** Drops a mail over a cap: an event of its own, because its owner may miss it. */
export function dropCapped(deps: Pick<System, 'log'>, accountId: string): 'dropped' {
  deps.log({ event: 'mail-capped', account_id: accountId })
  return 'dropped'
}

/** Whether the write that a message belongs to may still happen. */
export const mayStillCome = (deps: Pick<System, 'now'>, sentAt: Date): boolean =>
  deps.now().getTime() - sentAt.getTime() <= maxWait

/** Mails a letter, if delivery is configured. */
export async function send(deps: DeliveryDeps, to: string, letter: Letter, accountId: string): Promise<Outcome> {
  if (deps.config.mailFrom === null) return drop(deps, 'delivery-off', accountId)
  await deps.sendMail(to, letter)
  deps.log({ event: 'mail-sent', account_id: accountId })
  return 'sent'
}
