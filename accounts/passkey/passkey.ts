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
