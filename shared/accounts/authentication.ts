import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Configured } from '../config.ts'
import { DomainError, type Refuses } from '../errors.ts'
import type { System } from '../system.ts'
import { alg, typ } from './access-token.ts'
import type { Account, Accounts } from './account.ts'
import { canonicalEmail } from './email.ts'

export const publicKeysRefuses: Refuses = ['unavailable']

/** Every published key; the same object for as long as the function's environment lives. */
export type PublicKeys = () => Promise<JSONWebKeySet>

type VerifierDeps = Pick<System, 'now'> & Configured<'issuer' | 'tokenAudience'>

export const authenticateRefuses: Refuses = ['invalid-access-token', 'unavailable']

/**
 * Finds the account that an access token was issued to. Takes RS256 and the service's own keys alone (RFC 8725 §3.1),
 * no leeway on `exp`, and never fetches a key that a token names.
 *
 * @throws {DomainError} `unavailable`, and `invalid-access-token` when it is malformed, forged, expired or outdated, or
 *   its account is locked or gone
 */
export async function authenticate(
  deps: VerifierDeps & { publicKeys: PublicKeys; accounts: Accounts },
  token: string,
): Promise<Account> {
  if (!isCanonicallySpelled(token)) throw new DomainError('invalid-access-token')
  const keys = await deps.publicKeys()
  const claims = await readClaims(token, keyFinder(keys), deps)
  const account = claims && (await deps.accounts.find(claims.email))
  if (!account || account.id !== claims.sub || account.tokenVersion !== claims.ver || account.lockedAt !== null) {
    throw new DomainError('invalid-access-token')
  }
  return account
}

/**
 * Whether a token is three parts of base64url without padding (RFC 7515 §2) in their one canonical spelling (RFC 4648
 * §3.5): decoders pass over white space, padding and the spare bits of a last character, and whoever knows tokens by
 * their text, such as a list of revoked ones, must not miss one.
 */
function isCanonicallySpelled(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.every(part => Buffer.from(part, 'base64url').toString('base64url') === part)
}

async function readClaims(
  token: string,
  findKey: JWTVerifyGetKey,
  { now, config }: VerifierDeps,
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
