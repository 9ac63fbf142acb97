import { effectivePairs, frame, readQuery } from '../../../validate/text/query.ts'
import { hideSecrets, secretNames } from '../session/secrets.ts'

/** Name and value, decoded and well-formed. Names are unique. */
export type Parameter = readonly [name: string, value: string]

export type QueryRequest = {
  /** Scheme, host and path, as a browser writes them: without credentials, the host in ASCII. */
  endpoint: string
  host: string
  /** Whether the text has a readable address. Otherwise the endpoint is the default. */
  address: 'read' | 'unread' | 'none'
  /** POST if there is a secret, or the address would be too long. */
  method: 'GET' | 'POST'
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
  const isLong = `${endpoint}?${writeQuery(parameters)}`.length > longestAddress
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

export const writeQuery = (parameters: readonly Parameter[]): string =>
  parameters.map(([name, value]) => `${encodeFully(name)}=${encodeFully(value)}`).join('&')

/** Percent-encodes a text, including `'`, `!`, `(` and `)`, so that chats, mails and shells take the whole address as one link. */
export const encodeFully = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
