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

/**
 * How a row is known: by running it in `test/integrate`, by a test of our rules, by running it once on a day against `npm start`, or by
 * the project's documentation on a day.
 */
type Known = 'test' | { test: string } | { ran: string } | { on: string; at: string }

const always = 'Always'
/** An option of `clients -- new`, which the guide's table of an entry's members explains. */
const withoutPkce = '`--pkce-optional`'
const optional = `None: ${withoutPkce}`
const unnamed = `Its page names none: ${withoutPkce}`

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
    name: '@azure/msal-node (MSAL Node)',
    version: '7.2.3',
    lines: { example: 'msal-node.js' },
    redirect: '`redirectUri`',
    pkce: '`codeChallenge`, which it does not draw by itself',
    user: '`account.idTokenClaims`; its `username` is `preferred_username`, its key `sub`',
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
  {
    name: 'oauth2-proxy',
    version: '7.15.6',
    lines: [
      '--provider=oidc',
      '--oidc-issuer-url=ISSUER',
      '--client-id=CLIENT_ID',
      '--client-secret=CLIENT_SECRET',
      '--redirect-url=REDIRECT',
      '--code-challenge-method=S256',
      "--email-domain='*'",
      '--cookie-secret=SESSION_SECRET',
    ],
    redirect: '`/oauth2/callback`',
    pkce: '`--code-challenge-method`',
    user: '`X-Forwarded-Preferred-Username`, key `X-Forwarded-User`. It refuses unverified addresses. `SESSION_SECRET` has 16, 24 or 32 bytes',
    known: { ran: '2026-11-30' },
  },
  {
    name: 'Dex',
    version: '',
    lines: [
      'connectors:',
      '- type: oidc',
      '  id: gatehouse',
      '  name: Gatehouse',
      '  config:',
      '    issuer: ISSUER',
      '    clientID: CLIENT_ID',
      '    clientSecret: CLIENT_SECRET',
      '    redirectURI: REDIRECT',
    ],
    redirect: "Dex's issuer and `/callback`",
    pkce: `Its page names none. If requests are refused for that: ${withoutPkce}`,
    user: '`userNameKey`, by default `name`; `preferred_username`; its key is `sub`',
    known: {
      on: '2026-11-30',
      at: 'https://github.com/dexidp/website/blob/033cecae3374f68ff608d6d228218a7a9008ec09/content/docs/connectors/oidc.md',
    },
  },
  {
    name: 'kubelogin',
    version: '',
    lines: [
      'kubectl oidc-login get-token',
      '  --oidc-issuer-url=ISSUER',
      '  --oidc-client-id=CLIENT_ID',
      '  --oidc-extra-scope=email',
    ],
    redirect: '`http://localhost:8000` and `http://localhost:18000`',
    pkce: 'By itself, as discovery says',
    user: "The API server's settings say",
    known: {
      on: '2026-11-30',
      at: 'https://github.com/int128/kubelogin/blob/10fa94cbee7bffb92f0f6d85a9cbb147a75e4b0f/docs/usage.md',
    },
  },
  {
    name: 'Grafana',
    version: '',
    lines: [
      '[auth.generic_oauth]',
      'enabled = true',
      'client_id = CLIENT_ID',
      'client_secret = CLIENT_SECRET',
      'scopes = openid profile email',
      'auth_url = ORIGIN/authorize',
      'token_url = ISSUER/token',
      'api_url = ISSUER/userinfo',
      'use_pkce = true',
    ],
    redirect: '`/login/generic_oauth`',
    pkce: '`use_pkce`',
    user: '`name`; its login is the address, unless `login_attribute_path` names another claim',
    known: {
      on: '2026-11-30',
      at: 'https://github.com/grafana/grafana/blob/00f489dbba0f67054565a81a61bb9a1cae575043/docs/sources/setup-grafana/configure-security/configure-authentication/generic-oauth/index.md',
    },
  },
  {
    name: 'Gitea',
    version: '',
    lines: [
      'gitea admin auth add-oauth',
      '  --name gatehouse',
      '  --provider openidConnect',
      '  --key CLIENT_ID',
      '  --secret CLIENT_SECRET',
      '  --auto-discover-url ISSUER/.well-known/openid-configuration',
      '  --scopes email --scopes profile',
    ],
    redirect: '`/user/oauth2/gatehouse/callback`, by `--name`',
    pkce: unnamed,
    user: 'With `USERNAME = email` in `[oauth2_client]` of app.ini, the part before the `@`: the default, `nickname`, is no claim here',
    known: {
      on: '2026-11-30',
      at: 'https://github.com/go-gitea/gitea/blob/2b0145d12f87fade02efa4f4dddb623ed9c97e90/docs/content/administration/command-line.en-us.md',
    },
  },
  {
    name: 'GitLab',
    version: '',
    lines: [
      "gitlab_rails['omniauth_providers'] = [{",
      "  name: 'openid_connect',",
      '  args: {',
      "    name: 'openid_connect',",
      "    scope: ['openid', 'profile', 'email'],",
      "    response_type: 'code',",
      "    issuer: 'ISSUER',",
      '    discovery: true,',
      '    pkce: true,',
      "    client_options: { identifier: 'CLIENT_ID', secret: 'CLIENT_SECRET', redirect_uri: 'REDIRECT' }",
      '  }',
      '}]',
    ],
    redirect: '`/users/auth/openid_connect/callback`',
    pkce: '`pkce`',
    user: 'Its key is `sub`: leave `uid_field` out',
    known: {
      on: '2026-11-30',
      at: 'https://github.com/gitlabhq/gitlabhq/blob/017a6c129d6a9e4ad9fec792cd84f88641d7dbfe/doc/administration/auth/oidc.md',
    },
  },
  {
    name: 'ASP.NET Core',
    version: '',
    lines: [
      'builder.Services.AddAuthentication(options => {',
      '  options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;',
      '  options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;',
      '}).AddCookie().AddOpenIdConnect(options => {',
      '  options.Authority = ISSUER;',
      '  options.ClientId = CLIENT_ID;',
      '  options.ClientSecret = CLIENT_SECRET;',
      '  options.ResponseType = OpenIdConnectResponseType.Code;',
      '  options.ResponseMode = OpenIdConnectResponseMode.Query;',
      '  options.MapInboundClaims = false;',
      '  options.TokenValidationParameters.NameClaimType = "name";',
      '});',
    ],
    redirect: '`/signin-oidc`; after a logout `/signout-callback-oidc`',
    pkce: 'Always. `ResponseMode` must be set: its default, `form_post`, is refused',
    user: '`NameClaimType`',
    known: {
      on: '2026-11-30',
      at: 'https://github.com/dotnet/aspnetcore/blob/049a38afe28452830350ac3ad5b37579ee4aa2e0/src/Security/Authentication/OpenIdConnect/src/OpenIdConnectOptions.cs',
    },
  },
  {
    name: 'AppAuth for Android',
    version: '',
    lines: [
      'AuthorizationServiceConfiguration.fetchFromIssuer(Uri.parse(ISSUER), callback);',
      'new AuthorizationRequest.Builder(config, CLIENT_ID, AuthorizationRequest.RESPONSE_TYPE_CODE, Uri.parse(REDIRECT));',
    ],
    redirect: "The app's own scheme (`com.example.app:/callback`) or an App Link; a public client",
    pkce: 'By itself',
    user: 'The claims of the id token',
    known: {
      on: '2026-11-30',
      at: 'https://github.com/openid/AppAuth-Android/blob/00e1a67a03da3f85a4b8ac0dd990fbb69b72461f/README.md',
    },
  },
  {
    name: 'JupyterHub 6.1.1, oauthenticator',
    version: '17.4.0',
    lines: [
      'c.JupyterHub.authenticator_class = "generic-oauth"',
      'c.GenericOAuthenticator.client_id = CLIENT_ID',
      'c.GenericOAuthenticator.client_secret = CLIENT_SECRET',
      'c.GenericOAuthenticator.oauth_callback_url = REDIRECT',
      'c.GenericOAuthenticator.authorize_url = ORIGIN + "/authorize"',
      'c.GenericOAuthenticator.token_url = ISSUER + "/token"',
      'c.GenericOAuthenticator.userdata_url = ISSUER + "/userinfo"',
      'c.GenericOAuthenticator.scope = ["openid", "email", "profile"]',
      'c.GenericOAuthenticator.username_claim = "preferred_username"',
      'c.GenericOAuthenticator.allow_all = True',
    ],
    redirect: '`/hub/oauth_callback`',
    pkce: 'By itself: `enable_pkce` is on',
    user: '`username_claim`; `"sub"` there outlives a change of address. Without `allow_all` it lets in only people whom it lists',
    known: { ran: '2026-11-30' },
  },
  {
    name: 'mod_auth_openidc',
    version: '',
    lines: [
      'OIDCProviderMetadataURL ISSUER/.well-known/openid-configuration',
      'OIDCClientID CLIENT_ID',
      'OIDCClientSecret CLIENT_SECRET',
      'OIDCRedirectURI REDIRECT',
      'OIDCScope "openid email profile"',
    ],
    redirect: 'A path below what it guards, at which nothing is served',
    pkce: 'By itself: `OIDCPKCEMethod` is `S256`',
    user: '`REMOTE_USER` is `sub` and the issuer; other claims are in variables',
    known: {
      on: '2026-11-30',
      at: 'https://github.com/OpenIDC/mod_auth_openidc/blob/00d71d1c6803f9e500d3044454233cedc4e987ab/auth_openidc.conf',
    },
  },
  {
    name: 'Quarkus (quarkus-oidc)',
    version: '3.33.2',
    lines: [
      'quarkus.oidc.auth-server-url=ISSUER',
      'quarkus.oidc.client-id=CLIENT_ID',
      'quarkus.oidc.credentials.secret=CLIENT_SECRET',
      'quarkus.oidc.application-type=web-app',
      'quarkus.oidc.authentication.redirect-path=/callback',
      'quarkus.oidc.authentication.pkce-required=true',
      'quarkus.oidc.authentication.scopes=email,profile',
    ],
    redirect: '`redirect-path`: without it each page is one',
    pkce: '`pkce-required`',
    user: '`getClaim("name")` of `@IdToken JsonWebToken`; its `getName()` is `preferred_username`, its key `getSubject()`',
    known: { ran: '2026-11-30' },
  },
  {
    name: 'jumbojett/openid-connect-php',
    version: '',
    lines: [
      "$oidc = new OpenIDConnectClient('ISSUER', 'CLIENT_ID', 'CLIENT_SECRET');",
      "$oidc->setCodeChallengeMethod('S256');",
      "$oidc->addScope(['email', 'profile']);",
      '$oidc->authenticate();',
    ],
    redirect: 'What `setRedirectURL` is given',
    pkce: '`setCodeChallengeMethod`',
    user: "`requestUserInfo('name')`; its key is `requestUserInfo('sub')`",
    known: {
      on: '2026-11-30',
      at: 'https://github.com/jumbojett/OpenID-Connect-PHP/blob/3327b142ad92e9c06d11013a17880b4679dca45d/README.md',
    },
  },
  {
    name: 'MinIO',
    version: '',
    lines: [
      'MINIO_IDENTITY_OPENID_CONFIG_URL=ISSUER/.well-known/openid-configuration',
      'MINIO_IDENTITY_OPENID_CLIENT_ID=CLIENT_ID',
      'MINIO_IDENTITY_OPENID_CLIENT_SECRET=CLIENT_SECRET',
      'MINIO_IDENTITY_OPENID_SCOPES=openid,email,profile',
      'MINIO_IDENTITY_OPENID_ROLE_POLICY=readwrite',
    ],
    redirect: '`/oauth_callback` of its console',
    pkce: unnamed,
    user: 'The id token. All who log in have the policy',
    known: {
      on: '2026-11-30',
      at: 'https://github.com/minio/minio/blob/01c2a9feee862e056febab8dd1549c330341d63b/docs/sts/web-identity.md',
    },
  },
  {
    name: 'Apps in a web view: Capacitor, Tauri, extensions',
    version: '',
    lines: ['"redirects": ["com.example.app:/callback"]', '"redirects": ["http://127.0.0.1/callback"]'],
    redirect:
      '`capacitor://`, `tauri://` and `chrome-extension://` are refused: any app can claim a scheme without a dot. Log in in the system’s browser, as a public client, with a scheme that has a dot, or on a desktop at the loopback interface',
    pkce: 'Your library’s, such as AppAuth or openid-client',
    user: 'The id token. Fetch tokens outside the view: `CORS_ORIGINS` takes http and https alone',
    known: { test: 'test/infra/settings/clients.test.ts' },
  },
]
