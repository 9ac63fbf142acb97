import { type ErrorCode, refusals, titles } from '../../shared/base/errors.ts'
import { type Reference, reference, type Schema } from './schemas.ts'

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

const text = (description: string): Schema => ({ type: 'string', description })
const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description })

const common: Record<string, Schema> = {
  type: text('`about:blank`: `code` says what the problem is.'),
  title: text('The name of the status.'),
  status: { type: 'integer', description: 'The status, again.' },
  detail: text('A sentence for people.'),
  // Not an enumeration: many generated clients fail at an unknown value.
  code: text('For programs, and stable. Later versions may have more codes: treat an unknown one by its status.'),
}
const errors: Schema = {
  type: 'array',
  items: reference('schemas', 'FieldError'),
  description: 'Everything that is wrong, member by member.',
}

const confirmation = text(
  'What stands for the confirmation of a provider: with it a password, a code or a mailed link follows without a second trip.',
)

const message = text('The name of the status.')

const oauthError: Record<string, Schema> = {
  error: text('For programs, and stable.'),
  error_description: text('A sentence for developers.'),
}

const object = (
  description: string,
  required: Record<string, Schema>,
  optional: Record<string, Schema> = {},
): Schema => {
  const names = Object.keys(required)
  return {
    type: 'object',
    ...(names.length > 0 && { required: names }),
    description,
    properties: { ...required, ...optional },
  }
}

/** The shapes of all problems, and of API Gateway's own answers. */
export const problemSchemas: Record<string, Schema> = {
  Problem: object('A problem document (RFC 9457).', common, {
    allowed: texts('What may stand in the query. With each code that begins with `query-parameter-`.'),
    email: text(
      'Whose browser it is. With `confirmation-required`, and with `login-required` if a login is there that does not ' +
        'suffice; at `/auth/authorize-session` alone.',
    ),
    methods: texts(
      'How the second factor can be shown: `code`, `recovery`. With `second-factor-required` and `codes-disabled`.',
    ),
    provider_token: confirmation,
    reason: text(
      'The first fault that the passkey has: `form`, `no-account`, `unknown`, `type`, `origin`, `rp-id`, `presence`, ' +
        '`verification`, `algorithm`, `signature`, `count`. Only with `wrong-passkey`. With `password-too-common` it is `breached`, if the password is known from a breach.',
    ),
    setup_token: text(
      'The access token of setting a second factor up, and of nothing else, for ten minutes. Only with ' +
        '`second-factor-setup`, at a login with a `mail_token` that works.',
    ),
    suggestions: texts('The nearest names. Only with codes that end in `not-found`, and not always.'),
  }),
  ValidationProblem: object('A problem document about a body (RFC 9457).', { ...common, errors }),
  FieldError: object('What is wrong with a member of a body.', {
    pointer: text('Where in the body (RFC 6901); empty for the whole.'),
    detail: text('What is wrong there.'),
  }),
  GatewayMessage: object('What API Gateway answers by itself.', { message }),
  // Many generators take a status's first shape for all its answers, and fail where a required member is absent.
  AnyProblem: object(
    'A problem document (RFC 9457), or what API Gateway answers by itself: that has a `message` alone, and no `code`.',
    {},
    { ...common, message, provider_token: confirmation },
  ),
  OAuthError: object('A refusal (RFC 6749 §5.2).', oauthError),
  AnyOAuthError: object(
    'A refusal (RFC 6749 §5.2), or what API Gateway answers by itself: that has a `message` alone.',
    {},
    { ...oauthError, message },
  ),
}

/** @param isGatewayToo whether API Gateway answers with the same status */
export const problemSchema = (codes: readonly ErrorCode[], isGatewayToo: boolean): Reference => {
  const ofOurs = codes.every(code => code === 'invalid-body') ? 'ValidationProblem' : 'Problem'
  return reference('schemas', isGatewayToo ? 'AnyProblem' : ofOurs)
}

/** Settings that codes depend on. */
export const conditions: Partial<Record<ErrorCode, string>> = {
  'password-too-common': 'only where the setting PASSWORD_BLOCKLIST is on or online',
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
