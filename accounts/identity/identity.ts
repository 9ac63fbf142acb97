import { createHash } from 'node:crypto'

/** Somebody's account at a provider, which logs in to an account here. Issuer and subject tell which; no address does. */
export interface Identity {
  key: string
  issuer: string
  subject: string
  /** As it was proven when it was connected, or null. */
  email: string | null
  connectedAt: Date
}

/** What an account and the pointer to it know an identity by: base64url of SHA-256. No issuer has a newline. */
export const identityKey = (issuer: string, subject: string): string =>
  createHash('sha256').update(`${issuer}\n${subject}`).digest('base64url')

/** A sixth is refused. Two subjects of one provider are two. */
export const maxIdentities = 5

/** Where an identity leads: the account of this id, at this address. Only that account decides whether it has the identity. */
export interface Pointer {
  id: string
  address: string
}
