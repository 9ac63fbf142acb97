/**
 * Trips to other providers and back (OpenID Connect Core §3.1). A tab keeps one in `sessionStorage`: what it left with, then
 * what it came back with. Each is taken out once, within ten minutes.
 */

import type { ProviderView as Provider } from '../../accounts/identity/provider.ts'
import { textOf } from './base64url.ts'

/** The pages that people leave for a provider, and come back to. */
export type Station = 'account' | 'second-factor' | 'authorize'

/** Where a trip began, and what its page wants to know afterwards. Nothing of it is sent to the provider. */
export interface Luggage {
  page: Station
  /** Of the page's address. */
  search: string
  hash: string
  /** Whether the browser is to stay logged in. */
  stays?: boolean
  /** Whose account the provider is to be connected to. */
  email?: string
  /** The token of a mailed link. */
  mailToken?: string
}

interface Trip extends Luggage {
  provider: string
  state: string
  verifier: string
}

/** What the API takes for a login at a provider. */
interface Proof {
  provider: string
  authorization_code: string
  code_verifier: string
  iss?: string
}

/** What came of a trip. `canceled`, `problem`: the provider did not let anybody in. */
export type Outcome = Luggage & { provider: string } & ({ proof: Proof } | { failure: 'canceled' | 'problem' })

/** Milliseconds. Providers' own codes live for as long at most (RFC 6749 §4.1.2). */
export const tripLifetime = 10 * 60_000

/** Whether this page can be left for a provider: what it stores must be there when the provider leads back. */
export function canLeaveFor({ redirect_uri }: Provider): boolean {
  const isOwn = new URL(redirect_uri).origin === location.origin
  return isOwn && isSecureContext && keep('probe', {}) && take('probe') !== null
}

/** 256 bits. */
const random = (): string => textOf(crypto.getRandomValues(new Uint8Array(32)))

/** Leaves for a provider. */
export async function leaveFor(provider: Provider, luggage: Luggage): Promise<void> {
  const [state, verifier] = [random(), random()]
  const challenge = textOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  keep('trip', { ...luggage, provider: provider.id, state, verifier } satisfies Trip)
  const { authorization_endpoint, client_id, redirect_uri, scope, response_mode } = provider
  const to = new URL(authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id,
    redirect_uri,
    scope,
    state,
    // Binds the id_token to this tab, at providers too that ignore the challenge of RFC 7636.
    nonce: challenge,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    // What all have where nothing else is asked for.
    ...(response_mode !== 'query' && { response_mode }),
  }
  for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value)
  location.assign(to)
}

/**
 * Ends the trip that this tab is on, and keeps what came of it for the page where it began.
 *
 * @param provider that leads back, by the path
 * @param said the parameters of the answer (RFC 6749 §4.1.2; RFC 9207)
 * @returns that page's address; null if this tab is on no such trip
 */
export function endTrip(provider: string, said: URLSearchParams): string | null {
  const trip = take<Trip>('trip')
  if (trip === null || trip.provider !== provider || trip.state !== said.get('state')) return null
  const { state: _, verifier: code_verifier, ...luggage } = trip
  const [authorization_code, error, iss] = ['code', 'error', 'iss'].map(name => said.get(name))
  const came: Outcome =
    authorization_code && error === null
      ? { ...luggage, proof: { provider, authorization_code, code_verifier, ...(iss && { iss }) } }
      : { ...luggage, failure: cancellations.includes(error ?? '') ? 'canceled' : 'problem' }
  keep('arrival', came)
  return `/${trip.page}${trip.search}${trip.hash}`
}

/** What providers call it when somebody thinks better of it: RFC 6749 §4.1.2.1, and Apple. */
const cancellations = ['access_denied', 'user_cancelled_authorize']

/** What the trip came to that began on this page, if one has just ended. */
export function arrival(page: Station): Outcome | null {
  const came = take<Outcome>('arrival')
  return came?.page === page ? came : null
}

/** @returns whether this browser stores it */
function keep(key: string, what: object): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...what, until: Date.now() + tripLifetime }))
    return true
  } catch {
    return false
  }
}

/** Takes something out; null if it is not there, or too old. */
function take<T>(key: string): T | null {
  try {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    const { until, ...kept } = JSON.parse(text ?? '{"until":0}')
    // A clock that was put back makes nothing younger.
    return Date.now() < until && until <= Date.now() + tripLifetime ? kept : null
  } catch {
    return null
  }
}
