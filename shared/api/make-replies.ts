import type { Account } from '../accounts/account.ts'
import type { ApplicationTokens } from '../accounts/applications/application-tokens.ts'
import { type FactorState, methodsOf } from '../accounts/factor.ts'
import { chosenLanguage } from '../accounts/language.ts'
import { endOf, type SessionRules, type Session as StoredSession } from '../accounts/session.ts'
import type { IssuedToken } from '../accounts/tokens/access-token.ts'
import { claims } from '../accounts/tokens/claims.ts'
import type { Configured } from '../base/config.ts'
import type {
  Discovery,
  MessageResponse,
  RecoveryCodes,
  SecondFactor,
  SessionList,
  Token,
  TokenResponse,
  UserResponse,
} from './replies.ts'
import { type RouteName, routes } from './routes.ts'

/** What the functions answer on success, in the shapes of `replies.ts`, member by member in their order. */

export const userResponse = ({ config }: Configured<'languages'>, account: Profile): UserResponse => ({
  id: account.id,
  email: account.email,
  name: account.name,
  is_admin: account.isAdmin,
  is_verified: account.isVerified,
  created_at: account.createdAt.toISOString(),
  ...(config.languages.length > 0 && { language: chosenLanguage(config, account) }),
})

type Profile = Pick<Account, 'id' | 'email' | 'name' | 'language' | 'isAdmin' | 'isVerified' | 'createdAt'>

export const tokenResponse = ({ token, lifetimeSeconds, refresh }: IssuedToken): Token => ({
  access_token: token,
  token_type: 'bearer',
  expires_in: lifetimeSeconds,
  ...(refresh && { refresh_token: refresh.token, refresh_expires_in: refresh.lifetimeSeconds }),
})

export const applicationTokens = ({
  accessToken,
  lifetimeSeconds,
  scope,
  idToken,
  refreshToken,
}: ApplicationTokens): TokenResponse => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: lifetimeSeconds,
  scope: scope.join(' '),
  ...(idToken !== undefined && { id_token: idToken }),
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
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
    application: session.application,
    browser: session.isBrowser,
  })),
})

/** The sentence of a row that answers with one. */
export const messageResponse = (name: MessageRow): MessageResponse => ({
  message: routes[name].reply[2],
  success: true,
})

/** The rows that answer with a sentence. */
type MessageRow = {
  [N in RouteName]: (typeof routes)[N]['reply'] extends readonly [200, 'MessageResponse', string] ? N : never
}[RouteName]

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
