import { type Account, noPassword } from '../accounts/account/account.ts'
import { offeredIn, type Provider, providerView } from '../accounts/identity/provider.ts'
import type { Configured } from '../shared/base/config.ts'
import type { ProviderList, SignInMethods } from './replies.ts'

/** What the endpoints of other providers answer on success, in the shapes of `replies.ts`. */

/** Those that are offered, in the order of the setting. */
export const providerList = ({
  config: { browserUrl, issuer },
  providers,
}: Configured<'browserUrl' | 'issuer'> & { providers: readonly Provider[] }): ProviderList => ({
  providers: offeredIn(providers).map(provider => providerView(provider, browserUrl ?? new URL(issuer).origin)),
})

/** A provider that is listed but not offered has its id here too: its identities are there. */
export const signInMethods = (
  { providers }: { providers: readonly Provider[] },
  { passwordHash, identities }: Account,
): SignInMethods => ({
  has_password: passwordHash !== noPassword,
  providers: identities.map(({ key, issuer, email, connectedAt }) => ({
    id: key,
    provider: providers.find(provider => provider.issuer === issuer)?.id ?? null,
    email,
    connected_at: connectedAt.toISOString(),
  })),
})
