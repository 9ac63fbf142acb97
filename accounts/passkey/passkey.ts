import { createHash } from 'node:crypto'
import type { Config, Configured } from '../../shared/base/config.ts'
import type { SecondFactor } from '../factor/factor.ts'
import type { Passkey as PasskeyAnswer, PasskeyList } from './shapes.ts'

/** A passkey of an account (WebAuthn Level 3 §4, "Credential Record"). */
export interface Passkey {
  /** The credential's id, in base64url. */
  id: string
  /** SPKI. */
  publicKey: Uint8Array
  /** The ways a browser reaches its authenticator: words of the standard. */
  transports: readonly string[]
  /** Its signature count; 0 where the authenticator does not count. */
  signCount: number
  /** Whether it was allowed to be copied to other devices when it was made. */
  backupEligible: boolean
  /** Whether it is on other devices now. */
  backedUp: boolean
  label: string
  createdAt: Date
  /** The day, at midnight in UTC; null before the first use. */
  lastUsedAt: Date | null
}

/** A use of the passkey, as an assertion states it. */
export interface PasskeyUse extends Pick<Passkey, 'signCount' | 'backedUp'> {
  /** At midnight in UTC. */
  lastUsedAt: Date
  /** Whether the stored count must be lower. */
  isCounted: boolean
}

/** Whether an authenticator's user handle can be an account's: 64 bytes. An index does not take keys of any length. */
export const isHandle = (userHandle: string | null): userHandle is string => userHandle?.length === 86

/** An eleventh is refused: with ten the item stays below 16 KB. */
export const maxPasskeys = 10

/** The members of an account that its passkeys depend on. */
interface Holder {
  factor: SecondFactor | null
  passkeys: readonly Passkey[]
  passkeyRpId: string | null
}

/** The passkeys that log in here. Passkeys of another domain never will again. */
export const passkeysInForce = (
  { passkeys, passkeyRpId }: Omit<Holder, 'factor'>,
  { passkeyRpId: rpId }: Pick<Config, 'passkeyRpId'>,
): readonly Passkey[] => (rpId !== null && rpId === passkeyRpId ? passkeys : [])

/**
 * Whether an account can be entered by a passkey alone: a second factor is required, and it has no authenticator app.
 * Neither a password nor a mailbox alone must then replace the passkeys.
 */
export const needsPasskey = (
  account: Holder,
  { passkeyRpId, secondFactor }: Pick<Config, 'passkeyRpId' | 'secondFactor'>,
): boolean =>
  secondFactor === 'required' && account.factor === null && passkeysInForce(account, { passkeyRpId }).length > 0

/** The sparse index that finds an account by its user handle. */
export const passkeyHandle = { attribute: 'passkey_handle', index: 'by-passkey-handle' } as const

/** A passkey in its account's map. */
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

/** The key of a passkey in that map. An id has up to 1,364 characters, but a path of DynamoDB at most 255. */
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

/** Oldest first. */
export const toPasskeys = (items: Record<string, PasskeyItem>): Passkey[] =>
  Object.values(items)
    .map(toPasskey)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))

/** Passkeys as browsers name them (WebAuthn Level 3 §5.8.3). */
export const descriptorsView = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ id, transports }) => ({ type: 'public-key' as const, id, transports: [...transports] }))

export const passkeyView = ({ id, label, createdAt, lastUsedAt, backedUp }: Passkey): PasskeyAnswer => ({
  id,
  label,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  is_synced: backedUp,
})

export const passkeyListView = (
  { config }: Configured<'passkeyRpId'>,
  { passkeys, passkeyHandle }: { passkeys: readonly Passkey[]; passkeyHandle: string | null },
): PasskeyList => ({
  rp_id: config.passkeyRpId,
  user_handle: passkeyHandle,
  passkeys: passkeys.map(passkeyView),
})
