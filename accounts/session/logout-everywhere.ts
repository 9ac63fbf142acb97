import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { onlyClient } from './remembered-clients.ts'
import type { SessionWrites } from './writes.ts'

/**
 * Revokes all access tokens of an account, and ends its sessions. A pending reset link stays valid: the owner may need it.
 *
 * @throws {DomainError} `unavailable`, and `invalid-access-token` when the account is gone or its token version
 *   changed meanwhile
 */
export async function logOutEverywhere(
  deps: Pick<System, 'now' | 'newId' | 'log'> & { sessions: Pick<SessionWrites, 'endAll'> },
  clientAddress: string,
  account: Account,
): Promise<void> {
  const change = { mark: deps.newId(), clients: onlyClient(account, clientAddress) }
  if (!(await deps.sessions.endAll(account, change, deps.now()))) {
    throw new DomainError('invalid-access-token')
  }
  deps.log({ event: 'logged-out-everywhere', account_id: account.id })
}
