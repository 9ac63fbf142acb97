import { expect } from 'vitest'
import { refusals } from '../../shared/base/errors.ts'
import type { Received } from '../support/service/http.ts'

/** Expects an answer to be a problem of this code, with its status. @param what is answered, for the failure's message */
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
