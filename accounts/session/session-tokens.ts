import type { Account } from '../account/account.ts'
import { type IssuedToken, type IssuerDeps, issueAccessToken, toSeconds } from '../token/access-token.ts'
import { writeRefreshToken } from './refresh-token.ts'
import { endOf, type Session } from './session.ts'

/**
 * Issues both tokens of a session.
 *
 * @param secret the session's
 * @throws {DomainError} `unavailable`
 */
export async function issueTokens(
  deps: IssuerDeps,
  account: Account,
  session: Session,
  secret: string,
): Promise<IssuedToken> {
  const lifetimeSeconds = toSeconds(endOf(session, deps.config)) - toSeconds(deps.now())
  const refresh = { token: writeRefreshToken(account.id, session, secret), lifetimeSeconds }
  return { ...(await issueAccessToken(deps, account, session)), refresh }
}
