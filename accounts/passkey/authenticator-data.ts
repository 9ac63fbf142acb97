import { createHash } from 'node:crypto'
import type { RelyingParty } from './client-data.ts'
import { WrongPasskey } from './wrong-passkey.ts'

/** The data of an authenticator (WebAuthn Level 3 §6.1). */
export interface AuthenticatorData {
  /** SHA-256 of the RP ID. */
  rpIdHash: Uint8Array
  /** User present: somebody touched it. */
  isPresent: boolean
  /** User verified: by PIN, finger or face. */
  isVerified: boolean
  /** The key may leave the device, for example to its maker's cloud. */
  backupEligible: boolean
  backedUp: boolean
  hasCredential: boolean
  hasExtensions: boolean
  signCount: number
  /** The rest: attested credential data, then extensions. */
  rest: Uint8Array
}

const flag = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, credential: 0x40, extensions: 0x80 }

/** Hash, flags and counter. */
const headBytes = 32 + 1 + 4

/** @throws {WrongPasskey} `form` */
export function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData {
  if (bytes.length < headBytes) throw new WrongPasskey('form')
  const flags = bytes[32] ?? 0
  const has = (bit: number): boolean => (flags & bit) !== 0
  // §6.1.3: whatever is backed up is eligible for it.
  if (has(flag.backedUp) && !has(flag.backupEligible)) throw new WrongPasskey('form')
  return {
    rpIdHash: bytes.subarray(0, 32),
    isPresent: has(flag.present),
    isVerified: has(flag.verified),
    backupEligible: has(flag.backupEligible),
    backedUp: has(flag.backedUp),
    hasCredential: has(flag.credential),
    hasExtensions: has(flag.extensions),
    signCount: Buffer.from(bytes).readUInt32BE(33),
    rest: bytes.subarray(headBytes),
  }
}

/** @throws {WrongPasskey} `rp-id`, `presence`, `verification` */
export function checkAuthenticatorData(data: AuthenticatorData, { rpId }: RelyingParty): void {
  if (!createHash('sha256').update(rpId).digest().equals(data.rpIdHash)) throw new WrongPasskey('rp-id')
  if (!data.isPresent) throw new WrongPasskey('presence')
  if (!data.isVerified) throw new WrongPasskey('verification')
}
