import { prompts, scopes } from '../accounts/application/authorization-request.ts'
import type { Discovery } from '../accounts/application/shapes.ts'
import { claims } from '../accounts/token/claims.ts'
import type { Configured } from '../shared/base/config.ts'
import type { MessageResponse } from '../shared/base/shapes.ts'
import { type PathOf, type RouteName, routes } from './routes.ts'

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
const idTokenClaims = ['name', 'preferred_username', 'nonce', 'at_hash']
