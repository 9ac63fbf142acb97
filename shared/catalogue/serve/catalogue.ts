// GET, HEAD and OPTIONS /catalogue and everything below it. No SDK, no pipeline: the answers were written at build time.
import { type Asked, type HttpAnswer, respond } from '../../prebuilt/response.ts'
import { findAddress } from './address.ts'
import { readQuery } from './filters.ts'
import { listAnswers } from './list.ts'
import type { Pack } from './pack.ts'
import { refuseMethod, refusePath, refuseQuery } from './refusals.ts'
import { allow, allowed, methods, refuse } from './response.ts'

/** What the catalogue reads of a request; API Gateway has decoded the path, not the query string. */
export type CatalogueRequest = Asked & { rawPath: string; rawQueryString: string }

/** Answers requests from a pack. */
export function serveCatalogue(pack: Pack) {
  const answerList = listAnswers(pack)

  return async (request: CatalogueRequest): Promise<HttpAnswer> => {
    const { rawPath, rawQueryString, headers, requestContext } = request
    const { method } = requestContext.http

    const address = findAddress(rawPath, pack)
    if ('missing' in address) return refuse(method, refusePath(address))
    if (method === 'OPTIONS') return allow()
    if (!methods.includes(method)) return refuse(method, refuseMethod(method, rawPath, allowed))

    const query = readQuery(rawQueryString, address.answer === null)
    if ('code' in query) return refuse(method, refuseQuery(query))

    return respond(address.answer ?? answerList(query, Boolean(headers['accept-encoding'])), request)
  }
}
