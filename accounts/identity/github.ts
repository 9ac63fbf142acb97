import type { IdClaims } from './id-token.ts'
import type { GitHubProvider, OfferedProvider } from './provider.ts'
import { type ExchangeDeps, members, type Redeemable, redeem, unavailable } from './redemption.ts'

/** The entry of GitHub in SIGN_IN_PROVIDERS: its addresses and rules are fixed. */
export interface GitHubEntry extends Pick<GitHubProvider, 'id' | 'name' | 'clientId' | 'secret' | 'redirects'> {
  /** The origin of a stand-in, which has all its paths; `npm start` alone takes one. */
  github: true | string
}

/** Its identities are of this issuer. */
export const gitHubIssuer = 'https://github.com'

/** The `iss` of its callbacks (RFC 9207), which it sends since 2026. */
export const gitHubCallbackIssuer = 'https://github.com/login/oauth'

const apiOrigin = 'https://api.github.com'

export function toGitHubProvider({ github, ...entry }: GitHubEntry): GitHubProvider {
  const [web, api] = github === true ? [gitHubIssuer, apiOrigin] : [github, github]
  return {
    ...entry,
    issuer: gitHubIssuer,
    authorizationEndpoint: `${web}/login/oauth/authorize`,
    tokenEndpoint: `${web}/login/oauth/access_token`,
    userUrl: `${api}/user`,
    auth: 'post',
    email: 'claim',
    require: {},
    formPost: false,
  }
}

export function toGitHubEntry({ id, name, clientId, secret, redirects, userUrl }: GitHubProvider): GitHubEntry {
  const { origin } = new URL(userUrl)
  return { id, name, github: origin === apiOrigin || origin, clientId, secret, redirects }
}

/**
 * What GitHub says of the person, as the claims of an id token. It was run against a stand-in alone, which follows GitHub's
 * documentation ("Authorizing OAuth apps", and "Users" and "Emails" of its REST API) of November 2026.
 *
 * @throws {DomainError} `provider-unavailable`, `provider-refused`, `unavailable`
 */
export async function byGitHub(
  deps: ExchangeDeps,
  provider: OfferedProvider<GitHubProvider>,
  callback: Redeemable,
): Promise<IdClaims> {
  const token = await redeem(deps, provider, callback)
  const ask = (url: string) => deps.providerNetwork.getJson(url, { authorization: `Bearer ${token}` }).catch(() => null)
  const [user, emails] = await Promise.all([ask(provider.userUrl), ask(`${provider.userUrl}/emails`)])
  if (user === null || emails === null) throw unavailable(deps, provider, 'silent')
  const { id, name } = members(user.json)
  const addresses: unknown = emails.json
  if (user.status !== 200 || emails.status !== 200 || !isUserId(id) || !Array.isArray(addresses))
    throw unavailable(deps, provider, 'answer')
  const proven = addresses.map(members).find(({ primary, verified }) => primary === true && verified === true)
  // Never `login`: names are given away.
  return { sub: String(id), name, email: proven?.email, email_verified: true }
}

/** A number that JSON keeps exact. */
const isUserId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) > 0
