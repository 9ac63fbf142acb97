import type { Context } from 'aws-lambda'
import { expect, test } from 'vitest'
import { endpoint } from '../../api/endpoint.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { MessageResponse } from '../../shared/base/shapes.ts'
import { createHarness } from '../support/service/harness.ts'
import { call, httpEvent } from '../support/service/http.ts'

const harness = createHarness()
const body = { email: 'ada@example.com' }
const failing = (thrown: unknown) =>
  endpoint('forgot-password', async () => {
    throw thrown
  })(harness.deps)

test('a bug is a bare 500, logged with its stack but not what it carries', async () => {
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
  expect(harness.failures).toEqual([
    { error: 'TypeError', message: 'unforeseen', stack: expect.stringContaining('TypeError') },
  ])
})

test.each([undefined, null, 'text', 7, {}])('even a thrown %o is answered', async thrown => {
  expect((await call(failing(thrown), { body })).status).toBe(500)
})

test('what is unavailable is logged by the names of its causes', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { name: 'TimeoutError', $metadata: { attempts: 3 } })
  await call(failing(new DomainError('unavailable', { cause })), { body })
  expect(harness.failures).toEqual([
    {
      error: 'DomainError',
      message: expect.any(String),
      cause: { error: 'TimeoutError', message: 'connect ECONNREFUSED', stack: expect.any(String) },
    },
  ])
})

test("a refusal is the caller's mistake, and is not logged", async () => {
  await call(failing(new DomainError('email-taken')), { body })
  expect(harness.failures).toEqual([])
})

test('an error that AWS answers with is logged by its name alone', async () => {
  const cause = Object.assign(new Error('Email address is not verified: ada@example.com'), {
    name: 'MessageRejected',
    $metadata: { httpStatusCode: 400, requestId: 'request' },
  })
  await call(failing(new DomainError('unavailable', { cause })), { body })
  expect(harness.failures).toEqual([
    {
      error: 'DomainError',
      message: expect.any(String),
      cause: { error: 'MessageRejected', status: 400, request: 'request' },
    },
  ])
})

test('an answer waits for the end of all work, which would otherwise continue after it', async () => {
  const { promise, resolve } = Promise.withResolvers<MessageResponse>()
  const late = endpoint('forgot-password', () => promise)(harness.deps)
  const answering = late(httpEvent({ body }), { getRemainingTimeInMillis: () => 1 } as Context)
  setTimeout(() => resolve({ message: 'done', success: true }), 20)
  expect((await answering).statusCode).toBe(200)
})

test('a bearer endpoint without the means to verify tokens refuses everybody, should it ever compile', async () => {
  const answer = { id: '', email: '', name: null, is_admin: false, is_verified: false, created_at: '' }
  // @ts-expect-error `test/types/functions.ts`
  const open = endpoint('get-me', async () => answer)
  const { status } = await call(open(harness.deps), { headers: { authorization: 'Bearer a.b.c' } })
  expect(status).toBe(500)
})
