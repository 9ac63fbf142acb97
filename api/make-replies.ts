import type { Account } from '../accounts/account/account.ts'
import type { UserResponse } from '../accounts/account/shapes.ts'
import { prompts, scopes } from '../accounts/application/authorization-request.ts'
import type { Discovery, OAuthTokens } from '../accounts/application/shapes.ts'
import type { ApplicationTokens } from '../accounts/application/tokens.ts'
import { type FactorState, methodsOf } from '../accounts/factor/factor.ts'
import type { RecoveryCodes, SecondFactor } from '../accounts/factor/shapes.ts'
import { chosenLanguage } from '../accounts/mail/language.ts'
import { endOf, type SessionRules, type Session as StoredSession } from '../accounts/session/session.ts'
import type { SessionList } from '../accounts/session/shapes.ts'
import type { IssuedToken } from '../accounts/token/access-token.ts'
import { claims, rolesOf } from '../accounts/token/claims.ts'
import type { Token } from '../accounts/token/shapes.ts'
import type { Configured } from '../shared/base/config.ts'
import type { MessageResponse } from '../shared/base/shapes.ts'
import { type PathOf, type RouteName, routes } from './routes.ts'

/** Answers on success, in the shapes of their nouns, member by member in order. */

export const userResponse = ({ config }: Configured<'languages'>, account: Profile): UserResponse => ({
  id: account.id,
  email: account.email,
  name: account.name,
  is_admin: account.isAdmin,
  is_verified: account.isVerified,
  created_at: account.createdAt.toISOString(),
  ...(config.languages.length > 0 && { language: chosenLanguage(config, account) }),
  ...rolesOf(account),
})

type Profile = Pick<Account, 'id' | 'email' | 'name' | 'language' | 'isAdmin' | 'isVerified' | 'createdAt'> &
  Partial<Pick<Account, 'roles'>>

export const tokenResponse = ({ token, lifetimeSeconds, refresh }: IssuedToken): Token => ({
  access_token: token,
  token_type: 'bearer',
  expires_in: lifetimeSeconds,
  ...(refresh && { refresh_token: refresh.token, refresh_expires_in: refresh.lifetimeSeconds }),
})

export const applicationTokens = ({
  accessToken,
  lifetimeSeconds,
  scope,
  idToken,
  refreshToken,
}: ApplicationTokens): OAuthTokens => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: lifetimeSeconds,
  scope: scope.join(' '),
  ...(idToken !== undefined && { id_token: idToken }),
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
})

export const secondFactor = (account: FactorState): SecondFactor => ({
  methods: methodsOf(account),
  recovery_codes_left: account.factor?.recoveryCodes.length ?? 0,
})

export const recoveryCodes = (codes: readonly string[]): RecoveryCodes => ({ recovery_codes: [...codes] })

/** @param sessions in the order of the answer */
export const sessionList = (
  sessions: readonly StoredSession[],
  current: string | undefined,
  rules: SessionRules,
): SessionList => ({
  sessions: sessions.map(session => ({
    id: session.id,
    label: session.label,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.rotatedAt.toISOString(),
    expires_at: endOf(session, rules).toISOString(),
    is_current: session.id === current,
    application: session.application,
    browser: session.isBrowser,
  })),
})

/** The sentence of a row's answer. */
export const messageResponse = (name: MessageRow): MessageResponse => ({
  message: routes[name].reply[2],
  success: true,
})

/** The rows whose answer is a sentence. */
type MessageRow = {
  [N in RouteName]: (typeof routes)[N]['reply'] extends readonly [200, 'MessageResponse', string] ? N : never
}[RouteName]

type Published = Configured<'browserUrl' | 'hasClients' | 'issuer' | 'languages' | 'sessionDays'>

/**
 * The discovery document (OpenID Connect Discovery 1.0 §3). Without applications there are no flows: it has only the
 * part for verifiers of access tokens.
 */
export const discoveryResponse = ({ config }: Published): Discovery => {
  const { hasClients, issuer } = config
  const jwks_uri = `${issuer}/.well-known/jwks.json`
  const signed = { subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] }
  return hasClients
    ? { issuer, ...endpointsOf(config), jwks_uri, ...signed, ...flowsOf(config) }
    : { issuer, jwks_uri, response_types_supported: [], ...signed, claims_supported: claimsOfLogins() }
}

/** The claims of all logins' access tokens. A function, so that bundles that do not call it drop the table. */
const claimsOfLogins = () => Object.keys(claims).filter(name => name !== 'roles')

/** The endpoints of browsers, and of applications. */
function endpointsOf({ browserUrl, issuer }: Published['config']) {
  const pages = browserUrl ?? new URL(issuer).origin
  return {
    authorization_endpoint: `${pages}${authorizePath}`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    revocation_endpoint: `${issuer}/revoke`,
    end_session_endpoint: `${pages}${logoutPath}`,
  }
}

const authorizePath: PathOf<'authorize-page'> = '/authorize'
const logoutPath: PathOf<'logout-page'> = '/logout'

/** Client authentication (RFC 6749 §2.3.1); `none`: a public client. */
const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'none']

/** The capabilities for applications. */
function flowsOf({ languages, sessionDays }: Published['config']) {
  const hasSessions = sessionDays > 0
  return {
    scopes_supported: scopes.filter(scope => hasSessions || scope !== 'offline_access'),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', ...(hasSessions ? ['refresh_token'] : [])],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: [...prompts],
    claims_supported: [
      ...new Set([...Object.keys(claims), ...idTokenClaims, ...(languages.length > 0 ? ['locale'] : [])]),
    ],
    ...(languages.length > 0 && { ui_locales_supported: [...languages] }),
    // These two have opposite defaults (OpenID Connect Discovery 1.0 §3; RFC 9207 §3).
    request_uri_parameter_supported: false as const,
    authorization_response_iss_parameter_supported: true as const,
  }
}

/** Claims that access tokens do not have. */
const idTokenClaims = ['name', 'nonce', 'at_hash']
