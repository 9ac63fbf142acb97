import { DomainError } from '../../base/errors.ts'
import type { Network } from '../../base/network.ts'
import type { System } from '../../base/system.ts'
import type { OfferedProvider } from './provider.ts'

/** What a provider has confirmed of the person who logs in. */
export interface Confirmed {
  /** The provider's id. */
  provider: string
  issuer: string
  /** 1 to 255 characters. */
  subject: string
  /** In canonical form, proven or not; null when there is none, or it is not valid here. */
  email: string | null
  isEmailProven: boolean
  /** Null when there is none, or it is not valid as a name. */
  name: string | null
  /** When they logged in there, if it says so and that is past. */
  authTime: Date | null
  /** Those that `require` names, as the provider stated them. */
  claims: Readonly<Record<string, unknown>>
}

/** What a callback brought, and the verifier that the browser kept. */
export interface Callback {
  code: string
  codeVerifier: string
  /** Where it led, one of ours or of the entry's. */
  redirectUri: string
  /** RFC 9207; undefined when the callback had none. */
  iss: string | undefined
}

/** Decrypts what was encrypted for a provider: for another one it cannot be decrypted. */
export interface ProviderSecrets {
  decrypt(providerId: string, ciphertext: Uint8Array): Promise<Uint8Array>
}

export type ExchangeDeps = Pick<System, 'now' | 'log'> & {
  providerNetwork: Network
  providerSecrets: ProviderSecrets
}

/**
 * Exchanges the code of a callback, and checks the id token that comes for it.
 *
 * @throws {DomainError} `provider-unavailable`, `provider-refused`
 */
export async function exchange(
  _deps: ExchangeDeps,
  _provider: OfferedProvider,
  _callback: Callback,
): Promise<Confirmed> {
  throw new DomainError('provider-unavailable')
}
