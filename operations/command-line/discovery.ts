import { idTokenAlgorithms } from '../../accounts/identity/id-token.ts'
import type { OpenIdProvider, Provider } from '../../accounts/identity/provider.ts'
import { apple, statementOf } from '../../infra/settings/provider-members.ts'
import { CommandError } from './failures.ts'

/** The used part of a provider's discovery document (OpenID Connect Discovery §3). */
interface Discovery {
  issuer?: unknown
  authorization_endpoint?: unknown
  token_endpoint?: unknown
  jwks_uri?: unknown
  response_types_supported?: unknown
  response_modes_supported?: unknown
  token_endpoint_auth_methods_supported?: unknown
  id_token_signing_alg_values_supported?: unknown
  code_challenge_methods_supported?: unknown
  claims_supported?: unknown
}

/** Milliseconds: an operator is waiting. */
const patience = 10_000

/** Members of an entry that discovery has under the same names. */
const stated = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** Reads a provider's discovery document. @throws {CommandError} */
export async function discover(issuer: string): Promise<Discovery> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = await readJson(address)
  // Another issuer could name this one's addresses (OpenID Connect Discovery §4.3).
  if (document.issuer === issuer) return document
  throw new CommandError(
    `${address} is of the issuer ${JSON.stringify(document.issuer)}, not of ${issuer}. Each character counts, a slash at the end too`,
  )
}

async function readJson(address: string): Promise<Record<string, unknown>> {
  if (!URL.canParse(address)) throw new CommandError(`${address} is no address: an issuer begins with https://`, 2)
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(patience) })
    if (!response.ok) throw new CommandError(`${address} answers ${response.status}`)
    const document: unknown = await response.json()
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>
    throw new CommandError(`${address} is no JSON object`)
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { message, cause } = error as Error
    throw new CommandError(`${address}: ${cause instanceof Error ? cause.message : message}`)
  }
}

/** An entry's members from discovery. */
export const foundIn = (issuer: string, found: Discovery) => ({
  ...Object.fromEntries(stated.map(member => [member, found[member]])),
  ...(issuer === apple ? { form_post: true } : isPost(found) ? {} : { auth: 'basic' as const }),
})

/** The default is `client_secret_basic` (OpenID Connect Discovery §3). */
const isPost = ({ token_endpoint_auth_methods_supported: methods }: Discovery): boolean =>
  Array.isArray(methods) && methods.includes('client_secret_post')

const isListed = (list: unknown, ...values: string[]): boolean =>
  !Array.isArray(list) || values.some(value => list.includes(value))

/** A line for each reason why people cannot log in by a provider, or open accounts. */
export function shortcomings(found: Discovery, email: Provider['email'] = 'claim'): string[] {
  const methods = found.token_endpoint_auth_methods_supported
  const lacks = ['email', ...(email === 'claim' ? ['email_verified'] : [])].filter(
    claim => !isListed(found.claims_supported, claim),
  )
  return [
    ...(isListed(found.response_types_supported, 'code') ? [] : ['It knows no authorization code: nobody can log in']),
    ...(isListed(methods, 'client_secret_post', 'client_secret_basic')
      ? []
      : [`It takes no secret, but ${methods}: no code can be exchanged`]),
    ...(isListed(found.id_token_signing_alg_values_supported, ...idTokenAlgorithms)
      ? []
      : [
          `It signs id tokens by ${found.id_token_signing_alg_values_supported}, none of ${idTokenAlgorithms}: nobody can log in`,
        ]),
    ...lacks.map(
      claim =>
        `It lists no claim ${claim}: without one in the id token it opens no accounts, and logs in those that it is connected to${claim === 'email' ? '' : '. If it is your own directory, --directory vouches for its addresses'}`,
    ),
  ]
}

/** A line for each difference between an entry and its provider's present document. @throws {CommandError} */
export async function differences(provider: OpenIdProvider): Promise<string[]> {
  const found = await discover(provider.issuer)
  const entry = statementOf(provider)
  const changed = stated.filter(member => entry[member] !== found[member])
  const { keys } = await readJson(provider.jwksUri)
  return [
    ...changed.map(
      member => `${member} is ${JSON.stringify(found[member])} there, and ${JSON.stringify(entry[member])} here`,
    ),
    ...(provider.auth === 'basic' && !isListed(found.token_endpoint_auth_methods_supported, 'client_secret_basic')
      ? ['It takes no secret by auth "basic" any more']
      : []),
    ...(provider.auth === 'post' && !isPost(found) ? ['It takes no secret by auth "post" any more'] : []),
    ...(Array.isArray(keys) && keys.length > 0 ? [] : [`${provider.jwksUri} has no keys`]),
    ...shortcomings(found, provider.email),
  ]
}
