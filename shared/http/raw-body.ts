// The body of an event, before anything is made of it.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { DomainError } from '../errors.ts'

/** What of an event its body is read from. */
export type BodyEvent = Partial<Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>> &
  Pick<APIGatewayProxyEventV2, 'headers'>

type BodyRefusal = 'body-too-large' | 'missing-body' | 'unsupported-media-type'

/** What a route takes: how many bytes, and of which media types. `refusals` are words of its own for what it does not. */
export type BodyTerms = {
  bytes: number
  isTaken(contentType: string): boolean
  refusals?: Readonly<Record<BodyRefusal, string>>
}

/**
 * The body's bytes, if it is one that the route takes.
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
    // Without a cause: JSON.parse quotes the body in its message, and there may be a password in it.
    throw new DomainError('malformed-json')
  }
}

export const isJson = (contentType: string): boolean => isType(contentType, /^application\/(?:json|[\w.-]+\+json)$/)

export const isForm = (contentType: string): boolean => isType(contentType, /^application\/x-www-form-urlencoded$/)

/** In UTF-8. `utf8` is not registered, but means nothing else, and clients send it. */
function isType(contentType: string, pattern: RegExp): boolean {
  const [type = '', ...parameters] = contentType.split(';').map(part => part.trim().toLowerCase())
  return (
    pattern.test(type) &&
    parameters.every(parameter => !parameter.startsWith('charset') || /^charset="?utf-?8"?$/.test(parameter))
  )
}

/** Nothing is decoded: 16 KiB of gzip can be 16 MB of body. `identity` is no coding (RFC 9110 §8.4.1). */
const isEncoded = (contentEncoding = ''): boolean =>
  contentEncoding.split(',').some(coding => !['', 'identity'].includes(coding.trim().toLowerCase()))
