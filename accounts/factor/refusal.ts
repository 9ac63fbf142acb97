import { DomainError, type FactorCode } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { AccountReads } from '../account/account.ts'
import { type Account, isAsRead } from '../account/account.ts'
import { methodsOf } from './factor.ts'

/** Refuses a second factor, says how else it can be shown, and logs it as an event of the same name. */
export function refuseFactor(deps: Pick<System, 'log'>, account: Account, code: FactorCode): DomainError {
  deps.log({ event: code, account_id: account.id })
  const methods = methodsOf(account).filter(method => code !== 'codes-disabled' || method !== 'code')
  const isTold = code === 'second-factor-required' || code === 'codes-disabled'
  return new DomainError(code, isTold ? { members: { methods } } : {})
}

/**
 * Why a write lost: to another of its kind, or because the account that was read is outdated, as after a change of its
 * factor.
 */
export async function refuseLost(
  deps: Pick<System, 'log'> & { accounts: AccountReads },
  account: Account,
  code: FactorCode,
): Promise<DomainError> {
  const present = await deps.accounts.find(account.email)
  return isAsRead(present, account) ? refuseFactor(deps, present, code) : new DomainError('invalid-access-token')
}
