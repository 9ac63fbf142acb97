import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { lastEndOf, type Session, type SessionRules } from '../session/session.ts'
import { type Claims, claimsOf, type Login } from './claims.ts'
import type { Token } from './shapes.ts'

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
  /** The session's refresh token, and seconds until the session ends unless it is used. */
  refresh?: { token: string; lifetimeSeconds: number }
}

export const tokenView = ({ token, lifetimeSeconds, refresh }: IssuedToken): Token => ({
  access_token: token,
  token_type: 'bearer',
  expires_in: lifetimeSeconds,
  ...(refresh && { refresh_token: refresh.token, refresh_expires_in: refresh.lifetimeSeconds }),
})

export type IssuerDeps = Pick<System, 'now'> &
  Configured<'accessTokenMinutes' | 'issuer' | 'tokenAudience' | keyof SessionRules> & { signer: Signer }

/** RFC 7518 §3.3. API Gateway's own JWT authorizer accepts RSA alone. */
export const alg = 'RS256'
export const typ = 'JWT'

/**
 * Issues an access token (RFC 7519), signed by a key that never leaves KMS. It does not outlive its session.
 *
 * @param login behind it: a session, or a login that opened none
 * @throws {DomainError} `unavailable`
 */
export async function issueAccessToken(
  deps: IssuerDeps,
  account: Account,
  login: Session | Omit<Login, 'id'>,
): Promise<IssuedToken> {
  const { iat, exp } = timesOf(deps, 'id' in login ? login : null)
  return { token: await sign(deps, claimsOf(account, login, deps.config, iat, exp)), lifetimeSeconds: exp - iat }
}

/** The times of a new token, in seconds since 1970: it does not outlive its session. */
export function timesOf(
  { config, now }: Omit<IssuerDeps, 'signer'>,
  session: Session | null,
): Pick<Claims, 'iat' | 'exp'> {
  const iat = toSeconds(now())
  const lastEnd = session ? toSeconds(lastEndOf(session, config)) : Number.POSITIVE_INFINITY
  return { iat, exp: Math.min(iat + config.accessTokenMinutes * 60, lastEnd) }
}

/** Signs the claims of a token (RFC 7515). @throws {DomainError} `unavailable` */
export async function sign(deps: Pick<IssuerDeps, 'signer'>, claims: object): Promise<string> {
  const header = { alg, typ, kid: deps.signer.keyId }
  const signed = [header, claims].map(part => base64url(JSON.stringify(part))).join('.')
  const signature = await deps.signer.sign(Buffer.from(signed))
  return `${signed}.${base64url(signature)}`
}

export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/** Not jose's, so that functions that only issue tokens bundle without that package. */
const base64url = (bytes: string | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('base64url')
