import type { JSONWebKeySet } from 'jose'
import type { Network } from '../../shared/base/network.ts'
import type { System } from '../../shared/base/system.ts'
import { keyFinder } from '../token/authentication.ts'
import type { Provider } from './provider.ts'

type KeysDeps = Pick<System, 'now'> & { providerNetwork: Network }

/** Milliseconds for which keys are used before they are fetched anew, and for which those of a silent provider are. */
export const usualAge = 60 * 60 * 1000
export const lastAge = 24 * 60 * 60 * 1000

/** Milliseconds between two fetches: whatever ids tokens name, a provider is asked once a minute. */
export const fetchPause = 60 * 1000

interface Kept {
  keys: JSONWebKeySet
  fetchedAt: number
  triedAt: number
}

/** The keys of each address, as long as the execution environment lives. */
const kept = new WeakMap<Network, Map<string, Kept>>()

/** The public keys of a provider, which sign its id tokens. @returns null when it does not tell them */
export async function keysOf(deps: KeysDeps, { jwksUri }: Pick<Provider, 'jwksUri'>): Promise<JSONWebKeySet | null> {
  const known = knownTo(deps).get(jwksUri)
  const now = deps.now().getTime()
  if (!known || now - known.fetchedAt >= lastAge) return fetchKeys(deps, jwksUri)
  const isDue = now - known.fetchedAt >= usualAge && now - known.triedAt >= fetchPause
  return (isDue ? await fetchKeys(deps, jwksUri) : null) ?? known.keys
}

/** Keys that a provider may have made since. @returns null when it was asked a moment ago, or does not tell them */
export async function newKeysOf(deps: KeysDeps, { jwksUri }: Pick<Provider, 'jwksUri'>): Promise<JSONWebKeySet | null> {
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
    // It throws on anything but a set of keys.
    keyFinder(keys)
    known.set(jwksUri, { keys, fetchedAt: now, triedAt: now })
    return keys
  } catch {
    return null
  }
}
