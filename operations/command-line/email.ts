import { canonicalEmail } from '../../shared/accounts/email.ts'
import { CommandError } from './command-error.ts'

/** An address as an operator gives it, in the form in which it is stored. @throws {CommandError} */
export function emailOf(address: string): string {
  const email = canonicalEmail(address)
  if (email === null) throw new CommandError(`'${address}' is no e-mail address`, 2)
  return email
}
