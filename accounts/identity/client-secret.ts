import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { System } from '../../shared/base/system.ts'
import { toSeconds } from '../token/access-token.ts'
import type { OfferedProvider } from './provider.ts'

/** Decrypts a provider's ciphertexts: for another provider they cannot be decrypted. */
export interface ProviderSecrets {
  /** @returns null unless it is a ciphertext of this key for this provider @throws {DomainError} `unavailable` */
  decrypt(providerId: string, ciphertext: Uint8Array): Promise<Uint8Array | null>
}

/** Our credentials for a provider: members of the form, and header fields. */
interface ClientProof {
  form: Record<string, string>
  headers: Record<string, string>
}

/** Seconds for which the JWT of one exchange works. Apple takes six months at most; nothing needs it later. */
export const assertionLifetime = 5 * 60

/**
 * Authenticates us to a provider (RFC 6749 §2.3.1).
 *
 * @returns null when the secret cannot be decrypted or cannot sign: the entry is wrong
 * @throws {DomainError} `unavailable`
 */
export async function proveClient(
  deps: Pick<System, 'now'> & { providerSecrets: ProviderSecrets },
  provider: OfferedProvider,
): Promise<ClientProof | null> {
  const plain = await deps.providerSecrets.decrypt(provider.id, Buffer.from(provider.secret, 'base64'))
  if (plain === null) return null
  const secret = Buffer.from(plain).toString()
  const { auth, clientId } = provider
  if (auth === 'basic') {
    // Encoded apart, because a colon in either would end it.
    const pair = [clientId, secret].map(encodeURIComponent).join(':')
    return { form: {}, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
  }
  const shown = auth === 'post' ? secret : assertion(deps, provider, auth, secret)
  return shown === null ? null : { form: { client_id: clientId, client_secret: shown }, headers: {} }
}

/**
 * The JWT that Apple takes as a secret ("Creating a client secret"): ES256, for Apple itself.
 *
 * @param pem the private key, as Apple hands it out in a `.p8` file
 */
function assertion(
  { now }: Pick<System, 'now'>,
  { issuer, clientId }: OfferedProvider,
  { team, key: kid }: { team: string; key: string },
  pem: string,
): string | null {
  const key = p256Key(pem)
  if (key === null) return null
  const iat = toSeconds(now())
  const claims = { iss: team, sub: clientId, aud: issuer, iat, exp: iat + assertionLifetime }
  const signed = [{ alg: 'ES256', kid }, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  // RFC 7518 §3.4: the two numbers side by side.
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

function p256Key(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}
