import type { Account, Prove } from '../account/account.ts'
import { type RenewalDeps, renewTokens } from '../session/renewal.ts'
import { findActive } from '../session/session.ts'
import { type IssuedToken, issueAccessToken } from '../token/access-token.ts'
import type { Claims } from '../token/claims.ts'
import { nameOfIssuer, type Provider } from './provider.ts'
import type { IdentityWrites } from './writes.ts'

/**
 * Disconnects a provider from an account, and revokes its access tokens; the caller stays logged in. The password, or a
 * mailed link to choose one, remains as a way in. A missing identity counts as success.
 *
 * @param claims of the caller's access token
 * @throws {DomainError} those of `prove`, those of `renewTokens`
 */
export async function disconnectProvider(
  deps: RenewalDeps & { identities: Pick<IdentityWrites, 'disconnect'>; providers: readonly Provider[] },
  prove: Prove,
  clientAddress: string,
  account: Account,
  id: string,
  { sid }: Pick<Claims, 'sid'>,
): Promise<IssuedToken> {
  const { login, spend } = await prove()
  const identity = account.identities.find(({ key }) => key === id)
  if (identity === undefined) {
    const session = sid === undefined ? null : findActive(account, sid, deps.config, deps.now())
    const tokens = await issueAccessToken(deps, account, session ? { ...session, ...login } : login)
    await spend()
    return tokens
  }
  const provider = nameOfIssuer(deps.providers, identity.issuer)
  const renewal = {
    account,
    clientAddress,
    sid,
    amr: login.amr,
    spend,
    event: 'provider-disconnected',
    provider,
  } as const
  return renewTokens(deps, renewal, (present, change, kept) =>
    deps.identities.disconnect(present, id, change, deps.now(), kept),
  )
}
