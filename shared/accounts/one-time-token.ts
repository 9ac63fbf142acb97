import { createHash } from 'node:crypto'
import type { System } from '../system.ts'

/** What a token proves. One of a kind never stands in for the other. */
export type TokenKind = 'verification' | 'reset'

const hour = 60 * 60 * 1000

/** How long a token works, in milliseconds from when it was asked for (specification, section 8). */
export const lifetimes: Record<TokenKind, number> = { verification: 24 * hour, reset: hour }

/** A token as an account keeps it: never the token itself, so that a read of the table gives none away. */
export interface OneTimeToken {
  /** Its SHA-256 in lower-case hexadecimal. The token has 256 bits of entropy: no salt or slow hash is needed. */
  hash: string
  expiresAt: Date
  requestedAt: Date
}

/** Draws a token: 32 random bytes as 43 characters of base64url (RFC 4648 §5). */
export const drawToken = (deps: Pick<System, 'randomBytes'>): string =>
  Buffer.from(deps.randomBytes(32)).toString('base64url')

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export function oneTimeToken(kind: TokenKind, token: string, requestedAt: Date): OneTimeToken {
  return { hash: hashToken(token), expiresAt: new Date(requestedAt.getTime() + lifetimes[kind]), requestedAt }
}
