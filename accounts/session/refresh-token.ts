import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { isAccountId } from '../account/account.ts'
import { hashSecret, type Session } from './session.ts'

/** A parsed refresh token. The account's id finds it, so no index is needed. */
export interface RefreshToken {
  id: string
  sessionId: string
  serial: number
  secret: string
  mac: string
}

/** Lets secret scanners recognise a token; docs/security.md has the pattern. */
const prefix = 'ghr2'

const form = new RegExp(`^${prefix}\\.([\\w-]+)\\.([\\w-]{22})\\.([1-9]\\d{0,14})\\.([\\w-]{43})\\.([\\w-]{43})$`)

const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

/**
 * Parses a refresh token in its one spelling: parts in canonical base64url without padding (RFC 4648 §3.5), and an account's id.
 *
 * @returns null for any other text
 */
export function parseRefreshToken(text: string): RefreshToken | null {
  const [, account = '', sessionId = '', serial, secret = '', mac = ''] = form.exec(text) ?? []
  if (serial === undefined || ![account, sessionId, secret, mac].every(isCanonical)) return null
  const id = Buffer.from(account, 'base64url').toString()
  return isAccountId(id) ? { id, sessionId, serial: Number(serial), secret, mac } : null
}

/** Writes the newest token of a session. */
export function writeRefreshToken(accountId: string, { id, current, salt }: Session, secret: string): string {
  const account = Buffer.from(accountId).toString('base64url')
  return [prefix, account, id, current, secret, macOf(salt, secret, current)].join('.')
}

/**
 * Only a holder of the salt can make the token of another serial. The secret has a fixed length, so a secret and a
 * serial join unambiguously. Key bytes instead of a key object would take Node four times as long.
 */
const macOf = (salt: string, secret: string, serial: number): string =>
  createHmac('sha256', createSecretKey(salt, 'base64url')).update(`${secret}${serial}`).digest('base64url')

/** Stands in for a missing session, so that its token takes the same work. No secret has this hash. */
const nobody = { secretHash: '.'.repeat(43), salt: '' }

/** Whether the service made the token for this session, at any serial. */
export function isGenuine({ secret, serial, mac }: RefreshToken, session: Session | null): boolean {
  const { secretHash, salt } = session ?? nobody
  const hasSecret = isEqual(hashSecret(secret), secretHash)
  return isEqual(macOf(salt, secret, serial), mac) && hasSecret
}

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
