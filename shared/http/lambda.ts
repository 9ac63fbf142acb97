import type { Intersection, System } from '../deps.ts'
import { system } from '../live.ts'
import type { Endpoint, HttpHandler } from './endpoint.ts'

/**
 * Binds an endpoint to Lambda: with the system and the named parts of the outside world, made when the first request
 * comes. The compiler sees to it that these are the parts which the endpoint's row grants.
 */
export function lambda<const Parts extends readonly (() => object)[]>(
  bind: Endpoint<System & Intersection<ReturnType<Parts[number]>>>,
  ...parts: Parts
): HttpHandler {
  let handler: HttpHandler | undefined
  return (event, context) => {
    handler ??= bind(Object.assign({ ...system }, ...parts.map(part => part())))
    return handler(event, context)
  }
}
