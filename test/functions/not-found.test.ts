import { describe, expect, test } from 'vitest'
import notFound from '../../functions/not-found.ts'
import { functionNames, routeKeysOf } from '../../shared/api/route-keys.ts'
import { call } from '../support/service/http.ts'

test.each([
  '/auth',
  '/auth/',
  '/auth/login/',
  '/auth/me/1',
  '/AUTH/ME',
  '/auth/%6de',
  '/favicon.ico',
  '/__proto__',
  '/constructor',
])('there is nothing at %s, by any method', async path => {
  for (const method of ['GET', 'POST', 'OPTIONS', 'BREW']) {
    const { status, body, headers } = await call(notFound(), { method, path })
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(body).toMatchObject({ title: 'Not Found', status: 404, code: 'not-found', detail: expect.any(String) })
  }
})

/** Requests by the methods that their paths have instead. */
const misdirected = {
  'POST, OPTIONS': ['GET /auth/login', 'PATCH /auth/register'],
  'GET, HEAD, PUT, OPTIONS': ['DELETE /auth/me'],
  'GET, HEAD, OPTIONS': ['POST /auth/.well-known/jwks.json', 'POST /', 'POST /verify-email'],
}

describe.each(Object.entries(misdirected))('of the methods %s', (allow, requests) => {
  test.each(requests)('%s is not allowed, and the answer names the methods that are', async request => {
    const [method = '', path = ''] = request.split(' ')
    const { status, headers, body } = await call(notFound(), { method, path })
    expect(status).toBe(405)
    expect(headers.allow).toBe(allow)
    expect(body.detail).toBe(`${path} answers ${allow}, not ${method}`)
  })
})

/** The methods of each path of the route table; the catalogue looks at its methods itself. */
const methods = new Map<string, string[]>()
for (const key of functionNames.flatMap(routeKeysOf)) {
  const [method = '', path] = key.split(' ')
  if (path && method !== 'ANY') methods.set(path, [...(methods.get(path) ?? []), method])
}

test.each([...methods])('%s answers %j only, and says so to every other method', async (path, answered) => {
  const allow = [...answered, 'OPTIONS'].join(', ')
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'BREW']) {
    if (answered.includes(method)) continue
    const { status, headers, body } = await call(notFound(), { method, path })
    expect([status, headers.allow]).toEqual([405, allow])
    if (method === 'HEAD') expect(body).toBeNull()
    else expect(body).toMatchObject({ code: 'method-not-allowed', detail: `${path} answers ${allow}, not ${method}` })
  }
  const { status, headers, text } = await call(notFound(), { method: 'OPTIONS', path })
  expect([status, headers.allow, text]).toEqual([204, allow, ''])
})

test('OPTIONS without an origin gets the list of methods', async () => {
  const { status, headers, text } = await call(notFound(), { method: 'OPTIONS', path: '/auth/me' })
  expect([status, headers.allow, text]).toEqual([204, 'GET, HEAD, PUT, OPTIONS', ''])
})
