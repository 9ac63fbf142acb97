// The fields of a request that has some: in its query string, or in its body as a form or as JSON.
import { DomainError } from '../../base/errors.ts'
import { isForm, isJson, parseJson, readBytes } from '../../base/raw-body.ts'
import { bodyRefusals, largestBody } from './body-terms.ts'
import type { CatalogueRequest } from './request.ts'

/** In their order, decoded once. Those of a form and of a query string are all text. */
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
 * A body without a media type is taken for JSON, as everywhere in the API.
 *
 * @throws {DomainError} `body-too-large`, `missing-body`, `unsupported-media-type`, `unsupported-content-encoding`,
 * `malformed-json`
 */
export function fieldsOfBody(request: CatalogueRequest): Fields {
  const isFormBody = isForm(request.headers['content-type'] ?? '')
  const bytes = readBytes(request, {
    bytes: largestBody,
    isTaken: contentType => isForm(contentType) || isJson(contentType),
    refusals: bodyRefusals,
  })
  if (isFormBody) return [...new URLSearchParams(bytes.toString())]
  const json = parseJson(bytes)
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return Object.entries(json)
  throw new DomainError('malformed-json', { detail: 'The body must be a JSON object' })
}
