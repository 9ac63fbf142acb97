import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { announceDeletion } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import type { Account, Prove } from './account.ts'
import type { AccountWrites } from './writes.ts'

/**
 * Deletes an account; its address can be registered again. An administrator's account cannot be deleted: if `ADMIN_EMAIL` is set, the
 * next person to register its address would become an administrator.
 *
 * @throws {DomainError} `administrator`, those of `prove`, and
 *   `invalid-access-token` when its token version changed meanwhile
 */
export async function deleteAccount(
  deps: System & Configured<'mailFrom'> & { accounts: Pick<AccountWrites, 'delete' | 'find'>; queueMail: MailQueue },
  prove: Prove,
  account: Account,
): Promise<void> {
  if (account.isAdmin) throw new DomainError('administrator')
  const { spend } = await prove()
  await announceDeletion(deps, account)
  await spend()
  const isDone = (await deps.accounts.delete(account, deps.now())) || (await deps.accounts.find(account.id)) === null
  if (!isDone) throw new DomainError('invalid-access-token')
  deps.log({ event: 'account-deleted', account_id: account.id })
}
