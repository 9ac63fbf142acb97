import type { JSONWebKeySet } from 'jose'
import type { Network } from '../../shared/base/network.ts'
import type { System } from '../../shared/base/system.ts'
import { keyFinder } from '../token/authentication.ts'
import type { OpenIdProvider } from './provider.ts'

type KeysDeps = Pick<System, 'now'> & { providerNetwork: Network }

/** Milliseconds until keys are fetched again, and until those of a silent provider expire. */
export const usualAge = 60 * 60 * 1000
export const lastAge = 24 * 60 * 60 * 1000

/** Milliseconds between two fetches: whatever key ids tokens name, a provider is asked once a minute. */
export const fetchPause = 60 * 1000

interface Kept {
  keys: JSONWebKeySet
  fetchedAt: number
  triedAt: number
}

/** Keys by address, for the lifetime of the execution environment. */
const kept = new WeakMap<Network, Map<string, Kept>>()

/** The public keys that verify a provider's id tokens. @returns null when they cannot be fetched */
export async function keysOf(
  deps: KeysDeps,
  { jwksUri }: Pick<OpenIdProvider, 'jwksUri'>,
): Promise<JSONWebKeySet | null> {
  const known = knownTo(deps).get(jwksUri)
  const now = deps.now().getTime()
  if (!known || now - known.fetchedAt >= lastAge) return fetchKeys(deps, jwksUri)
  const isDue = now - known.fetchedAt >= usualAge && now - known.triedAt >= fetchPause
  return (isDue ? await fetchKeys(deps, jwksUri) : null) ?? known.keys
}

/** Refetched keys of a provider. @returns null when they were fetched a moment ago, or cannot be */
export async function newKeysOf(
  deps: KeysDeps,
  { jwksUri }: Pick<OpenIdProvider, 'jwksUri'>,
): Promise<JSONWebKeySet | null> {
  const known = knownTo(deps).get(jwksUri)
  return known && deps.now().getTime() - known.triedAt < fetchPause ? null : fetchKeys(deps, jwksUri)
}

function knownTo({ providerNetwork }: KeysDeps): Map<string, Kept> {
  const known = kept.get(providerNetwork) ?? new Map()
  kept.set(providerNetwork, known)
  return known
}

async function fetchKeys(deps: KeysDeps, jwksUri: string): Promise<JSONWebKeySet | null> {
  const known = knownTo(deps)
  const now = deps.now().getTime()
  const former = known.get(jwksUri)
  if (former) former.triedAt = now
  try {
    const { status, json } = await deps.providerNetwork.getJson(jwksUri)
    if (status !== 200) return null
    const keys = json as JSONWebKeySet
    // Throws on anything but a set of keys.
    keyFinder(keys)
    known.set(jwksUri, { keys, fetchedAt: now, triedAt: now })
    return keys
  } catch {
    return null
  }
}
