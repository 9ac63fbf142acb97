import { describe, expect, test } from 'vitest'
import type { Resource } from '../../../local/template/template.ts'
import { idOf, observeOnce, smallStack, trusting } from '../../support/system/small-stack.ts'
import { runBehindGateway, type Sent } from './behind-gateway.ts'

/** The gateway's events for functions, and its treatment of their answers. */

const { system, request, answer, eventOf } = runBehindGateway()

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
      ...['X-Tag', 'one', 'Cookie', 'a=1', 'x-tag', 'two', 'cookie', 'b=2; c=3'],
      ...['Authorization', 'first', 'authorization', 'second'],
    ])
    expect(headers).toMatchObject({ 'x-tag': 'one,two', authorization: 'first,second' })
    expect(headers).not.toHaveProperty('cookie')
    expect(cookies).toEqual(['a=1', 'b=2', 'c=3'])
  })

  test('takes the client IP address from the connection, whatever a header claims', async () => {
    const { requestContext, headers } = await eventOf('GET', '/echo', ['X-Forwarded-For', '6.6.6.6'])
    expect(requestContext.http.sourceIp).toBe('127.0.0.1')
    expect(headers['x-forwarded-for']).toBe('6.6.6.6, 127.0.0.1')
  })

  test('names the host that the caller asked for', async () => {
    const { body } = await request('GET', '/echo', ['Host', 'api.example.com'])
    expect(JSON.parse(body).event.requestContext.domainName).toBe('api.example.com')
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
    const before = system().served.length
    const { status, headers, body } = await request('OPTIONS', '/echo', [...preflight, 'Origin', 'https://b.example'])
    expect({ status, body }).toEqual({ status: 204, body: '' })
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://b.example',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '60',
    })
    expect(system().served.length).toBe(before + 1)
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
    const result = {
      statusCode: 200,
      headers: { 'Access-Control-Allow-Origin': '*', 'access-control-allow-credentials': 'true', 'x-own': 'kept' },
    }
    const sent = await answer(result, origin ? ['Origin', origin] : [])
    expect(sent.headers['x-own']).toBe('kept')
    expect(sent.headers['access-control-allow-origin']).toBe(allowed)
    expect(sent.headers['access-control-expose-headers']).toBe(allowed && 'etag')
    expect(sent.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('the gateway’s own errors carry them too', async () => {
    const { headers } = await request('GET', '/broken', ['Host', 'x', 'Origin', 'https://a.example'])
    expect(headers['access-control-allow-origin']).toBe('https://a.example')
  })
})

describe('the role by which the API invokes', () => {
  const function_ = { answering: { on: ['GET /answer'], source: 'exports.handler = async () => null' } }
  const gateway = 'apigateway.amazonaws.com'
  const from = (api: string, operator = 'ArnLike') => ({
    Condition: { [operator]: { 'aws:SourceArn': `arn:aws:execute-api:us-east-1:000000000000:${api}/*` } },
  })
  /** A stack whose role says this. */
  const stackWith = (AssumeRolePolicyDocument: object, Resource: string | object = '*') =>
    smallStack(function_, {
      Invoker: {
        Type: 'AWS::IAM::Role',
        Properties: {
          AssumeRolePolicyDocument,
          Policies: [
            {
              PolicyName: 'Grants',
              PolicyDocument: {
                Version: '2012-10-17',
                Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource }],
              },
            },
          ],
        },
      } as Resource,
    })

  test.each([
    ['API Gateway assumes', stackWith(trusting(gateway))],
    ['API Gateway assumes for this API', stackWith(trusting(gateway, from('local')))],
    ['may invoke this function', stackWith(trusting(gateway), { 'Fn::GetAtt': [idOf('answering'), 'Arn'] })],
  ])('answers where %s', async (_, assembly) => {
    const stack = await observeOnce(assembly)
    expect((await fetch(`${stack.baseUrl}/answer`)).status).toBe(200)
    expect(stack.denials).toEqual([])
  })

  test.each([
    ['API Gateway may not assume', 'sts:AssumeRole', stackWith(trusting('lambda.amazonaws.com'))],
    ['API Gateway assumes for another API', 'sts:AssumeRole', stackWith(trusting(gateway, from('other')))],
    [
      'API Gateway assumes for another API, if it names one',
      'sts:AssumeRole',
      stackWith(trusting(gateway, from('other', 'ArnLikeIfExists'))),
    ],
    [
      'may invoke another function',
      'lambda:InvokeFunction',
      stackWith(trusting(gateway), 'arn:aws:lambda:us-east-1:000000000000:function:other'),
    ],
  ])('that %s is a bare 500, and a line says so', async (_, action, assembly) => {
    const stack = await observeOnce(assembly)
    const answer = await fetch(`${stack.baseUrl}/answer`)
    expect([answer.status, await answer.json()]).toEqual([500, { message: 'Internal Server Error' }])
    expect(stack.denials).toEqual([expect.objectContaining({ caller: 'api-gateway', action })])
    expect(stack.environments).toEqual([])
  })

  test('must be stated: API Gateway would ask the policy of the function', async () => {
    const { template, directory } = smallStack(function_)
    delete template.Resources.answeringIntegration0?.Properties?.CredentialsArn
    await expect(observeOnce({ template, directory })).rejects.toThrow(
      'npm start does not support answeringIntegration0: CredentialsArn: ',
    )
  })
})
