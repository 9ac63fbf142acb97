import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { expect } from 'vitest'
import type { HttpHandler } from '../../../api/endpoint.ts'
import { commonHeaders } from '../../../shared/base/answer.ts'
import { byName, expectDescribed } from '../api/openapi.ts'

/** A test's request. `httpEvent` fills in the rest. */
export interface Sent {
  method?: string
  path?: string
  /** The query, as it was sent. */
  query?: string
  /** Sent as JSON, unless it is text already. */
  body?: unknown
  base64?: boolean
  headers?: Record<string, string>
  /** As API Gateway passes them on. */
  cookies?: readonly string[]
  clientAddress?: string
}

export interface Received {
  status: number
  headers: Record<string, string>
  /** The cookies that it sets, if any. */
  cookies?: readonly string[]
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** An event of API Gateway's payload format 2.0. */
export function httpEvent({
  method = 'POST',
  path = '/',
  query = '',
  body,
  base64,
  headers,
  cookies,
  clientAddress,
}: Sent): APIGatewayProxyEventV2 {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    ...(query && { queryStringParameters: Object.fromEntries(new URLSearchParams(query)) }),
    ...(cookies && { cookies: [...cookies] }),
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: clientAddress ?? '203.0.113.7', userAgent: 'test' },
      requestId: 'request',
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '01/Mar/2026:12:00:00 +0000',
      timeEpoch: 0,
    },
    ...(text !== undefined && { body: base64 ? Buffer.from(text, 'latin1').toString('base64') : text }),
    isBase64Encoded: base64 ?? false,
  }
}

/**
 * Calls a handler as Lambda does, with plenty of time left. The answer to a request with a path is checked against the
 * OpenAPI document.
 */
export async function call(handler: HttpHandler, sent: Sent = {}): Promise<Received> {
  const context = { getRemainingTimeInMillis: () => 10_000 } as Context
  const { statusCode = 200, headers = {}, cookies, body = '' } = await handler(httpEvent(sent), context)
  const { method = 'POST', path } = sent
  if (path !== undefined) expectDescribed(method, path, { status: statusCode, header: byName(headers), body })
  const isJson = /json/.test(String(headers['content-type']))
  return {
    status: statusCode,
    ...(cookies && { cookies }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    text: body,
    body: isJson && body !== '' ? JSON.parse(body) : null,
  }
}

/** The headers of a prebuilt answer that was not compressed. */
export const prebuiltHeaders = (body: string, contentType = 'application/json') => ({
  'content-type': contentType,
  'content-length': String(Buffer.byteLength(body)),
  etag: expect.stringMatching(/^W\/"[\w-]{16}"$/),
  'cache-control': 'public, max-age=300',
  vary: 'Accept-Encoding',
  'content-security-policy': commonHeaders['content-security-policy'],
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': expect.any(String),
})
