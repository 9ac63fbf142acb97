import * as v from 'valibot'
import { DomainError } from '../base/errors.ts'

/**
 * The length of a password, in code points of its normal form. The minimum is the specification's: NIST SP 800-63B-4
 * §3.1.1.2 asks for 15 without a second factor. The maximum bounds what a request can cost; NIST asks verifiers to
 * permit at least 64.
 */
export const passwordLength = { min: 8, max: 256 } as const

/** The form in which passwords are measured and hashed: keyboards compose the same characters differently. */
export const normalForm = (password: string): string => password.normalize('NFC')

/** The number of characters, roughly as people count them: a surrogate pair is one. */
export const countCodePoints = (text: string): number => [...text].length

const isShortEnough = (password: string): boolean => countCodePoints(password) <= passwordLength.max

/** A new password, in its normal form. `requireLongEnough` checks the minimum, because that has a code of its own. */
export const NewPassword = v.pipe(
  v.string('must be a string'),
  v.check(text => text.isWellFormed(), 'must be valid Unicode text'),
  v.transform(normalForm),
  v.check(isShortEnough, `must be at most ${passwordLength.max} characters`),
)

/**
 * @param password in its normal form
 * @throws {DomainError} `password-too-short`
 */
export function requireLongEnough(password: string): void {
  if (countCodePoints(password) < passwordLength.min) throw new DomainError('password-too-short')
}

/** The normal form of a text that may be somebody's password, however short; null for any other text. */
export function possiblePassword(text: string): string | null {
  const password = normalForm(text)
  return text.isWellFormed() && isShortEnough(password) ? password : null
}
