import { type Account, noPassword } from '../accounts/account/account.ts'
import { offeredIn, type Provider, providerView } from '../accounts/identity/provider.ts'
import type { ProviderList, SignInMethods } from '../accounts/identity/shapes.ts'
import type { Configured } from '../shared/base/config.ts'

/** Answers of the provider endpoints on success. */

/** The offered providers, in the order of the setting. */
export const providerList = ({
  config: { browserUrl, issuer },
  providers,
}: Configured<'browserUrl' | 'issuer'> & { providers: readonly Provider[] }): ProviderList => ({
  providers: offeredIn(providers).map(provider => providerView(provider, browserUrl ?? new URL(issuer).origin)),
})

/** A listed provider has its id here even if not offered, because its identities exist. */
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
