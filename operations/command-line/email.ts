import { canonicalEmail } from '../../shared/accounts/email.ts'
import { CommandError } from './command-error.ts'

/** The stored form of an address that an operator types. @throws {CommandError} */
export function emailOf(address: string): string {
  const email = canonicalEmail(address)
  if (email === null) throw new CommandError(`'${address}' is not an e-mail address`, 2)
  return email
}
