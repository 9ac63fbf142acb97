import type { Client } from './client.ts'

/** What an application asks for when it sends people here (OpenID Connect Core §3.1.2.1), and may have. */
export interface AuthorizationRequest {
  client: Client
  /** One of the client's `redirects`; on the loopback interface with any port. */
  redirect: string
  state: string | null
  nonce: string | null
  challenge: string
  /** Those that are known, `openid` among them, in the order of the request. */
  scope: readonly string[]
  /** Empty without one. `none` stands alone. */
  prompt: readonly string[]
  /** Seconds, or null. */
  maxAge: number | null
  loginHint: string | null
  idTokenHint: string | null
}

/** Why a request goes back to the application: `error` and `error_description` (RFC 6749 §4.1.2.1). */
export interface AuthorizationError {
  error: string
  description: string
}

/**
 * How a request is read. `unknown`: whoever sends it is not led anywhere. `refused`: `location` tells the application why.
 */
export type Reading =
  | { is: 'good'; request: AuthorizationRequest }
  | { is: 'unknown'; code: 'unknown-client' | 'unknown-redirect' }
  | ({ is: 'refused'; client: Client; location: string } & AuthorizationError)

/**
 * Reads an authorization request.
 *
 * @param query as it stands in the address bar, without `?`
 * @param issuer the `iss` of answers (RFC 9207)
 */
export function readAuthorizationRequest(clients: readonly Client[], query: string, issuer: string): Reading {
  throw new Error(`not yet: ${clients.length} ${query} ${issuer}`)
}

/** Where an answer to a request leads: its redirect address with these parameters, its `state` and `iss`. */
export function answerLocation(
  issuer: string,
  { redirect, state }: Pick<AuthorizationRequest, 'redirect' | 'state'>,
  answer: Record<string, string>,
): string {
  const query = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: issuer })
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${query}`
}
