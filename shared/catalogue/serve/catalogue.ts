// /catalogue and everything below it. No SDK, no pipeline: nearly all answers were written at build time.
import { DomainError } from '../../errors.ts'
import { type HttpAnswer, respond } from '../../prebuilt/response.ts'
import { findAddress } from './address.ts'
import { readQuery } from './filters.ts'
import { listAnswers } from './list.ts'
import type { Pack } from './pack.ts'
import { refuseMethod, refusePath, refuseQuery } from './refusals.ts'
import type { CatalogueRequest, Service } from './request.ts'
import { allow, methods, refuse } from './response.ts'
import { validation } from './validation.ts'

/** Answers requests from a pack. */
export function serveCatalogue(pack: Pack) {
  const answerList = listAnswers(pack)
  const services = new Map<string, Service>([['/catalogue/validate', validation(pack)]])

  return async (request: CatalogueRequest): Promise<HttpAnswer> => {
    const { rawPath, rawQueryString, headers, requestContext } = request
    const { method } = requestContext.http
    const service = services.get(rawPath)
    if (service) return ask(service, request)

    const address = findAddress(rawPath, pack)
    if ('missing' in address) return refuse(method, refusePath(address))
    if (method === 'OPTIONS') return allow(methods)
    if (!methods.includes(method)) return refuse(method, refuseMethod(method, rawPath, methods))

    const query = readQuery(rawQueryString, address.answer === null)
    if ('code' in query) return refuse(method, refuseQuery(query))

    return respond(address.answer ?? answerList(query, Boolean(headers['accept-encoding'])), request)
  }
}

/** What is not prebuilt, by its own methods. */
async function ask(service: Service, request: CatalogueRequest): Promise<HttpAnswer> {
  const { method } = request.requestContext.http
  if (method === 'OPTIONS') return allow(service.methods)
  if (!service.methods.includes(method)) return refuse(method, refuseMethod(method, request.rawPath, service.methods))
  try {
    return await service.answer(request)
  } catch (error) {
    if (error instanceof DomainError) return refuse(method, error)
    throw error
  }
}
