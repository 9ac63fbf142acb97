import type { System } from '../../base/system.ts'
import type { Account } from '../account.ts'
import { refuseAdministrator } from '../email-change.ts'
import type { MailQueue } from '../mail/queue.ts'
import { drawToken } from '../tokens/one-time-token.ts'

/**
 * Asks for a link to a new address of an account. Nothing is looked up: only somebody who holds that mailbox and knows the
 * password learns whether the address is taken.
 *
 * @throws {DomainError} `administrator`, `unavailable`
 */
export async function requestEmailChange(
  deps: Pick<System, 'now' | 'randomBytes' | 'log'> & { queueMail: MailQueue },
  account: Account,
  newEmail: string,
): Promise<void> {
  refuseAdministrator(account)
  const { id: account_id, email } = account
  const requested_at = deps.now().getTime()
  await deps.queueMail(
    { kind: 'email-change', email, account_id, new_email: newEmail, token: drawToken(deps), requested_at },
    0,
  )
  deps.log({ event: 'email-change-requested', account_id })
}
