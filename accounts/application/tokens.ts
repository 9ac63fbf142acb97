import { createHash } from 'node:crypto'
import type { Configured } from '../../shared/base/config.ts'
import type { Account } from '../account/account.ts'
import { writeRefreshToken } from '../session/refresh-token.ts'
import type { Session } from '../session/session.ts'
import { type IssuerDeps, sign, timesOf } from '../token/access-token.ts'
import { claimsOf, type Login, userinfoAudience } from '../token/claims.ts'
import type { Client } from './client.ts'
import { type PersonClaims, personClaims } from './person-claims.ts'
import type { OAuthTokens } from './shapes.ts'

/** An application's tokens for a code or a refresh token. */
export interface ApplicationTokens {
  accessToken: string
  lifetimeSeconds: number
  scope: readonly string[]
  /** With the scope `openid`. */
  idToken?: string
  /** With a session. */
  refreshToken?: string
}

export const applicationTokensView = ({
  accessToken,
  lifetimeSeconds,
  scope,
  idToken,
  refreshToken,
}: ApplicationTokens): OAuthTokens => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: lifetimeSeconds,
  scope: scope.join(' '),
  ...(idToken !== undefined && { id_token: idToken }),
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
})

/** A grant: scopes, the login behind it, and the session with its secret, if there is one. */
interface Granted {
  scope: readonly string[]
  login: Login
  session: { session: Session; secret: string } | null
  /** Of the authorization request; null without one, and at a refresh (OpenID Connect Core §12.2). */
  nonce: string | null
}

/** The claims of an id token (OpenID Connect Core §2). */
interface IdClaims extends PersonClaims {
  iss: string
  /** The client's id. */
  aud: string
  iat: number
  exp: number
  auth_time: number
  amr: readonly string[]
  nonce?: string
  at_hash: string
  sid?: string
}

export type ApplicationIssuerDeps = IssuerDeps & Configured<'languages'>

/**
 * Issues the tokens of an application. The key of all access tokens signs both, and they expire together.
 *
 * @throws {DomainError} `unavailable`
 */
export async function issueApplicationTokens(
  deps: ApplicationIssuerDeps,
  client: Pick<Client, 'id' | 'api'>,
  account: Account,
  { scope, login, session, nonce }: Granted,
): Promise<ApplicationTokens> {
  const { issuer } = deps.config
  const { iat, exp } = timesOf(deps, session?.session ?? null)
  // The operator of one application must not use its users' tokens at the operator's other services (RFC 9700 §2.3).
  const audience = client.api ? deps.config.tokenAudience : userinfoAudience(deps.config)
  const claims = claimsOf(account, login, deps.config, iat, exp, audience)
  const accessToken = await sign(deps, { ...claims, client_id: client.id, scope: scope.join(' ') })
  const { auth_time, amr, sid } = claims
  const said = { ...personClaims(deps, account, scope), iss: issuer, aud: client.id, iat, exp, auth_time, amr }
  const idClaims: IdClaims = {
    ...said,
    ...(nonce !== null && { nonce }),
    at_hash: halfHash(accessToken),
    ...(sid !== undefined && { sid }),
  }
  return {
    accessToken,
    lifetimeSeconds: exp - iat,
    scope,
    ...(scope.includes('openid') && { idToken: await sign(deps, idClaims) }),
    ...(session && { refreshToken: writeRefreshToken(account.id, session.session, session.secret) }),
  }
}

/** OpenID Connect Core §3.1.3.6: half of the SHA-256, since the id token is signed by RS256. */
const halfHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
