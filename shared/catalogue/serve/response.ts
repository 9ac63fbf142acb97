// What goes out: an answer in the form that the client takes, word that it has it already, or a refusal.
import type { DomainError } from '../../errors.ts'
import { commonHeaders, problem } from '../../http/problem.ts'
import { encodeFor } from './encoding.ts'
import type { Answer } from './pack.ts'

export type CatalogueResponse = {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
}

export const methods = ['GET', 'HEAD', 'OPTIONS']
export const allowed = methods.join(', ')

/** Five minutes: a release is seen everywhere soon, with nothing to invalidate. */
const cacheControl = 'public, max-age=300'

export function deliver(answer: Answer, accepted: string | undefined): CatalogueResponse {
  const { body, isBase64Encoded, length, encoding } = encodeFor(accepted, answer)
  return {
    statusCode: 200,
    headers: {
      ...commonHeaders,
      'content-type': 'application/json',
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': String(length),
      etag: answer.etag,
      'cache-control': cacheControl,
      vary: 'Accept-Encoding',
    },
    body,
    isBase64Encoded,
  }
}

/** `If-None-Match` is a list of entity tags or `*`; tags compare weakly (RFC 9110, 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.includes(etag.slice('W/'.length))
}

/** As small as may be: the fields that RFC 9110, 15.4.5 asks for. */
export function notModified(etag: string): CatalogueResponse {
  return {
    statusCode: 304,
    headers: { etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' },
    body: '',
    isBase64Encoded: false,
  }
}

export function allow(): CatalogueResponse {
  return { statusCode: 204, headers: { ...commonHeaders, allow: allowed }, body: '', isBase64Encoded: false }
}

export function refuse(error: DomainError): CatalogueResponse {
  const { statusCode = 500, headers, body = '' } = problem(error)
  return {
    statusCode,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    body,
    isBase64Encoded: false,
  }
}
