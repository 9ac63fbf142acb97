import { readFileSync } from 'node:fs'
import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { canonicalEmail } from '../address/address.ts'
import { type Password, toPassword } from './password.ts'

/** Whether a password, in its `caseless` form, is on the list of common passwords. */
export type CommonPasswords = (password: string) => boolean

/** The product's name is refused too: people often choose it. */
type Blocklist = Configured<'passwordBlocklist' | 'productName'> & { isCommonPassword: CommonPasswords }

/** The form in which passwords are compared with the list: in lower case, independent of the locale. */
const caseless = (password: Password): string => password.toLowerCase()

/**
 * Refuses the passwords that attackers try first (NIST SP 800-63B-4 §3.1.1.2, OWASP ASVS 6.2.4). Compares whole
 * passwords, never parts, as NIST asks.
 *
 * @param password the new one
 * @throws {DomainError} `password-too-common`, unless `PASSWORD_BLOCKLIST` is off: a password of the list, or the product's name
 */
export function requireUncommon(deps: Blocklist, password: Password): void {
  if (deps.config.passwordBlocklist === 'off') return
  const text = caseless(password)
  if (text === caseless(toPassword(deps.config.productName)) || deps.isCommonPassword(text))
    throw new DomainError('password-too-common')
}

/**
 * Refuses passwords that are easy to guess for one account: its address in any spelling, or the part before the @.
 *
 * @param email in its canonical form
 * @throws {DomainError} `password-too-common`, unless `PASSWORD_BLOCKLIST` is off
 */
export function requireUnlikeAddress({ config }: Configured<'passwordBlocklist'>, password: Password, email: string) {
  if (config.passwordBlocklist === 'off') return
  const isLocalPart = caseless(password) === email.slice(0, email.lastIndexOf('@'))
  if (isLocalPart || canonicalEmail(password) === email) throw new DomainError('password-too-common')
}

/** The file of the list, beside a function's bundle. */
export const commonPasswordsFile = 'common-passwords.txt'

/** The list as one searchable text: each password is between two line breaks. */
export const packPasswords = (passwords: Iterable<string>): string =>
  `\n${[...new Set([...passwords].map(each => caseless(toPassword(each))))].sort().join('\n')}\n`

/**
 * Opens a list that `packPasswords` wrote. The file is read lazily, and never while the setting is off.
 *
 * Searching the text takes a four-thousandth of the time of the hash that follows. Unlike filters and sets of hashes,
 * it never mistakes one password for another.
 */
export function openCommonPasswords(file: string): CommonPasswords {
  let list: string | undefined
  return password => {
    // Latin-1, because single bytes are searched fastest. The build makes sure that the list is ASCII.
    list ??= readFileSync(file, 'latin1')
    return !password.includes('\n') && list.includes(`\n${password}\n`)
  }
}
