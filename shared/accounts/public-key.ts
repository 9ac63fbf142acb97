import { createPublicKey } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'

/** A public RSA key as the key set publishes it: named by its thumbprint (RFC 7638), for RS256 signatures alone. */
export async function publishedKey(spki: Uint8Array): Promise<JWK & { kid: string }> {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  const { kty, n, e } = key.export({ format: 'jwk' })
  const jwk = { kty, n, e } as JWK
  return { ...jwk, kid: await calculateJwkThumbprint(jwk, 'sha256'), alg: 'RS256', use: 'sig' }
}
