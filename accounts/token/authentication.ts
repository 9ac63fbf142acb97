import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { type Account, type AccountReads, isAccountId } from '../account/account.ts'
import { findActive, type SessionRules } from '../session/session.ts'
import { alg, typ } from './access-token.ts'
import { type Claims, setupAudience } from './claims.ts'

/** The published keys. */
export interface PublicKeys {
  /**
   * The key of an id alone; no key where none is published under it. The same object for the lifetime of the execution environment.
   *
   * @throws {DomainError} `unavailable` when the key cannot be fetched
   */
  findById(id: string): Promise<JSONWebKeySet>
  /** Every usable key. @throws {DomainError} `unavailable` when there is none, or KMS does not answer */
  listUsable(): Promise<JSONWebKeySet>
}

type VerifierDeps = Pick<System, 'now'> & Configured<'issuer' | 'tokenAudience' | keyof SessionRules>

/** An access token's account and claims. */
export interface Authenticated {
  account: Account
  claims: Claims
}

/**
 * Finds the account of an access token. Accepts RS256 and the service's own keys alone (RFC 8725 §3.1), allows no
 * leeway on `exp`, and never fetches a key that a token names.
 *
 * @param scopes required of applications' tokens; none: only tokens of logins are accepted
 * @param audience accepted
 * @throws {DomainError} `unavailable`, `insufficient-scope`, and `invalid-access-token` when it is malformed, forged,
 *   expired or outdated, or its account is locked or gone, its session has ended, or a second factor is required that it
 *   does not prove
 */
export async function authenticate(
  deps: VerifierDeps & { publicKeys: PublicKeys; accounts: AccountReads },
  token: string,
  scopes: readonly string[] = [],
  audience: string | string[] = deps.config.tokenAudience,
): Promise<Authenticated> {
  if (!isCanonicallySpelled(token)) throw new DomainError('invalid-access-token')
  const findKey = await keyFinderFor(token, deps.publicKeys)
  const claims = await readClaims(token, findKey, deps, audience)
  const account = claims && (await deps.accounts.find(claims.sub))
  if (!account || !isInForce(deps, claims, account)) throw new DomainError('invalid-access-token')
  if (claims.client_id !== undefined && !hasScopes(claims, scopes)) throw new DomainError('insufficient-scope')
  return { account, claims }
}

/** The same for the setup of a second factor, which also accepts tokens for that alone. */
export const authenticateForSetup = (
  deps: VerifierDeps & { publicKeys: PublicKeys; accounts: AccountReads },
  token: string,
): Promise<Authenticated> => authenticate(deps, token, [], [deps.config.tokenAudience, setupAudience(deps.config)])

/** Whether an application's token has all scopes, at least one (RFC 6750 §3.1). */
const hasScopes = ({ scope = '' }: Claims, scopes: readonly string[]): boolean =>
  scopes.length > 0 && scopes.every(name => scope.split(' ').includes(name))

/** Whether a token is valid before its `exp`. Everything that revokes one is checked here. */
const isInForce = ({ now, config }: VerifierDeps, { ver, sid, iat, aud, amr }: Claims, account: Account): boolean =>
  account.tokenVersion === ver &&
  account.lockedAt === null &&
  (config.tokensNotBefore === null || iat * 1000 >= config.tokensNotBefore.getTime()) &&
  // A token from before the switch proves no second factor. Tokens from before 0.3.0 have no `amr`.
  (config.secondFactor !== 'required' || aud === setupAudience(config) || amr?.includes('mfa')) &&
  (sid === undefined || findActive(account, sid, config, now()) !== null)

/**
 * Whether a token is three parts of base64url without padding (RFC 7515 §2), in canonical spelling (RFC 4648 §3.5).
 * Decoders ignore white space, padding and the spare bits of the last character. With many spellings, a list of revoked
 * tokens could miss some.
 */
function isCanonicallySpelled(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.every(part => Buffer.from(part, 'base64url').toString('base64url') === part)
}

async function readClaims(
  token: string,
  findKey: JWTVerifyGetKey,
  { now, config }: VerifierDeps,
  audience: string | string[],
): Promise<Claims | null> {
  const currentDate = now()
  try {
    const { payload } = await jwtVerify<{ [C in keyof Claims]?: unknown }>(token, findKey, {
      algorithms: [alg],
      typ,
      issuer: config.issuer,
      audience,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate,
    })
    const { sub, ver } = payload
    const isComplete = typeof sub === 'string' && isAccountId(sub) && typeof ver === 'number'
    // The service signed it, so its other claims are those that it issues.
    return isComplete ? (payload as unknown as Claims) : null
  } catch {
    return null
  }
}

/** Caches imported keys: an import costs as much as twenty verifications. */
const finders = new WeakMap<JSONWebKeySet, JWTVerifyGetKey>()

/** Finds the key that a token names, in a set. */
export function keyFinder(keys: JSONWebKeySet): JWTVerifyGetKey {
  const finder = finders.get(keys) ?? createLocalJWKSet(keys)
  finders.set(keys, finder)
  return finder
}

/**
 * Finds the key that a token of this service names. Only that key is fetched, so that an unusable key affects no other token.
 *
 * @throws {DomainError} `unavailable` when the key cannot be fetched
 */
export async function keyFinderFor(token: string, publicKeys: PublicKeys): Promise<JWTVerifyGetKey> {
  return keyFinder(await publicKeys.findById(keyIdIn(token)))
}

/** The id of the key that a token names, or an empty text. */
function keyIdIn(token: string): string {
  try {
    const { kid } = decodeProtectedHeader(token)
    return typeof kid === 'string' ? kid : ''
  } catch {
    return ''
  }
}
