/**
 * An OpenID Connect provider of the operator's choice by which people log in, as the setting SIGN_IN_PROVIDERS lists it. All
 * addresses are fixed there: nothing that a provider answers names another one.
 */
export interface Provider {
  /** `[a-z][a-z0-9-]{0,19}`: the end of the page's path. */
  id: string
  /** What people read of it. */
  name: string
  /** The `iss` of its id tokens, compared letter for letter. */
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  jwksUri: string
  clientId: string
  /** A ciphertext of this stage's key in base64, with the id as its context. Null: the provider is not offered yet. */
  secret: string | null
  auth: ProviderAuth
  email: ProviderEmail
  /** Claims that must equal at every login. */
  require: Readonly<Record<string, string | number | boolean>>
  /** Whether the provider answers by a form post, as Apple does where it is asked for an address. */
  formPost: boolean
  /** The operator's own pages to which the provider may send people, beside ours. */
  redirects: readonly string[]
}

/**
 * How we show the provider who we are: the secret in the form (`client_secret_post`), in the header (`client_secret_basic`), or a
 * JWT that the secret signs, a private key of Apple's.
 */
type ProviderAuth = 'post' | 'basic' | { team: string; key: string }

/** What proves an address: the claim `email_verified`, or that the operator's own directory names one at these domains. */
type ProviderEmail = 'claim' | { always: readonly string[] }

/** The file beside a bundle that has the providers. */
export const providersFile = 'providers.json'

/** A provider that people can use now. */
export type OfferedProvider = Provider & { secret: string }

/** Those that are offered: one without a secret cannot confirm anything. */
export const offeredIn = (providers: readonly Provider[]): OfferedProvider[] =>
  providers.filter((each): each is OfferedProvider => each.secret !== null)

export const findProvider = (providers: readonly Provider[], id: string): OfferedProvider | null =>
  offeredIn(providers).find(provider => provider.id === id) ?? null

/** What people call the provider of an issuer: where it is not listed any more, by its host. */
export const nameOfIssuer = (providers: readonly Provider[], issuer: string): string =>
  providers.find(provider => provider.issuer === issuer)?.name ?? new URL(issuer).hostname

/** Our page to which a provider sends people: each has its own (RFC 9700 §4.4.2.2). */
export const redirectUriOf = (baseUrl: string, id: string): string => `${baseUrl}/sign-in/${id}`

/** What a provider is asked for. Apple names nobody in its id tokens. */
const scopeOf = ({ formPost }: Pick<Provider, 'formPost'>): string =>
  formPost ? 'openid email' : 'openid email profile'

/** What a page sends people to a provider with, as `GET /auth/providers` lists it. @param baseUrl of our own pages */
export const providerView = (provider: OfferedProvider, baseUrl: string) => ({
  id: provider.id,
  name: provider.name,
  authorization_endpoint: provider.authorizationEndpoint,
  client_id: provider.clientId,
  scope: scopeOf(provider),
  response_mode: provider.formPost ? ('form_post' as const) : ('query' as const),
  redirect_uri: redirectUriOf(baseUrl, provider.id),
})
export type ProviderView = ReturnType<typeof providerView>
