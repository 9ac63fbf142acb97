import { createPublicKey } from 'node:crypto'
import type { JWK } from 'jose'

/** A public RSA key as the key set publishes it: for RS256 signatures, under its id in KMS. */
export function publishedKey(kid: string, spki: Uint8Array): JWK {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  const { kty = '', n = '', e = '' } = key.export({ format: 'jwk' })
  return { kty, n, e, kid, alg: 'RS256', use: 'sig' }
}
