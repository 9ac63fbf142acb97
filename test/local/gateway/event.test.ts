import { describe, expect, test } from 'vitest'
import { runBehindGateway } from './behind-gateway.ts'

const { eventOf } = runBehindGateway()

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
