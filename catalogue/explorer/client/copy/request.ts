import { effectivePairs, frame, readQuery } from '../../../validate/text/query.ts'
import { hideSecrets, secretNames } from '../session/secrets.ts'
import { type Parameter, writeUrl } from './address.ts'

export type QueryRequest = {
  /** Scheme, host and path, as a browser writes them: without credentials, the host in ASCII. */
  endpoint: string
  host: string
  /** Whether the text has a readable address. Otherwise the endpoint is the default. */
  address: 'read' | 'unread' | 'none'
  /** POST if there is a secret, or the address would be too long. */
  method: 'GET' | 'POST'
  /** Names are unique. */
  parameters: readonly Parameter[]
  isJson: boolean
}

/** The API of the English Wikipedia, where anybody can try a query. */
const defaultEndpoint = new URL('https://en.wikipedia.org/w/api.php')

/** Characters. Many servers, Wikimedia's among them, refuse an address of more than 8 KiB. */
const longestAddress = 8000

/** @param withSecrets `false` replaces secrets by `***` */
export function readRequest(text: string, { withSecrets = false } = {}): QueryRequest {
  const shown = withSecrets ? text : hideSecrets(text)
  const effective = effectivePairs(shown)
  const given = [...effective.values()]
    .sort((a, b) => a.start - b.start)
    .map(({ name, value }): Parameter => [name, value])
  const implied = (
    [
      ['action', 'query'],
      ['format', 'json'],
    ] as const
  ).filter(([name]) => !effective.has(name))
  const parameters = [...implied, ...given]
  const address = readEndpoint(hideSecrets(text))
  const url = address ?? defaultEndpoint
  const isAddressGiven = readQuery(text) === null || !/^\s*\??$/.test(frame(text).before)
  const endpoint = url.origin + url.pathname
  const { there, gone } = secretNames(text)
  const isSecret = there.length + gone.length > 0
  const isLong = writeUrl({ endpoint, parameters }).length > longestAddress
  return {
    endpoint,
    host: url.host,
    address: address ? 'read' : isAddressGiven ? 'unread' : 'none',
    method: isSecret || isLong ? 'POST' : 'GET',
    parameters,
    isJson: parameters.some(([name, value]) => name === 'format' && value === 'json'),
  }
}

/** A host with a top-level domain, then a path: `de.wikipedia.org/w/api.php`, but not `api.php`. */
const hostAndPath = /^(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]*(?::\d+)?\//u

function readEndpoint(text: string): URL | null {
  const address = frame(text).before.trim()
  const isBare = hostAndPath.test(address)
  if (!isBare && !/^(?:https?:)?\/\//i.test(address)) return null
  try {
    return new URL(isBare ? `https://${address}` : address, defaultEndpoint)
  } catch {
    return null
  }
}
