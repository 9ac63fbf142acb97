import { DomainError, type FactorCode } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { AccountReads } from '../account/account.ts'
import { type Account, isAsRead } from '../account/account.ts'
import { methodsOf } from './factor.ts'

/** Refuses a second factor, names the other ways to show it, and logs an event of the same name. */
export function refuseFactor(deps: Pick<System, 'log'>, account: Account, code: FactorCode): DomainError {
  deps.log({ event: code, account_id: account.id })
  const methods = methodsOf(account).filter(method => code !== 'codes-disabled' || method !== 'code')
  const isTold = code === 'second-factor-required' || code === 'codes-disabled'
  return new DomainError(code, isTold ? { members: { methods } } : {})
}

/** Why a write lost its race: to another of its kind, or because the account has changed, for example its factor. */
export async function refuseLost(
  deps: Pick<System, 'log'> & { accounts: AccountReads },
  account: Account,
  code: FactorCode,
): Promise<DomainError> {
  const present = await deps.accounts.find(account.id)
  return isAsRead(present, account) ? refuseFactor(deps, present, code) : new DomainError('invalid-access-token')
}
