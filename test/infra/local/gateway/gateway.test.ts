import { once } from 'node:events'
import { request as send } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { gatewayServer } from '../../../../infra/local/gateway/gateway.ts'
import { Routes } from '../../../../infra/local/gateway/routes.ts'
import { close, listen } from '../../../../infra/local/network.ts'
import type { FunctionDefinition } from '../../../../infra/local/template/definitions.ts'
import { type Observed, observe, smallStack } from '../../../support/system/small-stack.ts'

const cors = {
  AllowOrigins: ['https://a.example', 'https://b.example'],
  AllowMethods: ['GET', 'POST'],
  AllowHeaders: ['authorization'],
  ExposeHeaders: ['etag'],
  MaxAge: 60,
}

/** A gateway whose functions never answer in time. @returns its port */
async function busyGateway(timeouts?: { headers: number; request: number }): Promise<number> {
  const routes = new Routes(new Map([['$default', {} as FunctionDefinition]]))
  const parts = { routes, cors: null, invoke: async () => 'throttled' as const, onServed: () => {} }
  const server = gatewayServer(Promise.resolve(parts), timeouts)
  onTestFinished(() => close(server))
  return listen(server, '127.0.0.1')
}

let system: Observed
beforeAll(async () => {
  const assembly = smallStack(
    {
      echo: {
        on: ['$default', 'GET /echo', 'POST /echo', 'GET /things/{id}'],
        source: 'exports.handler = async event => ({ event })',
      },
      // It answers what it is sent, as JSON.
      answer: { on: ['POST /answer', 'HEAD /answer'], source: answering },
      untouched: { on: ['POST /untouched'], source: 'exports.handler = async () => null' },
      broken: { on: ['GET /broken'], source: 'exports.handler = async () => { throw new TypeError("no") }' },
    },
    { Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP', CorsConfiguration: cors } } },
  )
  system = await observe(assembly)
  await fetch(system.baseUrl)
})
afterAll(() => system.stop())

const answering = `exports.handler = async ({ body, requestContext }) =>
  requestContext.http.method === 'HEAD'
    ? { statusCode: 200, headers: { 'x-seen': 'yes' }, body: 'not to be seen' }
    : JSON.parse(body)`

interface Sent {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends a request as it is stated: fetch would correct some of these. */
async function request(
  method: string,
  path: string,
  headers: string[] = [],
  body: string | Buffer = '',
): Promise<Sent> {
  const { port } = new URL(system.baseUrl)
  const sent = send({ host: '127.0.0.1', port, method, path, headers, setHost: false })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

async function eventOf(method: string, path: string, headers: string[] = [], body: string | Buffer = '') {
  const length = ['Content-Length', String(Buffer.byteLength(body))]
  const sent = await request(method, path, ['Host', 'localhost', ...(body.length > 0 ? length : []), ...headers], body)
  return JSON.parse(sent.body).event as APIGatewayProxyEventV2
}

describe('an event of payload format 2.0', () => {
  test('says what was asked, by whom and when', async () => {
    const event = await eventOf('GET', '/echo?b=2&a=1&a=3&c=%20', ['User-Agent', 'test'])
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /echo',
      rawPath: '/echo',
      rawQueryString: 'b=2&a=1&a=3&c=%20',
      queryStringParameters: { b: '2', a: '1,3', c: ' ' },
      isBase64Encoded: false,
      requestContext: {
        domainName: 'localhost',
        http: { method: 'GET', path: '/echo', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
        routeKey: 'GET /echo',
        stage: '$default',
        requestId: expect.stringMatching(/^[\w-]{36}$/),
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      },
    })
    expect(Math.abs(event.requestContext.timeEpoch - Date.now())).toBeLessThan(60_000)
    expect(event).not.toHaveProperty('body')
    expect(event).not.toHaveProperty('cookies')
  })

  test('names headers in lower case, joins those that repeat, and keeps cookies apart', async () => {
    const { headers, cookies } = await eventOf('GET', '/echo', [
      ...['X-Tag', 'one', 'Cookie', 'a=1; b=2', 'x-tag', 'two', 'Authorization', 'first', 'authorization', 'second'],
    ])
    expect(headers).toMatchObject({ 'x-tag': 'one,two', authorization: 'first,second' })
    expect(headers).not.toHaveProperty('cookie')
    expect(cookies).toEqual(['a=1', 'b=2'])
  })

  test('takes the caller’s address from the connection, whatever a header claims', async () => {
    const { requestContext, headers } = await eventOf('GET', '/echo', ['X-Forwarded-For', '6.6.6.6'])
    expect(requestContext.http.sourceIp).toBe('127.0.0.1')
    expect(headers['x-forwarded-for']).toBe('6.6.6.6, 127.0.0.1')
  })

  test('decodes the path, its parameters too', async () => {
    const event = await eventOf('GET', '/things/a%2Bb%20%C3%BC')
    expect(event).toMatchObject({ rawPath: '/things/a+b ü', pathParameters: { id: 'a+b ü' } })
  })

  test('leaves out headers that concern the connection only', async () => {
    const { headers } = await eventOf('GET', '/echo', ['Connection', 'keep-alive', 'TE', 'trailers'])
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['connection']))
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['te']))
  })

  test.each([
    ['application/json', '{"a":"ü"}', false],
    ['APPLICATION/JSON; charset=utf-8', '{}', false],
    ['application/problem+json', '{}', false],
    ['text/plain', 'text', false],
    ['application/xml', '<a/>', false],
    ['application/x-www-form-urlencoded', 'a=1', true],
    ['application/octet-stream', 'a', true],
    ['application/jsonp', 'a', true],
    ['', 'a', true],
    ['application/json', Buffer.from([0xff, 0xfe]), true],
  ])('a body of type %j such as %j: base64 is %s', async (type, body, isBase64Encoded) => {
    const event = await eventOf('POST', '/echo', type ? ['Content-Type', type] : [], body)
    expect(event.isBase64Encoded).toBe(isBase64Encoded)
    expect(Buffer.from(event.body ?? '', isBase64Encoded ? 'base64' : 'utf8')).toEqual(Buffer.from(body))
  })
})

describe('an answer', () => {
  const answer = (result: unknown) => {
    const body = JSON.stringify(result)
    const headers = ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))]
    return request('POST', '/answer', ['Host', 'localhost', ...headers], body)
  }

  test.each<[string, unknown, Partial<Sent> & { headers?: object }]>([
    [
      'has the status, headers and body that the function gives',
      { statusCode: 418, headers: { 'X-A': 1 }, body: 'x' },
      { status: 418, headers: { 'x-a': '1' }, body: 'x' },
    ],
    [
      'is text unless it says otherwise',
      { statusCode: 200, body: 'x' },
      { headers: { 'content-type': 'text/plain; charset=utf-8' } },
    ],
    [
      'sets each cookie by itself',
      { statusCode: 200, cookies: ['a=1', 'b=2'] },
      { headers: { 'set-cookie': ['a=1', 'b=2'] } },
    ],
    [
      'is decoded from base64 where it says so',
      { statusCode: 200, body: 'w7w=', isBase64Encoded: true },
      { body: 'ü' },
    ],
    [
      'without a status is a 200 with all of it as JSON',
      { a: 1 },
      { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
    ],
    ['that is text is a 200 with that text', 'hello', { status: 200, body: 'hello' }],
    [
      'with a status that is none becomes a bare 500',
      { statusCode: 'x' },
      { status: 500, body: '{"message":"Internal Server Error"}' },
    ],
    ['with a body that is no text becomes a bare 500', { statusCode: 200, body: { a: 1 } }, { status: 500 }],
    [
      'loses a header that no message can carry',
      { statusCode: 200, headers: { 'bad name': 'x', 'x-bad': 'a\nb', 'x-good': 'y' } },
      { status: 200, headers: { 'x-good': 'y' } },
    ],
  ])('%s', async (_, result, expected) => {
    expect(await answer(result)).toMatchObject(expected)
  })

  test.each([204, 304])('of status %i has no body, nor says anything of one', async statusCode => {
    const { status, headers, body } = await answer({ statusCode, body: 'x' })
    expect({ status, body }).toEqual({ status: statusCode, body: '' })
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['content-type']))
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['content-length']))
  })

  test('of a function that throws is a bare 500', async () => {
    expect(await request('GET', '/broken', ['Host', 'x'])).toMatchObject({
      status: 500,
      body: '{"message":"Internal Server Error"}',
    })
  })

  test('to HEAD has the length of its body, and not the body', async () => {
    const { body, headers } = await request('HEAD', '/answer', ['Host', 'x'])
    expect(body).toBe('')
    expect(headers).toMatchObject({ 'x-seen': 'yes', 'content-length': String('not to be seen'.length) })
  })
})

describe('CORS is handled by the gateway:', () => {
  const preflight = ['Host', 'x', 'Access-Control-Request-Method', 'POST']

  test('a preflight is answered without any function', async () => {
    const before = system.served.length
    const { status, headers, body } = await request('OPTIONS', '/echo', [...preflight, 'Origin', 'https://b.example'])
    expect({ status, body }).toEqual({ status: 204, body: '' })
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://b.example',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '60',
    })
    expect(system.served.length).toBe(before + 1)
  })

  test('a preflight of an origin that is not allowed gets no CORS headers', async () => {
    const { status, headers } = await request('OPTIONS', '/echo', [...preflight, 'Origin', 'https://c.example'])
    expect(status).toBe(204)
    expect(Object.keys(headers).join()).not.toMatch(/access-control/)
  })

  test('OPTIONS that is no preflight goes to a route', async () => {
    expect((await eventOf('OPTIONS', '/echo')).routeKey).toBe('$default')
  })

  test.each([
    ['an allowed origin', 'https://a.example', 'https://a.example'],
    ['another origin', 'https://c.example', undefined],
    ['no origin', '', undefined],
  ])('an answer to %s carries the API’s CORS headers, never the function’s', async (_, origin, allowed) => {
    const body = JSON.stringify({
      statusCode: 200,
      headers: { 'Access-Control-Allow-Origin': '*', 'access-control-allow-credentials': 'true' },
    })
    const headers = ['Content-Type', 'application/json', 'Content-Length', String(body.length)]
    const sent = await request(
      'POST',
      '/answer',
      ['Host', 'x', ...headers, ...(origin ? ['Origin', origin] : [])],
      body,
    )
    expect(sent.headers['access-control-allow-origin']).toBe(allowed)
    expect(sent.headers['access-control-expose-headers']).toBe(allowed && 'etag')
    expect(sent.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('the gateway’s own errors carry them too', async () => {
    const { headers } = await request('GET', '/broken', ['Host', 'x', 'Origin', 'https://a.example'])
    expect(headers['access-control-allow-origin']).toBe('https://a.example')
  })
})

describe('limits:', () => {
  test('a request line and header values of 10,240 bytes pass, and one more does not', async () => {
    const others = 'GET /echo HTTP/1.1'.length + 'x'.length + 'close'.length
    const withHeaders = (bytes: number) =>
      request('GET', '/echo', ['Host', 'x', 'Connection', 'close', 'X-Long', 'y'.repeat(bytes - others)])
    expect((await withHeaders(10_240)).status).toBe(200)
    for (const bytes of [10_241, 40_000]) {
      const refused = { status: 431, body: '{"message":"Request Header Fields Too Large"}' }
      expect(await withHeaders(bytes)).toMatchObject(refused)
    }
  })

  test('a body above 10 MB is refused, as is one that Lambda would not take', async () => {
    const post = (megabytes: number) =>
      fetch(`${system.baseUrl}/echo`, { method: 'POST', body: Buffer.alloc(megabytes * 1024 * 1024 + 1) })
    expect((await post(10)).status).toBe(413)
    expect((await post(6)).status).toBe(413)
    expect((await fetch(`${system.baseUrl}/echo`)).status).toBe(200)
  })

  test('an integration that takes too long is a 503', async () => {
    const port = await busyGateway()
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }])
  })

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Half'],
    ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'],
  ])('a client that never ends the %s gets an error, and is disconnected', async (_, half) => {
    const socket = connect(await busyGateway({ headers: 50, request: 100 }), '127.0.0.1')
    socket.write(half)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*"message":"Request Timeout"\}$/s)
  })
})

describe('connections:', () => {
  /** What comes back for these bytes until the other side closes, or `ending` is there. */
  async function exchange(bytes: string, ending = /\}$/): Promise<string> {
    const socket = connect(Number(new URL(system.baseUrl).port), '127.0.0.1')
    socket.write(bytes, 'latin1')
    let received = ''
    for await (const chunk of socket) {
      received += chunk
      if (ending.test(received)) break
    }
    socket.destroy()
    return received
  }

  test.each([
    ['no request at all', 'hello\r\n\r\n'],
    ['a method that there is not', 'STEAL / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a version that there is not', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['two lengths', 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\naa'],
    [
      'a length and chunks',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length below zero', 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n'],
    ['two hosts in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['an empty host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a host of two words', 'GET / HTTP/1.1\r\nHost: x y\r\n\r\n'],
    ['a host with a path', 'GET / HTTP/1.1\r\nHost: x/y\r\n\r\n'],
    ['a host with a user', 'GET / HTTP/1.1\r\nHost: y@x\r\n\r\n'],
    ['a host with a port that is no number', 'GET / HTTP/1.1\r\nHost: x:y\r\n\r\n'],
    ['a host with a bracket that is not closed', 'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n'],
    ['a host with an escape that makes no sense', 'GET / HTTP/1.1\r\nHost: x%zz\r\n\r\n'],
    ['a host that is not ASCII', 'GET / HTTP/1.1\r\nHost: \xfc\r\n\r\n'],
    ['a target without its host', 'GET http:///echo HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a target whose host is broken', 'GET http://y@x/echo HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path whose escapes make no sense', 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path of escapes that are no UTF-8', 'GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s is answered 400', async (_, bytes) => {
    expect(await exchange(bytes, /HTTP\/1\.1 \d{3}/)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.each([
    ['a name', 'GET /echo HTTP/1.1\r\nHost: api.example.com\r\n\r\n'],
    ['a name and a port', 'GET /echo HTTP/1.1\r\nHost: localhost:3000\r\n\r\n'],
    ['an IPv4 address', 'GET /echo HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n'],
    ['an IPv6 address', 'GET /echo HTTP/1.1\r\nHost: [::1]:80\r\n\r\n'],
    ['none in HTTP/1.0', 'GET /echo HTTP/1.0\r\n\r\n'],
    ['one in the target as well', 'GET http://y.example:80/echo?a HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('a host may be %s', async (_, bytes) => {
    expect(await exchange(bytes, /HTTP\/1\.1 \d{3}/)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('one that breaks in the middle of a body reaches no function, and does no harm', async () => {
    const socket = connect(Number(new URL(system.baseUrl).port), '127.0.0.1')
    socket.write('POST /untouched HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy())
    await once(socket, 'close')
    expect((await fetch(`${system.baseUrl}/echo`)).status).toBe(200)
    expect(system.environments.map(({ caller }) => caller)).not.toContain('untouched')
  })

  test('a hundred at once are all answered', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => (await fetch(`${system.baseUrl}/echo?${i}`)).status),
    )
    expect(statuses).toEqual(Array.from({ length: 100 }, () => 200))
  })
})

test('a request is reported by method, path, status, code and time, without its query', async () => {
  system.served.length = 0
  await fetch(`${system.baseUrl}/echo?token=secret`)
  expect(system.served).toEqual([
    { method: 'GET', path: '/echo', status: 200, code: null, milliseconds: expect.any(Number) },
  ])
})
