/** What a client of others needs here, which is software that has OpenID Connect built in. */
export interface ClientOfOthers {
  name: string
  /** The version that was run, or that the documentation is of; empty: it says none. */
  version: string
  lines: Lines
  /** The path of its redirect address, or what decides on it. */
  redirect: string
  /** Where PKCE is switched on. */
  pkce: string
  /** Where it has a user's name from, and its key. */
  user: string
  known: Known
}

/** Lines of code or configuration: written out, those of a program in `docs/examples/clients`, or of one in docs/integrate.md. */
type Lines = readonly string[] | { example: string } | { guide: string }

/** How a row is known: by a test of `test/integrate`, or by the project's documentation, as it was on a day. */
type Known = 'test' | { on: string; at: string }

const always = 'Always'
const optional = 'It has none: `"pkce": "optional"` in its entry'

export const clients: readonly ClientOfOthers[] = [
  {
    name: 'openid-client',
    version: '6.9.0',
    lines: { guide: 'openid-client.js' },
    redirect: 'Yours',
    pkce: '`code_challenge`',
    user: '`claims()`',
    known: 'test',
  },
  {
    name: 'oauth4webapi',
    version: '3.8.8',
    lines: { guide: 'oauth4webapi.js' },
    redirect: 'Yours',
    pkce: '`code_challenge`',
    user: '`getValidatedIdTokenClaims()`',
    known: 'test',
  },
  {
    name: '@auth/core (Auth.js 5)',
    version: '0.41.3',
    lines: { guide: 'auth.js' },
    redirect: '`/auth/callback/gatehouse`; in Next.js `/api/auth/callback/gatehouse`',
    pkce: '`checks`',
    user: '`name`, `email`',
    known: 'test',
  },
  {
    name: 'next-auth',
    version: '4.24.15',
    lines: { example: 'next-auth.js' },
    redirect: '`/api/auth/callback/gatehouse`',
    pkce: '`checks`',
    user: '`profile`',
    known: 'test',
  },
  {
    name: 'oidc-client-ts',
    version: '3.5.0',
    lines: { guide: 'page.js' },
    redirect: 'Yours; its origin in `CORS_ORIGINS`',
    pkce: always,
    user: '`profile` of the user',
    known: 'test',
  },
  {
    name: 'express-openid-connect',
    version: '3.4.0',
    lines: { example: 'express-openid-connect.js' },
    redirect: '`/callback`',
    pkce: 'Always with `response_type: code`, which is not its default',
    user: '`req.oidc.user`',
    known: 'test',
  },
  {
    name: 'passport-openidconnect',
    version: '0.1.2',
    lines: { example: 'passport-openidconnect.js' },
    redirect: '`callbackURL`',
    pkce: optional,
    user: '`displayName` of userinfo, with `skipUserProfile: false`',
    known: 'test',
  },
  {
    name: 'Authlib',
    version: '1.9.10',
    lines: { guide: 'sign_in.py' },
    redirect: 'Yours',
    pkce: '`code_challenge_method`',
    user: '`userinfo` of the token',
    known: 'test',
  },
  {
    name: 'Flask-OIDC',
    version: '2.4.0',
    lines: { example: 'flask-oidc.py' },
    redirect: '`/authorize`',
    pkce: 'By the last line: it has no setting',
    user: '`session["oidc_auth_profile"]`',
    known: 'test',
  },
  {
    name: 'django-allauth',
    version: '65.22.1',
    lines: { example: 'django-allauth.py' },
    redirect: '`/accounts/oidc/gatehouse/login/callback/`',
    pkce: '`OAUTH_PKCE_ENABLED`',
    user: '`preferred_username`, `name`; its key is `sub`',
    known: 'test',
  },
  {
    name: 'mozilla-django-oidc',
    version: '5.0.2',
    lines: { example: 'mozilla-django-oidc.py' },
    redirect: '`/oidc/callback/`',
    pkce: '`OIDC_USE_PKCE`',
    user: '`email`, which is its key without the class `Backend` (`AUTHENTICATION_BACKENDS`)',
    known: 'test',
  },
  {
    name: 'go-oidc',
    version: '3.21.0',
    lines: { guide: 'sign-in.go' },
    redirect: 'Yours',
    pkce: '`S256ChallengeOption`',
    user: '`Claims()` of the id token',
    known: 'test',
  },
  {
    name: 'Spring Boot',
    version: '4.1.2',
    lines: { guide: 'application.properties' },
    redirect: '`/login/oauth2/code/gatehouse`',
    pkce: 'Always; before Spring Security 7 by a bean',
    user: '`getClaims()` of `OidcUser`',
    known: 'test',
  },
]
