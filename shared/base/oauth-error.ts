import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { commonHeaders } from './answer.ts'
import { DomainError, type ErrorCode, refusals } from './errors.ts'

/** RFC 6749 §5.2; the last two are from §4.1.2.1, for failures of the server. */
type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'server_error'
  | 'temporarily_unavailable'

/** A refusal of OAuth. Its text has neither quotation marks nor backslashes (RFC 6749 §5.2). */
export class OAuthError extends Error {
  readonly error: OAuthCode
  readonly status: number
  readonly headers: Record<string, string>

  constructor(error: OAuthCode, description: string, status = 400, headers: Record<string, string> = {}) {
    super(description)
    this.name = 'OAuthError'
    this.error = error
    this.status = status
    this.headers = headers
  }
}

/** OAuth's errors for the service's own refusals. */
const translations: Partial<Record<ErrorCode, readonly [error: OAuthCode, status: number]>> = {
  'origin-not-allowed': ['invalid_request', 403],
  'missing-body': ['invalid_request', 400],
  'unsupported-media-type': ['invalid_request', 400],
  'unsupported-content-encoding': ['invalid_request', 400],
  'body-too-large': ['invalid_request', 400],
  'invalid-refresh-token': ['invalid_grant', 400],
  'email-not-verified': ['invalid_grant', 400],
  unavailable: ['temporarily_unavailable', 503],
}

/** Renders a refusal as an object of RFC 6749 §5.2. Any other error is a bug and becomes a bare 500. */
export function oauthProblem(thrown: unknown): APIGatewayProxyStructuredResultV2 {
  const { error, status, headers, message } = thrown instanceof OAuthError ? thrown : translate(thrown)
  return {
    statusCode: status,
    headers: { ...commonHeaders, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error, error_description: message }),
  }
}

function translate(thrown: unknown): OAuthError {
  const { code, message } = thrown instanceof DomainError ? thrown : new DomainError('internal')
  const [error, status] = translations[code] ?? ['server_error', 500]
  const headers = code === 'unavailable' ? refusals.unavailable[2] : {}
  return new OAuthError(error, error === 'server_error' ? refusals.internal[1] : message, status, headers)
}
