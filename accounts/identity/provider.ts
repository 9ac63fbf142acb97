import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import { type Account, noPassword } from '../account/account.ts'
import { isLiving } from '../change/change.ts'
import type { ProviderList, SignInMethods } from './shapes.ts'

/** A provider that the operator lists in SIGN_IN_PROVIDERS. All addresses are fixed there: no answer of a provider can name another. */
interface ListedProvider {
  /** `[a-z][a-z0-9-]{0,19}`: the end of the page's path. */
  id: string
  /** The name that people read. */
  name: string
  /** Half of an identity: the `iss` of its id tokens, compared exactly. */
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  clientId: string
  /** A ciphertext of this stage's key in base64, with the id as its context. Null: the provider is not offered yet. */
  secret: string | null
  auth: ProviderAuth
  email: ProviderEmail
  /** Claims that must equal these values at every login. */
  require: Readonly<Record<string, string | number | boolean>>
  /** Whether the provider answers by form post, as Apple does when asked for an address. */
  formPost: boolean
  /** The operator's own callback pages, in addition to ours. */
  redirects: readonly string[]
}

/** A provider of OpenID Connect: its id tokens say who logs in. */
export interface OpenIdProvider extends ListedProvider {
  jwksUri: string
  userUrl?: undefined
}

/** GitHub, which has no id tokens: its API says who logs in. */
export interface GitHubProvider extends ListedProvider {
  /** The address of the person; that of the email addresses follows from it. */
  userUrl: string
  jwksUri?: undefined
}

export type Provider = OpenIdProvider | GitHubProvider

/**
 * Our authentication to the provider: the secret in the form (`client_secret_post`), in the header
 * (`client_secret_basic`), or a JWT signed by a private key of Apple's.
 */
type ProviderAuth = 'post' | 'basic' | { team: string; key: string }

/** What proves an address: the claim `email_verified`, or any address at these domains of the operator's own directory. */
type ProviderEmail = 'claim' | { always: readonly string[] }

/** The file with the providers, beside a bundle. */
export const providersFile = 'providers.json'

/** A provider that people can use now. */
export type OfferedProvider<P extends Provider = Provider> = P & { secret: string }

/** The offered providers: without a secret a provider cannot confirm anything. */
export const offeredIn = (providers: readonly Provider[]): OfferedProvider[] =>
  providers.filter((each): each is OfferedProvider => each.secret !== null)

export const findProvider = (providers: readonly Provider[], id: string): OfferedProvider | null =>
  offeredIn(providers).find(provider => provider.id === id) ?? null

/** The display name of an issuer's provider: its host if it is no longer listed. */
export const nameOfIssuer = (providers: readonly Provider[], issuer: string): string =>
  providers.find(provider => provider.issuer === issuer)?.name ?? new URL(issuer).hostname

/** Our callback page for a provider: each has its own (RFC 9700 §4.4.2.2). */
export const redirectUriOf = (baseUrl: string, id: string): string => `${baseUrl}/sign-in/${id}`

/** The scopes to request. Apple puts no name into its id tokens; GitHub gives it to everybody. */
function scopeOf({ formPost, userUrl }: Provider): string {
  if (userUrl !== undefined) return 'user:email'
  return formPost ? 'openid email' : 'openid email profile'
}

/** A provider as `GET /auth/providers` lists it, for pages that send people there. @param baseUrl of our own pages */
export const providerView = (provider: OfferedProvider, baseUrl: string) => ({
  id: provider.id,
  name: provider.name,
  authorization_endpoint: provider.authorizationEndpoint,
  client_id: provider.clientId,
  scope: scopeOf(provider),
  response_mode: provider.formPost ? ('form_post' as const) : ('query' as const),
  redirect_uri: redirectUriOf(baseUrl, provider.id),
})

/** The offered providers, in the order of the setting. */
export const providerListView = ({
  config: { browserUrl, issuer },
  providers,
}: Configured<'browserUrl' | 'issuer'> & { providers: readonly Provider[] }): ProviderList => ({
  providers: offeredIn(providers).map(provider => providerView(provider, browserUrl ?? new URL(issuer).origin)),
})

/** A listed provider has its id here even if not offered, because its identities exist. */
export const signInMethodsView = (
  { providers, now }: Pick<System, 'now'> & { providers: readonly Provider[] },
  { passwordHash, passwordChangedAt, identities, changes }: Account,
): SignInMethods => ({
  has_password: passwordHash !== noPassword,
  providers: identities.map(({ key, issuer, email, connectedAt }) => ({
    id: key,
    provider: providers.find(provider => provider.issuer === issuer)?.id ?? null,
    email,
    connected_at: connectedAt.toISOString(),
  })),
  password_changed_at: passwordHash === noPassword ? null : (passwordChangedAt?.toISOString() ?? null),
  changes: changes
    .filter(change => isLiving(change, now()))
    .map(({ kind, at, hasLink }) => ({ kind, at: at.toISOString(), can_be_undone: hasLink }))
    .reverse(),
})
