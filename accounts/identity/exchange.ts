import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { System } from '../../shared/base/system.ts'
import { Name } from '../account/shapes.ts'
import { canonicalEmail } from '../address/address.ts'
import { byGitHub, gitHubCallbackIssuer } from './github.ts'
import { type IdClaims, readIdToken } from './id-token.ts'
import type { OfferedProvider, OpenIdProvider, Provider } from './provider.ts'
import { keysOf, newKeysOf } from './provider-keys.ts'
import { type ExchangeDeps, type Redeemable, redeem, refuse, unavailable } from './redemption.ts'

/** A provider's confirmation of the person who logs in. */
export interface Confirmed {
  /** The provider's id. */
  provider: string
  issuer: string
  /** 1 to 255 characters. */
  subject: string
  /** In canonical form, proven or not; null when absent or not valid here. */
  email: string | null
  isEmailProven: boolean
  /** Null when absent or not a valid name. */
  name: string | null
  /** When they logged in there, if stated and in the past. */
  authTime: Date | null
  /** The claims that `require` names, as the provider stated them. */
  claims: Readonly<Record<string, unknown>>
}

/** A callback's parameters, and the verifier that the browser kept. */
export interface Callback extends Redeemable {
  /** RFC 9207; undefined when absent. */
  iss: string | undefined
}

/**
 * Exchanges the code of a callback for what the provider says of the person: in an id token, or by GitHub's API.
 *
 * @throws {DomainError} `provider-unavailable`, `provider-refused`, `unavailable`
 */
export async function exchange(
  deps: ExchangeDeps,
  provider: OfferedProvider,
  { iss, ...callback }: Callback,
): Promise<Confirmed> {
  const expected = provider.userUrl === undefined ? provider.issuer : gitHubCallbackIssuer
  // Checked before anything is sent: a code must not reach another provider (RFC 9207 §2.4).
  if (iss !== undefined && iss !== expected) throw refuse(deps, provider, 'issuer')
  const claims =
    provider.userUrl === undefined
      ? await byIdToken(deps, provider, callback)
      : await byGitHub(deps, provider, callback)
  return confirmedBy(deps, provider, claims)
}

/**
 * The claims of the id token for a code. The `nonce` is the `code_challenge`: it binds the code to its browser even where PKCE is
 * ignored.
 */
async function byIdToken(
  deps: ExchangeDeps,
  provider: OfferedProvider<OpenIdProvider>,
  callback: Redeemable,
): Promise<IdClaims> {
  const fetched = keysOf(deps, provider)
  const idToken = await redeem(deps, provider, callback)
  const keys = await fetched
  if (keys === null) throw unavailable(deps, provider, 'keys')

  const nonce = createHash('sha256').update(callback.codeVerifier).digest('base64url')
  const expected = { issuer: provider.issuer, clientId: provider.clientId, nonce, now: deps.now() }
  let read = await readIdToken(idToken, keys, expected)
  const newer = 'fault' in read && read.isKeyUnknown ? await newKeysOf(deps, provider) : null
  if (newer) read = await readIdToken(idToken, newer, expected)
  if ('fault' in read) throw refuse(deps, provider, read.fault)
  return read.claims
}

function confirmedBy({ now }: Pick<System, 'now'>, provider: Provider, claims: IdClaims): Confirmed {
  const email = typeof claims.email === 'string' ? canonicalEmail(claims.email) : null
  const name = v.safeParse(Name, claims.name)
  const required = Object.keys(provider.require).filter(member => Object.hasOwn(claims, member))
  return {
    provider: provider.id,
    issuer: provider.issuer,
    subject: claims.sub,
    email,
    isEmailProven: email !== null && isProven(provider, email, claims.email_verified),
    name: name.success && name.output !== '' ? name.output : null,
    authTime: pastTime(claims.auth_time, now()),
    claims: Object.fromEntries(required.map(member => [member, claims[member]])),
  }
}

/** Apple states `"true"`. Any other value, or no claim, proves nothing. */
const isProven = ({ email: rule }: Provider, email: string, isVerified: unknown): boolean =>
  rule === 'claim'
    ? isVerified === true || isVerified === 'true'
    : rule.always.includes(email.slice(email.lastIndexOf('@') + 1))

/** @param seconds since 1970 (OpenID Connect Core §2) */
function pastTime(seconds: unknown, now: Date): Date | null {
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds * 1000 <= now.getTime()
  return isTime ? new Date(Math.floor(seconds) * 1000) : null
}
