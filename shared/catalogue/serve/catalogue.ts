// GET, HEAD and OPTIONS /catalogue and everything below it. No SDK, no pipeline: the answers were written at build time.
import { findAddress } from './address.ts'
import { readQuery } from './filters.ts'
import { listAnswers } from './list.ts'
import type { Pack } from './pack.ts'
import { refuseMethod, refusePath, refuseQuery } from './refusals.ts'
import { allow, allowed, type CatalogueResponse, deliver, matches, methods, notModified, refuse } from './response.ts'

/** What the catalogue reads of a request; API Gateway has decoded the path, not the query string. */
export type CatalogueRequest = {
  rawPath: string
  rawQueryString: string
  headers: Record<string, string | undefined>
  requestContext: { http: { method: string } }
}

/** Answers requests from a pack. */
export function serveCatalogue(pack: Pack) {
  const answerList = listAnswers(pack)

  return async ({ rawPath, rawQueryString, headers, requestContext }: CatalogueRequest): Promise<CatalogueResponse> => {
    const { method } = requestContext.http
    const send = (response: CatalogueResponse) =>
      method === 'HEAD' ? { ...response, body: '', isBase64Encoded: false } : response

    const address = findAddress(rawPath, pack)
    if ('missing' in address) return send(refuse(refusePath(address)))
    if (method === 'OPTIONS') return allow()
    if (!methods.includes(method)) return refuse(refuseMethod(method, rawPath, allowed))

    const query = readQuery(rawQueryString, address.answer === null)
    if ('code' in query) return send(refuse(refuseQuery(query)))

    const accepted = headers['accept-encoding']
    const answer = address.answer ?? answerList(query, Boolean(accepted))
    if (matches(headers['if-none-match'], answer.etag)) return notModified(answer.etag)
    return send(deliver(answer, accepted))
  }
}
