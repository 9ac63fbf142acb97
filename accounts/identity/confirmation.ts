import type { Configured } from '../../shared/base/config.ts'
import { DomainError, type ErrorCode, invalidMember } from '../../shared/base/errors.ts'
import { keyIn } from '../../shared/base/families.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import { logError } from '../../shared/base/log.ts'
import type { System } from '../../shared/base/system.ts'
import type { PublicKeys } from '../token/authentication.ts'
import { drawToken } from '../token/token.ts'
import { type Confirmed, exchange } from './exchange.ts'
import { findProvider, type OfferedProvider, type Provider, redirectUriOf } from './provider.ts'
import { openProviderToken, type SealDeps, sealProviderToken } from './provider-token.ts'
import type { ExchangeDeps } from './redemption.ts'
import type { ProviderProof } from './shapes.ts'

export type ConfirmationDeps = Pick<System, 'randomBytes'> &
  ExchangeDeps &
  SealDeps &
  Configured<'browserUrl'> & {
    providers: readonly Provider[]
    publicKeys: PublicKeys
    counters: Pick<Counters<'ProviderTokens'>, 'takeOnce' | 'members'>
  }

/** A provider's confirmation of a person, and the token that carries it past a refusal. */
export interface Confirmation {
  provider: OfferedProvider
  confirmed: Confirmed
  /**
   * Spends the token that was sent, if any, before the first write: a token opens, connects or logs in once.
   *
   * @throws {DomainError} `invalid-provider-token` when another request has used it, `unavailable`
   */
  spend(): Promise<void>
  /** The error with a token to go on with, if it is a refusal that can be followed up. */
  carriedBy(error: unknown): Promise<unknown>
}

/** Refusals that need another account at the provider, or another login. */
const last: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'sign-up-closed',
  'email-domain-not-allowed',
  'invalid-provider-token',
])

/**
 * Has a provider confirm a person, or reads a token of an earlier confirmation. Either is judged by the present entry.
 *
 * @throws {DomainError} `invalid-body`, `provider-not-found`, `provider-unavailable`, `provider-refused`,
 *   `invalid-provider-token`, `provider-not-allowed`, `unavailable`
 */
export async function confirm(deps: ConfirmationDeps, proof: ProviderProof): Promise<Confirmation> {
  const sent = proof.provider_token
  if (sent === undefined) {
    const provider = requireProvider(deps, proof.provider)
    const confirmed = await exchange(deps, provider, callbackOf(deps, provider, proof))
    requireAllowed(provider, confirmed)
    return { provider, confirmed, spend: async () => {}, carriedBy: carrierOf(deps, confirmed, () => null) }
  }
  const { id, confirmed, expiresAt } = await openProviderToken(deps, sent)
  const key = keyIn('ProviderTokens', id)
  if ((await deps.counters.members(key)).length > 0) throw new DomainError('invalid-provider-token')
  const provider = requireProvider(deps, confirmed.provider)
  requireAllowed(provider, confirmed)
  const mark = drawToken(deps)
  let isSpent = false
  return {
    provider,
    confirmed,
    async spend() {
      const isOurs = await deps.counters.takeOnce(key, mark, { limit: 1, resetsAt: expiresAt })
      if (!isOurs) throw new DomainError('invalid-provider-token')
      isSpent = true
    },
    // The sent token may be spent already, on opening an account that cannot be logged in to yet: another token then takes its expiry.
    carriedBy: carrierOf(deps, confirmed, () => (isSpent ? null : sent), expiresAt),
  }
}

/** @throws {DomainError} `provider-not-found` */
function requireProvider({ providers }: Pick<ConfirmationDeps, 'providers'>, id: string): OfferedProvider {
  const provider = findProvider(providers, id)
  if (provider === null) throw new DomainError('provider-not-found')
  return provider
}

/** @param present the token that still works, or null @param expiresAt the expiry of a new token */
const carrierOf =
  (deps: ConfirmationDeps, confirmed: Confirmed, present: () => string | null, expiresAt?: Date) =>
  async (error: unknown): Promise<unknown> => {
    if (!(error instanceof DomainError) || last.has(error.code)) return error
    try {
      const provider_token = present() ?? (await sealProviderToken(deps, confirmed, expiresAt))
      return new DomainError(error.code, { ...error.options, members: { ...error.options.members, provider_token } })
    } catch (cause) {
      // The refusal stands, and people start again.
      logError(deps, cause)
      return error
    }
  }

/** @throws {DomainError} `invalid-body` when the callback's address is not the entry's */
function callbackOf(
  { config: { browserUrl, issuer } }: Configured<'browserUrl' | 'issuer'>,
  { id, redirects }: Provider,
  { authorization_code, code_verifier, redirect_uri, iss }: Extract<ProviderProof, { provider: string }>,
) {
  const ours = redirectUriOf(browserUrl ?? new URL(issuer).origin, id)
  const redirectUri = redirect_uri ?? ours
  if (redirectUri !== ours && !redirects.includes(redirectUri)) {
    throw invalidMember('redirect_uri', "must be one of the provider's, letter for letter")
  }
  return { code: authorization_code, codeVerifier: code_verifier, redirectUri, iss }
}

/** Claims are compared as they are: a text is no number. @throws {DomainError} `provider-not-allowed` */
function requireAllowed({ require }: Provider, { claims }: Confirmed): void {
  const isAllowed = Object.entries(require).every(
    ([name, value]) => Object.hasOwn(claims, name) && claims[name] === value,
  )
  if (!isAllowed) throw new DomainError('provider-not-allowed')
}
