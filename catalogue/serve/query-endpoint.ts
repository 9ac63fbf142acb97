// Paths with a query, in a query string or in the body of a POST, whose answers cannot be prebuilt.
import { DomainError } from '../../shared/base/errors.ts'
import { isForm, isJson, parseJson, readBytes } from '../../shared/base/raw-body.ts'
import type { HttpAnswer } from '../../shared/prebuilt/response.ts'
import { allow, type CatalogueRequest, methods, refuse, refuseMethod } from './http.ts'

export type QueryEndpoint = (request: CatalogueRequest) => HttpAnswer | Promise<HttpAnswer>

/**
 * Answers every method of such a path.
 *
 * @param answer for all but OPTIONS; throws refusals as `DomainError`
 */
export function queryEndpoint(answer: QueryEndpoint, allowed = [...methods, 'POST']): QueryEndpoint {
  return async request => {
    const { method } = request.requestContext.http
    if (method === 'OPTIONS') return allow(allowed)
    if (!allowed.includes(method)) return refuse(method, refuseMethod(method, request.rawPath, allowed))
    try {
      return await answer(request)
    } catch (error) {
      if (error instanceof DomainError) return refuse(method, error)
      throw error
    }
  }
}

/** Bytes of a body. */
export const largestBody = 64 * 1024

/** Texts of refused bodies. */
export const queryBodyRefusals = {
  'body-too-large': `The body is larger than ${largestBody / 1024} KiB`,
  'missing-body': 'The request has no body: send a form or a JSON object',
  'unsupported-media-type': 'The body must be a form (application/x-www-form-urlencoded) or JSON (application/json)',
} as const

/** Those of a path that takes no form. */
export const jsonBodyRefusals = {
  ...queryBodyRefusals,
  'unsupported-media-type': 'The body must be JSON (application/json)',
} as const

/** A request's fields in order, decoded once. Those of forms and query strings are all text. */
export type Fields = [name: string, value: unknown][]

/** Characters of a raw query string: well below the 10,240 bytes of API Gateway's request line and headers together. */
const longestQuery = 8000

/** @throws {DomainError} `query-too-long` */
export function fieldsOfQuery({ rawQueryString }: Pick<CatalogueRequest, 'rawQueryString'>): Fields {
  if (rawQueryString.length > longestQuery) {
    const detail = `The query string is longer than ${longestQuery} characters: send the same fields by POST`
    throw new DomainError('query-too-long', { detail })
  }
  return [...new URLSearchParams(rawQueryString)]
}

/**
 * A body without a media type counts as JSON. (Endpoints that change accounts refuse it, because pages of other origins can send it.)
 *
 * @throws {DomainError} `body-too-large`, `missing-body`, `unsupported-media-type`, `unsupported-content-encoding`,
 * `malformed-json`
 */
export function fieldsOfBody(request: CatalogueRequest): Fields {
  const isFormBody = isForm(request.headers['content-type'] ?? '')
  const bytes = readBytes(request, {
    bytes: largestBody,
    isTaken: contentType => isForm(contentType) || isJson(contentType),
    refusals: queryBodyRefusals,
  })
  if (isFormBody) return [...new URLSearchParams(bytes.toString())]
  const json = parseJson(bytes)
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return Object.entries(json)
  throw new DomainError('malformed-json', { detail: 'The body must be a JSON object' })
}
