import type { Context } from 'aws-lambda'
import { afterEach, expect, test, vi } from 'vitest'
import { DomainError } from '../../../shared/errors.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { call, httpEvent } from '../../support/http.ts'
import { createWorld } from '../../support/world.ts'

const world = createWorld()
const body = { email: 'ada@example.com' }
const failing = (thrown: unknown) =>
  endpoint('forgot-password', async () => {
    throw thrown
  })(world.deps)

const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => logged.mockClear())

test('a bug is answered with a bare 500, and logged with its stack but without what the error carries', async () => {
  const bug = Object.assign(new TypeError('unforeseen'), { input: 'hunter2', $response: { body: 'hunter2' } })
  const answer = await call(failing(bug), { body })
  expect(answer.status).toBe(500)
  expect(answer.body).toEqual({
    type: 'about:blank',
    title: 'Internal Server Error',
    status: 500,
    detail: 'Something went wrong on our side',
    code: 'internal',
  })
  expect(logged).toHaveBeenCalledWith({
    error: 'TypeError',
    message: 'unforeseen',
    stack: expect.stringContaining('TypeError'),
  })
})

test.each([undefined, null, 'text', 7, {}])('even a thrown %o is answered', async thrown => {
  expect((await call(failing(thrown), { body })).status).toBe(500)
})

test('what is unavailable is logged by the names of its causes', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { name: 'TimeoutError', $metadata: { attempts: 3 } })
  await call(failing(new DomainError('unavailable', { cause })), { body })
  expect(logged).toHaveBeenCalledWith({
    error: 'DomainError',
    message: expect.any(String),
    cause: { error: 'TimeoutError', message: 'connect ECONNREFUSED', stack: expect.any(String) },
  })
})

test("a refusal is the caller's affair, and not logged", async () => {
  await call(failing(new DomainError('email-taken')), { body })
  expect(logged).not.toHaveBeenCalled()
})

test('a function about to run out of time says so, and still with its rate limit', async () => {
  const never = endpoint('forgot-password', () => new Promise(() => {}))(world.deps)
  const context = { getRemainingTimeInMillis: () => 510 } as Context
  const { statusCode, headers } = await never(httpEvent({ body }), context)
  expect(statusCode).toBe(503)
  expect(headers).toMatchObject({ 'retry-after': '5', ratelimit: expect.any(String) })
})
