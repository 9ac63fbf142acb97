import { bodyMeanings } from '../bodies.ts'
import type { forms } from '../forms.ts'
import type { replies } from '../replies.ts'

/** A shape: what it is, and what its members are. A member that refers to another shape has that one's description. */
type Meaning = readonly [is: string, members?: Readonly<Record<string, string>>]

const problem = {
  type: '`about:blank`: `code` says what the problem is.',
  title: 'The name of the status.',
  status: 'The status, again.',
  detail: 'A sentence for people.',
  code: 'For programs, and stable. Later versions may have more codes: treat an unknown one by its status.',
}

const confirmation = {
  provider_token:
    'What stands for the confirmation of a provider: with it a password, a code or a mailed link follows without a second trip.',
}

const oauthError = {
  error: 'For programs, and stable.',
  error_description: 'A sentence for developers.',
}

const client = {
  client_id: 'The application, if it does not use HTTP Basic.',
  client_secret: 'Its secret, if it has one and does not use HTTP Basic.',
}

const bytes = 'base64url without padding'

const credential = { id: `The passkey's id, in ${bytes}.`, rawId: 'The same as `id`.' }

const version = { catalogue_version: "The catalogue's version." }
const total = { total: 'How many there are.' }
const described = {
  name: "The catalogue's name.",
  ...version,
  statements: 'What holds for all modules.',
  not_described: 'What the catalogue leaves out.',
}

const limits = {
  extra_namespaces: 'Values that it takes besides namespaces.',
  subtypes: 'The forms in which a user can be named.',
  min: 'The least value.',
  max: 'The greatest value.',
  highmax: 'The greatest value for callers with the high limit.',
}

const parameter = {
  index: 'Its place in the module, from 1.',
  name: 'Its name, without the prefix of the module.',
  multi: 'True: it takes several values.',
  value_limit: 'How many values it takes at once.',
  value_high_limit: 'How many it takes from callers with the high limit.',
  all_specifier: 'The value that stands for all of them.',
  allows_duplicates: 'True: a value may be repeated.',
  default: 'The value without the parameter.',
  required: 'True: a query of the module needs it.',
  deprecated: 'True: it may be removed.',
  sensitive: 'True: it is a secret, and belongs in no URL.',
  values: 'The values that it takes.',
  values_set: 'The set that has its values.',
  deprecated_values: 'Those of its values that may be removed.',
  ...limits,
  conditions: 'When it may be used.',
}

const moduleSummary = {
  path: '`query+` and its name.',
  name: 'Its name.',
  prefix: 'What the names of its parameters begin with in a query. It may be empty.',
  generator: 'Whether it can give its pages to other modules.',
  readrights: 'Whether it asks for the right to read.',
  deprecated: 'Whether it may be removed.',
  parameter_count: 'How many parameters it has.',
}
const whole = {
  parameters: 'Its parameters, in their order.',
  relations: 'How its parameters depend on each other. Absent where they do not.',
}

const edit = { op: 'The kind of change.', name: 'The name, decoded.' }
const value = 'The value, decoded.'

const token = {
  access_token: 'A JWT (RFC 7519), for the header `Authorization: Bearer`.',
  token_type: 'How to send it (RFC 6750).',
  expires_in: 'Seconds until it expires.',
  refresh_token: 'The newest refresh token. With a session only: keep it in place of the one before.',
  refresh_expires_in: 'Seconds until the session ends if it is not refreshed. With a session only.',
}
const recovery = {
  recovery_codes:
    'Each works once in place of a code of the app. No other answer shows them, and those before are void.',
}

/** The shapes that rows of accounts name; the document has more. */
type Named = keyof typeof forms | keyof typeof replies

/** The descriptions of all shapes but for those of texts, which say what code checks (`schemas.ts`). */
export const meanings: Readonly<Record<string, Meaning> & Record<Named, Meaning>> = {
  ...bodyMeanings,
  PasskeyRequestOptions: [
    'What a browser asks for a passkey with: `PublicKeyCredential.parseRequestOptionsFromJSON` takes it as it is.',
    {
      challenge: 'What the passkey signs, in base64url. It works once, within ten minutes.',
      rpId: 'The domain that passkeys are bound to.',
      timeout: 'Milliseconds for which the browser waits.',
      userVerification: 'The authenticator must know its owner by PIN, finger or face.',
      allowCredentials: 'The passkeys of the account. Absent at login, where any may answer.',
    },
  ],
  ProviderList: [
    'The other providers by which people log in, in the order of the setting.',
    { providers: 'At most six.' },
  ],
  ProviderEntry: [
    'A provider, and what to send people there with.',
    {
      id: 'Its name for programs: in `provider` of a login, and in the address of our page.',
      name: 'What people know it by.',
      authorization_endpoint: 'Where people go.',
      client_id: 'For the parameter of that name.',
      scope: 'Likewise.',
      response_mode: 'Likewise.',
      redirect_uri: 'That of our own page. A page of yours has one of its own, which the operator lists.',
    },
  ],
  SignInMethods: [
    'How the owner of an account logs in.',
    {
      has_password: 'False: a mailed link sets one (`forgot-password`).',
      providers: 'At most five, the oldest first.',
    },
  ],
  SignInMethod: [
    'An account at a provider, by which its owner logs in.',
    {
      id: 'By which it is disconnected.',
      provider: "The provider's id; null where it is not listed any more.",
      email: 'The address that the provider had proven when it was connected; null for none.',
      connected_at: 'When it was connected.',
    },
  ],
  PasskeyCreationOptions: [
    'What a browser makes a passkey with: `PublicKeyCredential.parseCreationOptionsFromJSON` takes it as it is.',
    {
      rp: 'The domain that the passkey is bound to, and the name that the browser shows.',
      user: 'The handle that authenticators know the account by, and what they show of it.',
      challenge: 'What goes into the answer, in base64url. It works once, within ten minutes.',
      pubKeyCredParams: 'The algorithms that are taken (COSE): ES256, EdDSA, RS256.',
      timeout: 'Milliseconds for which the browser waits.',
      excludeCredentials: 'The passkeys that are there: their authenticators make no second one.',
      authenticatorSelection: 'The passkey must be found without an address, and know its owner.',
      attestation: 'Nothing is asked about the make of the authenticator.',
    },
  ],
  Passkey: [
    'A passkey of an account.',
    {
      id: "The credential's id, in base64url.",
      label: 'The name by which people know it.',
      created_at: 'When it was added.',
      last_used_at: 'The day on which it was last used, at midnight in UTC; null before the first time.',
      is_synced: 'Whether its manager keeps it on other devices too.',
    },
  ],
  PasskeyList: [
    'The passkeys of an account, the oldest first.',
    {
      rp_id: 'The domain that passkeys are bound to; null while there are none here.',
      user_handle: 'What authenticators know the account by, in base64url; null before the first setup.',
      passkeys: 'At most ten.',
    },
  ],
  SessionRequest: [
    'A session to open: the answer then has a refresh token. Missing: none is opened.',
    {
      label:
        'What the application calls the device, such as `Phone`: it follows the rules of names (`UpdateUserRequest`). ' +
        'Null or missing: it has no label.',
    },
  ],
  Assertion: [
    'What a passkey answered, as JSON (WebAuthn Level 3 §5.1). To log in, it signed a challenge of `/auth/passkeys/login-options`. ' +
      'Elsewhere it stands in the place of password and code, none of which may be beside it, and signed a challenge of ' +
      '`/auth/passkeys/proof-options`.',
    credential,
  ],
  AuthenticatorAssertion: [
    'What a passkey signed (WebAuthn Level 3 §5.2.2).',
    {
      clientDataJSON: `What the browser says, in ${bytes}.`,
      authenticatorData: `What the authenticator says, in ${bytes}.`,
      signature: `The signature of both, in ${bytes}.`,
      userHandle: `The handle of the account, in ${bytes}. It must be there to log in.`,
    },
  ],
  NewCredential: ['A passkey that was made, as JSON (WebAuthn Level 3 §5.1).', credential],
  AuthenticatorAttestation: [
    'What the authenticator made (WebAuthn Level 3 §5.2.1).',
    {
      clientDataJSON: `What the browser says, in ${bytes}.`,
      attestationObject: `The key, and what the authenticator says of it, in ${bytes}.`,
      transports: 'How the authenticator can be reached.',
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
      ...client,
    },
  ],
  RevocationRequest: [
    'A token that an application no longer needs (RFC 7009).',
    {
      token: 'Any token: a refresh token of the application ends its session.',
      token_type_hint: 'It is ignored.',
      ...client,
    },
  ],

  UserResponse: [
    'An account.',
    {
      id: "The account's id (UUID). It stays the same, and no later account gets it.",
      email: 'Its address, in the form in which it is kept.',
      name: 'Its display name; null for none.',
      is_admin: 'Whether it is an administrator.',
      is_verified: 'Whether its address is verified.',
      created_at: 'When it was opened (RFC 3339, UTC).',
      language: 'The language of its mails; null for none chosen. Missing where the service offers no languages.',
      roles: 'What operators let it do. Missing of an account that has no roles.',
    },
  ],
  Token: ['An access token.', token],
  Continuation: ['Where the page goes on.', { location: "The application's address, with its parameters." }],
  LogoutContinuation: [
    'Where the page goes on.',
    { location: "The application's address; null: the page says that one is logged out." },
  ],
  OAuthTokens: [
    'Tokens for an application (RFC 6749 §5.1).',
    {
      access_token: token.access_token,
      token_type: token.token_type,
      expires_in: token.expires_in,
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
      name: 'Its display name, if it has one. With the scope `profile`.',
      locale: 'The language of its mails, if it has chosen one. With the scope `profile`.',
      roles: 'Its roles, if it has some. With the scope `roles`.',
    },
  ],
  Revoked: ['Nothing: the token no longer works.'],
  SecondFactor: [
    'The second factor of an account.',
    {
      methods:
        'How it can be shown: `code`, of the app, and `recovery`, while recovery codes are left. None without a second factor.',
      recovery_codes_left: 'How many recovery codes were not used.',
    },
  ],
  SecondFactorSetup: [
    'A secret that waits to be confirmed. No other answer shows it.',
    {
      secret: 'The secret in base32 (RFC 4648 §6), for people who type it into their app.',
      uri: 'The same for a QR code, which the app reads: an address with the scheme `otpauth`.',
    },
  ],
  SecondFactorConfirmation: ['An access token, and the first recovery codes.', { ...token, ...recovery }],
  RecoveryCodes: ['Recovery codes.', recovery],
  SessionList: [
    'The sessions of an account.',
    { sessions: 'The current one first, then the last used. Those that have ended are left out.' },
  ],
  PasskeyDescriptor: [
    'A passkey, as browsers name it (WebAuthn Level 3 §5.8.3).',
    {
      type: 'Always `public-key`.',
      id: "The credential's id, in base64url.",
      transports: 'How a browser reaches its authenticator: words of the standard.',
    },
  ],
  PasskeyDomain: [
    'Whom a passkey is for (WebAuthn Level 3 §5.4.2).',
    { id: 'The domain that it is bound to.', name: 'What the browser shows.' },
  ],
  PasskeyUser: [
    'Whose a passkey is (WebAuthn Level 3 §5.4.3).',
    {
      id: 'The handle that authenticators know the account by: 64 random bytes in base64url.',
      name: "The account's address.",
      displayName: "The account's name, or its address where there is none.",
    },
  ],
  PasskeySelection: [
    'What the authenticator must be able to do (WebAuthn Level 3 §5.4.4).',
    {
      residentKey: 'It is found without an address.',
      requireResidentKey: 'The same for older browsers.',
      userVerification: 'It knows its owner by PIN, finger or face.',
    },
  ],
  PasskeyAlgorithm: [
    'An algorithm that is taken (WebAuthn Level 3 §5.3).',
    { type: 'Always `public-key`.', alg: 'Its number in COSE: -7 (ES256), -8 (EdDSA) or -257 (RS256).' },
  ],
  Session: [
    'A device on which somebody is logged in.',
    {
      id: 'Its id, the `sid` of its access tokens.',
      label: 'What the application calls the device; null for nothing.',
      created_at: 'When it was opened (RFC 3339, UTC).',
      last_used_at: 'When its refresh token was last replaced (RFC 3339, UTC).',
      expires_at: 'When it ends if it is not refreshed (RFC 3339, UTC).',
      is_current: 'Whether the access token of the request belongs to it.',
      application:
        'The application that has it, by its id in `OIDC_CLIENTS`; null where it is a login of this service.',
      browser: 'Whether a browser has it, to stay logged in across applications.',
    },
  ],
  MessageResponse: ['What was done.', { message: 'A sentence for people.', success: 'Always true.' }],
  KeySet: ['The public keys of access tokens (RFC 7517 §5).', { keys: 'The keys; a token names its own by `kid`.' }],
  PublicKey: [
    'A public key (RFC 7517 §4, RFC 7518 §6.3.1).',
    {
      kty: 'Its family.',
      n: 'The modulus, in base64url.',
      e: 'The exponent, in base64url.',
      kid: 'Its id, as in the header of tokens.',
      alg: 'The algorithm of signatures.',
      use: 'What it is for: signatures.',
    },
  ],
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
      code_challenge_methods_supported: 'The methods of PKCE (RFC 7636), which every request needs.',
      prompt_values_supported: 'What a page may be asked for.',
      claims_supported: 'The claims of access tokens and, with applications, of id tokens.',
      ui_locales_supported: 'The languages of the pages. Only where the setting LANGUAGES names some.',
      request_uri_parameter_supported: 'It is not.',
      authorization_response_iss_parameter_supported: 'Whether what leads back names the issuer (RFC 9207).',
    },
  ],
  OpenapiDocument: ['A description of this API (OpenAPI 3.1).', { openapi: 'The version of OpenAPI.' }],
  JsonObject: ['Any JSON object.'],

  Problem: [
    'A problem document (RFC 9457).',
    {
      ...problem,
      allowed: 'What may stand in the query. With each code that begins with `query-parameter-`.',
      email:
        'Whose browser it is. With `confirmation-required`, and with `login-required` if a login is there that does not ' +
        'suffice; at `/auth/authorize-session` alone.',
      methods:
        'How the second factor can be shown: `code`, `recovery`. With `second-factor-required` and `codes-disabled`.',
      reason:
        'The first fault that the passkey has: `form`, `no-account`, `unknown`, `type`, `origin`, `rp-id`, `presence`, ' +
        '`verification`, `algorithm`, `signature`, `count`. Only with `wrong-passkey`.',
      ...confirmation,
      setup_token:
        'The access token of setting a second factor up, and of nothing else, for ten minutes. Only with ' +
        '`second-factor-setup`, at a login with a `mail_token` that works.',
      suggestions: 'The nearest names. Only with codes that end in `not-found`, and not always.',
    },
  ],
  ValidationProblem: [
    'A problem document about a body (RFC 9457).',
    { ...problem, errors: 'Everything that is wrong, member by member.' },
  ],
  AnyProblem: [
    'A problem document (RFC 9457), or what API Gateway answers by itself: that has a `message` alone, and no `code`.',
    { ...problem, message: 'The name of the status.', ...confirmation },
  ],
  OAuthError: ['A refusal (RFC 6749 §5.2).', oauthError],
  AnyOAuthError: [
    'A refusal (RFC 6749 §5.2), or what API Gateway answers by itself: that has a `message` alone.',
    { ...oauthError, message: 'The name of the status.' },
  ],
  FieldError: [
    'What is wrong with a member of a body.',
    { pointer: 'Where in the body (RFC 6901); empty for the whole.', detail: 'What is wrong there.' },
  ],
  GatewayMessage: ['What API Gateway answers by itself.', { message: 'The name of the status.' }],

  ModuleName: ['The name of a module.'],
  SetName: ['The name of a set.'],
  GroupName: ['The name of a group of modules.'],
  TypeName: ['The name of a type of parameters.'],
  CatalogueIndex: ['What the catalogue holds, and where.', described],
  Counts: [
    'How many of each there are.',
    {
      modules: 'Modules.',
      generators: 'Modules that can be generators.',
      readrights: 'Modules that ask for the right to read.',
      deprecated_modules: 'Modules that may be removed.',
      parameters: 'Parameters of all modules.',
      enumerations: 'Parameters with a list of values.',
      single_enumerations: 'Those that take one value.',
      multi_enumerations: 'Those that take several.',
      enumerated_values: 'Values of all lists together.',
      multi_valued_parameters: 'Parameters that take several values.',
      deprecated_parameters: 'Parameters that may be removed.',
      required_parameters: 'Parameters that a query of their module needs.',
      sensitive_parameters: 'Parameters that are secrets.',
      types: 'Types of parameters.',
      sets: 'Sets that modules share.',
    },
  ],
  NamedCounts: ['Numbers by name.'],
  MultiValued: [
    'Rules for every parameter that takes several values.',
    {
      separator: 'What stands between values.',
      value_limit: parameter.value_limit,
      value_high_limit: parameter.value_high_limit,
      all_specifier: parameter.all_specifier,
    },
  ],
  Links: ['Addresses of related answers, as paths on this host; templates are those of RFC 6570.'],
  ModuleList: ['A list of modules.', { ...version, ...total, modules: 'The modules, in their order.' }],
  ListedModule: [
    'A module in a list.',
    {
      ...moduleSummary,
      parameters: `${whole.parameters} Only with \`expand=parameters\`.`,
      relations: `${whole.relations} Only with \`expand=parameters\`.`,
    },
  ],
  Module: ['A module with its parameters.', { ...moduleSummary, ...whole }],
  ParameterList: [
    'The parameters of a module.',
    { path: 'The path of the module.', parameter_count: moduleSummary.parameter_count, parameters: whole.parameters },
  ],
  Parameter: ['A parameter. A member that does not apply is left out.', parameter],
  Condition: [
    'When a parameter may be used.',
    { name: 'The condition.', values: 'The modes in which the parameter works.' },
  ],
  Relation: ['How parameters of one module depend on each other, by their bare names.'],
  GroupRelation: [
    'How many of some parameters must or may be given.',
    { kind: 'How many.', parameters: 'The names of the parameters.' },
  ],
  NeedsRelation: [
    'A parameter that needs another.',
    { kind: 'That it does.', parameter: 'Its name.', needs: 'The name of the other.' },
  ],
  GroupList: ['The groups of modules.', { ...version, ...total, groups: 'The groups, in their order.' }],
  Group: [
    'A group of modules.',
    {
      meaning: 'What its modules are for.',
      module_count: 'How many modules it has.',
      generator_count: 'How many of them can be generators.',
      modules: 'The names of its modules.',
    },
  ],
  TypeList: ['The types of parameters.', { ...version, ...total, types: 'The types, in their order.' }],
  ValueType: [
    'A type of parameters. Only `limit` has bounds and a default.',
    {
      meaning: 'What a value of it is.',
      ...limits,
      default: parameter.default,
      parameter_count: 'How many parameters have it.',
    },
  ],
  SetList: ['The sets that modules share.', { ...version, ...total, sets: 'The sets, in their order.' }],
  SharedSet: [
    'A set that modules share.',
    {
      name: 'Its name.',
      kind: 'What it has: values, subtypes of users, or parameters.',
      values: 'Its values.',
      deprecated_values: parameter.deprecated_values,
      default: 'The default of parameters with these values.',
      parameters: 'Its parameters.',
      used_by: 'The modules that use it.',
    },
  ],
  SetUse: [
    'A use of a set.',
    { module: 'The name of the module.', parameters: 'The names of its parameters that come from the set.' },
  ],
  Catalogue: [
    'Everything in the catalogue.',
    { ...described, groups: 'All groups.', types: 'All types.', sets: 'All sets.', modules: 'All modules.' },
  ],
  JsonSchema: ['A JSON Schema (draft 2020-12).', { $schema: 'The draft.' }],
  TypeScript: ['Declarations of TypeScript.'],

  ValidationRequest: [
    'A query to check. Other fields are refused.',
    {
      query: 'The query, or a whole URL with one.',
      limits:
        'Whose limits hold: `normal` (50 values, a limit of 500), `high` (500 and 5000) or `any`, where what only `high` ' +
        'allows is a warning. Missing: `any`.',
    },
  ],
  Report: [
    'What is wrong with a query.',
    {
      valid: 'Whether nothing in it is an error.',
      ...version,
      truncated: 'True: there are more findings than are listed.',
      modules: 'The modules that the query asks.',
      findings: 'What is wrong, at most 200 findings.',
      unchecked: 'What was not judged.',
      normalized: 'The same query, written in one way.',
    },
  ],
  FindingCounts: [
    'How many findings there are, listed or not.',
    { error: 'What the API refuses or ignores.', warning: 'What works, but not well.', notice: 'What is redundant.' },
  ],
  ChosenModule: ['A module that a query asks.', { path: moduleSummary.path, role: 'As what the query asks it.' }],
  Finding: [
    'What is wrong, where, and what mends it.',
    {
      rule: 'The rule that finds it. Later versions may have more rules.',
      severity: 'How bad it is: the API refuses or ignores an `error`; a `warning` works; a `notice` is redundant.',
      basis: "The source of the rule: the catalogue, how MediaWiki behaves, or this service's own.",
      name: 'The name in the query that it is about.',
      value: 'Its value. Absent where it is a secret.',
      module: 'The path of the module that it is about.',
      parameter: 'The parameter that it is about, by its bare name.',
      message: 'What is wrong, for people.',
      suggestions: 'What would mend it, the best first.',
    },
  ],
  Spans: ['Where the pair of a finding stands. Absent where something is missing.'],
  Span: ['Beginning and end, in UTF-16 units of the query that was sent. The end is not part of it.'],
  Suggestion: [
    'What would mend a finding.',
    {
      label: 'The suggestion in words.',
      edits: 'The changes, to be made in their order.',
      loses: 'Present where it drops something that was written, instead of rewriting it.',
      choice: 'Present where what was written has several readings, and this is one.',
    },
  ],
  Edit: ['A change of a query.'],
  RenameEdit: [
    'Renames all pairs of a name.',
    { op: edit.op, from: 'The old name, decoded.', to: 'The new name, decoded.' },
  ],
  RemoveEdit: ['Removes all pairs of a name.', edit],
  ReplaceEdit: ['Leaves one pair of a name, with another value.', { ...edit, value }],
  AddEdit: ['Adds a pair at the end.', { ...edit, value }],
  Unchecked: ['A name whose value was not judged, or only in part.', { name: 'The name.', reason: 'Why.' }],

  ParaminfoRequest: [
    'A request of a client of MediaWiki. Other fields are ignored.',
    {
      action: 'The only action that is known.',
      format: 'The only format that is known.',
      formatversion:
        '`1` (the default) writes `""` for true and leaves false out; `2` and `latest` have true and false.',
      modules: 'Up to 50 paths of modules, joined with `|`.',
      querymodules: 'Up to 50 names of query modules, joined with `|`.',
      helpformat: 'Whatever it says, there are no help texts.',
    },
  ],
  Paraminfo: ['Modules as MediaWiki describes them, or an error.'],
  ParaminfoModules: [
    'The modules that were asked for.',
    { helpformat: 'That there are no help texts.', modules: 'By their paths.', querymodules: 'By their names.' },
  ],
  ParaminfoModule: [
    'A module. Its further members are those of MediaWiki.',
    {
      name: moduleSummary.name,
      classname: 'The class that MediaWiki has for it, derived from its name.',
      path: 'Its path.',
      prefix: moduleSummary.prefix,
      helpurls: 'None: the catalogue has no such pages.',
      parameters: whole.parameters,
    },
  ],
  ParaminfoParameter: [
    'A parameter. Its further members are those of MediaWiki.',
    { index: parameter.index, name: parameter.name, type: 'Its type, or the values that it takes.' },
  ],
  ParaminfoWarnings: ['Warnings, by the module that gives them.'],
  NamedTexts: ['Texts by name.'],
}
