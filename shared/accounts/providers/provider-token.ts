import type { Configured } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import type { System } from '../../base/system.ts'
import type { Signer } from '../tokens/access-token.ts'
import type { PublicKeys } from '../tokens/authentication.ts'
import type { Confirmed } from './exchange.ts'
import type { Provider } from './provider.ts'

/**
 * A token of ours that stands for what a provider has confirmed: so a code, a password or a mailed link follows without a second
 * trip. Its `aud` is its own, and it has no `sub` and no `ver`: nothing takes it for an access token.
 */
export interface ProviderToken {
  /** Which a mark keeps from being used again. */
  id: string
  /** By today's entry: its provider is offered, has this issuer and this client, and vouches for the address. */
  confirmed: Confirmed
  expiresAt: Date
}

/** Milliseconds for which it works, counted from the exchange. */
export const providerTokenLifetime = 10 * 60 * 1000

export type SealDeps = Pick<System, 'now' | 'randomBytes'> & Configured<'issuer' | 'tokenAudience'> & { signer: Signer }

/** Makes a token. @param expiresAt that of the one whose place it takes, if there is one @throws {DomainError} `unavailable` */
export async function sealProviderToken(_deps: SealDeps, _confirmed: Confirmed, _expiresAt?: Date): Promise<string> {
  throw new DomainError('unavailable')
}

/**
 * Reads a token. Whether it was used is for the caller to ask.
 *
 * @throws {DomainError} `provider-not-found` when its provider is not offered any more, `invalid-provider-token`, `unavailable`
 */
export async function openProviderToken(
  _deps: Pick<System, 'now'> &
    Configured<'issuer' | 'tokenAudience'> & { publicKeys: PublicKeys; providers: readonly Provider[] },
  _token: string,
): Promise<ProviderToken> {
  throw new DomainError('invalid-provider-token')
}
