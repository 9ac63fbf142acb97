import * as v from 'valibot'
import { DomainError } from '../../shared/base/errors.ts'
import { countCodePoints, Text } from '../../shared/base/shapes.ts'

/**
 * The length of a password, in code points of its normal form. The minimum is the specification's: NIST SP 800-63B-4
 * §3.1.1.2 asks for 15 without a second factor. The maximum bounds what a request can cost; NIST asks verifiers to
 * permit at least 64.
 */
export const passwordLength = { min: 8, max: 256 } as const

declare const normal: unique symbol

/** A text in the normal form in which passwords are measured, compared and hashed. Only `toPassword` makes this type. */
export type Password = string & { readonly [normal]: true }

/** Composes a text (NFC), because keyboards compose the same characters differently. */
export const toPassword = (text: string): Password => text.normalize('NFC') as Password

const isShortEnough = (password: Password): boolean => countCodePoints(password) <= passwordLength.max

/** A new password. `requireLongEnough` checks the minimum, which has a code of its own. */
export const NewPassword = v.pipe(
  Text,
  v.check(text => text.isWellFormed(), 'must be valid Unicode text'),
  v.transform(toPassword),
  v.check(isShortEnough, `must be at most ${passwordLength.max} characters`),
)

/** A password to check. An impossible password is merely wrong. */
export const GivenPassword = v.pipe(Text, v.transform(toPassword))

/** @throws {DomainError} `password-too-short` */
export function requireLongEnough(password: Password): void {
  if (countCodePoints(password) < passwordLength.min) throw new DomainError('password-too-short')
}

/** Whether an account can have the password, however short. */
export const isPossible = (password: Password): boolean => password.isWellFormed() && isShortEnough(password)
