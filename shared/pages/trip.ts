/**
 * Trips to other providers and back (OpenID Connect Core §3.1). A tab keeps one in `sessionStorage`: its state on
 * leaving, then the result. Each is taken out once, within ten minutes.
 */

import { textOf } from './base64url.ts'

/** What people are sent to a provider with, as `GET /auth/providers` lists it. */
export interface Provider {
  id: string
  name: string
  authorization_endpoint: string
  client_id: string
  scope: string
  response_mode: 'query' | 'form_post'
  redirect_uri: string
}

/** The pages that people leave for a provider. */
export type Station = 'account' | 'second-factor' | 'authorize'

/** The page and state that a trip began with. The provider gets none of it. */
export interface Luggage {
  page: Station
  /** Of the page's address. */
  search: string
  hash: string
  /** Whether the browser stays logged in. */
  stays?: boolean
  /** The address of the account to connect. */
  email?: string
  /** The token of a mailed link. */
  mailToken?: string
}

interface Trip extends Luggage {
  provider: string
  state: string
  verifier: string
}

/** The proof of a login at a provider, for the API. */
interface Proof {
  provider: string
  authorization_code: string
  code_verifier: string
  iss?: string
}

/** The result of a trip. `canceled`, `problem`: the provider logged nobody in. */
export type Outcome = Luggage & { provider: string } & ({ proof: Proof } | { failure: 'canceled' | 'problem' })

/** Milliseconds: the maximum lifetime of providers' own codes (RFC 6749 §4.1.2). */
export const tripLifetime = 10 * 60_000

/** Whether this page can be left for a provider: its storage must be there on the return. */
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
    // Binds the id_token to this tab, even at providers that ignore RFC 7636's challenge. GitHub has none.
    ...(scope.split(' ').includes('openid') && { nonce: challenge }),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    // The default, which needs no parameter.
    ...(response_mode !== 'query' && { response_mode }),
  }
  for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value)
  location.assign(to)
}

/**
 * Ends this tab's trip, and stores the result for the page where it began.
 *
 * @param provider of the callback, by its path
 * @param said the parameters of the answer (RFC 6749 §4.1.2; RFC 9207)
 * @returns that page's address; null without a trip
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

/** The errors of a cancellation: RFC 6749 §4.1.2.1, and Apple's. */
const cancellations = ['access_denied', 'user_cancelled_authorize']

/** The result of this page's trip, if one has just ended. */
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

/** Takes an item out; null if absent or too old. */
function take<T>(key: string): T | null {
  try {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    const { until, ...kept } = JSON.parse(text ?? '{"until":0}')
    // Setting the clock back must not make an item younger.
    return Date.now() < until && until <= Date.now() + tripLifetime ? kept : null
  } catch {
    return null
  }
}
