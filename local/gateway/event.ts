import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { decoded } from '../network.ts'

export interface WireResponse {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  cookies: readonly string[]
  body: Buffer
}

/** Headers of the connection, which are not forwarded (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** Media types whose bodies are passed on as text. Others, and bodies without a type, are encoded in base64. */
const textual = /^(?:text\/|application\/(?:json|xml|javascript|[^;]*\+(?:json|xml))\s*(?:;|$))/i

/** The decoded path of a request; null if its percent-encoding is invalid. */
export function pathOf(url: string): string | null {
  const [raw = ''] = url.split('?', 1)
  // A request may name its target in absolute form (RFC 9112 §3.2.2).
  return decoded(raw.replace(/^https?:\/\/[^/]*/i, '') || '/')
}

/** Whether a request came over TLS. */
export const isEncrypted = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => 'encrypted' in socket

/** The event of payload format 2.0 (API Gateway, "Create AWS Lambda proxy integrations for HTTP APIs"). */
export function eventOf(
  request: IncomingMessage,
  body: Buffer,
  { routeKey, pathParameters, path }: { routeKey: string; pathParameters: Record<string, string>; path: string },
): APIGatewayProxyEventV2 {
  const { method = '', url = '', httpVersion, headersDistinct, socket } = request
  const sourceIp = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
  const { cookie, ...headers } = joinHeaders(headersDistinct)
  const forwarded = [headers['x-forwarded-for'], sourceIp].filter(Boolean).join(', ')
  const rawQueryString = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  const isBase64Encoded = body.length > 0 && !(textual.test(headers['content-type'] ?? '') && isUtf8(body))
  const now = new Date()
  const domainName = headers.host ?? 'localhost'
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split(/; ?/) }),
    headers: { ...headers, 'x-forwarded-for': forwarded, 'x-forwarded-proto': isEncrypted(request) ? 'https' : 'http' },
    ...(rawQueryString !== '' && { queryStringParameters: parametersOf(rawQueryString) }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split(/[.:]/, 1)[0] ?? '',
      http: { method, path, protocol: `HTTP/${httpVersion}`, sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: clfTime(now),
      timeEpoch: now.getTime(),
    },
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    ...(body.length > 0 && { body: body.toString(isBase64Encoded ? 'base64' : 'utf8') }),
    isBase64Encoded,
  }
}

/** Repeated headers are joined by commas, in order. */
const joinHeaders = (headers: IncomingMessage['headersDistinct']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !hopByHop.has(name))
      .map(([name, values = []]) => [name, values.join(name === 'cookie' ? '; ' : ',')]),
  )

const parametersOf = (query: string): Record<string, string> =>
  Object.fromEntries(
    [...Map.groupBy(new URLSearchParams(query), ([name]) => name)].map(([name, pairs]) => [
      name,
      pairs.map(([, value]) => value).join(','),
    ]),
  )

/** `12/Mar/2026:19:03:58 +0000`, the time format of Common Log Format. */
function clfTime(date: Date): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) (\S+) GMT/.exec(date.toUTCString()) ?? []
  return `${day}/${month}/${year}:${time} +0000`
}

/** Reads a function's answer; null if it is not a valid response. */
export function responseOf(payload: string): WireResponse | null {
  const answer = JSON.parse(payload) as APIGatewayProxyStructuredResultV2 | string | null
  if (answer === null || typeof answer !== 'object' || !('statusCode' in answer)) {
    // An answer without a status becomes the body of a 200.
    const body = Buffer.from(typeof answer === 'string' ? answer : payload)
    return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body }
  }
  const { statusCode, headers, cookies = [], body = '', isBase64Encoded = false } = answer
  const status = Number(statusCode)
  if (!Number.isInteger(status) || status < 200 || status > 599 || typeof body !== 'string') return null
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)])),
    },
    cookies,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
}
