import { createHash } from 'node:crypto'
import { type AuthenticatorData, checkAuthenticatorData, readAuthenticatorData } from './authenticator-data.ts'
import { type ClientData, checkClientData, type RelyingParty, readClientData } from './client-data.ts'
import { isSigned, readKey } from './public-key.ts'
import type { Assertion } from './shapes.ts'
import { WrongPasskey } from './wrong-passkey.ts'

/** In bytes (WebAuthn Level 3 §4, "Credential ID"). */
const maxCredentialId = 1023

/** An assertion, read but not checked. */
export interface ReadAssertion {
  /** In base64url. */
  credentialId: string
  /** In base64url, or null. */
  userHandle: string | null
  /** As in the client data: any text. */
  challenge: string
  clientData: ClientData
  authenticatorData: AuthenticatorData
  /** The bytes that the authenticator signed (§6.3.3, figure 4). */
  signed: Uint8Array
  signature: Uint8Array
}

/** @throws {WrongPasskey} `form` */
export function readAssertion({ id, response }: Assertion): ReadAssertion {
  const clientDataBytes = Buffer.from(response.clientDataJSON, 'base64url')
  const clientData = readClientData(clientDataBytes)
  const bytes = Buffer.from(response.authenticatorData, 'base64url')
  const authenticatorData = readAuthenticatorData(bytes)
  requireIdLength(id)
  // Credential data belongs to registrations (§6.1). Extensions are not requested and not read, but the signature covers them.
  const { hasCredential, hasExtensions, rest } = authenticatorData
  if (hasCredential || hasExtensions !== rest.length > 0) throw new WrongPasskey('form')
  return {
    credentialId: id,
    userHandle: response.userHandle || null,
    challenge: clientData.challenge,
    clientData,
    authenticatorData,
    signed: Buffer.concat([bytes, createHash('sha256').update(clientDataBytes).digest()]),
    signature: Buffer.from(response.signature, 'base64url'),
  }
}

/** @throws {WrongPasskey} `form` */
export function requireIdLength(id: string): void {
  const { length } = Buffer.from(id, 'base64url')
  if (length === 0 || length > maxCredentialId) throw new WrongPasskey('form')
}

/** The stored part of a passkey that an assertion is checked against. */
export interface CheckedPasskey {
  /** SPKI. */
  publicKey: Uint8Array
  signCount: number
  /** At registration. */
  backupEligible: boolean
}

/**
 * Verifies an assertion with its passkey (WebAuthn Level 3 §7.2). The caller checks the challenge.
 *
 * @returns the values to store. `isCounted`: store only if the stored count is still lower, which detects copies
 * @throws {WrongPasskey} `type`, `origin`, `rp-id`, `presence`, `verification`, `algorithm`, `signature`, `count`
 */
export function verifyAssertion(
  read: ReadAssertion,
  stored: CheckedPasskey,
  party: RelyingParty,
): { signCount: number; backedUp: boolean; isCounted: boolean } {
  checkClientData(read.clientData, 'webauthn.get', party)
  checkAuthenticatorData(read.authenticatorData, party)
  const key = readKey(stored.publicKey)
  if (!key) throw new WrongPasskey('algorithm')
  if (!isSigned(key, read.signed, read.signature)) throw new WrongPasskey('signature')
  const { signCount, backupEligible, backedUp } = read.authenticatorData
  // Synced passkeys fall back to 0, and managers may start or stop syncing: comparing would lock their owners out.
  const staysOnDevice = !backupEligible && !stored.backupEligible
  const isCounted = staysOnDevice && (signCount > 0 || stored.signCount > 0)
  if (isCounted && signCount <= stored.signCount) throw new WrongPasskey('count')
  return { signCount, backedUp, isCounted }
}
