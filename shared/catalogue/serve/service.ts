// Paths that take a query, in a query string or in the body of a POST, so that their answers cannot be prebuilt.
import { DomainError } from '../../base/errors.ts'
import type { HttpAnswer } from '../../prebuilt/response.ts'
import { allow, methods, refuse } from './http.ts'
import { refuseMethod } from './refusals.ts'
import type { CatalogueRequest } from './request.ts'

export type Service = (request: CatalogueRequest) => HttpAnswer

const allowed = [...methods, 'POST']

/** @param answer answers GET, HEAD and POST; it throws what it refuses, as a `DomainError` */
export function serve(answer: Service): Service {
  return request => {
    const { method } = request.requestContext.http
    if (method === 'OPTIONS') return allow(allowed)
    if (!allowed.includes(method)) return refuse(method, refuseMethod(method, request.rawPath, allowed))
    try {
      return answer(request)
    } catch (error) {
      if (error instanceof DomainError) return refuse(method, error)
      throw error
    }
  }
}
