import { createHash } from 'node:crypto'
import type { Config } from '../../shared/base/config.ts'
import type { SecondFactor } from '../factor/factor.ts'

/** A passkey of an account (WebAuthn Level 3 §4, "Credential Record"). */
export interface Passkey {
  /** The credential's id, in base64url. */
  id: string
  /** SPKI. */
  publicKey: Uint8Array
  /** How a browser reaches its authenticator: words of the standard. */
  transports: readonly string[]
  /** How often it was used, where its authenticator counts; else 0. */
  signCount: number
  /** Whether it could be copied to other devices when it was made. */
  backupEligible: boolean
  /** Whether it is on other devices too. */
  backedUp: boolean
  label: string
  createdAt: Date
  /** The day, at midnight in UTC; null before the first time. */
  lastUsedAt: Date | null
}

/** What an assertion says of the passkey, and when it was used. */
export interface PasskeyUse extends Pick<Passkey, 'signCount' | 'backedUp'> {
  /** At midnight in UTC. */
  lastUsedAt: Date
  /** Whether its count must grow. */
  isCounted: boolean
}

/** Whether what an authenticator calls its owner can be the handle of an account: 64 bytes. No index takes any length. */
export const isHandle = (userHandle: string | null): userHandle is string => userHandle?.length === 86

/** An eleventh is refused: with ten the item stays below 16 KB. */
export const maxPasskeys = 10

/** What decides about the passkeys of an account. */
interface Holder {
  factor: SecondFactor | null
  passkeys: readonly Passkey[]
  passkeyRpId: string | null
}

/** The passkeys that log in here. Those of another domain never will again. */
export const passkeysInForce = (
  { passkeys, passkeyRpId }: Omit<Holder, 'factor'>,
  { passkeyRpId: rpId }: Pick<Config, 'passkeyRpId'>,
): readonly Passkey[] => (rpId !== null && rpId === passkeyRpId ? passkeys : [])

/**
 * Whether nobody gets into an account but by a passkey: a second factor is required, and it has no authenticator app. A
 * password alone must not replace the passkeys there, and a mailbox neither.
 */
export const needsPasskey = (
  account: Holder,
  { passkeyRpId, secondFactor }: Pick<Config, 'passkeyRpId' | 'secondFactor'>,
): boolean =>
  secondFactor === 'required' && account.factor === null && passkeysInForce(account, { passkeyRpId }).length > 0

/** The sparse index that finds the account of a passkey's handle. */
export const passkeyHandle = { attribute: 'passkey_handle', index: 'by-passkey-handle' } as const

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
