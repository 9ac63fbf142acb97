import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { DomainError } from '../../shared/base/errors.ts'
import type { Network } from '../../shared/base/network.ts'
import type { ReasonOf, System } from '../../shared/base/system.ts'
import { Name } from '../account/shapes.ts'
import { canonicalEmail } from '../address/address.ts'
import { type ProviderSecrets, proveClient } from './client-secret.ts'
import { type IdClaims, readIdToken } from './id-token.ts'
import type { OfferedProvider, Provider } from './provider.ts'
import { keysOf, newKeysOf } from './provider-keys.ts'

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
export interface Callback {
  code: string
  codeVerifier: string
  /** The callback's address, ours or the entry's. */
  redirectUri: string
  /** RFC 9207; undefined when absent. */
  iss: string | undefined
}

export type ExchangeDeps = Pick<System, 'now' | 'log'> & {
  providerNetwork: Network
  providerSecrets: ProviderSecrets
}

/**
 * Exchanges the code of a callback, and checks the id token of the response. The `nonce` is the `code_challenge`: it
 * binds the code to its browser even where PKCE is ignored.
 *
 * @throws {DomainError} `provider-unavailable`, `provider-refused`, `unavailable`
 */
export async function exchange(
  deps: ExchangeDeps,
  provider: OfferedProvider,
  { code, codeVerifier, redirectUri, iss }: Callback,
): Promise<Confirmed> {
  // Checked before anything is sent: a code must not reach another provider (RFC 9207 §2.4).
  if (iss !== undefined && iss !== provider.issuer) throw refuse(deps, provider, 'issuer')
  const fetched = keysOf(deps, provider)
  const idToken = await redeem(deps, provider, { code, code_verifier: codeVerifier, redirect_uri: redirectUri })
  const keys = await fetched
  if (keys === null) throw unavailable(deps, provider, 'keys')

  const nonce = createHash('sha256').update(codeVerifier).digest('base64url')
  const expected = { issuer: provider.issuer, clientId: provider.clientId, nonce, now: deps.now() }
  let read = await readIdToken(idToken, keys, expected)
  const newer = 'fault' in read && read.isKeyUnknown ? await newKeysOf(deps, provider) : null
  if (newer) read = await readIdToken(idToken, newer, expected)
  if ('fault' in read) throw refuse(deps, provider, read.fault)
  return confirmedBy(deps, provider, read.claims)
}

/** Redeems a code at a provider (RFC 6749 §4.1.3). @returns the text of the id token */
async function redeem(deps: ExchangeDeps, provider: OfferedProvider, form: Record<string, string>): Promise<string> {
  const proof = await proveClient(deps, provider)
  if (proof === null) throw refuseMisconfigured(deps, provider, 'secret')
  const sent = { grant_type: 'authorization_code', ...form, ...proof.form }
  const answer = await deps.providerNetwork.postForm(provider.tokenEndpoint, sent, proof.headers).catch(() => null)
  if (answer === null) throw unavailable(deps, provider, 'silent')
  const { status } = answer
  const { id_token, error } = members(answer.json)
  if (status === 200 && typeof id_token === 'string') return id_token
  if (status < 500 && error === 'invalid_grant') throw refuse(deps, provider, 'code')
  const isClientRefused = status === 401 || error === 'invalid_client' || error === 'unauthorized_client'
  throw status < 500 && isClientRefused
    ? refuseMisconfigured(deps, provider, 'client')
    : unavailable(deps, provider, 'answer')
}

const members = (json: unknown): Record<string, unknown> =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}

type About = Pick<System, 'log'>

function refuse({ log }: About, { id }: Provider, reason: ReasonOf<'provider-refused'>): DomainError {
  log({ event: 'provider-refused', provider: id, reason })
  return new DomainError('provider-refused')
}

function unavailable({ log }: About, { id }: Provider, reason: ReasonOf<'provider-unavailable'>): DomainError {
  log({ event: 'provider-unavailable', provider: id, reason })
  return new DomainError('provider-unavailable')
}

/** An event of its own, whose first occurrence raises an alarm: only the operator can fix it. */
function refuseMisconfigured(
  { log }: About,
  { id }: Provider,
  reason: ReasonOf<'provider-misconfigured'>,
): DomainError {
  log({ event: 'provider-misconfigured', provider: id, reason })
  return new DomainError('provider-unavailable')
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
