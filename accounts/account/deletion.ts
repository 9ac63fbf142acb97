import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { logError } from '../../shared/base/log.ts'
import type { System } from '../../shared/base/system.ts'
import { type EmailChanges, findByFormerEmail } from '../address/change.ts'
import { type MarkDeps, markDeletion } from '../address/deletion-marks.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import type { Account, Prove } from './account.ts'
import type { AccountWrites } from './writes.ts'

/**
 * Deletes an account, and leaves a mark of that; its address can be registered again. An administrator's account cannot
 * be deleted: if `ADMIN_EMAIL` is set, the next person to register its address would become an administrator.
 *
 * @throws {DomainError} `administrator`, those of `prove`, and
 *   `invalid-access-token` when its token version changed or it moved meanwhile
 */
export async function deleteAccount(
  deps: System &
    Configured<'mailFrom'> &
    MarkDeps<'mark' | 'unmark'> & {
      accounts: Pick<AccountWrites, 'delete' | 'find'>
      queueMail: MailQueue
      emailChanges: Pick<EmailChanges, 'find'>
    },
  prove: Prove,
  account: Account,
): Promise<void> {
  if (account.isAdmin) throw new DomainError('administrator')
  const { spend } = await prove()
  await announce(deps, 'account-deleted', account)
  await spend()
  const unmark = await markDeletion(deps, account)
  const outcome = await deps.accounts.delete(account)
  const isKept =
    outcome === 'changed' ||
    (outcome === 'absent' && (await findByFormerEmail(deps, account.id, account.email)).account !== null)
  if (isKept) {
    await unmark().catch(cause => logError(deps, cause))
    throw new DomainError('invalid-access-token')
  }
  deps.log({ event: 'account-deleted', account_id: account.id })
}
