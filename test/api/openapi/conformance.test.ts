import { describe, expect, test } from 'vitest'
import { conformanceTo } from '../../../api/openapi/conformance.ts'
import type { OpenapiDocument } from '../../../api/openapi/document.ts'
import { byName, document } from '../../support/api/openapi.ts'

/** The check against the document finds undescribed answers. All tests show what is described, but for answers of the gateway. */

const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  ratelimit: '"login";r=59;t=42',
  'ratelimit-policy': '"login";q=60;w=60',
}
const token = { access_token: 'a.b.c', token_type: 'bearer', expires_in: 3600 }
const refusal = { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'x', code: 'bad-credentials' }
const problem = { ...headers, 'content-type': 'application/problem+json', 'www-authenticate': 'Bearer' }
const gateway = { 'content-type': 'application/json' }

interface Answer {
  method?: string
  path?: string
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

const faultsOf = (
  { method = 'POST', path = '/auth/login', status = 200, headers: fields = headers, body = token }: Answer,
  { isClosed = true, of = document } = {},
): string[] => {
  const text = body === '' ? '' : JSON.stringify(body)
  return conformanceTo(of, { isClosed, isGateway: true })(method, path, { status, header: byName(fields), body: text })
}

const without = (name: keyof typeof problem) => {
  const { [name]: _, ...rest } = problem
  return rest
}

test.each<[string, Answer]>([
  ["the gateway's own answer", { status: 429, headers: gateway, body: { message: 'Too Many Requests' } }],
  ['what it says of a malformed request', { status: 400, headers: gateway, body: { message: 'Bad Request' } }],
])('%s is described', (_, answer) => {
  expect(faultsOf(answer)).toEqual([])
})

describe('not described is', () => {
  test.each<[string, Answer, string]>([
    ['another status', { status: 418 }, '418 is not described'],
    ['a status of another operation', { path: '/auth/register' }, '200 is not described'],
    ['an unknown path that answers', { path: '/auth/nowhere' }, '200 is not described'],
    [
      'another media type',
      { headers: { ...headers, 'content-type': 'text/plain' } },
      'the media type text/plain is not described',
    ],
    [
      'no JSON',
      { headers: { ...headers, 'content-type': 'application/problem+json' } },
      'the media type application/problem+json is not described',
    ],
    [
      'a missing member',
      { body: { ...token, expires_in: undefined } },
      "body must have required property 'expires_in'",
    ],
    ['a further member', { body: { ...token, secret: 1 } }, 'body must NOT have additional properties'],
    ['another constant', { body: { ...token, token_type: 'mac' } }, 'body/token_type must be equal to constant'],
    [
      'a code of another status',
      { status: 401, headers: problem, body: { ...refusal, code: 'email-taken' } },
      'the code email-taken is not described',
    ],
    [
      'a problem of another status',
      { status: 401, headers: problem, body: { ...refusal, status: 403 } },
      'the problem is 403 Unauthorized',
    ],
    [
      'a refusal without its challenge',
      { status: 401, headers: without('www-authenticate'), body: refusal },
      'the header WWW-Authenticate is missing',
    ],
    [
      'an answer without its caching',
      { headers: { 'content-type': 'application/json' } },
      'the header Cache-Control is missing',
    ],
    [
      'another caching',
      { headers: { ...headers, 'cache-control': 'public' } },
      'Cache-Control must match pattern "^(?:no-store)$"',
    ],
    ['a header that belongs elsewhere', { headers: { ...headers, etag: 'W/"x"' } }, 'the header ETag is not described'],
    [
      'HEAD with a body',
      { method: 'HEAD', path: '/auth/me', headers: { 'cache-control': 'no-store' } },
      'a body is not described',
    ],
    [
      'a refusal over a limit without its wait',
      { status: 429, headers: problem, body: {} },
      'the header Retry-After is missing',
    ],
    [
      'what no gateway says of a malformed request',
      { status: 400, headers: gateway, body: { error: 'no' } },
      'the media type application/json is not described',
    ],
    [
      'the gateway in other words',
      { status: 429, headers: gateway, body: { error: 'no' } },
      "body must have required property 'message'",
    ],
  ])('%s', (_, answer, fault) => {
    expect(faultsOf(answer).join()).toContain(fault)
  })

  test('an answer that the document lacks', () => {
    const lacking = structuredClone(document) as OpenapiDocument
    delete lacking.paths['/auth/login']?.post?.responses[401]
    const answer = { status: 401, headers: problem, body: refusal }
    expect(faultsOf(answer, { of: lacking })).toEqual(['401 is not described'])
    expect(faultsOf(answer)).toEqual([])
  })
})

test('a client accepts members that were added later', () => {
  expect(faultsOf({ body: { ...token, more: 'x' } }, { isClosed: false })).toEqual([])
})

test.each([
  ['/catalogue/modules', 'listModules'],
  ['/catalogue/modules/query+allpages', 'getModule'],
  ['/catalogue/modules/allpages', 'getModule'],
  ['/catalogue/query allpages/parameters', 'listParametersDirectly'],
  ['/catalogue/allpages', 'getModuleDirectly'],
  ['/catalogue/groups', 'listGroups'],
])('%s is answered by the operation %s', async (path, name) => {
  const { findOperation } = await import('../../../api/openapi/match.ts')
  expect(findOperation(document, 'GET', path)?.operation.operationId).toBe(name)
})
