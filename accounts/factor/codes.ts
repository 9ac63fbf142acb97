import { toPlainCode } from '../../shared/base/plain-code.ts'
import type { System } from '../../shared/base/system.ts'
import { hashToken } from '../token/token.ts'

/** RFC 4648 §6. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 of whole groups of five bytes, which need no padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.replaceAll(/.{5}/g, five => alphabet.charAt(Number.parseInt(five, 2)))
}

/** Decodes such a text, as an authenticator app does: for commands and tests that log in. */
export function bytesOfBase32(text: string): Uint8Array {
  const bits = [...text].map(character => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2))
}

/** How many recovery codes an account gets at once. */
const recoveryCodes = 10

/** 120 bits cannot be guessed, so guesses need no limit and hashes no salt. */
const recoveryBytes = 15

/** Draws recovery codes, in groups of four characters, which are easier to write down. */
export const drawRecoveryCodes = (deps: Pick<System, 'randomBytes'>): string[] =>
  Array.from({ length: recoveryCodes }, () => base32(deps.randomBytes(recoveryBytes)).replaceAll(/.{4}(?=.)/g, '$&-'))

/** What an account stores of a recovery code: the SHA-256 of its characters, in lower-case hexadecimal. */
export const hashRecoveryCode = (code: string): string => hashToken(toPlainCode(code).toUpperCase())

/** A typed code: six digits, a recovery code by its hash, or null. */
type TypedCode = { is: 'code'; digits: string } | { is: 'recovery'; hash: string } | null

/** Reads a code by what it says, in any case. */
export function readCode(text: string): TypedCode {
  const typed = toPlainCode(text)
  if (/^[0-9]{6}$/.test(typed)) return { is: 'code', digits: typed }
  return /^[a-z2-7]{24}$/i.test(typed) ? { is: 'recovery', hash: hashRecoveryCode(typed) } : null
}
