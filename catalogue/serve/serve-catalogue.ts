// /catalogue and everything below. No SDK, no pipeline: nearly all answers are prebuilt.
import { wantsPage } from '../../shared/base/page-answer.ts'
import { refuseQuery } from '../../shared/base/query.ts'
import { once } from '../../shared/prebuilt/pack.ts'
import { type HttpAnswer, respond } from '../../shared/prebuilt/response.ts'
import { findAddress } from './address.ts'
import { explorerFields } from './explorer-headers.ts'
import { readQuery } from './filters.ts'
import { allow, type CatalogueRequest, methods, refuse, refuseMethod, refusePath } from './http.ts'
import { listAnswers } from './list.ts'
import type { Pack } from './pack.ts'

/** The paths with a query, whose answers are not in the pack. */
type QueryPaths = Record<'validation' | 'paraminfo' | 'mcp', string>

/** Answers requests from a pack. */
export function serveCatalogue(pack: Pack, paths: QueryPaths) {
  const answerList = listAnswers(pack)
  // Each is loaded on its first request, so that no other answer waits for it.
  const endpoints = new Map([
    [paths.validation, once(async () => (await import('./validation.ts')).validation(pack))],
    [paths.paraminfo, once(async () => (await import('./paraminfo.ts')).paraminfo(pack))],
    [paths.mcp, once(async () => (await import('./mcp.ts')).mcp(pack.version, serve))],
  ])

  async function serve(request: CatalogueRequest): Promise<HttpAnswer> {
    const { rawPath, rawQueryString, headers, requestContext } = request
    const { method } = requestContext.http
    const endpoint = endpoints.get(rawPath)
    if (endpoint) return (await endpoint())(request)

    const address = findAddress(rawPath, pack)
    if ('missing' in address) {
      const isForPeople = ['GET', 'HEAD'].includes(method) && wantsPage(headers.accept)
      return isForPeople
        ? (await import('./absent-page.ts')).answerAbsent(method, address)
        : refuse(method, refusePath(address))
    }
    if (method === 'OPTIONS') return allow(methods)
    if (!methods.includes(method)) return refuse(method, refuseMethod(method, rawPath, methods))

    const query = readQuery(rawQueryString, address.answer === null)
    if ('code' in query) return refuse(method, refuseQuery(query))

    const answer = address.answer ?? answerList(query, Boolean(headers['accept-encoding']))
    return respond(answer, request, explorerFields[answer.type ?? ''])
  }

  return serve
}
