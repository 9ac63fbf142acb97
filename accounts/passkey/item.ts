import { createHash } from 'node:crypto'
import type { Passkey } from './passkey.ts'

/** A passkey in the map of its account's item. */
export interface PasskeyItem {
  credential_id: string
  /** SPKI. */
  public_key: Uint8Array
  transports: string[]
  sign_count: number
  backup_eligible: boolean
  backed_up: boolean
  label: string
  created_at: string
  last_used_at?: string
}

/** The key of a passkey in that map: an id has up to 1,364 characters, and a path of DynamoDB 255 at most. */
export const passkeyKey = (id: string): string =>
  createHash('sha256').update(id, 'base64url').digest('base64url').slice(0, 22)

export const toPasskeyItem = (passkey: Passkey): PasskeyItem => ({
  credential_id: passkey.id,
  public_key: passkey.publicKey,
  transports: [...passkey.transports],
  sign_count: passkey.signCount,
  backup_eligible: passkey.backupEligible,
  backed_up: passkey.backedUp,
  label: passkey.label,
  created_at: passkey.createdAt.toISOString(),
  ...(passkey.lastUsedAt && { last_used_at: passkey.lastUsedAt.toISOString() }),
})

const toPasskey = (item: PasskeyItem): Passkey => ({
  id: item.credential_id,
  publicKey: item.public_key,
  transports: item.transports,
  signCount: item.sign_count,
  backupEligible: item.backup_eligible,
  backedUp: item.backed_up,
  label: item.label,
  createdAt: new Date(item.created_at),
  lastUsedAt: item.last_used_at === undefined ? null : new Date(item.last_used_at),
})

export const toPasskeyItems = (passkeys: readonly Passkey[]): Record<string, PasskeyItem> =>
  Object.fromEntries(passkeys.map(passkey => [passkeyKey(passkey.id), toPasskeyItem(passkey)]))

/** The oldest first. */
export const toPasskeys = (items: Record<string, PasskeyItem> = {}): Passkey[] =>
  Object.values(items)
    .map(toPasskey)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
