import * as v from 'valibot'
import type { Account } from '../accounts/account.ts'
import { methodsOf, type Protected } from '../accounts/factors/factor.ts'
import { refreshTokenExample } from '../accounts/schemas.ts'
import { endOf, type SessionRules, type Session as StoredSession } from '../accounts/sessions/session.ts'
import type { IssuedToken } from '../accounts/tokens/access-token.ts'
import { claims } from '../accounts/tokens/claims.ts'
import { day } from '../base/limits/windows.ts'

/**
 * What the API answers on success: each shape, and the function that makes it. A schema and its type share a name.
 * Members are in the order in which they are answered. The schemas are for tests and tools: no bundle holds them.
 */

/** RFC 3339, UTC. */
const Moment = v.pipe(v.string(), v.isoTimestamp())

const Seconds = v.pipe(v.number(), v.integer(), v.minValue(1))

/** An account without its password (specification, section 2). */
const UserResponse = v.strictObject({
  id: v.string(),
  email: v.string(),
  name: v.nullable(v.string()),
  is_admin: v.boolean(),
  is_verified: v.boolean(),
  created_at: Moment,
})
type UserResponse = v.InferOutput<typeof UserResponse>

export const userResponse = ({ id, email, name, isAdmin, isVerified, createdAt }: Profile): UserResponse => ({
  id,
  email,
  name,
  is_admin: isAdmin,
  is_verified: isVerified,
  created_at: createdAt.toISOString(),
})

type Profile = Pick<Account, 'id' | 'email' | 'name' | 'isAdmin' | 'isVerified' | 'createdAt'>

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

export const tokenResponse = ({ token, lifetimeSeconds, refresh }: IssuedToken): Token => ({
  access_token: token,
  token_type: 'bearer',
  expires_in: lifetimeSeconds,
  ...(refresh && { refresh_token: refresh.token, refresh_expires_in: refresh.lifetimeSeconds }),
})

const SecondFactor = v.strictObject({
  /** How it can be shown: `code`, `recovery`. None without a second factor. */
  methods: v.array(v.string()),
  recovery_codes_left: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
type SecondFactor = v.InferOutput<typeof SecondFactor>

export const secondFactor = (account: Protected): SecondFactor => ({
  methods: methodsOf(account),
  recovery_codes_left: account.factor?.recoveryCodes.length ?? 0,
})

const SecondFactorSetup = v.strictObject({
  /** In base32 (RFC 4648 §6), for people who type it. */
  secret: v.string(),
  /** For the app, as a QR code. */
  uri: v.string(),
})

const RecoveryCodes = v.strictObject({ recovery_codes: v.array(v.string()) })
type RecoveryCodes = v.InferOutput<typeof RecoveryCodes>

export const recoveryCodes = (codes: readonly string[]): RecoveryCodes => ({ recovery_codes: [...codes] })

// Marked as pure, so that no bundle holds it: esbuild takes reading a member for an effect.
const SecondFactorConfirmation = /* @__PURE__ */ (() =>
  v.strictObject({ ...Token.entries, ...RecoveryCodes.entries }))()

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
})

const SessionList = v.strictObject({ sessions: v.array(Session) })
type SessionList = v.InferOutput<typeof SessionList>

/** @param sessions in the order in which they are answered */
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
  })),
})

export const MessageResponse = v.strictObject({ message: v.string(), success: v.literal(true) })
export type MessageResponse = v.InferOutput<typeof MessageResponse>

/** The messages of the endpoints that answer with one. */
export const messages = {
  'forgot-password': 'If an account with this email exists, a password reset link has been sent.',
  'reset-password': 'Password has been reset successfully. You can now log in.',
  'verify-email': 'Email verified successfully. You can now log in.',
  'resend-verification': 'If an unverified account with this email exists, a verification link has been sent.',
  logout: 'Logged out.',
  'end-session': 'The session has ended.',
  'logout-everywhere': 'Logged out everywhere.',
  'delete-account': 'Your account has been deleted.',
  'change-email': 'If the address can be used, a link has been sent to it.',
  'confirm-email-change': 'Your email address has been changed.',
  undo: 'The change has been undone. A link to choose a new password has been sent.',
} as const

export const messageResponse = (name: keyof typeof messages): MessageResponse => ({
  message: messages[name],
  success: true,
})

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

const Discovery = v.strictObject({
  issuer: v.string(),
  jwks_uri: v.string(),
  response_types_supported: v.array(v.string()),
  subject_types_supported: v.array(v.string()),
  id_token_signing_alg_values_supported: v.array(v.string()),
  claims_supported: v.array(v.string()),
})
type Discovery = v.InferOutput<typeof Discovery>

/**
 * The part of a discovery document (OpenID Connect Discovery 1.0 §3) that verifiers of tokens read. The service has no
 * OpenID Connect flows, so there is nothing else to say.
 */
export const discoveryResponse = (issuer: string): Discovery => ({
  issuer,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  response_types_supported: [],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  claims_supported: Object.keys(claims),
})

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
  MessageResponse,
  KeySet,
  Discovery,
  OpenapiDocument,
} as const

/** What those are made of, by name. */
export const parts = { PublicKey, JsonObject, Session } as const

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

/** An example of each, for the API's description: no bundle holds them. A message is told by the row that answers with it. */
export const replyExamples = (): { [S in Exclude<keyof Shapes, 'MessageResponse'>]: v.InferOutput<Shapes[S]> } => ({
  UserResponse: {
    id: '019c2f6e-8a10-7c3d-9f4b-2e5a6d7c8b90',
    email: 'ada@example.com',
    name: 'Ada',
    is_admin: false,
    is_verified: false,
    created_at: '2026-03-01T12:00:00.000Z',
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
  Discovery: discoveryResponse('https://api.example.com/auth'),
  OpenapiDocument: { openapi: '3.1.1', info: { title: 'Gatehouse' }, paths: {} },
})
