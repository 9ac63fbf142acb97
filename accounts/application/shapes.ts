import * as v from 'valibot'
import {
  absent,
  chosen,
  countCodePoints,
  duration,
  type ExamplesOf,
  has,
  Label,
  Text,
} from '../../shared/base/shapes.ts'
import { Email } from '../address/shapes.ts'
import { entriesFor, type ProviderProof, proofEntries, proofMembers } from '../identity/shapes.ts'
import { type Connecting, connectingEntries } from '../login/shapes.ts'
import { Assertion, isAsserted, proven } from '../passkey/shapes.ts'
import { GivenPassword } from '../password/password.ts'
import { accessTokenExample, refreshTokenExample } from '../token/shapes.ts'

/** In code points. Longer addresses no browser sends. */
export const maxPageQuery = 8000

/** A query as it stands in the address bar, without `?`. */
export const PageQuery = v.pipe(
  Text,
  v.check(text => countCodePoints(text) <= maxPageQuery, `must be at most ${maxPageQuery} characters`),
)
const Confirmed = v.optional(v.boolean('must be true or false'), false)

const authorized = {
  request: PageQuery,
  stay: v.optional(v.boolean('must be true or false'), false),
  /** The browser's name, if it stays logged in. */
  label: v.optional(v.nullable(Label)),
}
const byOwner = proven(authorized, { email: Email, password: GivenPassword })

/** What the owner types, an assertion, or what a provider has confirmed, beside which people may type. */
export const AuthorizeRequest = chosen<
  | (v.InferOutput<typeof byOwner> & { [M in keyof typeof proofEntries]?: undefined })
  | (v.InferOutput<v.ObjectSchema<typeof authorized, undefined>> &
      ProviderProof &
      Connecting & { assertion?: undefined }),
  typeof byOwner.entries & typeof proofEntries
>({ ...byOwner.entries, ...proofEntries }, value => {
  const isByProvider = proofMembers.some(name => has(value, name))
  if (!isByProvider) return byOwner
  if (!isAsserted(value)) return v.object({ ...authorized, ...entriesFor(value), ...connectingEntries(value) })
  const typed = absent(['email', 'password', 'code'], 'assertion')
  return v.object({ ...authorized, ...typed, assertion: Assertion, ...absent(proofMembers, 'assertion') })
})
export type AuthorizeRequest = v.InferOutput<typeof AuthorizeRequest>

export const ContinueRequest = v.object({ request: PageQuery, confirmed: Confirmed })
export type ContinueRequest = v.InferOutput<typeof ContinueRequest>

/** Its bodies by name, for the route table. */
export const bodies = { AuthorizeRequest, ContinueRequest } as const

/**
 * The forms of OAuth clients, for the API's description: the domain parses them itself, and refuses them in the order of the
 * standard. A function, so that bundles drop the schemas.
 */
export function defineForms() {
  /** A client's credentials, where it does not send them by HTTP Basic (RFC 6749 §2.3.1). */
  const client = { client_id: v.optional(v.string()), client_secret: v.optional(v.string()) }
  /** RFC 6749 §4.1.3 with RFC 7636 §4.5, and §6. */
  const TokenRequest = v.object({
    grant_type: v.string(),
    code: v.optional(v.string()),
    redirect_uri: v.optional(v.string()),
    code_verifier: v.optional(v.string()),
    refresh_token: v.optional(v.string()),
    scope: v.optional(v.string()),
    ...client,
  })
  /** RFC 7009 §2.1. */
  const RevocationRequest = v.object({ token: v.string(), token_type_hint: v.optional(v.string()), ...client })
  return { TokenRequest, RevocationRequest }
}
export type Forms = ReturnType<typeof defineForms>

/** Its answers, members in the contract's order. A function, so that bundles drop the schemas. */
export function defineAnswers() {
  /** Where the page goes on. */
  const Continuation = v.strictObject({ location: v.string() })
  /** Where the page goes on after a logout; null: it says that one is logged out. */
  const LogoutContinuation = v.strictObject({ location: v.nullable(v.string()) })
  /** RFC 6749 §5.1, with an id token (OpenID Connect Core §3.1.3.3). */
  const OAuthTokens = v.strictObject({
    access_token: v.string(),
    token_type: v.literal('Bearer'),
    expires_in: duration(),
    /** What was granted, separated by spaces. */
    scope: v.string(),
    id_token: v.optional(v.string()),
    /** With `offline_access` only. */
    refresh_token: v.optional(v.string()),
  })
  /** OpenID Connect Core §5.3.2: what the scopes of the access token allow. */
  const UserInfo = v.strictObject({
    sub: v.string(),
    email: v.optional(v.string()),
    email_verified: v.optional(v.boolean()),
    preferred_username: v.optional(v.string()),
    name: v.optional(v.string()),
    locale: v.optional(v.string()),
    roles: v.optional(v.array(v.string())),
  })
  /** RFC 7009 §2.2: nothing is said. */
  const Revoked = v.strictObject({})
  const Texts = v.array(v.string())
  /** Those that may be absent are there for applications. */
  const Discovery = v.strictObject({
    issuer: v.string(),
    authorization_endpoint: v.optional(v.string()),
    token_endpoint: v.optional(v.string()),
    userinfo_endpoint: v.optional(v.string()),
    revocation_endpoint: v.optional(v.string()),
    end_session_endpoint: v.optional(v.string()),
    jwks_uri: v.string(),
    scopes_supported: v.optional(Texts),
    response_types_supported: Texts,
    response_modes_supported: v.optional(Texts),
    grant_types_supported: v.optional(Texts),
    subject_types_supported: Texts,
    id_token_signing_alg_values_supported: Texts,
    token_endpoint_auth_methods_supported: v.optional(Texts),
    revocation_endpoint_auth_methods_supported: v.optional(Texts),
    code_challenge_methods_supported: v.optional(Texts),
    prompt_values_supported: v.optional(Texts),
    claims_supported: Texts,
    ui_locales_supported: v.optional(Texts),
    request_uri_parameter_supported: v.optional(v.literal(false)),
    authorization_response_iss_parameter_supported: v.optional(v.literal(true)),
  })
  return { replies: { Continuation, LogoutContinuation, OAuthTokens, UserInfo, Revoked, Discovery } }
}
export type Replies = ReturnType<typeof defineAnswers>['replies']
export type OAuthTokens = v.InferOutput<Replies['OAuthTokens']>
export type Discovery = v.InferOutput<Replies['Discovery']>

export const memberExamples = {
  request:
    'client_id=sample&redirect_uri=http%3A%2F%2F127.0.0.1%3A8000%2Fcallback&response_type=code&scope=openid&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256',
  stay: false,
  confirmed: false,
}

/** Examples of a public client. */
export const formExamples: ExamplesOf<Forms> = {
  TokenRequest: {
    grant_type: 'authorization_code',
    code: 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU',
    redirect_uri: 'http://127.0.0.1:8000/callback',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    client_id: 'sample',
  },
  RevocationRequest: { token: refreshTokenExample, client_id: 'sample' },
}

/** That of Discovery is written by its own code. */
export const giveExamples = (): ExamplesOf<Omit<Replies, 'Discovery'>> => ({
  Continuation: { location: 'http://127.0.0.1:8000/callback?code=wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU' },
  LogoutContinuation: { location: null },
  OAuthTokens: {
    access_token: accessTokenExample,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'openid email',
    id_token: accessTokenExample,
  },
  UserInfo: {
    sub: '019c2f6e-8a10-7c3d-9f4b-2e5a6d7c8b90',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada',
  },
  Revoked: {},
})
