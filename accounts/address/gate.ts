import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
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
