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

/** The keys of pointers of identities begin with it. They have no @, which every address has. */
export const pointerPrefix = 'identity#'

/** The keys in the users table, as IAM's patterns: those of accounts, and those of pointers. */
export const usersKeys = { accounts: '*@*', pointers: `${pointerPrefix}*` } as const

/** An identity in the map of its account's item, by its key. */
export interface IdentityItem {
  issuer: string
  subject: string
  email: string | null
  connected_at: string
}

/** An item of the users table that leads from an identity to its account. Its key has no @, and so is no address. */
export interface PointerItem extends Pointer {
  email: string
}

export const toIdentityItem = ({ issuer, subject, email, connectedAt }: Identity): IdentityItem => ({
  issuer,
  subject,
  email,
  connected_at: connectedAt.toISOString(),
})

export const toIdentityItems = (identities: readonly Identity[]): Record<string, IdentityItem> =>
  Object.fromEntries(identities.map(identity => [identity.key, toIdentityItem(identity)]))

/** The oldest first. */
export const toIdentities = (items: Record<string, IdentityItem> = {}): Identity[] =>
  Object.values(items)
    .map(({ issuer, subject, email, connected_at }) => ({
      key: identityKey(issuer, subject),
      issuer,
      subject,
      email,
      connectedAt: new Date(connected_at),
    }))
    .sort((a, b) => a.connectedAt.getTime() - b.connectedAt.getTime() || (a.key < b.key ? -1 : 1))
