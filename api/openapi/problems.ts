import { type ErrorCode, refusals, titles } from '../../shared/base/errors.ts'
import { explain, type Reference, reference, type Schema } from './schemas.ts'

const texts: Schema = { type: 'array', items: { type: 'string' } }

/** Members of some problems only (RFC 9457 §3.2), with their codes. */
const suggestions = { suggestions: ['allpages', 'alllinks'] }
const allowed = { allowed: ['list', 'prop', 'meta'] }
// Its signature is a dummy.
const setupTokenExample = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTljMmY2ZSJ9.c2lnbmF0dXJl'
const members: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  'invalid-body': { errors: [{ pointer: '/email', detail: 'is required' }] },
  'not-found': suggestions,
  'module-not-found': suggestions,
  'parameter-not-found': suggestions,
  'set-not-found': suggestions,
  'second-factor-required': { methods: ['code', 'recovery'] },
  'codes-disabled': { methods: ['recovery'] },
  'second-factor-setup': { setup_token: setupTokenExample },
  'wrong-passkey': { reason: 'unknown' },
  'password-required': { email: 'ada@example.com', provider_token: setupTokenExample },
  'login-required': { email: 'ada@example.com' },
  'confirmation-required': { email: 'ada@example.com' },
  'query-parameter-missing': allowed,
  'query-parameter-unknown': allowed,
  'query-parameter-repeated': allowed,
  'query-parameter-invalid': allowed,
}

const common: Record<string, Schema> = {
  type: { type: 'string' },
  title: { type: 'string' },
  status: { type: 'integer' },
  detail: { type: 'string' },
  // Not an enumeration: many generated clients fail at an unknown value.
  code: { type: 'string' },
}
const errors: Schema = { type: 'array', items: reference('schemas', 'FieldError') }

const message: Schema = { type: 'string' }

const oauthError: Record<string, Schema> = { error: { type: 'string' }, error_description: { type: 'string' } }

const object = (name: string, required: Record<string, Schema>, optional: Record<string, Schema> = {}) => {
  const names = Object.keys(required)
  return explain(name, {
    type: 'object',
    ...(names.length > 0 && { required: names }),
    properties: { ...required, ...optional },
  })
}

/** The shapes of all problems, and of API Gateway's own answers. */
export const problemSchemas: Record<string, Schema> = {
  Problem: object('Problem', common, {
    allowed: texts,
    email: { type: 'string' },
    methods: texts,
    provider_token: { type: 'string' },
    reason: { type: 'string' },
    setup_token: { type: 'string' },
    suggestions: texts,
  }),
  ValidationProblem: object('ValidationProblem', { ...common, errors }),
  FieldError: object('FieldError', { pointer: { type: 'string' }, detail: { type: 'string' } }),
  GatewayMessage: object('GatewayMessage', { message }),
  // Many generators take a status's first shape for all its answers, and fail where a required member is absent.
  AnyProblem: object('AnyProblem', {}, { ...common, message, provider_token: { type: 'string' } }),
  OAuthError: object('OAuthError', oauthError),
  AnyOAuthError: object('AnyOAuthError', {}, { ...oauthError, message }),
}

/** @param isGatewayToo whether API Gateway answers with the same status */
export const problemSchema = (codes: readonly ErrorCode[], isGatewayToo: boolean): Reference => {
  const ofOurs = codes.every(code => code === 'invalid-body') ? 'ValidationProblem' : 'Problem'
  return reference('schemas', isGatewayToo ? 'AnyProblem' : ofOurs)
}

/** Settings that codes depend on. */
export const conditions: Partial<Record<ErrorCode, string>> = {
  'password-too-common': 'only where the setting PASSWORD_BLOCKLIST is on',
  'email-not-verified':
    'only where the setting REQUIRE_EMAIL_VERIFICATION is on; to applications, unless they take others',
  'second-factor-off': 'only where the setting SECOND_FACTOR is off',
  'second-factor-setup': 'only where the setting SECOND_FACTOR is required',
  'second-factor-required-here': 'only where the setting SECOND_FACTOR is required',
  'origin-not-allowed':
    'only where the setting CORS_ORIGINS names origins; always where only pages of this service may ask',
  'not-found': 'only where the setting OIDC_CLIENTS lists no applications, or SIGN_IN_PROVIDERS no providers',
  'too-many-requests': 'unless the setting RATE_LIMITS is off',
}

/** Texts that replace the codes' own. */
export type Details = Partial<Record<ErrorCode, string>>

/** An example of each code, by name. */
export const problemExamples = (status: number, codes: readonly ErrorCode[], details: Details) =>
  Object.fromEntries(
    codes.map(code => {
      const detail = details[code] ?? refusals[code][1]
      return [code, { summary: detail, value: problemExample(status, code, detail) }]
    }),
  )

function problemExample(status: number, code: ErrorCode, detail: string): Record<string, unknown> {
  return { type: 'about:blank', title: titles[status], status, detail, code, ...members[code] }
}

/** The description of a response, code by code. */
export const problemWords = (codes: readonly ErrorCode[], details: Details): string =>
  codes
    .map(code => {
      const condition = conditions[code] ? ` (${conditions[code]})` : ''
      return `\`${code}\`: ${details[code] ?? refusals[code][1]}${condition}.`
    })
    .join(' ')
