import { codeOf, stepOf } from '../accounts/factor/totp.ts'
import { proofMembers } from '../accounts/identity/shapes.ts'
import { bodies } from '../api/bodies.ts'
import { rows } from '../api/needs.ts'
import { memberExamples } from '../api/openapi/meanings.ts'
import type { FunctionName } from '../api/routes.ts'
import { assertion, newCredential, passkeyId } from './passkey.ts'
import {
  challenge,
  clientAddress,
  codes,
  guarded,
  oneTimeTokens,
  person,
  returning,
  shop,
  shopping,
  shopSecret,
  verifier,
} from './people.ts'
import { byCode, identity } from './provider.ts'

/** Lambda events of successful requests, and their parts. */

/** The bearer by the beginning of an endpoint's path; by default `person`. */
export const bearers = [
  ['/auth/second-factor', 'guarded'],
  ['/auth/passkeys', 'holder'],
  ['/auth/sign-in-methods', 'connected'],
  ['/auth/disconnect-provider', 'connected'],
  ['/auth/userinfo', 'application'],
] as const

/** The query that an application adds to the pages of login and logout. */
export const authorizationQuery = new URLSearchParams({
  client_id: shop.id,
  redirect_uri: shop.redirects[0] ?? '',
  response_type: 'code',
  scope: 'openid email',
  state: 'state',
  nonce: 'nonce',
  code_challenge: challenge,
  code_challenge_method: 'S256',
}).toString()
export const logoutQuery = (id_token_hint = '') =>
  new URLSearchParams({ id_token_hint, post_logout_redirect_uri: shop.logouts[0] ?? '' }).toString()

/** A request of the application, with its secret in HTTP Basic. */
const formEvent = (path: string, parameters: Record<string, string>) => ({
  ...httpEvent('POST', path, undefined, {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${shop.id}:${shopSecret}`).toString('base64')}`,
  }),
  body: new URLSearchParams(parameters).toString(),
})

/** An exchange of a code. */
export const exchange = (code: keyof typeof codes): object =>
  formEvent('/auth/token', {
    grant_type: 'authorization_code',
    code: codes[code],
    redirect_uri: shop.redirects[0] ?? '',
    code_verifier: verifier,
  })

/** An exchange of a refresh token of the application. */
export const applicationRefresh = (): object =>
  formEvent('/auth/token', { grant_type: 'refresh_token', refresh_token: shopping.refreshToken })

/** The page on which people log in to an application. */
export const authorizePage = (): object => ({
  ...httpEvent('GET', '/authorize'),
  rawQueryString: authorizationQuery,
})

/** A body that succeeds; undefined where the row has none. @param request the application's authorization request */
export function bodyOf(name: FunctionName, path: string, request: string): object | undefined {
  const { body, reply } = rows[name]
  if (!body) return undefined
  if (name === 'provider-login') return byCode
  const members: Record<string, unknown> = {
    ...memberExamples,
    // A row that answers 201 needs an address without an account.
    email: reply?.[0] === 201 ? 'bob@example.com' : person.email,
    token:
      oneTimeTokens[
        name === 'confirm-email-change' ? 'email-change' : name in oneTimeTokens ? (name as 'undo') : 'usual'
      ],
    request,
    id: idAt(path),
    refresh_token: returning.refreshToken,
    ...(path.startsWith('/auth/second-factor') && { code: codeNow() }),
    assertion: assertion(),
    credential: newCredential(),
  }
  const entries = Object.keys(bodies[body].entries)
  // Of password, passkey and provider, the password, because it costs the most.
  const others: readonly string[] = entries.includes('code') ? ['assertion', ...proofMembers] : []
  const given = entries.filter(member => !others.includes(member))
  return Object.fromEntries(given.map(member => [member, members[member]]))
}

/** The id in a path's body: of a passkey, an identity, or a session. */
function idAt(path: string): string {
  if (path.startsWith('/auth/passkeys')) return passkeyId
  return path === '/auth/disconnect-provider' ? identity.key : returning.session.id
}

/** An event of API Gateway's payload format 2.0, with the members that functions read. */
export const httpEvent = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): object => ({
  version: '2.0',
  rawPath: path,
  rawQueryString: '',
  headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
  requestContext: {
    domainName: 'api.example.com',
    http: { method, path, sourceIp: clientAddress, userAgent: 'bench' },
    requestId: 'request',
    stage: '$default',
  },
  ...(body && { body: JSON.stringify(body) }),
  isBase64Encoded: false,
})

/** Forms of an application that succeed. */
export const forms = {
  token: exchange('plain'),
  revoke: formEvent('/auth/revoke', { token: shopping.refreshToken }),
}

/** A login. @param members further ones of its body: a session, a code */
export const logIn = (email: string, password: string, members: object = {}): object =>
  httpEvent('POST', '/auth/login', { email, password, ...members })

/** A login by another provider. */
export const logInByProvider = (body: object): object => httpEvent('POST', '/auth/provider-login', body)

/** The authenticator's present code. */
export const codeNow = (): string => codeOf(guarded.secret, stepOf(new Date()))
