import { describe, expect, test } from 'vitest'
import { runBehindGateway, type Sent } from './behind-gateway.ts'

const { request, answer } = runBehindGateway()

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
