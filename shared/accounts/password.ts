import * as v from 'valibot'
import { DomainError, type Refuses } from '../errors.ts'

/**
 * What a password must be. How it is kept stands in `password-hash.ts`.
 *
 * In code points of its normal form. The lower bound is the specification's: NIST SP 800-63B-4 §3.1.1.2 asks for 15
 * without a second factor. The upper one bounds what a request can cost, well above the 64 that NIST asks verifiers to
 * permit.
 */
export const passwordLength = { min: 8, max: 256 } as const

/** The form in which passwords are counted and hashed: keyboards differ in how they compose the same characters. */
export const normalForm = (password: string): string => password.normalize('NFC')

/** Characters as people count them, near enough: a surrogate pair is one. */
export const countCodePoints = (text: string): number => [...text].length

const isShortEnough = (password: string): boolean => countCodePoints(password) <= passwordLength.max

/** A password to be chosen, in its normal form. That it is long enough has a text of its own: `requireLongEnough`. */
export const NewPassword = v.pipe(
  v.string('must be a string'),
  v.check(text => text.isWellFormed(), 'must be valid Unicode text'),
  v.transform(normalForm),
  v.check(isShortEnough, `must be at most ${passwordLength.max} characters`),
)

export const requireLongEnoughRefuses: Refuses = ['password-too-short']

/**
 * @param password in its normal form
 * @throws {DomainError} `password-too-short`
 */
export function requireLongEnough(password: string): void {
  if (countCodePoints(password) < passwordLength.min) throw new DomainError('password-too-short')
}

/** The normal form of a text that somebody may have chosen as a password, however short; null for any other. */
export function possiblePassword(text: string): string | null {
  const password = normalForm(text)
  return text.isWellFormed() && isShortEnough(password) ? password : null
}
