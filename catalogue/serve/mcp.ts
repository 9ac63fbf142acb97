// POST /catalogue/mcp: the catalogue as tools of agents, by the Model Context Protocol. Stateless, and no answer is kept.
import { caching, commonHeaders } from '../../shared/base/answer.ts'
import { isJson, readBytes } from '../../shared/base/raw-body.ts'
import { plain } from '../../shared/prebuilt/encoding.ts'
import { deliver, type HttpAnswer } from '../../shared/prebuilt/response.ts'
import { openMessages } from '../mcp/messages.ts'
import { type Ask, openTools } from '../mcp/tools.ts'
import type { CatalogueRequest } from './http.ts'
import { jsonBodyRefusals, largestBody, type QueryEndpoint, queryEndpoint } from './query-endpoint.ts'

/** @param serve answers requests to all other paths */
export function mcp(version: string, serve: (request: CatalogueRequest) => Promise<HttpAnswer>): QueryEndpoint {
  const ask: Ask = async (rawPath, { query: rawQueryString = '', body } = {}) => {
    const method = body ? 'POST' : 'GET'
    const request = { rawPath, rawQueryString, headers: {}, requestContext: { http: { method } } }
    const { statusCode, body: text } = await serve({ ...request, ...(body && { body: JSON.stringify(body) }) })
    return { status: statusCode, answer: JSON.parse(text) }
  }
  const answer = openMessages(openTools(ask), version)

  return queryEndpoint(
    async request => {
      const terms = { bytes: largestBody, isTaken: isJson, refusals: jsonBodyRefusals }
      const bytes = request.body ? readBytes(request, terms) : Buffer.alloc(0)
      const { status, body } = await answer(bytes, request.headers, request.rawQueryString)
      if (!body) return { statusCode: status, headers: { ...commonHeaders }, body: '', isBase64Encoded: false }
      const delivered = deliver('POST', plain(JSON.stringify(body)), { 'cache-control': caching.never })
      return { ...delivered, statusCode: status }
    },
    ['OPTIONS', 'POST'],
  )
}
