import { DomainError, type Refuses } from '../errors.ts'
import type { Counters } from '../limits/counters.ts'
import type { Configured } from '../runtime/config.ts'
import { report } from '../runtime/log.ts'
import type { System } from '../runtime/system.ts'
import type { Account, Accounts } from './account.ts'
import { markDeletion } from './deletion-marks.ts'
import { announce, announceRefuses } from './mail/notices.ts'
import type { MailQueue } from './mail/queue.ts'
import { requireCurrentPassword, requireCurrentPasswordRefuses } from './passwords/current-password.ts'
import type { DeleteAccountRequest } from './schemas.ts'

export const deleteAccountRefuses: Refuses = [
  'administrator',
  requireCurrentPasswordRefuses,
  announceRefuses,
  'invalid-access-token',
]

/**
 * Deletes an account, and leaves a mark of that; its address can be registered again. An administrator's account cannot
 * be deleted: if `ADMIN_EMAIL` is set, the next person to register its address would become an administrator.
 *
 * @throws {DomainError} `administrator`, `too-many-requests`, `wrong-password`, `unavailable`, and
 *   `invalid-access-token` when its token version changed meanwhile
 */
export async function deleteAccount(
  deps: System &
    Configured<'bcryptCost' | 'mailFrom' | 'rateLimits'> & {
      accounts: Accounts
      counters: Counters
      queueMail: MailQueue
    },
  remote: string,
  account: Account,
  { password }: DeleteAccountRequest,
): Promise<void> {
  if (account.isAdmin) throw new DomainError('administrator')
  await requireCurrentPassword(deps, remote, account, password)
  await announce(deps, 'account-deleted', account)
  const unmark = await markDeletion(deps, account)
  if (!(await deps.accounts.delete(account))) {
    await unmark().catch(cause => report(deps, cause))
    throw new DomainError('invalid-access-token')
  }
  deps.log({ event: 'account-deleted', account_id: account.id })
}
