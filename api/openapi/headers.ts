import { type ErrorCode, refusalAmong } from '../../shared/base/errors.ts'
import { type Reference, reference, type Schema } from './schemas.ts'

/** A header of a response, with its name in the usual spelling. */
export interface Header {
  description: string
  /** Absent where the gateway's answer of the same status may lack the header. */
  required?: true
  schema: Schema
}

export type Headers = Record<string, Header | Reference>

/** Headers of many responses, as components of the document. */
export const sharedHeaders: Record<string, Header> = {
  RateLimit: {
    description: 'How the limits stand: requests that are left, and seconds until the window ends.',
    schema: { type: 'string', examples: ['"login";r=59;t=42'] },
  },
  'RateLimit-Policy': {
    description: 'The limits: requests, and seconds of a window.',
    schema: { type: 'string', examples: ['"login";q=60;w=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait. On each answer of ours; what API Gateway answers by itself lacks it.',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: {
    description: 'For `If-None-Match`.',
    required: true,
    schema: { type: 'string', examples: ['W/"p9Qc2nXb0aZr4tLk"'] },
  },
}

const shareHeaders = (...names: string[]): Headers =>
  Object.fromEntries(names.map(name => [name, reference('headers', name)]))

/** A pattern for one of these values: for an enumeration ogen generates types of their own, and then mixes them up. */
const text = (...values: string[]): Schema => ({
  type: 'string',
  ...(values.length > 0 && { pattern: `^(?:${values.join('|')})$`, examples: values }),
})

/** The fields of a limited route (draft-ietf-httpapi-ratelimit-headers-10), unless limits are off. */
export const limitHeaders = shareHeaders('RateLimit', 'RateLimit-Policy')

export const etag = shareHeaders('ETag')

export const retryAfter = shareHeaders('Retry-After')

export const cacheControl = (...values: string[]): Header => ({
  description: 'How long the answer may be kept.',
  required: true,
  schema: text(...values),
})

/** By the headers' names in `errors.ts`. */
const described: Record<string, { name: string; description: string }> = {
  'www-authenticate': { name: 'WWW-Authenticate', description: 'How to authenticate (RFC 6750 §3).' },
  'accept-encoding': { name: 'Accept-Encoding', description: 'Where it is the coding of the body that is not taken.' },
}

/** The challenge, where every answer of a status has it. */
export const challenge = (value: string): Headers => ({
  'WWW-Authenticate': { description: 'How to authenticate (RFC 7617 §2).', required: true, schema: text(value) },
})

/** Further headers of refusals, by status. */
export function refusalHeaders(codes: readonly ErrorCode[]): Headers {
  const carried = codes.map(code => refusalAmong(codes, code)[2] ?? {})
  const headers: Headers = {}
  for (const [field, { name, description }] of Object.entries(described)) {
    const values = carried.flatMap(fields => fields[field] ?? [])
    if (values.length === 0) continue
    const isAlways = values.length === codes.length
    headers[name] = { description, ...(isAlways && { required: true }), schema: text(...new Set(values)) }
  }
  const waits = codes.some(code => code === 'too-many-requests' || code === 'unavailable')
  return waits ? { ...headers, ...retryAfter } : headers
}
