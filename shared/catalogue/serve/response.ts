// What the catalogue answers besides what it has: its methods, and refusals.
import type { DomainError } from '../../errors.ts'
import { answerTo } from '../../http/head.ts'
import { commonHeaders, problem } from '../../http/problem.ts'
import type { Encoded } from '../../prebuilt/encoding.ts'
import type { HttpAnswer } from '../../prebuilt/response.ts'

/** What every path answers. */
export const methods = ['GET', 'HEAD', 'OPTIONS']

export function allow(methods: readonly string[]): HttpAnswer {
  const headers = { ...commonHeaders, allow: methods.join(', ') }
  return { statusCode: 204, headers, body: '', isBase64Encoded: false }
}

/** JSON that was made for one request, in the form that was chosen for it. */
export function deliver(
  method: string,
  { body, isBase64Encoded, length, encoding }: Encoded,
  caching: string,
  others: Record<string, string> = {},
): HttpAnswer {
  const headers = {
    ...commonHeaders,
    'content-type': 'application/json',
    ...(encoding && { 'content-encoding': encoding }),
    'content-length': String(length),
    'cache-control': caching,
    ...others,
  }
  return answerTo(method, { statusCode: 200, headers, body, isBase64Encoded })
}

export function refuse(method: string, error: DomainError): HttpAnswer {
  const { statusCode = 500, headers, body = '' } = problem(error)
  const length = String(Buffer.byteLength(body))
  return answerTo(method, {
    statusCode,
    headers: { ...headers, 'content-length': length },
    body,
    isBase64Encoded: false,
  })
}
