import { expect } from 'vitest'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { refusals } from '../../shared/base/errors.ts'
import type { Received } from '../support/service/http.ts'

/** Expects a problem of this code, with its status. @param what sent, for the failure's message */
export function expectProblem({ status, headers, body }: Received, code: keyof typeof refusals, what?: string): void {
  expect(body, what).toMatchObject({
    type: 'about:blank',
    title: expect.any(String),
    status: refusals[code][0],
    detail: expect.any(String),
    code,
  })
  expect(status).toBe(refusals[code][0])
  expect(headers['content-type']).toBe('application/problem+json')
  expect(headers['cache-control']).toBe('no-store')
}

/** OAuth's own errors in place of problems. */
const oauthErrors = {
  'origin-not-allowed': [403, 'invalid_request'],
  unavailable: [503, 'temporarily_unavailable'],
} as const

/** Expects an endpoint's own refusal: a problem, or an object of RFC 6749 §5.2. */
export function expectRefused(
  name: EndpointName,
  answer: Received,
  code: keyof typeof oauthErrors,
  what?: string,
): void {
  if ((routes[name] as Route).form) {
    expect([answer.status, answer.body.error], what).toEqual(oauthErrors[code])
    expect(answer.headers['cache-control']).toBe('no-store')
  } else expectProblem(answer, code, what)
}
