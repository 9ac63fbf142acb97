import type { MeaningsOf } from '../../shared/base/shapes.ts'
import { tokenMembers } from '../token/shapes.ts'
import type { bodies, Forms, Replies } from './shapes.ts'

const client = {
  client_id: 'The application, if it does not use HTTP Basic.',
  client_secret: 'Its secret, if it has one and does not use HTTP Basic.',
}

/** What the shapes of applications are, and their members. */
export const meanings: MeaningsOf<typeof bodies & Forms & Replies> = {
  AuthorizeRequest: [
    'Who logs in to an application: `email` and `password`; `assertion`; or what a provider confirms, as in `ProviderLogin`.',
    {
      stay: 'Whether the browser stays logged in across applications.',
      label: 'The name of its session then, as in `SessionRequest`. Null or missing: it has none.',
    },
  ],
  ContinueRequest: [
    'What the page was opened with.',
    {
      confirmed: 'Whether the person was asked, and said yes.',
    },
  ],
  TokenRequest: [
    'What an application was granted: a code, or a refresh token (RFC 6749).',
    {
      grant_type: '`authorization_code` or `refresh_token`.',
      code: 'The code from the redirect address. It works once.',
      redirect_uri: 'The redirect address, as in the authorization request.',
      code_verifier: '43 to 128 unreserved characters (RFC 7636), whose hash the `code_challenge` was.',
      refresh_token: 'The newest refresh token that the application has.',
      scope:
        'With a refresh token: scopes, separated by spaces, that the new tokens have in place of all that were granted.',
    },
    client,
  ],
  RevocationRequest: [
    'A token that an application no longer needs (RFC 7009).',
    {
      token: 'Any token: a refresh token of the application ends its session.',
      token_type_hint: 'It is ignored.',
    },
    client,
  ],
  Continuation: ['Where the page goes on.', { location: "The application's address, with its parameters." }],
  LogoutContinuation: [
    'Where the page goes on.',
    { location: "The application's address; null: the page says that one is logged out." },
  ],
  OAuthTokens: [
    'Tokens for an application (RFC 6749 §5.1).',
    tokenMembers,
    {
      scope: 'The scopes that were granted, separated by spaces.',
      id_token: 'A JWT that says who logged in (OpenID Connect Core §2). With the scope `openid` only.',
      refresh_token: 'The newest refresh token. With the scope `offline_access` only.',
    },
  ],
  UserInfo: [
    'What the scopes of the access token allow to know.',
    {
      sub: "The account's id.",
      email: 'Its address. With the scope `email`.',
      email_verified: 'Whether it is verified. With the scope `email`.',
      preferred_username:
        'Its address, to show: no key, since it may change hands. With the scopes `email` and `profile`.',
      name: 'Its display name, if it has one. With the scope `profile`.',
      locale: 'The language of its mails, if it has chosen one. With the scope `profile`.',
      roles: 'Its roles, if it has some. With the scope `roles`.',
    },
  ],
  Revoked: ['Nothing: the token no longer works.'],
  Discovery: [
    'A discovery document (OpenID Connect Discovery 1.0 §3): what verifiers of access tokens read and, only where the setting OIDC_CLIENTS lists applications, what these read.',
    {
      issuer: 'The `iss` of tokens.',
      authorization_endpoint: 'The page on which people log in to applications.',
      token_endpoint: 'Where an application exchanges a code or a refresh token.',
      userinfo_endpoint: 'Where an application asks for what the scopes of its access token allow to know.',
      revocation_endpoint: 'Where an application ends the session of a refresh token.',
      end_session_endpoint: 'The page on which people log out of a browser.',
      jwks_uri: 'The address of the public keys.',
      scopes_supported: 'The scopes that mean something; others are ignored.',
      response_types_supported: '`code`; none without applications.',
      response_modes_supported: 'How a page leads back.',
      grant_types_supported: 'What can be exchanged for tokens.',
      subject_types_supported: 'How accounts are named to other services.',
      id_token_signing_alg_values_supported: 'The algorithms of signatures.',
      token_endpoint_auth_methods_supported:
        'How an application shows who it is; `none`: a public one, by its `client_id`.',
      revocation_endpoint_auth_methods_supported: 'The same, to end a session.',
      code_challenge_methods_supported:
        'The methods of PKCE (RFC 7636). Every request needs it, unless its entry in the list says otherwise.',
      prompt_values_supported: 'What a page may be asked for.',
      claims_supported: 'The claims of access tokens and, with applications, of id tokens.',
      ui_locales_supported: 'The languages of the pages. Only where the setting LANGUAGES names some.',
      request_uri_parameter_supported: 'It is not.',
      authorization_response_iss_parameter_supported: 'Whether what leads back names the issuer (RFC 9207).',
    },
  ],
}

export const memberMeanings = { request: "The page's query, as it stands in the address bar, without `?`." }
