import { rpcExamples } from '../../catalogue/meanings.ts'
import { jsonBodyRefusals, queryBodyRefusals } from '../../catalogue/serve/query-endpoint.ts'
import { caching } from '../../shared/base/answer.ts'
import { addressRefusals, type ErrorCode, refusalAmong, titles } from '../../shared/base/errors.ts'
import { successWords } from './descriptions.ts'
import { cacheControl, challenge, etag, type Headers, limitHeaders, refusalHeaders, retryAfter } from './headers.ts'
import type { Operation } from './operations.ts'
import { type Details, problemExamples, problemSchema, problemWords } from './problems.ts'
import { type Reference, ref, reference } from './schemas.ts'

export interface Response {
  description: string
  headers?: Headers
  content?: Record<string, MediaType>
}

export interface MediaType {
  schema: Reference
  example?: unknown
  examples?: Record<string, { summary: string; value: unknown }>
}

export type Responses = Record<string, Response | Reference>

/** API Gateway's own answers, which cannot be shaped: before a function runs, or when it fails. */
const gatewayTexts: Record<number, string> = {
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

const gatewayName = (status: number | string): string => `Gateway${status}`

/** Errors of OAuth endpoints, with an example of each (RFC 6749 §5.2). */
const oauthTexts: Record<number, readonly [is: string, error: string, error_description: string]> = {
  400: [
    '`invalid_request`, `invalid_grant`, `invalid_scope`, `unsupported_grant_type`, and `invalid_client` of a client that did ' +
      'not use HTTP Basic.',
    'invalid_grant',
    'Unknown, used or expired code',
  ],
  401: ['`invalid_client`, of a client that used HTTP Basic.', 'invalid_client', 'Unknown client or wrong secret'],
  403: [
    '`invalid_request`, from a page of another origin; only where the setting CORS_ORIGINS names origins.',
    'invalid_request',
    'Not allowed from this origin',
  ],
  500: ['`server_error`.', 'server_error', 'Something went wrong on our side'],
  503: ['`temporarily_unavailable`.', 'temporarily_unavailable', 'The service is temporarily unavailable; try again'],
}

const oauthName = (status: number | string): string => `OAuth${status}`

function oauthRefusal(status: number): Response {
  const [is = '', error = '', error_description = ''] = oauthTexts[status] ?? []
  const message = gatewayTexts[status]
  const headers = {
    'Cache-Control': cacheControl(caching.never),
    ...(status === 401 && challenge('Basic realm="auth"')),
    ...(status === 503 && retryAfter),
  }
  const schema = reference('schemas', message ? 'AnyOAuthError' : 'OAuthError')
  return {
    description: [`${titles[status]}.`, is, message ? `\`{"message"}\`: API Gateway's own answer.` : '']
      .join(' ')
      .trim(),
    headers: message ? makeOptional(headers) : headers,
    content: { 'application/json': { schema, example: { error, error_description } } },
  }
}

/** Those, and the gateway's own answers. */
const oauthResponses: Responses = Object.fromEntries([
  ...Object.keys(oauthTexts).map(status => [status, reference('responses', oauthName(status))] as const),
  ...[413, 429, 431].map(status => [status, reference('responses', gatewayName(status))] as const),
])

/** The gateway's own answers for statuses that we do not use, as components of the document. */
const gatewayResponses: Record<string, Response> = Object.fromEntries(
  Object.keys(gatewayTexts).map(status => [gatewayName(status), refusal(Number(status), [])]),
)

/** The shared responses, as components of the document. */
export const sharedResponses: Record<string, Response> = {
  ...gatewayResponses,
  ...Object.fromEntries(Object.keys(oauthTexts).map(status => [oauthName(status), oauthRefusal(Number(status))])),
  RateLimited: refusal(429, ['too-many-requests'], limitHeaders),
}

/** Every status of an operation. @param example of its success */
export function responsesOf(operation: Operation, example: unknown): Responses {
  const { method, codes, status, isPrebuilt, row } = operation
  if (row.form) {
    const absent = row.withClients && { 404: refusal(404, ['not-found']) }
    return { [status]: success(operation, {}, example), ...oauthResponses, ...absent }
  }
  const statuses = new Set<number>([...codes.map(code => refusalAmong(codes, code)[0]), 429, 431, 500, 503])
  // The gateway refuses bodies over 10 MB on every route.
  if (method !== 'GET') statuses.add(413)
  const limits = row.limit ? limitHeaders : {}
  const details = row.fields
    ? queryBodyRefusals
    : row.rpc
      ? jsonBodyRefusals
      : row.goal === 'address'
        ? addressRefusals
        : {}
  const refused = [...statuses].map(each => {
    const withStatus = codes.filter(code => refusalAmong(codes, code)[0] === each)
    const shared = withStatus.length === 0 ? gatewayName(each) : each === 429 ? 'RateLimited' : null
    return [each, shared ? reference('responses', shared) : refusal(each, withStatus, limits, details)] as const
  })
  return {
    [status]: success(operation, limits, example),
    ...(isPrebuilt && { 304: notModified }),
    ...(row.rpc && rpcResponses()),
    ...Object.fromEntries(refused),
  }
}

const neverKept = { 'Cache-Control': cacheControl(caching.never) }

/** The answers of JSON-RPC besides success. */
function rpcResponses(): Responses {
  const error = (status: 400 | 404, is: string): Response => ({
    description: `${titles[status]}. ${is}`,
    headers: neverKept,
    content: { 'application/json': { schema: ref('RpcAnswer'), example: rpcExamples[status] } },
  })
  return {
    202: { description: 'A notification was taken.', headers: neverKept },
    400: error(400, '-32700, -32600, or what a version of the protocol refuses by this status.'),
    404: error(404, '-32601, in the version of 2026-07-28.'),
  }
}

function success(operation: Operation, limits: Headers, example: unknown): Response {
  const { shape, type, isPrebuilt, caching: kept, row } = operation
  // An answer with a secret is not cached.
  const keeping = new Set([kept, ...(row.fields ? [caching.never] : [])])
  return {
    description: successWords(operation),
    headers: { 'Cache-Control': cacheControl(...keeping), ...(isPrebuilt && etag), ...limits },
    content: { [type]: { schema: ref(shape), ...(example !== undefined && { example }) } },
  }
}

const notModified: Response = {
  description: 'What `If-None-Match` names is still the answer.',
  headers: { 'Cache-Control': cacheControl(caching.fiveMinutes), ...etag },
}

/**
 * A refusal of ours, of the gateway, or of both.
 *
 * @param others headers besides those of its codes
 * @param details texts that replace the codes' own
 */
export function refusal(
  status: number,
  codes: readonly ErrorCode[],
  others: Headers = {},
  details: Details = {},
): Response {
  const message = gatewayTexts[status]
  const words = [problemWords(codes, details), message ? `\`{"message"}\`: API Gateway's own answer.` : '']
  const headers = { 'Cache-Control': cacheControl(caching.never), ...refusalHeaders(codes), ...others }
  const isOurs = codes.length > 0
  return {
    description: [`${titles[status] ?? message}.`, ...words].filter(Boolean).join(' '),
    ...(isOurs && { headers: message ? makeOptional(headers) : headers }),
    content: {
      ...(isOurs && {
        'application/problem+json': {
          schema: problemSchema(codes, message !== undefined),
          examples: problemExamples(status, codes, details),
        },
      }),
      ...(message && {
        'application/json': { schema: reference('schemas', 'GatewayMessage'), example: { message } },
      }),
    },
  }
}

/** Headers that the gateway's own answer of the status lacks. */
function makeOptional(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      if ('$ref' in header) return [name, header]
      const { required: _, ...rest } = header
      return [name, rest]
    }),
  )
}
