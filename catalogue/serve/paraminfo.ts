// GET and POST /catalogue/w/api.php: what clients of MediaWiki ask about modules. Errors are MediaWiki's, and so a 200.
import { caching } from '../../shared/base/answer.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { compressNow, encodeFor } from '../../shared/prebuilt/encoding.ts'
import { deliver } from '../../shared/prebuilt/response.ts'
import { type FacadeAnswer, openFacade, writeRefusal } from '../paraminfo/facade.ts'
import type { CatalogueRequest } from './http.ts'
import type { Pack } from './pack.ts'
import { fieldsOfBody, fieldsOfQuery, type QueryEndpoint, queryEndpoint } from './query-endpoint.ts'

export function paraminfo(pack: Pack): QueryEndpoint {
  const answer = openFacade(pack.paraminfo())

  return queryEndpoint(request => {
    const { text, error } = answerFields(answer, request)
    const { method } = request.requestContext.http
    const isKept = method !== 'POST' && error === undefined
    const accepted = request.headers['accept-encoding']
    const encoded = encodeFor(accepted, { text, ...(accepted && compressNow(text)) })
    return deliver(method, encoded, {
      'cache-control': isKept ? caching.fiveMinutes : caching.never,
      vary: 'Accept-Encoding',
      ...(error !== undefined && { 'mediawiki-api-error': error }),
    })
  })
}

/** By name, the last value of each; the body's precede the query string's. */
function answerFields(answer: ReturnType<typeof openFacade>, request: CatalogueRequest): FacadeAnswer {
  try {
    const fields = [...fieldsOfQuery(request), ...(request.body ? fieldsOfBody(request) : [])]
    return answer(new Map(fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))))
  } catch (error) {
    if (error instanceof DomainError) return writeRefusal({ code: error.code, info: error.message })
    throw error
  }
}
