import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { caching } from './caching.ts'
import { DomainError, type Refusal, refusals, titles } from './errors.ts'

/**
 * The headers of every answer: no caching and no policy for content unless the answer overrides them, no MIME sniffing, no
 * Referer, and TLS alone. A browser that is led to an answer runs, loads and frames nothing of it (OWASP ASVS 3.4.3 to
 * 3.4.6).
 */
export const commonHeaders = {
  'cache-control': caching.never,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const

/**
 * Renders a refusal as a problem document (RFC 9457). Any error but a `DomainError` is a bug and becomes a bare 500.
 */
export function problem(error: unknown): APIGatewayProxyStructuredResultV2 {
  const { code, message, options } = error instanceof DomainError ? error : new DomainError('internal')
  const [status, , headers] = refusals[code] as Refusal
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
