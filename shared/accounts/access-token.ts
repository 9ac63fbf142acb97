import { base64url, createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Deps } from '../deps.ts'
import { DomainError } from '../errors.ts'
import type { Account } from './account.ts'
import { canonicalEmail } from './email.ts'

/** The specification's Token. */
export interface Token {
  access_token: string
  token_type: 'bearer'
  /** Seconds. */
  expires_in: number
}

/** RFC 7518 §3.3. RSA is the family that API Gateway's own JWT authorizer takes. */
const alg = 'RS256'
const typ = 'JWT'

/**
 * Issues an access token (RFC 7519) signed by a key that never leaves KMS.
 *
 * @throws {DomainError} `unavailable`
 */
export async function issueAccessToken(
  deps: Pick<Deps, 'now' | 'config' | 'signer'>,
  account: Account,
): Promise<Token> {
  const lifetime = deps.config.accessTokenMinutes * 60
  const issuedAt = Math.floor(deps.now().getTime() / 1000)
  const header = { alg, typ, kid: await deps.signer.keyId() }
  const claims = {
    sub: account.id,
    email: account.email,
    ver: account.tokenVersion,
    iss: deps.config.issuer,
    aud: deps.config.tokenAudience,
    iat: issuedAt,
    exp: issuedAt + lifetime,
  }
  const signed = [header, claims].map(part => base64url.encode(JSON.stringify(part))).join('.')
  const signature = await deps.signer.sign(new TextEncoder().encode(signed))
  return { access_token: `${signed}.${base64url.encode(signature)}`, token_type: 'bearer', expires_in: lifetime }
}

/**
 * Finds the account that an access token was issued to. Takes RS256 and the service's own keys alone (RFC 8725 §3.1),
 * no leeway on `exp`, and never fetches a key that a token names.
 *
 * @throws {DomainError} `invalid-access-token` when it is malformed, forged, expired or outdated, or its account is gone
 */
export async function authenticate(
  deps: Pick<Deps, 'now' | 'config' | 'publicKeys' | 'accounts'>,
  token: string,
): Promise<Account> {
  const keys = await deps.publicKeys()
  const claims = await readClaims(token, keyFinder(keys), deps)
  const account = claims && (await deps.accounts.find(claims.email))
  if (!account || account.id !== claims.sub || account.tokenVersion !== claims.ver) {
    throw new DomainError('invalid-access-token')
  }
  return account
}

async function readClaims(
  token: string,
  findKey: JWTVerifyGetKey,
  { now, config }: Pick<Deps, 'now' | 'config'>,
): Promise<{ sub: string; email: string; ver: number } | null> {
  const currentDate = now()
  try {
    const { payload } = await jwtVerify<{ email: unknown; ver: unknown }>(token, findKey, {
      algorithms: [alg],
      typ,
      issuer: config.issuer,
      audience: config.tokenAudience,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate,
    })
    const { sub, email, ver } = payload
    const isWhole = typeof sub === 'string' && isCanonical(email) && typeof ver === 'number'
    return isWhole ? { sub, email, ver } : null
  } catch {
    return null
  }
}

/** What is no address cannot be looked up: the table would refuse the question itself. */
const isCanonical = (email: unknown): email is string => typeof email === 'string' && canonicalEmail(email) === email

/** Imported keys are kept for as long as their set is: an import costs as much as twenty verifications. */
const finders = new WeakMap<JSONWebKeySet, JWTVerifyGetKey>()

function keyFinder(keys: JSONWebKeySet): JWTVerifyGetKey {
  const finder = finders.get(keys) ?? createLocalJWKSet(keys)
  finders.set(keys, finder)
  return finder
}
