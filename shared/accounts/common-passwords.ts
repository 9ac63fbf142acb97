import { readFileSync } from 'node:fs'
import type { Configured } from '../config.ts'
import { DomainError, type Refuses } from '../errors.ts'
import { canonicalEmail } from './email.ts'
import { normalForm } from './password.ts'

/** Whether a password is among the most common ones, in the form in which `caseless` puts it. */
export type CommonPasswords = (password: string) => boolean

/** The product's name is what people like to make their password there. */
type Blocklist = Configured<'passwordBlocklist' | 'productName'> & { isCommonPassword: CommonPasswords }

/** The form in which passwords are held against the list: NFC, then Unicode's own lower case, the same everywhere. */
const caseless = (password: string): string => normalForm(password).toLowerCase()

export const requireUncommonRefuses: Refuses = ['password-too-common']

/**
 * NIST SP 800-63B-4 §3.1.1.2 and OWASP ASVS 6.2.4: what an attacker tries first is no password. Whole passwords are
 * compared, never parts of them, as NIST asks.
 *
 * @param password to be chosen
 * @throws {DomainError} `password-too-common`, where `PASSWORD_BLOCKLIST` is on: one of the list, or the product's name
 */
export function requireUncommon(deps: Blocklist, password: string): void {
  if (!deps.config.passwordBlocklist) return
  const text = caseless(password)
  if (text === caseless(deps.config.productName) || deps.isCommonPassword(text))
    throw new DomainError('password-too-common')
}

export const requireUnlikeAddressRefuses: Refuses = ['password-too-common']

/**
 * The same for what only the account at hand makes easy to guess: its address, however it is written, or the part
 * before the @.
 *
 * @param email in its canonical form
 * @throws {DomainError} `password-too-common`, where `PASSWORD_BLOCKLIST` is on
 */
export function requireUnlikeAddress({ config }: Configured<'passwordBlocklist'>, password: string, email: string) {
  if (!config.passwordBlocklist) return
  const isLocalPart = caseless(password) === email.slice(0, email.lastIndexOf('@'))
  if (isLocalPart || canonicalEmail(password) === email) throw new DomainError('password-too-common')
}

/** The name of the list, beside a function's bundle. */
export const commonPasswordsFile = 'common-passwords.txt'

/** The list as a text that can be searched as it is: each password between two line breaks. */
export const packPasswords = (passwords: Iterable<string>): string =>
  `\n${[...new Set([...passwords].map(caseless))].sort().join('\n')}\n`

/**
 * Opens a list that `packPasswords` wrote. It is read when it is first asked: a function whose setting is off never does.
 *
 * Searching the text from its start takes a four-thousandth of the hash that follows, and unlike sets of hashes or
 * filters it never takes one password for another (docs/performance.md).
 */
export function openCommonPasswords(file: string): CommonPasswords {
  let list: string | undefined
  return password => {
    // Latin-1, since a text of single bytes is searched fastest; the list is ASCII, as the build makes sure.
    list ??= readFileSync(file, 'latin1')
    return !password.includes('\n') && list.includes(`\n${password}\n`)
  }
}
