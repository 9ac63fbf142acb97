import type { Configured } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import type { Counters } from '../../base/limits/counters.ts'
import type { System } from '../../base/system.ts'
import type { Account, Accounts } from '../account.ts'
import { guess } from '../guesses.ts'
import { verifyPassword } from './password-hash.ts'

/**
 * Requires the account's password in addition to its access token, because a token may be left on somebody's machine. A
 * wrong password counts as a guess at the account, as it does at login.
 *
 * @throws {DomainError} `too-many-requests`, `wrong-password`, `unavailable`
 */
export async function requireCurrentPassword(
  deps: Pick<System, 'now' | 'randomBytes' | 'log'> &
    Configured<'bcryptCost' | 'rateLimits'> & { accounts: Pick<Accounts, 'find'>; counters: Counters },
  clientAddress: string,
  account: Account,
  password: string,
): Promise<void> {
  const isRight = await guess(deps, clientAddress, account.email, async () =>
    (await verifyPassword(deps, password, account.passwordHash)) ? true : null,
  )
  if (isRight) return
  deps.log({ event: 'wrong-password', account_id: account.id })
  throw new DomainError('wrong-password')
}
