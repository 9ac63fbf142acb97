import { expect } from 'vitest'
import { routes } from '../../../api/routes.ts'
import { commonHeaders } from '../../../shared/base/answer.ts'
import { type ErrorCode, refusalAmong, refusals } from '../../../shared/base/errors.ts'
import { pointers } from '../api/rows.ts'
import type { Answer, RawRequest } from './raw-request.ts'

/** Marks what a test sends. No refusal and no log may contain it. */
export const canary = 'cAnArY7f3a'

/** Signs of a leak in an answer: a stack trace, a library's text or other internals. */
const internals =
  /\bat \S+:\d+|node_modules|\.[cm]?[jt]s\b|\/tmp\/|\/home\/|\barn:|dynamodb|sqs\b|aws|ConditionalCheck|Exception|\b\w+Error\b|undefined|\[object|NaN/

/** Paths that the refusal of an unknown path may mention. */
const paths = Object.values(routes).map(({ on }) => on.split(' ')[1])

/** Statuses that API Gateway answers itself, before any function runs. On AWS their bodies cannot be shaped. */
const gatewayStatuses = [400, 404, 408, 413, 431]

/** What a refusal must also contain, so that a client knows what to change. */
const advice: Partial<Record<ErrorCode, (answer: Answer) => void>> = {
  'malformed-json': ({ body }) => expect(body.detail).toContain('JSON'),
  'missing-body': ({ body }) => expect(body.detail).toContain('send a JSON object'),
  'unsupported-media-type': ({ body }) => expect(body.detail).toContain('Content-Type: application/json'),
  'unsupported-content-encoding': ({ headers }) => expect(headers['accept-encoding']).toBe('identity'),
  'body-too-large': ({ body }) => expect(body.detail).toContain('16 KiB'),
  'method-not-allowed': ({ headers }) => expect(headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/),
  'too-many-requests': ({ headers }) => expect(Number(headers['retry-after'])).toBeGreaterThan(0),
  'bad-credentials': ({ headers }) => expect(headers['www-authenticate']).toBe('Bearer'),
  'not-authenticated': ({ headers }) => expect(headers['www-authenticate']).toBe('Bearer realm="auth"'),
  'invalid-access-token': ({ headers }) =>
    expect(headers['www-authenticate']).toMatch(
      /^Bearer realm="auth", error="invalid_token", error_description="[^"]+"$/,
    ),
  'invalid-body': ({ body }) => {
    expect(body.errors.length).toBeGreaterThan(0)
    for (const { pointer, detail } of body.errors) {
      expect(pointers).toContain(pointer)
      expect(detail).toMatch(/^(is required|must (not )?(be|contain) .+)$/)
    }
  },
}

/** Further members of a refusal, for programs. */
const further: Partial<Record<ErrorCode, string>> = {
  'wrong-passkey': 'reason',
  'second-factor-required': 'methods',
  'codes-disabled': 'methods',
  'second-factor-setup': 'setup_token',
  'password-required': 'email',
}

/** Checks the rules for all answers, for any request. */
export function expectSafe(answer: Answer, asked: Pick<RawRequest, 'method'> = {}): void {
  const { status, headers, text } = answer
  expect(status, text).toBeGreaterThanOrEqual(200)
  // A provider's failure is not ours.
  if (answer.body?.code !== 'provider-unavailable') expect(status, text).toBeLessThan(500)
  if (status < 400 || asked.method === 'HEAD') return
  // A token may contain anything by chance.
  const { setup_token = '', provider_token = '' } = answer.body ?? {}
  expect(text.replace(setup_token, '').replace(provider_token, '')).not.toMatch(internals)
  expect(text).not.toContain(canary)
  if (!('apigw-requestid' in headers)) expectGatewayRefusal(answer)
  else if (answer.body?.error) expectOAuthError(answer)
  else expectProblem(answer)
}

/** RFC 6749 §5.2. */
function expectOAuthError({ headers, body }: Answer): void {
  expect(headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' })
  expect(Object.keys(body)).toEqual(['error', 'error_description'])
  expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{9,}$/)
}

function expectProblem(answer: Answer): void {
  const { status, headers, body } = answer
  expect(headers['content-type']).toBe('application/problem+json')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['content-security-policy']).toBe(commonHeaders['content-security-policy'])
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['x-content-type-options']).toBe('nosniff')
  const { type, title, detail, code, errors: _, suggestions = [], ...others } = body
  const { provider_token: confirmed = 'e.y.J', ...said } = others
  expect(confirmed).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(Object.keys(said).filter(member => member !== further[code as ErrorCode])).toEqual(['status'])
  expect(others.status).toBe(status)
  expect(code === 'not-found' ? paths : []).toEqual(expect.arrayContaining(suggestions))
  expect(type).toBe('about:blank')
  expect(title).toMatch(/^[A-Z]\w+( \w+)*$/)
  expect(detail).toMatch(/^['/A-Z].{9,}$/)
  expect(Object.keys(refusals)).toContain(code)
  // At a login, and elsewhere.
  expect([refusalAmong(['bad-credentials'], code)[0], refusalAmong([], code)[0]]).toContain(status)
  advice[code as ErrorCode]?.(answer)
}

function expectGatewayRefusal({ status, body }: Answer): void {
  expect(gatewayStatuses).toContain(status)
  expect(body).toEqual({ message: expect.stringMatching(/^[A-Z][\w ]+$/) })
}
