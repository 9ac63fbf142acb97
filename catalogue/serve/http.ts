// The catalogue's requests and methods, and its refusals, which name alternatives.
import { answerTo, commonHeaders, problem } from '../../shared/base/answer.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { quote } from '../../shared/base/query.ts'
import type { HttpAnswer, PrebuiltRequest } from '../../shared/prebuilt/response.ts'
import type { NotFound } from './address.ts'

/** The used members of a request; API Gateway has decoded the path, not the query string. */
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
  const { statusCode, headers, body } = problem(error)
  const length = String(Buffer.byteLength(body))
  return answerTo(method, {
    statusCode,
    headers: { ...headers, 'content-length': length },
    body,
    isBase64Encoded: false,
  })
}

/** The refusal of an unknown path; `suggestions` are the nearest names. */
export function refusePath({ missing, name, nearest, module }: NotFound): DomainError {
  const hint =
    nearest.length > 0 ? `The nearest names are ${nearest.join(', ')}.` : 'GET /catalogue lists what there is.'
  const suggestions = nearest.length > 0 ? { suggestions: nearest } : {}
  // A browser gets a page.
  const headers = { vary: 'Accept' }
  if (missing === 'path') {
    const detail = `Nothing in the catalogue is at ${quote(name)}. ${hint}`
    return new DomainError('not-found', { detail, headers, members: suggestions })
  }
  const detail = `There is no ${missing} ${quote(name)}${module ? ` in ${module}` : ''}. ${hint}`
  return new DomainError(`${missing}-not-found`, { detail, headers, members: suggestions })
}

/** The refusal of a method at a known path (RFC 9110, 15.5.6). */
export function refuseMethod(method: string, path: string, methods: readonly string[]): DomainError {
  const allow = methods.join(', ')
  const detail = `${path} answers ${allow}, not ${method}`
  return new DomainError('method-not-allowed', { detail, headers: { allow } })
}
