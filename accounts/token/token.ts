import { createHash } from 'node:crypto'
import type { System } from '../../shared/base/system.ts'

const hour = 60 * 60 * 1000

/**
 * How long the one-time token of a link works, in milliseconds from the request for it: those of accounts as in the
 * specification, section 8. People read an undo link a holiday late, or an invitation.
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
 * The same in words, for mails and pages. The format is made here: where modules load, it would cost each cold start a tenth.
 *
 * @param tag of the language; its digits are 0 to 9 in all
 */
export function lifetimeInWords(kind: Lifetime, tag = 'en'): string {
  const hours = lifetimes[kind] / hour
  const [count, unit] = hours > 48 ? [hours / 24, 'day'] : [hours, 'hour']
  return new Intl.NumberFormat(`${tag}-u-nu-latn`, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** What a token on an account is for. A token of one kind never passes as one of the other. */
export type TokenKind = 'verification' | 'reset'

/** A token as an account stores it: never the token itself, so that nobody can use what they read in the table. */
export interface OneTimeToken {
  /** Its SHA-256 in lower-case hexadecimal. The token has 256 bits of entropy: no salt or slow hash is needed. */
  hash: string
  expiresAt: Date
  requestedAt: Date
}

/** Makes a token: 32 random bytes as 43 characters of base64url (RFC 4648 §5). */
export const drawToken = (deps: Pick<System, 'randomBytes'>): string =>
  Buffer.from(deps.randomBytes(32)).toString('base64url')

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export function oneTimeToken(lifetime: Lifetime, token: string, requestedAt: Date): OneTimeToken {
  return { hash: hashToken(token), expiresAt: new Date(requestedAt.getTime() + lifetimes[lifetime]), requestedAt }
}

/** The attributes of one kind of token, and the sparse index that finds its holder. */
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
