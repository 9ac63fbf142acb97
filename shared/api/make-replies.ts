import type { Account } from '../accounts/account.ts'
import { type FactorState, methodsOf } from '../accounts/factors/factor.ts'
import { endOf, type SessionRules, type Session as StoredSession } from '../accounts/sessions/session.ts'
import type { IssuedToken } from '../accounts/tokens/access-token.ts'
import { claims } from '../accounts/tokens/claims.ts'
import type {
  Discovery,
  MessageResponse,
  RecoveryCodes,
  SecondFactor,
  SessionList,
  Token,
  UserResponse,
} from './replies.ts'

/** What the functions answer on success, in the shapes of `replies.ts`, member by member in their order. */

export const userResponse = ({ id, email, name, isAdmin, isVerified, createdAt }: Profile): UserResponse => ({
  id,
  email,
  name,
  is_admin: isAdmin,
  is_verified: isVerified,
  created_at: createdAt.toISOString(),
})

type Profile = Pick<Account, 'id' | 'email' | 'name' | 'isAdmin' | 'isVerified' | 'createdAt'>

export const tokenResponse = ({ token, lifetimeSeconds, refresh }: IssuedToken): Token => ({
  access_token: token,
  token_type: 'bearer',
  expires_in: lifetimeSeconds,
  ...(refresh && { refresh_token: refresh.token, refresh_expires_in: refresh.lifetimeSeconds }),
})

export const secondFactor = (account: FactorState): SecondFactor => ({
  methods: methodsOf(account),
  recovery_codes_left: account.factor?.recoveryCodes.length ?? 0,
})

export const recoveryCodes = (codes: readonly string[]): RecoveryCodes => ({ recovery_codes: [...codes] })

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
