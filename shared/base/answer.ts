import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { DomainError, type Refusal, refusals, titles } from './errors.ts'

/** Values of `Cache-Control`. */
export const caching = {
  /** Account data must not be stored (OWASP ASVS 14.3.2). */
  never: 'no-store',
  /** For answers that are the same for everybody. A release or a new key shows soon, without any invalidation. */
  fiveMinutes: 'public, max-age=300',
  /** For names with a content hash: other content has another name (RFC 8246). A year is the longest in use. */
  forever: 'public, max-age=31536000, immutable',
} as const

/**
 * The headers of every answer: no caching and no content unless overridden, no MIME sniffing, no Referer (a page's URL
 * may carry a one-time token), and TLS alone. A browser that opens an answer runs, loads, sends and frames nothing of
 * it (OWASP ASVS 3.4.3 to 3.4.6). `default-src` covers fetches, and none of the other three (CSP Level 3 §6.1).
 */
export const commonHeaders = {
  'cache-control': caching.never,
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const

/**
 * Renders a refusal as a problem document (RFC 9457). Any error but a `DomainError` is a bug and becomes a bare 500.
 */
export function problem(error: unknown): { statusCode: number; headers: Record<string, string>; body: string } {
  const { code, message, options } = error instanceof DomainError ? error : new DomainError('internal')
  const [usual, , headers] = refusals[code] as Refusal
  const { status = usual } = options
  return {
    statusCode: status,
    headers: {
      ...commonHeaders,
      'content-type': 'application/problem+json',
      ...headers,
      ...options.headers,
    },
    body: JSON.stringify({
      type: 'about:blank',
      title: titles[status],
      status,
      detail: message,
      code,
      ...options.members,
    }),
  }
}

/** Fits an answer to the request's method. HEAD gets GET's answer, with the body's length in place of the body (RFC 9110 §9.3.2, §8.6). */
export function answerTo<A extends APIGatewayProxyStructuredResultV2>(method: string, answer: A): A {
  if (method !== 'HEAD') return answer
  const { headers, body = '', isBase64Encoded = false } = answer
  const length = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8')
  return { ...answer, headers: { ...headers, 'content-length': String(length) }, body: '', isBase64Encoded: false }
}
