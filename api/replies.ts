import * as v from 'valibot'
import { day } from '../shared/base/limits/windows.ts'
import { refreshTokenExample } from './bodies.ts'

/**
 * The shapes of what the API answers on success, which `make-replies.ts` makes. A schema and its type share a name.
 * Members are in the order in which they are answered. For tests and tools: esbuild cannot leave schemas out of a bundle
 * that holds anything else of this file, so functions do not import it.
 */

/** RFC 3339, UTC. */
const Moment = v.pipe(v.string(), v.isoTimestamp())

const Seconds = v.pipe(v.number(), v.integer(), v.minValue(1))

/** An account without its password (specification, section 2). */
export const UserResponse = v.strictObject({
  id: v.string(),
  email: v.string(),
  name: v.nullable(v.string()),
  is_admin: v.boolean(),
  is_verified: v.boolean(),
  created_at: Moment,
  /** Only where `LANGUAGES` is set. */
  language: v.optional(v.nullable(v.string())),
  /** Only of an account that has some. */
  roles: v.optional(v.array(v.string())),
})
export type UserResponse = v.InferOutput<typeof UserResponse>

export const Token = v.strictObject({
  access_token: v.string(),
  token_type: v.literal('bearer'),
  expires_in: Seconds,
  /** With a session only. */
  refresh_token: v.optional(v.string()),
  /** With a session only: until it ends if it is not refreshed. */
  refresh_expires_in: v.optional(Seconds),
})
export type Token = v.InferOutput<typeof Token>

export const SecondFactor = v.strictObject({
  /** How it can be shown: `code`, `recovery`. None without a second factor. */
  methods: v.array(v.string()),
  recovery_codes_left: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type SecondFactor = v.InferOutput<typeof SecondFactor>

const SecondFactorSetup = v.strictObject({
  /** In base32 (RFC 4648 §6), for people who type it. */
  secret: v.string(),
  /** For the app, as a QR code. */
  uri: v.string(),
})

export const RecoveryCodes = v.strictObject({ recovery_codes: v.array(v.string()) })
export type RecoveryCodes = v.InferOutput<typeof RecoveryCodes>

const SecondFactorConfirmation = v.strictObject({ ...Token.entries, ...RecoveryCodes.entries })

const Session = v.strictObject({
  id: v.string(),
  /** What the application calls the device. */
  label: v.nullable(v.string()),
  created_at: Moment,
  /** When its refresh token was last replaced. */
  last_used_at: Moment,
  /** When it ends if it is not refreshed. */
  expires_at: Moment,
  /** Whether the access token of the request belongs to it. */
  is_current: v.boolean(),
  /** The client that has its refresh token; null when it is a login's own. */
  application: v.nullable(v.string()),
  /** Whether a browser has it, to stay logged in across applications. */
  browser: v.boolean(),
})

export const SessionList = v.strictObject({ sessions: v.array(Session) })
export type SessionList = v.InferOutput<typeof SessionList>

const PasskeyDescriptor = v.strictObject({
  type: v.literal('public-key'),
  id: v.string(),
  transports: v.array(v.string()),
})

/** WebAuthn Level 3 §5.5, as `parseRequestOptionsFromJSON` takes it. Bytes are in base64url. */
export const PasskeyRequestOptions = v.strictObject({
  challenge: v.string(),
  rpId: v.string(),
  /** Milliseconds for which the browser waits for a gesture. */
  timeout: v.pipe(v.number(), v.integer(), v.minValue(1)),
  userVerification: v.literal('required'),
  /** Those of the account. Absent at login, where any may answer. */
  allowCredentials: v.optional(v.array(PasskeyDescriptor)),
})
export type PasskeyRequestOptions = v.InferOutput<typeof PasskeyRequestOptions>

const PasskeyDomain = v.strictObject({ id: v.string(), name: v.string() })
const PasskeyUser = v.strictObject({ id: v.string(), name: v.string(), displayName: v.string() })
const PasskeyAlgorithm = v.strictObject({ type: v.literal('public-key'), alg: v.pipe(v.number(), v.integer()) })
const PasskeySelection = v.strictObject({
  residentKey: v.literal('required'),
  requireResidentKey: v.literal(true),
  userVerification: v.literal('required'),
})

/** WebAuthn Level 3 §5.4, as `parseCreationOptionsFromJSON` takes it. Bytes are in base64url. */
export const PasskeyCreationOptions = v.strictObject({
  rp: PasskeyDomain,
  user: PasskeyUser,
  challenge: v.string(),
  pubKeyCredParams: v.array(PasskeyAlgorithm),
  timeout: v.pipe(v.number(), v.integer(), v.minValue(1)),
  excludeCredentials: v.array(PasskeyDescriptor),
  authenticatorSelection: PasskeySelection,
  attestation: v.literal('none'),
})
export type PasskeyCreationOptions = v.InferOutput<typeof PasskeyCreationOptions>

export const Passkey = v.strictObject({
  /** The credential's id, in base64url. */
  id: v.string(),
  label: v.string(),
  created_at: Moment,
  /** The day, at midnight in UTC; null before the first time. */
  last_used_at: v.nullable(Moment),
  /** Whether its manager keeps it on other devices too. */
  is_synced: v.boolean(),
})
export type Passkey = v.InferOutput<typeof Passkey>

export const PasskeyList = v.strictObject({
  /** The domain that passkeys are bound to; null while there are none here. */
  rp_id: v.nullable(v.string()),
  /** What authenticators know the account by, in base64url; null before the first setup. */
  user_handle: v.nullable(v.string()),
  passkeys: v.array(Passkey),
})
export type PasskeyList = v.InferOutput<typeof PasskeyList>

const ProviderEntry = v.strictObject({
  id: v.string(),
  /** What people read of it. */
  name: v.string(),
  authorization_endpoint: v.string(),
  client_id: v.string(),
  scope: v.string(),
  response_mode: v.picklist(['query', 'form_post']),
  /** That of our own page. */
  redirect_uri: v.string(),
})

/** The other providers by which people log in. */
export const ProviderList = v.strictObject({ providers: v.array(ProviderEntry) })
export type ProviderList = v.InferOutput<typeof ProviderList>

const SignInMethod = v.strictObject({
  id: v.string(),
  /** The provider's id; null where none of that issuer is listed any more. */
  provider: v.nullable(v.string()),
  /** The address that the provider had proven when it was connected. */
  email: v.nullable(v.string()),
  connected_at: Moment,
})

export const SignInMethods = v.strictObject({
  has_password: v.boolean(),
  /** The oldest first. */
  providers: v.array(SignInMethod),
})
export type SignInMethods = v.InferOutput<typeof SignInMethods>

export const MessageResponse = v.strictObject({ message: v.string(), success: v.literal(true) })
export type MessageResponse = v.InferOutput<typeof MessageResponse>

/** Where the page goes on. */
const Continuation = v.strictObject({ location: v.string() })

/** Where the page goes on after a logout; null: it says that one is logged out. */
const LogoutContinuation = v.strictObject({ location: v.nullable(v.string()) })

/** RFC 6749 §5.1, with an id token (OpenID Connect Core §3.1.3.3). */
export const OAuthTokens = v.strictObject({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  expires_in: Seconds,
  /** What was granted, separated by spaces. */
  scope: v.string(),
  id_token: v.optional(v.string()),
  /** With `offline_access` only. */
  refresh_token: v.optional(v.string()),
})
export type OAuthTokens = v.InferOutput<typeof OAuthTokens>

/** OpenID Connect Core §5.3.2: what the scopes of the access token allow. */
const UserInfo = v.strictObject({
  sub: v.string(),
  email: v.optional(v.string()),
  email_verified: v.optional(v.boolean()),
  name: v.optional(v.string()),
  locale: v.optional(v.string()),
  roles: v.optional(v.array(v.string())),
})

/** RFC 7009 §2.2: nothing is said. */
const Revoked = v.strictObject({})

const PublicKey = v.strictObject({
  kty: v.literal('RSA'),
  n: v.string(),
  e: v.string(),
  kid: v.string(),
  alg: v.literal('RS256'),
  use: v.literal('sig'),
})

/** The public keys of access tokens (RFC 7517 §5). */
const KeySet = v.strictObject({ keys: v.array(PublicKey) })

const Texts = v.array(v.string())

/** Those that may be absent are there for applications. */
export const Discovery = v.strictObject({
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
export type Discovery = v.InferOutput<typeof Discovery>

const JsonObject = v.record(v.string(), v.unknown())

/** The description of this API. */
const OpenapiDocument = v.objectWithRest({ openapi: v.string(), info: JsonObject, paths: JsonObject }, v.unknown())

/** Shapes by name, for the route table. */
export const replies = {
  UserResponse,
  Token,
  SessionList,
  SecondFactor,
  SecondFactorSetup,
  SecondFactorConfirmation,
  RecoveryCodes,
  PasskeyRequestOptions,
  PasskeyCreationOptions,
  Passkey,
  PasskeyList,
  ProviderList,
  SignInMethods,
  MessageResponse,
  KeySet,
  Discovery,
  OpenapiDocument,
  Continuation,
  LogoutContinuation,
  OAuthTokens,
  UserInfo,
  Revoked,
} as const

/** What those are made of, by name. */
export const parts = {
  PublicKey,
  JsonObject,
  Session,
  PasskeyDescriptor,
  PasskeyDomain,
  PasskeyUser,
  PasskeyAlgorithm,
  PasskeySelection,
  ProviderEntry,
  SignInMethod,
} as const

type Shapes = typeof replies

// Its signature is none: that of a real one has 342 characters.
const tokenExample: Token = {
  access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTljMmY2ZSJ9.c2lnbmF0dXJl',
  token_type: 'bearer',
  expires_in: 3600,
  refresh_token: refreshTokenExample,
  refresh_expires_in: 14 * day,
}

/** Two of the ten. */
const recoveryCodesExample: RecoveryCodes = {
  recovery_codes: ['MFRG-GZDF-MZTW-Q2LK-NNWG-23TP', 'OBYX-E43U-OV3H-O6DZ-PJTG-C3LQ'],
}

const passkeyExample: Passkey = {
  id: 'oGkZr8mTq1uYw3sXc5vBnA',
  label: 'Phone',
  created_at: '2026-03-01T12:00:00.000Z',
  last_used_at: '2026-03-02T00:00:00.000Z',
  is_synced: true,
}
const handleExample = '5vBnAwLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXUoGkZr8mTq1uYw3sXcQm4Zc8vXn1rTk6yLp3sWb'
const challengeExample = 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU'

/**
 * An example of each shape, for the API's description. Those of messages come from the rows that answer with them, and
 * that of Discovery from `make-replies.ts`.
 */
export const replyExamples = (): {
  [S in Exclude<keyof Shapes, 'MessageResponse' | 'Discovery'>]: v.InferOutput<Shapes[S]>
} => ({
  UserResponse: {
    id: '019c2f6e-8a10-7c3d-9f4b-2e5a6d7c8b90',
    email: 'ada@example.com',
    name: 'Ada',
    is_admin: false,
    is_verified: false,
    created_at: '2026-03-01T12:00:00.000Z',
    language: 'de',
  },
  Token: tokenExample,
  SessionList: {
    sessions: [
      {
        id: 'oGkZr8mTq1uYw3sXc5vBnA',
        label: 'Phone',
        created_at: '2026-03-01T12:00:00.000Z',
        last_used_at: '2026-03-02T08:30:00.000Z',
        expires_at: '2026-03-16T08:30:00.000Z',
        is_current: true,
        application: null,
        browser: false,
      },
    ],
  },
  SecondFactor: { methods: ['code', 'recovery'], recovery_codes_left: 10 },
  SecondFactorSetup: {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse',
  },
  SecondFactorConfirmation: { ...tokenExample, ...recoveryCodesExample },
  RecoveryCodes: recoveryCodesExample,
  PasskeyRequestOptions: {
    challenge: challengeExample,
    rpId: 'example.com',
    timeout: 300_000,
    userVerification: 'required',
  },
  PasskeyCreationOptions: {
    rp: { id: 'example.com', name: 'Gatehouse' },
    user: { id: handleExample, name: 'ada@example.com', displayName: 'Ada' },
    challenge: challengeExample,
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -8 },
      { type: 'public-key', alg: -257 },
    ],
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  },
  Passkey: passkeyExample,
  PasskeyList: { rp_id: 'example.com', user_handle: handleExample, passkeys: [passkeyExample] },
  ProviderList: {
    providers: [
      {
        id: 'example',
        name: 'Example',
        authorization_endpoint: 'https://accounts.example.com/authorize',
        client_id: 'gatehouse',
        scope: 'openid email profile',
        response_mode: 'query',
        redirect_uri: 'https://api.example.com/sign-in/example',
      },
    ],
  },
  SignInMethods: {
    has_password: true,
    providers: [
      {
        id: challengeExample,
        provider: 'example',
        email: 'ada@example.com',
        connected_at: '2026-03-01T12:00:00.000Z',
      },
    ],
  },
  KeySet: {
    keys: [
      {
        kty: 'RSA',
        n: 'u1SU1LfVLPHCozMxH2Mo',
        e: 'AQAB',
        kid: '01234567-89ab-cdef-0123-456789abcdef',
        alg: 'RS256',
        use: 'sig',
      },
    ],
  },
  Continuation: { location: 'http://127.0.0.1:8000/callback?code=wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU' },
  LogoutContinuation: { location: null },
  OAuthTokens: {
    access_token: tokenExample.access_token,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'openid email',
    id_token: tokenExample.access_token,
  },
  UserInfo: {
    sub: '019c2f6e-8a10-7c3d-9f4b-2e5a6d7c8b90',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada',
  },
  Revoked: {},
  OpenapiDocument: { openapi: '3.1.1', info: { title: 'Gatehouse' }, paths: {} },
})
