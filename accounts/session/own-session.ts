import { DomainError } from '../../shared/base/errors.ts'
import type { Prove } from '../account/account.ts'
import { type Account, isAsRead } from '../account/account.ts'
import { endSession, type SessionDeps } from './ending.ts'
import { findActive } from './session.ts'

/**
 * Ends a session of an account, for its owner. With a browser session it ends those that applications got through it:
 * the cookie may be stolen. A missing session counts as ended.
 *
 * @throws {DomainError} those of `prove`, `unavailable`, and `invalid-access-token` when the account
 *   is gone or its token version changed meanwhile
 */
export async function endOwnSession(deps: SessionDeps, prove: Prove, account: Account, id: string): Promise<void> {
  const { spend } = await prove()
  await spend()
  let read: Account | null = account
  const find = async () => {
    const present: Account | null = read ?? (await deps.accounts.find(account.email))
    read = null
    if (!isAsRead(present, account)) throw new DomainError('invalid-access-token')
    const session = findActive(present, id, deps.config, deps.now())
    return session && { account: present, session }
  }
  await endSession(deps, find, 'end')
}
