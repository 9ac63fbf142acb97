import { createHash } from 'node:crypto'
import type { System } from '../../base/system.ts'

/** How long a one-time token works, in hours from the request for it (specification, section 8). */
const hours = { verification: 24, reset: 1 } as const

/** The same in milliseconds. */
export const lifetimes = {
  verification: hours.verification * 60 * 60 * 1000,
  reset: hours.reset * 60 * 60 * 1000,
} as const

/** The same in words, for mails and pages. */
export const lifetimeInWords = (kind: keyof typeof hours): string =>
  hours[kind] === 1 ? '1 hour' : `${hours[kind]} hours`

/** What a token is for. A token of one kind never passes as one of the other. */
export type TokenKind = keyof typeof lifetimes

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

export function oneTimeToken(kind: TokenKind, token: string, requestedAt: Date): OneTimeToken {
  return { hash: hashToken(token), expiresAt: new Date(requestedAt.getTime() + lifetimes[kind]), requestedAt }
}
