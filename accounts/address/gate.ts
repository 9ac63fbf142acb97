import type { Configured } from '../../shared/base/config.ts'
import { addressRefusals, DomainError } from '../../shared/base/errors.ts'
import type { Account } from '../account/account.ts'
import type { MovableEmail, OpenableEmail } from './address.ts'

/**
 * Decides by settings and the address alone whether a person may open an account: a refusal does not reveal who has
 * one. Operators' commands write items and skip this check.
 *
 * @param email canonical
 * @throws {DomainError} `sign-up-closed`, `email-domain-not-allowed`
 */
export function mayOpen(deps: Configured<'signUp' | 'signUpDomains'>, email: string): OpenableEmail {
  if (deps.config.signUp === 'invited') throw new DomainError('sign-up-closed')
  return mayMove(deps, email) as OpenableEmail
}

/**
 * Decides whether an account may move to an address.
 *
 * @param email canonical
 * @throws {DomainError} `email-domain-not-allowed`
 */
export function mayMove({ config }: Configured<'signUpDomains'>, email: string): MovableEmail {
  const { signUpDomains } = config
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (signUpDomains !== null && !signUpDomains.includes(domain)) throw new DomainError('email-domain-not-allowed')
  return email as MovableEmail
}

/**
 * Refuses to change an administrator's address: `users -- admin <email or id> off` comes first, because if `ADMIN_EMAIL` is set, the freed
 * address would make the next who registers it an administrator.
 *
 * @throws {DomainError} `administrator`
 */
export function refuseAdministrator({ isAdmin }: Pick<Account, 'isAdmin'>): void {
  if (isAdmin) throw new DomainError('administrator', { detail: addressRefusals.administrator })
}
