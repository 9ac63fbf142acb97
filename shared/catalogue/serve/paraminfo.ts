// GET and POST /catalogue/w/api.php: what clients of MediaWiki ask about modules. Errors are MediaWiki's, and so a 200.
import { caching } from '../../caching.ts'
import { DomainError } from '../../errors.ts'
import { compressNow } from '../../prebuilt/compress.ts'
import { respond } from '../../prebuilt/response.ts'
import { openFacade, writeRefusal } from '../paraminfo/facade.ts'
import { fieldsOfBody, fieldsOfQuery } from './fields.ts'
import type { Pack } from './pack.ts'
import type { CatalogueRequest } from './request.ts'
import { deliver } from './response.ts'
import { type Service, serve } from './service.ts'

export function paraminfo(pack: Pack): Service {
  const answer = openFacade(pack.paraminfo())

  return serve(request => {
    const { headers, requestContext } = request
    const { method } = requestContext.http
    const fields = readFields(request)
    const made =
      fields instanceof DomainError ? writeRefusal({ code: fields.code, info: fields.message }) : answer(fields)
    if ('error' in made) {
      const refused = deliver(method, made.text, caching.never)
      return { ...refused, headers: { ...refused.headers, 'mediawiki-api-error': made.error } }
    }
    const compressed = { ...made, ...(headers['accept-encoding'] && compressNow(made.text)) }
    if (method !== 'POST') return respond(compressed, request)
    // RFC 9110, 13.1.2: a condition on a POST is not one on what it answers.
    const { 'if-none-match': _, ...asked } = headers
    const posted = respond(compressed, { headers: asked, requestContext })
    return { ...posted, headers: { ...posted.headers, 'cache-control': caching.never } }
  })
}

/** By name, the last value of each; the body's count before those of the query string. Or why there are none. */
function readFields(request: CatalogueRequest): Map<string, string> | DomainError {
  try {
    const given = [...fieldsOfQuery(request), ...(request.body ? fieldsOfBody(request) : [])]
    return new Map(given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
