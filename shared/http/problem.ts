import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { DomainError, type Refusal, refusals } from '../errors.ts'

/** RFC 9110 §15, for the `title` of problems whose `type` is `about:blank` (RFC 9457 §4.2.1). */
const phrases: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** On every answer: nothing is to be cached (ASVS 14.3.2), sniffed, or asked for without TLS. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const

/**
 * Renders a refusal as a problem document (RFC 9457). What is no `DomainError` is a bug and becomes a bare 500.
 */
export function problem(error: unknown): APIGatewayProxyStructuredResultV2 {
  const { code, message, particulars } = error instanceof DomainError ? error : new DomainError('internal')
  const [status, , headers] = refusals[code] as Refusal
  return {
    statusCode: status,
    headers: {
      ...commonHeaders,
      'content-type': 'application/problem+json',
      ...headers,
      ...particulars.headers,
    },
    body: JSON.stringify({
      type: 'about:blank',
      title: phrases[status],
      status,
      detail: message,
      code,
      ...particulars.members,
    }),
  }
}
