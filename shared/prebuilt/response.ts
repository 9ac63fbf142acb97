// Writes responses: an answer in the encoding that the client accepts, or 304.
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { answerTo, caching, commonHeaders } from '../base/answer.ts'
import { compressLater, type Encoded, encodeFor } from './encoding.ts'
import type { Answer } from './pack.ts'

export type HttpAnswer = { statusCode: number; headers: Record<string, string>; body: string; isBase64Encoded: boolean }

/** The part of a request that prebuilt answers depend on. */
export type PrebuiltRequest = {
  headers: Record<string, string | undefined>
  requestContext: { http: { method: string } }
}

/**
 * Answers GET and HEAD.
 *
 * @param fields further header fields
 */
export function respond(
  answer: Answer,
  { headers, requestContext }: PrebuiltRequest,
  fields: Record<string, string> = {},
): HttpAnswer {
  const { 'cache-control': cacheControl = caching.fiveMinutes, vary } = fields
  const validators = { etag: answer.etag, 'cache-control': cacheControl, vary: byEncoding(vary) }
  if (matches(headers['if-none-match'], answer.etag)) return notModified(validators)
  return deliver(requestContext.http.method, encodeFor(headers['accept-encoding'], answer), {
    ...(answer.type !== undefined && { 'content-type': answer.type }),
    ...fields,
    ...validators,
  })
}

/**
 * An answer in its chosen form.
 *
 * @param fields further header fields, by default JSON's media type
 */
export function deliver(
  method: string,
  { body, isBase64Encoded, length, encoding }: Encoded,
  fields: Record<string, string>,
): HttpAnswer {
  const headers = {
    ...commonHeaders,
    'content-type': 'application/json',
    ...(encoding && { 'content-encoding': encoding }),
    'content-length': String(length),
    ...fields,
  }
  return answerTo(method, { statusCode: 200, headers, body, isBase64Encoded })
}

/**
 * A page that a request has filled, in the encoding that the client accepts. It holds no secret, so its size tells none. Any
 * other answer stays as it is.
 */
export function compressed(
  answer: APIGatewayProxyStructuredResultV2,
  { headers, requestContext }: PrebuiltRequest,
): APIGatewayProxyStructuredResultV2 {
  const { body: text = '', headers: { vary, ...fields } = {} } = answer
  if (!String(fields['content-type']).startsWith('text/html')) return answerTo(requestContext.http.method, answer)
  const forms = Object.assign(compressLater(text), { text })
  const { body, isBase64Encoded, encoding } = encodeFor(headers['accept-encoding'], forms)
  const sent = { ...fields, ...(encoding && { 'content-encoding': encoding }), vary: byEncoding(vary) }
  return answerTo(requestContext.http.method, { ...answer, headers: sent, body, isBase64Encoded })
}

/** A `Vary` field that names the encoding first. */
const byEncoding = (vary?: string | number | boolean): string =>
  vary === undefined ? 'Accept-Encoding' : `Accept-Encoding, ${vary}`

/** `If-None-Match` is a list of entity tags or `*`; tags compare weakly (RFC 9110, 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.includes(etag.slice('W/'.length))
}

/** Minimal: the fields that RFC 9110, 15.4.5 requires. */
const notModified = (headers: Record<string, string>): HttpAnswer => ({
  statusCode: 304,
  headers,
  body: '',
  isBase64Encoded: false,
})
