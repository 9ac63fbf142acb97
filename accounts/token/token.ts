import { createHash } from 'node:crypto'
import type { System } from '../../shared/base/system.ts'

const hour = 60 * 60 * 1000

/**
 * Lifetimes of links' one-time tokens, in milliseconds from the request: those of accounts are in the specification,
 * section 8. People read an undo link after a holiday, or an invitation.
 */
export const lifetimes = {
  verification: 24 * hour,
  reset: hour,
  'second-factor': hour,
  undo: 7 * 24 * hour,
  invitation: 7 * 24 * hour,
} as const

export type Lifetime = keyof typeof lifetimes

/**
 * The same in words, for mails and pages. The format is made lazily: at module load it would cost a tenth of each cold start.
 *
 * @param tag of the language; its digits are 0 to 9 in all
 */
export function lifetimeInWords(kind: Lifetime, tag = 'en'): string {
  const hours = lifetimes[kind] / hour
  const [count, unit] = hours > 48 ? [hours / 24, 'day'] : [hours, 'hour']
  return new Intl.NumberFormat(`${tag}-u-nu-latn`, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** The purpose of an account's token. Tokens of one kind never pass as the other. */
export type TokenKind = 'verification' | 'reset'

/** A token as stored: never the token itself, so that the table reveals no usable link. */
export interface OneTimeToken {
  /** Its SHA-256 in lower-case hexadecimal. The token has 256 bits of entropy: no salt or slow hash is needed. */
  hash: string
  expiresAt: Date
  requestedAt: Date
}

/** Draws a token: 32 random bytes as 43 characters of base64url (RFC 4648 §5). */
export const drawToken = (deps: Pick<System, 'randomBytes'>): string =>
  Buffer.from(deps.randomBytes(32)).toString('base64url')

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export function oneTimeToken(lifetime: Lifetime, token: string, requestedAt: Date): OneTimeToken {
  return { hash: hashToken(token), expiresAt: new Date(requestedAt.getTime() + lifetimes[lifetime]), requestedAt }
}

/** The attributes of each kind of token, and the sparse index that finds its holder. */
export const tokenAttributes = {
  verification: {
    hash: 'email_verification_token',
    expires: 'email_verification_expires',
    requestedAt: 'email_verification_requested_at',
    index: 'by-verification-token',
  },
  reset: {
    hash: 'password_reset_token',
    expires: 'password_reset_expires',
    requestedAt: 'password_reset_requested_at',
    index: 'by-reset-token',
  },
} as const satisfies Record<TokenKind, Record<string, string>>
