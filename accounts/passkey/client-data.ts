import { WrongPasskey } from './wrong-passkey.ts'

/** The RP ID of passkeys, and the origins of pages and apps that may use them. */
export interface RelyingParty {
  rpId: string
  origins: readonly string[]
}

/** A browser's or phone's data about a ceremony (WebAuthn Level 3 §5.8.1). The authenticator signs its hash. */
export interface ClientData {
  type: string
  /** In base64url, or any other text, which is no challenge of ours. */
  challenge: string
  origin: string
  /** Whether the page is in a frame of another site. */
  isFramed: boolean
}

/** @throws {WrongPasskey} `form` */
export function readClientData(bytes: Uint8Array): ClientData {
  const { type, challenge, origin, crossOrigin, topOrigin } = parse(bytes)
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') {
    throw new WrongPasskey('form')
  }
  return { type, challenge, origin, isFramed: Boolean(crossOrigin) || (topOrigin ?? null) !== null }
}

/** A byte order mark is not part of the text (§7.1, step 5: "UTF-8 decode"). */
function parse(bytes: Uint8Array): Partial<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    throw new WrongPasskey('form')
  }
}

/** @throws {WrongPasskey} `type`, `origin` */
export function checkClientData(data: ClientData, type: 'webauthn.create' | 'webauthn.get', party: RelyingParty): void {
  if (data.type !== type) throw new WrongPasskey('type')
  if (data.isFramed || !party.origins.includes(data.origin)) throw new WrongPasskey('origin')
}
