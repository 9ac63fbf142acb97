import { describe, expect, test } from 'vitest'
import { clientPaths } from '../../api/needs.ts'
import { functionNames, routeKeysOf } from '../../api/route-keys.ts'
import notFound from '../../functions/not-found.ts'
import { bare, builtNotFound } from '../support/built-page.ts'
import { call, type Sent } from '../support/service/http.ts'

const acme = { ...bare, supportEmail: 'help@acme.example' }
const ask = (sent: Sent) => call(notFound({ config: acme, read: builtNotFound }), sent)

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
    const { status, body, headers } = await ask({ method, path })
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(body).toMatchObject({ title: 'Not Found', status: 404, code: 'not-found', detail: expect.any(String) })
  }
})

test.each([
  ['/auth/logn', '/auth/login'],
  ['/auth/login/', '/auth/login'],
  ['/auth/Me', '/auth/me'],
  ['/auth/resend', '/auth/resend-verification'],
  ['/auth/second_factor/confirm', '/auth/second-factor/confirm'],
  ['/login', '/auth/login'],
])('a program that calls %s is told of %s, by any method', async (path, nearest) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const { body } = await ask({ method, path })
    expect(body.detail).toBe(`There is nothing at this path. The nearest is ${nearest}`)
    expect(body.suggestions[0]).toBe(nearest)
  }
})

test('every path with one letter wrong has the right one as its nearest', async () => {
  const paths = [...methods.keys()].filter(path => path.startsWith('/auth/'))
  for (const path of paths) {
    const [last] = path.split('/').slice(-1) as [string]
    const wrong = [`${path}x`, path.slice(0, -1), path.replace(last, `x${last.slice(1)}`)]
    for (const each of wrong.filter(each => !paths.includes(each))) {
      const { body } = await ask({ method: 'POST', path: each })
      expect(body.detail).toBe(`There is nothing at this path. The nearest is ${path}`)
    }
  }
})

test('a program that calls what is like no path is told of none', async () => {
  const { body } = await ask({ method: 'POST', path: '/wp-login.php' })
  expect(body).toMatchObject({ code: 'not-found', detail: 'There is nothing at this path' })
  expect(body).not.toHaveProperty('suggestions')
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
    const { status, headers, body } = await ask({ method, path })
    expect([status, headers.allow]).toEqual([405, allow])
    if (method === 'HEAD') expect(body).toBeNull()
    else expect(body).toMatchObject({ code: 'method-not-allowed', detail: `${path} answers ${allow}, not ${method}` })
  }
  const { status, headers, text } = await ask({ method: 'OPTIONS', path })
  expect([status, headers.allow, text]).toEqual([204, allow, ''])
})

test('the page of a language is read once', async () => {
  let read = 0
  const handler = notFound({
    config: acme,
    read(tag) {
      read += 1
      return builtNotFound(tag)
    },
  })
  for (let i = 0; i < 2; i++) await call(handler, { method: 'GET', path: '/nothing', headers: { accept: 'text/html' } })
  expect(read).toBe(1)
})

describe('without applications', () => {
  const alone = notFound({ config: { ...acme, hasClients: false }, read: builtNotFound })

  test.each(['/auth/token', '/auth/userinfo', '/auth/authorize', '/authorize', '/logout'])(
    '%s is unknown by every method, in browsers too',
    async path => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']) {
        const { status, headers } = await call(alone, { method, path })
        expect([status, headers.allow]).toEqual([404, undefined])
      }
      const { status, text } = await call(alone, { method: 'GET', path, headers: { accept: browser } })
      expect([status, headingOf(text)]).toEqual([404, 'There is nothing at this address'])
    },
  )

  test('all other paths are known', async () => {
    for (const path of [...methods.keys()].filter(path => !clientPaths.has(path)))
      expect([path, (await call(alone, { method: 'BREW', path })).status]).toEqual([path, 405])
  })

  test('nobody is told of their paths', async () => {
    for (const path of clientPaths) {
      const { body } = await call(alone, { method: 'POST', path: `${path}x` })
      expect((body.suggestions ?? []).filter((near: string) => clientPaths.has(near))).toEqual([])
    }
    const { text } = await call(alone, { method: 'GET', path: '/authorise', headers: { accept: browser } })
    expect(text).not.toContain('/auth/authorize')
  })
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const open = (path: string, accept = browser, method = 'GET') => ask({ method, path, headers: { accept } })
const headingOf = (html: string) => /<h1>(.*)<\/h1>/.exec(html)?.[1]
const linksIn = (html: string) => [...html.matchAll(/<li><a href="([^"]*)">/g)].map(([, href]) => href)

describe('a browser', () => {
  const nearestTo = {
    '/verify-emial': ['/verify-email'],
    '/verify': ['/verify-email'],
    '/Reset-Password/': ['/reset-password'],
    '/catalog': ['/catalogue', '/catalogue/explore'],
    '/explore': ['/catalogue/explore'],
    '/openapi': ['/openapi.json'],
    '/<script>alert(1)</script>': [],
    '/wp-login.php': [],
  }
  test.each(Object.entries(nearestTo))(
    'that opens %s gets a page with the nearest pages, %j',
    async (path, nearest) => {
      const { status, headers, text } = await open(path)
      expect({ status, headers }).toMatchObject({
        status: 404,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          vary: 'Accept-Encoding, Accept',
        },
      })
      expect(headingOf(text)).toBe('There is nothing at this address')
      expect(linksIn(text)).toEqual(nearest)
      expect(text.includes('Did you mean?')).toBe(/<li>/.test(text))
      expect(text).toContain('mailto:help@acme.example')
      expect(text).not.toMatch(/<script|\{\{|<!--/)
    },
  )

  test.each(['/login', '/Sign-In', '/users/sign_up', '/account/login/', '/register', '/profile', '/settings/security'])(
    'that opens %s, as other sites say, is led to the account page if on',
    async path => {
      expect(linksIn((await open(path)).text)[0]).toBe('/account')
      const off = notFound({ config: { ...acme, accountPage: false }, read: builtNotFound })
      const { text } = await call(off, { method: 'GET', path, headers: { accept: browser } })
      expect(text).not.toContain('/account"')
    },
  )

  test('learns of calls for programs, without a link to them', async () => {
    const { text } = await open('/auth/logn')
    expect(text).toContain('<li>/auth/login (programs call it with POST)</li>')
    expect(linksIn(text)).toEqual([])
    expect((await open('/auth/mee')).text).toContain('<li>/auth/me (programs call it with GET or HEAD or PUT)</li>')
  })

  test('that opens an address for programs gets a page with 405', async () => {
    const { status, headers, text } = await open('/auth/reset-password')
    expect({ status, headers }).toMatchObject({
      status: 405,
      headers: { allow: 'POST, OPTIONS', vary: 'Accept-Encoding, Accept' },
    })
    expect(headingOf(text)).toBe('This address is for programs')
    expect(linksIn(text)).toEqual(['/reset-password'])
  })

  test('that sends HEAD gets the length of the page', async () => {
    const { text } = await open('/verify')
    const { status, headers, text: nothing } = await open('/verify', browser, 'HEAD')
    expect([status, headers['content-length'], nothing]).toEqual([404, String(Buffer.byteLength(text)), ''])
  })
})

const [page, problem] = ['text/html; charset=utf-8', 'application/problem+json']
const typesAccepted = {
  'GET, text/html': page,
  'GET, application/json, Text/HTML;level=1': page,
  'GET, text/html;q=0, */*': problem,
  'GET, */*': problem,
  'GET, application/json': problem,
  'POST, text/html': problem,
}
test.each(Object.entries(typesAccepted))(
  'with Accept, %s answers %s, and caches are told that it depends on it',
  async (request, type) => {
    const [, method, accept] = /^(\w+), (.*)$/.exec(request) ?? []
    const { headers } = await open('/nothing', accept, method)
    expect(headers).toMatchObject({ 'content-type': type, vary: type === page ? 'Accept-Encoding, Accept' : 'Accept' })
  },
)
