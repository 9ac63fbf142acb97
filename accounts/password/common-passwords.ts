import { readFileSync } from 'node:fs'
import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { canonicalEmail } from '../address/address.ts'
import { type Password, toPassword } from './password.ts'

/** Whether a password, in its `caseless` form, is one of the most common ones. */
export type CommonPasswords = (password: string) => boolean

/** The product's name is refused too: people like to use it as their password. */
type Blocklist = Configured<'passwordBlocklist' | 'productName'> & { isCommonPassword: CommonPasswords }

/** The form in which passwords are compared with the list: lower case, independent of any locale. */
const caseless = (password: Password): string => password.toLowerCase()

/**
 * Refuses the passwords that attackers try first (NIST SP 800-63B-4 §3.1.1.2, OWASP ASVS 6.2.4). Compares complete
 * passwords, never parts of them, as NIST asks.
 *
 * @param password the new one
 * @throws {DomainError} `password-too-common`, where `PASSWORD_BLOCKLIST` is on: one of the list, or the product's name
 */
export function requireUncommon(deps: Blocklist, password: Password): void {
  if (!deps.config.passwordBlocklist) return
  const text = caseless(password)
  if (text === caseless(toPassword(deps.config.productName)) || deps.isCommonPassword(text))
    throw new DomainError('password-too-common')
}

/**
 * Refuses what is easy to guess for one account: its address in any spelling, or the part before the @.
 *
 * @param email in its canonical form
 * @throws {DomainError} `password-too-common`, where `PASSWORD_BLOCKLIST` is on
 */
export function requireUnlikeAddress({ config }: Configured<'passwordBlocklist'>, password: Password, email: string) {
  if (!config.passwordBlocklist) return
  const isLocalPart = caseless(password) === email.slice(0, email.lastIndexOf('@'))
  if (isLocalPart || canonicalEmail(password) === email) throw new DomainError('password-too-common')
}

/** The file name of the list, which lies beside a function's bundle. */
export const commonPasswordsFile = 'common-passwords.txt'

/** The list as one text that can be searched: each password is between two line breaks. */
export const packPasswords = (passwords: Iterable<string>): string =>
  `\n${[...new Set([...passwords].map(each => caseless(toPassword(each))))].sort().join('\n')}\n`

/**
 * Opens a list that `packPasswords` wrote. The file is read on first use: while the setting is off, it never is.
 *
 * A search of the text takes a four-thousandth of the time of the hash that follows. Unlike sets of hashes and filters,
 * it never mistakes one password for another.
 */
export function openCommonPasswords(file: string): CommonPasswords {
  let list: string | undefined
  return password => {
    // Latin-1: text of single bytes is searched fastest. The build makes sure that the list is ASCII.
    list ??= readFileSync(file, 'latin1')
    return !password.includes('\n') && list.includes(`\n${password}\n`)
  }
}
