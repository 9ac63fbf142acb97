import { type Client, findClient, isPublic } from './client.ts'

/** An application's authorization request (OpenID Connect Core §3.1.2.1), checked. */
export interface AuthorizationRequest {
  client: Client
  /** One of the client's `redirects`; on the loopback interface with any port. */
  redirect: string
  state: string | null
  nonce: string | null
  /** Null if the request leaves PKCE out, as its client may. */
  challenge: string | null
  /** The known scopes, `openid` among them, in the order of the request. */
  scope: readonly string[]
  /** Empty without one. `none` stands alone. */
  prompt: readonly string[]
  /** Seconds, or null. */
  maxAge: number | null
  loginHint: string | null
  idTokenHint: string | null
}

/** How a request is read. `unknown`: the sender is not redirected. `refused`: `location` tells the application why. */
export type Reading =
  | { is: 'good'; request: AuthorizationRequest }
  | { is: 'unknown'; code: 'unknown-client' | 'unknown-redirect' }
  | { is: 'refused'; client: Client; location: string; fault: RequestFault; error: string; description: string }

/** The supported scopes (OpenID Connect Core §5.4, §11). */
export const scopes = ['openid', 'email', 'profile', 'roles', 'offline_access'] as const

/** The known values of `prompt` (OpenID Connect Core §3.1.2.1; Initiating User Registration 1.0 §3). */
export const prompts = ['none', 'login', 'consent', 'select_account', 'create']

/** Of `state` and `nonce`, in characters: both return in addresses, which servers cut at about 8,000. */
const maxOpaque = 2048

const invalid = 'invalid_request'

/**
 * Why a request goes back to the application: `error` and `error_description` (RFC 6749 §4.1.2.1). In the order of the
 * checks.
 */
export const requestFaults = {
  repeated: [invalid, 'A parameter is given more than once'],
  requestObject: ['request_not_supported', 'request is not supported'],
  requestUri: ['request_uri_not_supported', 'request_uri is not supported'],
  noResponseType: [invalid, 'response_type is missing'],
  responseType: ['unsupported_response_type', 'response_type must be code'],
  responseMode: [invalid, 'response_mode must be query'],
  noPkce: [invalid, 'This service requires PKCE (RFC 7636) with S256: switch it on in the application'],
  methodAlone: [invalid, 'code_challenge_method needs a code_challenge'],
  challenge: [invalid, 'code_challenge must be 43 characters of base64url'],
  challengeMethod: [invalid, 'code_challenge_method must be S256'],
  noOpenid: ['invalid_scope', 'scope must contain openid'],
  prompt: [invalid, `prompt may contain ${prompts.join(', ')}`],
  promptNone: [invalid, 'prompt must be none alone'],
  maxAge: [invalid, 'max_age must be a whole number of at most 9 digits'],
  state: [invalid, `state must be at most ${maxOpaque} characters`],
  nonce: [invalid, `nonce must be at most ${maxOpaque} characters`],
} as const satisfies Record<string, readonly [error: string, description: string]>

export type RequestFault = keyof typeof requestFaults

/** A SHA-256 in base64url (RFC 7636 §4.2). */
const challengeForm = /^[\w-]{43}$/

/** 30 years, in seconds, have nine digits. */
const maxAgeForm = /^\d{1,9}$/

/** A loopback address and a port (RFC 8252 §7.3), followed by a path, a query or nothing. */
const loopbackPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/

/**
 * Reads an authorization request. Unknown parameters are ignored.
 *
 * @param query as in the address bar, without `?`
 * @param issuer the `iss` of answers (RFC 9207)
 */
export function readAuthorizationRequest(clients: readonly Client[], query: string, issuer: string): Reading {
  const { only, isAnyRepeated } = parametersOf(query)
  const client = findClient(clients, only('client_id') ?? '')
  if (client === null) return { is: 'unknown', code: 'unknown-client' }
  const redirect = only('redirect_uri')
  if (redirect === null || !isListed(client, client.redirects, redirect))
    return { is: 'unknown', code: 'unknown-redirect' }

  const state = only('state')
  const refuse = (fault: RequestFault): Reading => {
    const returned = state === null || state.length > maxOpaque ? null : state
    const [error, description] = requestFaults[fault]
    const location = answerLocation(issuer, { redirect, state: returned }, { error, error_description: description })
    return { is: 'refused', client, location, fault, error, description }
  }

  if (isAnyRepeated) return refuse('repeated')
  if (only('request') !== null) return refuse('requestObject')
  if (only('request_uri') !== null) return refuse('requestUri')
  const responseType = only('response_type')
  if (responseType === null) return refuse('noResponseType')
  if (responseType !== 'code') return refuse('responseType')
  if ((only('response_mode') ?? 'query') !== 'query') return refuse('responseMode')
  const challenge = only('code_challenge')
  const method = only('code_challenge_method')
  if (challenge === null && client.pkce === 'required') return refuse('noPkce')
  if (challenge === null && method !== null) return refuse('methodAlone')
  if (challenge !== null && !challengeForm.test(challenge)) return refuse('challenge')
  if (challenge !== null && method !== 'S256') return refuse('challengeMethod')
  const scope = listOf(only('scope'))
  if (!scope.includes('openid')) return refuse('noOpenid')
  const prompt = listOf(only('prompt'))
  if (!prompt.every(one => prompts.includes(one))) return refuse('prompt')
  if (prompt.includes('none') && prompt.length > 1) return refuse('promptNone')
  const maxAge = only('max_age')
  if (maxAge !== null && !maxAgeForm.test(maxAge)) return refuse('maxAge')
  const nonce = only('nonce')
  if ((state ?? '').length > maxOpaque) return refuse('state')
  if ((nonce ?? '').length > maxOpaque) return refuse('nonce')

  const request: AuthorizationRequest = {
    client,
    redirect,
    state,
    nonce,
    challenge,
    scope: scope.filter(one => (scopes as readonly string[]).includes(one)),
    prompt,
    maxAge: maxAge === null ? null : Number(maxAge),
    loginHint: only('login_hint'),
    idTokenHint: only('id_token_hint'),
  }
  return { is: 'good', request }
}

/**
 * Whether a client has listed an address, compared as text (RFC 9700 §2.1). An app cannot know a free port of the
 * loopback interface before it listens, so a public client may use any.
 */
export const isListed = (client: Client, listed: readonly string[], address: string): boolean =>
  listed.includes(address) ||
  (isPublic(client) && loopbackPort.test(address) && listed.includes(address.replace(loopbackPort, '$1')))

/** The parameters of a query. A parameter without a value counts as absent (RFC 6749 §3.1). */
export function parametersOf(query: string) {
  // `lang` belongs to the page, and is no reason to refuse a request.
  const sent = [...new URLSearchParams(query)].filter(([name, value]) => value !== '' && name !== 'lang')
  return {
    /** The value of a parameter, or null unless it is given exactly once. */
    only(name: string): string | null {
      const [value, ...more] = sent.filter(([one]) => one === name).map(([, value]) => value)
      return value === undefined || more.length > 0 ? null : value
    },
    isAnyRepeated: new Set(sent.map(([name]) => name)).size < sent.length,
  }
}

/** The distinct entries of a list (RFC 6749 §3.3). */
const listOf = (text: string | null): string[] => [...new Set((text ?? '').split(' '))].filter(one => one !== '')

/** The address of an answer: the request's redirect address with these parameters, its `state` and `iss`. */
export function answerLocation(
  issuer: string,
  { redirect, state }: Pick<AuthorizationRequest, 'redirect' | 'state'>,
  answer: Record<string, string>,
): string {
  const query = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: issuer })
  return withQuery(redirect, query)
}

/** An address with more parameters. A blank is `%20`: apps may not decode a plus sign. */
export const withQuery = (address: string, query: URLSearchParams): string =>
  `${address}${address.includes('?') ? '&' : '?'}${String(query).replaceAll('+', '%20')}`
