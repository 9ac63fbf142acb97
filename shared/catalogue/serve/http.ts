// The catalogue's requests, and what it answers besides what it has: its methods, and refusals.
import { answerTo, commonHeaders, problem } from '../../base/answer.ts'
import type { DomainError } from '../../base/errors.ts'
import type { HttpAnswer, PrebuiltRequest } from '../../prebuilt/response.ts'

/** What the catalogue reads of a request; API Gateway has decoded the path, not the query string. */
export type CatalogueRequest = PrebuiltRequest & {
  rawPath: string
  rawQueryString: string
  body?: string
  isBase64Encoded?: boolean
}

export const methods = ['GET', 'HEAD', 'OPTIONS']

export function allow(methods: readonly string[]): HttpAnswer {
  const headers = { ...commonHeaders, allow: methods.join(', ') }
  return { statusCode: 204, headers, body: '', isBase64Encoded: false }
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
