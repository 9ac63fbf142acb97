import { createHash } from 'node:crypto'

/** A person's account at a provider that logs in to an account here. Issuer and subject identify it; no address does. */
export interface Identity {
  key: string
  issuer: string
  subject: string
  /** The address proven at the connection, or null. */
  email: string | null
  connectedAt: Date
}

/** The key of an identity in its account and of its entry: base64url of SHA-256. No issuer has a newline. */
export const identityKey = (issuer: string, subject: string): string =>
  createHash('sha256').update(`${issuer}\n${subject}`).digest('base64url')

/** A sixth is refused. Two subjects of one provider count as two. */
export const maxIdentities = 5

/** An identity in its account's map, by its key. */
export interface IdentityItem {
  issuer: string
  subject: string
  email: string | null
  connected_at: string
}

export const toIdentityItem = ({ issuer, subject, email, connectedAt }: Identity): IdentityItem => ({
  issuer,
  subject,
  email,
  connected_at: connectedAt.toISOString(),
})

export const toIdentityItems = (identities: readonly Identity[]): Record<string, IdentityItem> =>
  Object.fromEntries(identities.map(identity => [identity.key, toIdentityItem(identity)]))

/** Oldest first. */
export const toIdentities = (items: Record<string, IdentityItem>): Identity[] =>
  Object.values(items)
    .map(({ issuer, subject, email, connected_at }) => ({
      key: identityKey(issuer, subject),
      issuer,
      subject,
      email,
      connectedAt: new Date(connected_at),
    }))
    .sort((a, b) => a.connectedAt.getTime() - b.connectedAt.getTime() || (a.key < b.key ? -1 : 1))
