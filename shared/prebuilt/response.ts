// What goes out: an answer in the form that the client takes, or word that it has it already.
import { caching } from '../caching.ts'
import { answerTo } from '../http/head.ts'
import { commonHeaders } from '../http/problem.ts'
import { encodeFor } from './encoding.ts'
import type { Answer } from './pack.ts'

export type HttpAnswer = {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
}

/** What is read of a request for a prebuilt answer. */
export type Asked = {
  headers: Record<string, string | undefined>
  requestContext: { http: { method: string } }
}

/** Answers GET and HEAD. */
export function respond(answer: Answer, { headers, requestContext }: Asked): HttpAnswer {
  if (matches(headers['if-none-match'], answer.etag)) return notModified(answer.etag)
  return answerTo(requestContext.http.method, deliver(answer, headers['accept-encoding']))
}

function deliver(answer: Answer, accepted: string | undefined): HttpAnswer {
  const { body, isBase64Encoded, length, encoding } = encodeFor(accepted, answer)
  return {
    statusCode: 200,
    headers: {
      ...commonHeaders,
      'content-type': answer.type ?? 'application/json',
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': String(length),
      etag: answer.etag,
      'cache-control': caching.fiveMinutes,
      vary: 'Accept-Encoding',
    },
    body,
    isBase64Encoded,
  }
}

/** `If-None-Match` is a list of entity tags or `*`; tags compare weakly (RFC 9110, 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.includes(etag.slice('W/'.length))
}

/** As small as may be: the fields that RFC 9110, 15.4.5 asks for. */
function notModified(etag: string): HttpAnswer {
  return {
    statusCode: 304,
    headers: { etag, 'cache-control': caching.fiveMinutes, vary: 'Accept-Encoding' },
    body: '',
    isBase64Encoded: false,
  }
}
