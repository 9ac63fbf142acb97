import type { Configured } from '../../base/config.ts'
import type { System } from '../../base/system.ts'
import type { Account } from '../account.ts'
import { claimsOf } from './claims.ts'

/** The key that signs access tokens. */
export interface Signer {
  /** The key's id in KMS. */
  keyId: string
  /** RSASSA-PKCS1-v1_5 with SHA-256 over `data`. */
  sign(data: Uint8Array): Promise<Uint8Array>
}

export interface IssuedToken {
  token: string
  lifetimeSeconds: number
}

/** RFC 7518 §3.3. API Gateway's own JWT authorizer accepts RSA alone. */
export const alg = 'RS256'
export const typ = 'JWT'

/**
 * Issues an access token (RFC 7519) signed by a key that never leaves KMS.
 *
 * @throws {DomainError} `unavailable`
 */
export async function issueAccessToken(
  deps: Pick<System, 'now'> & Configured<'accessTokenMinutes' | 'issuer' | 'tokenAudience'> & { signer: Signer },
  account: Account,
): Promise<IssuedToken> {
  const lifetimeSeconds = deps.config.accessTokenMinutes * 60
  const issuedAt = Math.floor(deps.now().getTime() / 1000)
  const header = { alg, typ, kid: deps.signer.keyId }
  const claims = claimsOf(account, deps.config, issuedAt, issuedAt + lifetimeSeconds)
  const signed = [header, claims].map(part => base64url(JSON.stringify(part))).join('.')
  const signature = await deps.signer.sign(Buffer.from(signed))
  return { token: `${signed}.${base64url(signature)}`, lifetimeSeconds }
}

/** Without jose, so that the bundle of a function that only issues tokens does not hold it. */
const base64url = (bytes: string | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('base64url')
