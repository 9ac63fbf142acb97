// Reads the body of an event, before it is parsed.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { DomainError } from './errors.ts'

/** The members of an event that a body is read from. */
export type BodyEvent = Partial<Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>> &
  Pick<APIGatewayProxyEventV2, 'headers'>

type BodyRefusal = 'body-too-large' | 'missing-body' | 'unsupported-media-type'

/** A route's maximum bytes and media types. `refusals` replaces the usual texts. */
type BodyTerms = {
  bytes: number
  isTaken(contentType: string): boolean
  refusals?: Readonly<Record<BodyRefusal, string>>
}

/**
 * Returns the body's bytes, if the route accepts it.
 *
 * @throws {DomainError} `body-too-large`, `missing-body`, `unsupported-media-type`, `unsupported-content-encoding`
 */
export function readBytes({ body, isBase64Encoded, headers }: BodyEvent, terms: BodyTerms): Buffer {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > terms.bytes) throw refuse('body-too-large', terms)
  if (bytes.length === 0) throw refuse('missing-body', terms)
  const contentType = headers['content-type']
  if (contentType && !terms.isTaken(contentType)) throw refuse('unsupported-media-type', terms)
  if (isEncoded(headers['content-encoding'])) throw new DomainError('unsupported-content-encoding')
  return bytes
}

const refuse = (code: BodyRefusal, { refusals }: BodyTerms) =>
  new DomainError(code, refusals ? { detail: refusals[code] } : {})

/** @throws {DomainError} `malformed-json` */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // Without a cause: JSON.parse quotes the body in its message, which may hold a password.
    throw new DomainError('malformed-json')
  }
}

export const isJson = (contentType: string): boolean => isType(contentType, /^application\/(?:json|[\w.-]+\+json)$/)

export const isForm = (contentType: string): boolean => isType(contentType, /^application\/x-www-form-urlencoded$/)

/** Accepts UTF-8 alone. `utf8` is not a registered name, but clients send it. */
function isType(contentType: string, pattern: RegExp): boolean {
  const [type = '', ...parameters] = contentType.split(';').map(part => part.trim().toLowerCase())
  return (
    pattern.test(type) &&
    parameters.every(parameter => !parameter.startsWith('charset') || /^charset="?utf-?8"?$/.test(parameter))
  )
}

/** No body is decompressed: 16 KiB of gzip can hold 16 MB. `identity` is not a coding (RFC 9110 §8.4.1). */
const isEncoded = (contentEncoding = ''): boolean =>
  contentEncoding.split(',').some(coding => !['', 'identity'].includes(coding.trim().toLowerCase()))
