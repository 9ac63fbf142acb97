import { DomainError } from '../../shared/base/errors.ts'
import type { Network } from '../../shared/base/network.ts'
import type { ReasonOf, System } from '../../shared/base/system.ts'
import { type ProviderSecrets, proveClient } from './client-secret.ts'
import type { OfferedProvider, Provider } from './provider.ts'

/** A callback's code, and what binds it to its browser and its page. */
export interface Redeemable {
  code: string
  codeVerifier: string
  /** The callback's address, ours or the entry's. */
  redirectUri: string
}

export type ExchangeDeps = Pick<System, 'now' | 'log'> & {
  providerNetwork: Network
  providerSecrets: ProviderSecrets
}

/** The errors that only the operator can mend (RFC 6749 §5.2). */
const operatorErrors: readonly unknown[] = ['invalid_client', 'unauthorized_client']

/** GitHub's words for them; `Not Found` is its answer to an unknown client. */
const operatorErrorsAtGitHub: readonly unknown[] = [
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
  'Not Found',
]

/**
 * Redeems a code at a provider (RFC 6749 §4.1.3).
 *
 * @returns the text of the id token; of GitHub, which has none, the access token
 * @throws {DomainError} `provider-unavailable`, `provider-refused`, `unavailable`
 */
export async function redeem(
  deps: ExchangeDeps,
  provider: OfferedProvider,
  { code, codeVerifier, redirectUri }: Redeemable,
): Promise<string> {
  const proof = await proveClient(deps, provider)
  if (proof === null) throw refuseMisconfigured(deps, provider, 'secret')
  const grant = { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: redirectUri }
  const sent = { ...grant, ...proof.form }
  const answer = await deps.providerNetwork.postForm(provider.tokenEndpoint, sent, proof.headers).catch(() => null)
  if (answer === null) throw unavailable(deps, provider, 'silent')
  const { status } = answer
  const { id_token, access_token, error } = members(answer.json)
  const isGitHub = provider.userUrl !== undefined
  const token = isGitHub ? access_token : id_token
  if (status === 200 && typeof token === 'string') return token
  if (status >= 500) throw unavailable(deps, provider, 'answer')
  if (error === 'invalid_grant') throw refuse(deps, provider, 'code')
  const isOperators = operatorErrors.includes(error) || (isGitHub && operatorErrorsAtGitHub.includes(error))
  if (status === 401 || isOperators) throw refuseMisconfigured(deps, provider, 'client')
  // GitHub refuses with 200, and documents no word for a wrong verifier.
  const isRefused = isGitHub && status === 200 && typeof error === 'string'
  throw isRefused ? refuse(deps, provider, 'code') : unavailable(deps, provider, 'answer')
}

/** @returns none of anything but an object */
export const members = (json: unknown): Record<string, unknown> =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}

type About = Pick<System, 'log'>

export function refuse({ log }: About, { id }: Provider, reason: ReasonOf<'provider-refused'>): DomainError {
  log({ event: 'provider-refused', provider: id, reason })
  return new DomainError('provider-refused')
}

export function unavailable({ log }: About, { id }: Provider, reason: ReasonOf<'provider-unavailable'>): DomainError {
  log({ event: 'provider-unavailable', provider: id, reason })
  return new DomainError('provider-unavailable')
}

/** An event of its own, whose first occurrence raises an alarm: only the operator can fix it. */
function refuseMisconfigured(
  { log }: About,
  { id }: Provider,
  reason: ReasonOf<'provider-misconfigured'>,
): DomainError {
  log({ event: 'provider-misconfigured', provider: id, reason })
  return new DomainError('provider-unavailable')
}
