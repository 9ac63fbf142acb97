import type { Configured } from '../../shared/base/config.ts'
import { type CountWhileDeps, countWhile, policyOf } from '../../shared/base/limits/request-limit.ts'
import { accountsPerClient } from '../../shared/base/limits/windows.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { shareOf } from '../mail/mailbox.ts'
import { dropCapped } from '../mail/outcomes.ts'
import type { MailQueue } from '../mail/queue.ts'
import { drawToken } from '../token/token.ts'
import { mayMove, refuseAdministrator } from './gate.ts'

/**
 * Asks for a link to a new address of an account. Nothing is looked up: only somebody with that mailbox and the
 * password learns whether the address is taken. One client gets as many links a day as it may open accounts, so it
 * cannot mail strangers at will. Beyond that the request succeeds, and nothing is mailed.
 *
 * @throws {DomainError} `administrator`, `email-domain-not-allowed`, `unavailable`
 */
export async function requestEmailChange(
  deps: Pick<System, 'randomBytes'> & CountWhileDeps & Configured<'signUpDomains'> & { queueMail: MailQueue },
  clientAddress: string,
  account: Account,
  newEmail: string,
): Promise<void> {
  refuseAdministrator(account)
  const new_email = mayMove(deps, newEmail)
  const { id: account_id } = account
  const message = { account_id, new_email, token: drawToken(deps), requested_at: deps.now().getTime() }
  const { name, policy } = accountsPerClient
  await countWhile(deps, 'change-email-day', policyOf(deps, name, policy), clientAddress, async count => {
    if (count?.isRefused) return dropCapped(deps, account_id)
    return shareOf(deps, clientAddress, new_email, is_excess =>
      deps.queueMail({ kind: 'email-change', ...message, is_excess }, 0),
    )
  })
  deps.log({ event: 'email-change-requested', account_id })
}
