import type { Cors } from '../template/property-schemas.ts'

type Headers = Record<string, string>

/** Whether a request is a CORS preflight (Fetch standard, "CORS-preflight request"). */
export const isPreflight = (method: string, headers: Headers): boolean =>
  method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers

/** The headers that answer a preflight; none if its origin is not allowed. */
export function preflightHeaders(cors: Cors, { origin }: Headers): Headers {
  const allowed = allowedOrigin(cors, origin)
  if (allowed === null) return {}
  return {
    ...common(cors, allowed),
    'access-control-allow-headers': cors.AllowHeaders.join(','),
    'access-control-allow-methods': cors.AllowMethods.join(','),
    ...(cors.MaxAge !== undefined && { 'access-control-max-age': String(cors.MaxAge) }),
  }
}

/**
 * The CORS headers of an answer: the API's own when the request has an origin, never the function's (API Gateway,
 * "Configure CORS for HTTP APIs").
 */
export function withCors(cors: Cors | null, { origin }: Headers, headers: Headers): Headers {
  if (cors === null) return headers
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('access-control-')))
  const allowed = allowedOrigin(cors, origin)
  return allowed === null ? others : { ...others, ...common(cors, allowed) }
}

const common = (cors: Cors, origin: string): Headers => ({
  'access-control-allow-origin': origin,
  ...(cors.AllowCredentials && { 'access-control-allow-credentials': 'true' }),
  ...(cors.ExposeHeaders.length > 0 && { 'access-control-expose-headers': cors.ExposeHeaders.join(',') }),
  ...(origin !== '*' && { vary: 'origin' }),
})

function allowedOrigin({ AllowOrigins }: Cors, origin: string | undefined): string | null {
  if (origin === undefined) return null
  if (AllowOrigins.includes('*')) return '*'
  return AllowOrigins.includes(origin) ? origin : null
}
