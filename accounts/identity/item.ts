import { type Identity, identityKey, type Pointer } from './identity.ts'

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
