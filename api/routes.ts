import { rows as account } from '../accounts/account/routes.ts'
import { rows as address } from '../accounts/address/routes.ts'
import { rows as application } from '../accounts/application/routes.ts'
import type { Forms } from '../accounts/application/shapes.ts'
import { functions as deliveryFunctions } from '../accounts/delivery/routes.ts'
import { rows as factor } from '../accounts/factor/routes.ts'
import { rows as identity } from '../accounts/identity/routes.ts'
import { rows as login } from '../accounts/login/routes.ts'
import { rows as passkey } from '../accounts/passkey/routes.ts'
import { rows as password } from '../accounts/password/routes.ts'
import { rows as session } from '../accounts/session/routes.ts'
import { rows as token, functions as tokenFunctions } from '../accounts/token/routes.ts'
import type { replies as catalogueReplies, requests } from '../catalogue/model.ts'
import type { schemaType } from '../catalogue/notations/json-schema.ts'
import type { typescriptType } from '../catalogue/notations/typescript.ts'
import { rows as catalogue, functions as catalogueFunctions } from '../catalogue/routes.ts'
import type { ErrorCode } from '../shared/base/errors.ts'
import type { Needing } from '../shared/base/row.ts'
import { rows as pages, functions as pagesFunctions } from '../shared/pages/routes.ts'
import type { bodies } from './bodies.ts'
import type { goals } from './goals.ts'
import type { replies } from './replies.ts'

/**
 * The route table: the only list of paths, one row for each. A row states only its particulars; `needs.ts` adds what
 * follows from `limit`, `access`, `choosesPassword` and the like.
 *
 * Infra makes functions, routes and grants from it. `endpoint()` takes body, access and limit from it, and passes
 * exactly the dependencies that the row grants. Tests loop over it. The paths are here, in the order of the API's
 * description; the rest of a row is with its noun. It is plain data, so that importing it loads nothing else. Bundles
 * hold only the rows of endpoints, reduced to `servedMembers`.
 */

/** A row's facts about a path. */
interface Path extends Needing {
  /** Method and path (RFC 6570 variables). GET includes HEAD. */
  on: `${'GET' | 'POST' | 'PUT' | 'GET|POST'} /${string}`
  summary: string
  /** Two or three words for the API's description, if the row's name is not as good. */
  title?: string
  /** The goal that the reference (`GET /reference`) lists it under. Pages have none. */
  goal?: keyof typeof goals
  /** Requests per minute and client address (an office shares one), unless `RATE_LIMITS` changes it. */
  limit?: number
  /** The body's shape. */
  body?: keyof typeof bodies
  /** The query's parameters: filters of the list of modules, or a document's tag. */
  query?: 'filters' | 'tags'
  /** Its fields, in the query string or by POST. Its answer is not prebuilt, and `refuses` is complete. */
  fields?: keyof typeof requests
  /** It takes and answers messages of JSON-RPC, its refusals too but for those of a request that holds none. */
  rpc?: true
  /** The status of success with its shape or its only sentence; or a page, which is for people. */
  reply:
    | readonly [
        status: 200 | 201,
        shape: Exclude<keyof typeof replies, 'MessageResponse'> | keyof typeof catalogueReplies,
      ]
    | readonly [status: 200, shape: 'MessageResponse', message: string]
    | 'page'
  /** The media type of success, unless plain JSON. */
  type?: typeof schemaType | typeof typescriptType
  /** Further refusals, which nothing else in the row implies. */
  refuses?: readonly ErrorCode[]
  /** Exists only where OIDC_CLIENTS lists applications; elsewhere its path is unknown. */
  withClients?: true
  /** Exists only where SIGN_IN_PROVIDERS lists providers; elsewhere its path is unknown. */
  withProviders?: true
  /** Only this service's own pages send it: it reads and may set the cookie of a browser session. No other row sees a cookie. */
  ownPages?: true
  /** The shape of its form: it refuses as RFC 6749 §5.2 says, not by a problem document. */
  form?: keyof Forms
  /** The scopes of applications' access tokens that it takes; rows without it refuse such tokens. */
  scopes?: readonly string[]
  /** Another spelling of its path. */
  also?: `/${string}`
  /** Its name among the links of `GET /catalogue`. */
  link?: string
}

/** Access to the row's own function; or the shared function, open to anyone, whose needs are in `functions`. */
type Answering =
  | { access: 'anyone' | 'bearer'; function?: undefined }
  | { access?: undefined; function: SharedFunction }

/** A path and its function. */
export type Route = Path & Answering

/** A function that several paths share, or that no path names. */
export interface SharedRow extends Needing {
  summary: string
  /** Answers with what the build has written beside it, and calls nothing: it takes no parts of the outside world. */
  isBare?: true
  /** Its route keys in API Gateway, if they are not those of its paths. */
  gateway?: readonly string[]
  /** Its paths refuse query parameters that their rows do not list. Others ignore them. */
  refusesQuery?: true
}

export const routes = {
  register: { on: 'POST /auth/register', ...account.register },
  login: { on: 'POST /auth/login', ...login.login },
  refresh: { on: 'POST /auth/refresh', ...session.refresh },
  logout: { on: 'POST /auth/logout', ...session.logout },
  'list-sessions': { on: 'GET /auth/sessions', ...session['list-sessions'] },
  'end-session': { on: 'POST /auth/end-session', ...session['end-session'] },
  'get-me': { on: 'GET /auth/me', ...account['get-me'] },
  'update-me': { on: 'PUT /auth/me', ...account['update-me'] },
  'forgot-password': { on: 'POST /auth/forgot-password', ...password['forgot-password'] },
  'reset-password': { on: 'POST /auth/reset-password', ...password['reset-password'] },
  'list-reset-logins': { on: 'POST /auth/reset-password/logins', ...password['list-reset-logins'] },
  'accept-invitation': { on: 'POST /auth/accept-invitation', ...password['accept-invitation'] },
  'verify-email': { on: 'POST /auth/verify-email', ...address['verify-email'] },
  'resend-verification': { on: 'POST /auth/resend-verification', ...address['resend-verification'] },
  'change-password': { on: 'POST /auth/change-password', ...password['change-password'] },
  'get-second-factor': { on: 'GET /auth/second-factor', ...factor['get-second-factor'] },
  'set-up-second-factor': { on: 'POST /auth/second-factor/setup', ...factor['set-up-second-factor'] },
  'confirm-second-factor': { on: 'POST /auth/second-factor/confirm', ...factor['confirm-second-factor'] },
  'renew-recovery-codes': { on: 'POST /auth/second-factor/recovery-codes', ...factor['renew-recovery-codes'] },
  'remove-second-factor': { on: 'POST /auth/second-factor/remove', ...factor['remove-second-factor'] },
  'passkey-login-options': { on: 'POST /auth/passkeys/login-options', ...passkey['passkey-login-options'] },
  'passkey-login': { on: 'POST /auth/passkeys/login', ...passkey['passkey-login'] },
  'passkey-proof-options': { on: 'POST /auth/passkeys/proof-options', ...passkey['passkey-proof-options'] },
  'set-up-passkey': { on: 'POST /auth/passkeys/setup', ...passkey['set-up-passkey'] },
  'confirm-passkey': { on: 'POST /auth/passkeys/confirm', ...passkey['confirm-passkey'] },
  'list-passkeys': { on: 'GET /auth/passkeys', ...passkey['list-passkeys'] },
  'rename-passkey': { on: 'POST /auth/passkeys/rename', ...passkey['rename-passkey'] },
  'remove-passkey': { on: 'POST /auth/passkeys/remove', ...passkey['remove-passkey'] },
  providers: { on: 'GET /auth/providers', ...identity.providers },
  'provider-login': { on: 'POST /auth/provider-login', ...identity['provider-login'] },
  'sign-in-methods': { on: 'GET /auth/sign-in-methods', ...identity['sign-in-methods'] },
  'disconnect-provider': { on: 'POST /auth/disconnect-provider', ...identity['disconnect-provider'] },
  'logout-everywhere': { on: 'POST /auth/logout-everywhere', ...session['logout-everywhere'] },
  'delete-account': { on: 'POST /auth/delete-account', ...account['delete-account'] },
  'change-email': { on: 'POST /auth/change-email', ...address['change-email'] },
  'confirm-email-change': { on: 'POST /auth/confirm-email-change', ...address['confirm-email-change'] },
  undo: { on: 'POST /auth/undo', ...address.undo },
  authorize: { on: 'POST /auth/authorize', ...application.authorize },
  'authorize-session': { on: 'POST /auth/authorize-session', ...application['authorize-session'] },
  'logout-browser': { on: 'POST /auth/logout-browser', ...application['logout-browser'] },
  token: { on: 'POST /auth/token', ...application.token },
  revoke: { on: 'POST /auth/revoke', ...application.revoke },
  userinfo: { on: 'GET|POST /auth/userinfo', ...application.userinfo },
  'get-signing-keys': { on: 'GET /auth/.well-known/jwks.json', ...token['get-signing-keys'] },
  'get-discovery': { on: 'GET /auth/.well-known/openid-configuration', ...application['get-discovery'] },
  'get-catalogue': { on: 'GET /catalogue', ...catalogue['get-catalogue'] },
  'list-modules': { on: 'GET /catalogue/modules', ...catalogue['list-modules'] },
  'get-module': { on: 'GET /catalogue/modules/query+{name}', ...catalogue['get-module'] },
  'list-parameters': { on: 'GET /catalogue/modules/query+{name}/parameters', ...catalogue['list-parameters'] },
  'get-parameter': { on: 'GET /catalogue/modules/query+{name}/parameters/{parameter}', ...catalogue['get-parameter'] },
  'get-module-schema': { on: 'GET /catalogue/modules/query+{name}/schema', ...catalogue['get-module-schema'] },
  'list-groups': { on: 'GET /catalogue/groups', ...catalogue['list-groups'] },
  'list-types': { on: 'GET /catalogue/types', ...catalogue['list-types'] },
  'list-sets': { on: 'GET /catalogue/sets', ...catalogue['list-sets'] },
  'get-set': { on: 'GET /catalogue/sets/{set}', ...catalogue['get-set'] },
  'export-catalogue': { on: 'GET /catalogue/export/catalogue.json', ...catalogue['export-catalogue'] },
  'export-schemas': { on: 'GET /catalogue/export/query-modules.schema.json', ...catalogue['export-schemas'] },
  'export-typescript': { on: 'GET /catalogue/export/query-modules.d.ts', ...catalogue['export-typescript'] },
  'validate-query': { on: 'GET|POST /catalogue/validate', ...catalogue['validate-query'] },
  'get-paraminfo': { on: 'GET|POST /catalogue/w/api.php', ...catalogue['get-paraminfo'] },
  'call-tools': { on: 'POST /catalogue/mcp', ...catalogue['call-tools'] },
  explore: { on: 'GET /catalogue/explore', ...catalogue.explore },
  'explore-module': { on: 'GET /catalogue/explore/query+{name}', ...catalogue['explore-module'] },
  'explore-set': { on: 'GET /catalogue/explore/sets/{set}', ...catalogue['explore-set'] },
  'explore-asset': { on: 'GET /catalogue/explore/assets/{file}', ...catalogue['explore-asset'] },
  'get-openapi': {
    function: 'openapi',
    on: 'GET /openapi.json',
    summary: 'This API, described for programs (OpenAPI 3.1).',
    title: 'Describe API',
    goal: 'generate',
    query: 'tags',
    reply: [200, 'OpenapiDocument'],
  },
  home: { on: 'GET /', ...pages.home },
  reference: { on: 'GET /reference', ...pages.reference },
  'account-page': { on: 'GET /account', ...pages['account-page'] },
  'change-password-page': { on: 'GET /.well-known/change-password', ...pages['change-password-page'] },
  'passkey-endpoints': { on: 'GET /.well-known/passkey-endpoints', ...pages['passkey-endpoints'] },
  'authorize-page': { on: 'GET /authorize', ...pages['authorize-page'] },
  'logout-page': { on: 'GET /logout', ...pages['logout-page'] },
  'sign-in-page': { on: 'GET|POST /sign-in/{provider}', ...pages['sign-in-page'] },
  'verify-email-page': { on: 'GET /verify-email', ...pages['verify-email-page'] },
  'reset-password-page': { on: 'GET /reset-password', ...pages['reset-password-page'] },
  'invitation-page': { on: 'GET /invitation', ...pages['invitation-page'] },
  'second-factor-page': { on: 'GET /second-factor', ...pages['second-factor-page'] },
  'change-email-page': { on: 'GET /change-email', ...pages['change-email-page'] },
  'undo-page': { on: 'GET /undo', ...pages['undo-page'] },
} as const satisfies Record<string, Route>

/** The functions that several paths share, and those without a path: their needs are stated once. */
export const functions = {
  'signing-keys': tokenFunctions['signing-keys'],
  catalogue: catalogueFunctions.catalogue,
  openapi: {
    summary: 'This API, described for programs (OpenAPI 3.1), as it was written at build time.',
    isBare: true,
    refusesQuery: true,
    settings: ['SUPPORT_EMAIL'],
    timeout: 3,
  },
  pages: pagesFunctions.pages,
  'not-found': {
    summary: 'Answers unknown paths with 404 and wrong methods with 405.',
    isBare: true,
    gateway: ['$default'],
    settings: [
      'ACCENT_COLOR',
      'ACCOUNT_PAGE',
      'APP_URL',
      'LANGUAGES',
      'LOGO_URL',
      'OIDC_CLIENTS',
      'PRIVACY_URL',
      'PRODUCT_NAME',
      'SIGN_IN_PROVIDERS',
      'SUPPORT_EMAIL',
      'TERMS_URL',
    ],
    timeout: 3,
  },
  'on-mail-queued': deliveryFunctions['on-mail-queued'],
} as const satisfies Record<string, SharedRow>

export type RouteName = keyof typeof routes
type SharedFunction = keyof typeof functions
/** The rows with a function of their own, which `endpoint()` serves. */
export type EndpointName = { [N in RouteName]: (typeof routes)[N] extends { function: string } ? never : N }[RouteName]
export type FunctionName = EndpointName | SharedFunction

/** The members that functions read while they serve. The build drops the others from their bundles. */
export const servedMembers = [
  'on',
  'access',
  'function',
  'limit',
  'body',
  'reply',
  'gateway',
  'ownPages',
  'form',
  'scopes',
] as const
export type ServedRow = Pick<Route, Exclude<(typeof servedMembers)[number], 'gateway'>>

/** The path of a row as a type: the compiler checks paths that bundles repeat without the table. */
export type PathOf<N extends RouteName> = (typeof routes)[N]['on'] extends `${string} ${infer P}` ? P : never
