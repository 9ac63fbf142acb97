import { decodeCBOR, decodePartialCBOR } from '@levischuck/tiny-cbor'
import { requireIdLength } from './assertion.ts'
import { type AuthenticatorData, checkAuthenticatorData, readAuthenticatorData } from './authenticator-data.ts'
import { type ClientData, checkClientData, type RelyingParty, readClientData } from './client-data.ts'
import { spkiOf } from './public-key.ts'
import type { NewCredential } from './shapes.ts'
import { WrongPasskey } from './wrong-passkey.ts'

/** A registration, read but not checked. */
interface ReadRegistration {
  /** In base64url. */
  credentialId: string
  /** As in the client data: any text. */
  challenge: string
  clientData: ClientData
  authenticatorData: AuthenticatorData
  coseKey: ReadonlyMap<unknown, unknown>
  transports: readonly string[]
}

/**
 * Reads a registration (WebAuthn Level 3 §6.5.4). An attestation is not requested, so it is ignored.
 *
 * @throws {WrongPasskey} `form`
 */
export function readRegistration({ id, response }: NewCredential): ReadRegistration {
  const clientData = readClientData(Buffer.from(response.clientDataJSON, 'base64url'))
  const attestation = readCbor(() => decodeCBOR(copyOf(Buffer.from(response.attestationObject, 'base64url'))))
  const bytes = attestation instanceof Map ? attestation.get('authData') : null
  if (!(bytes instanceof Uint8Array)) throw new WrongPasskey('form')
  const authenticatorData = readAuthenticatorData(bytes)
  requireIdLength(id)
  return {
    credentialId: id,
    challenge: clientData.challenge,
    clientData,
    authenticatorData,
    coseKey: readCoseKey(authenticatorData, Buffer.from(id, 'base64url')),
    transports: transportsAmong(response.transports ?? []),
  }
}

/** The model of the authenticator, and the length of the id (§6.5.2). */
const [modelBytes, lengthBytes] = [16, 2]

function readCoseKey(
  { hasCredential, hasExtensions, rest }: AuthenticatorData,
  id: Buffer,
): ReadRegistration['coseKey'] {
  const start = modelBytes + lengthBytes
  if (!hasCredential || rest.length < start) throw new WrongPasskey('form')
  const end = start + Buffer.from(rest).readUInt16BE(modelBytes)
  if (!id.equals(rest.subarray(start, end))) throw new WrongPasskey('form')
  const items = readItems(rest.subarray(end))
  const [key] = items
  if (items.length !== (hasExtensions ? 2 : 1) || !items.every(item => item instanceof Map))
    throw new WrongPasskey('form')
  return key as Map<unknown, unknown>
}

/** Reads consecutive items, with no byte left over. */
function readItems(bytes: Uint8Array): unknown[] {
  const data = copyOf(bytes)
  const items: unknown[] = []
  let read = 0
  while (read < data.length) {
    const [item, length] = readCbor(() => decodePartialCBOR(data, read))
    items.push(item)
    read += length
  }
  // The decoder accepts a string longer than the remaining bytes.
  if (read > data.length) throw new WrongPasskey('form')
  return items
}

/** The decoder silently misreads parts of a larger buffer, as all small buffers of Node are. */
const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

/** Deep nesting throws a RangeError, any other fault an Error. */
function readCbor<T>(decode: () => T): T {
  try {
    return decode()
  } catch {
    throw new WrongPasskey('form')
  }
}

/** The standard's (§5.8.4). Browsers may send others. */
export const knownTransports = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal']

/** @returns the standard's values alone, each once: they are stored, and sent to browsers */
const transportsAmong = (sent: readonly string[]): string[] => knownTransports.filter(known => sent.includes(known))

/** The stored part of a new passkey. */
interface RegisteredPasskey {
  /** In base64url. */
  credentialId: string
  /** SPKI. */
  publicKey: Uint8Array
  signCount: number
  backupEligible: boolean
  backedUp: boolean
  transports: readonly string[]
}

/**
 * Checks a registration (§7.1). The caller checks the challenge. It does not prove its sender: no key signs it.
 *
 * @throws {WrongPasskey} `type`, `origin`, `rp-id`, `presence`, `verification`, `algorithm`
 */
export function verifyRegistration(read: ReadRegistration, party: RelyingParty): RegisteredPasskey {
  checkClientData(read.clientData, 'webauthn.create', party)
  checkAuthenticatorData(read.authenticatorData, party)
  const publicKey = spkiOf(read.coseKey)
  if (!publicKey) throw new WrongPasskey('algorithm')
  const { credentialId, transports, authenticatorData } = read
  const { signCount, backupEligible, backedUp } = authenticatorData
  return { credentialId, publicKey, signCount, backupEligible, backedUp, transports }
}
