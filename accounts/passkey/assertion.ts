import { createHash } from 'node:crypto'
import { type AuthenticatorData, checkAuthenticatorData, readAuthenticatorData } from './authenticator-data.ts'
import { type ClientData, checkClientData, type RelyingParty, readClientData } from './client-data.ts'
import { isSigned, readKey } from './public-key.ts'
import type { Assertion } from './shapes.ts'
import { WrongPasskey } from './wrong-passkey.ts'

/** In bytes (WebAuthn Level 3 §4, "Credential ID"). */
const maxCredentialId = 1023

/** What an assertion says, before any of it is checked. */
export interface ReadAssertion {
  /** In base64url. */
  credentialId: string
  /** In base64url; null where it was left out. */
  userHandle: string | null
  /** As the client data has it: any text. */
  challenge: string
  clientData: ClientData
  authenticatorData: AuthenticatorData
  /** What the authenticator signed (§6.3.3, figure 4). */
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
  // Credential data has its place in a registration (§6.1). Extensions are not asked for, and not read: the signature is over them.
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

/** What is stored of a passkey that an assertion is checked against. */
export interface CheckedPasskey {
  /** SPKI. */
  publicKey: Uint8Array
  signCount: number
  /** At the registration. */
  backupEligible: boolean
}

/**
 * Checks an assertion against the passkey that it names (WebAuthn Level 3 §7.2). Its challenge is the caller's affair.
 *
 * @returns what to store of it. `isCounted`: only if the stored count is still lower, so that of two copies one is found out
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
  // Synced passkeys fall back to 0, and managers change whether theirs are: a comparison would lock their owners out.
  const staysOnDevice = !backupEligible && !stored.backupEligible
  const isCounted = staysOnDevice && (signCount > 0 || stored.signCount > 0)
  if (isCounted && signCount <= stored.signCount) throw new WrongPasskey('count')
  return { signCount, backedUp, isCounted }
}
