import { describe, expect, test } from 'vitest'
import { runBehindGateway } from './behind-gateway.ts'

const { system, request, answer, eventOf } = runBehindGateway()

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
      headers: { 'Access-Control-Allow-Origin': '*', 'access-control-allow-credentials': 'true' },
    }
    const sent = await answer(result, origin ? ['Origin', origin] : [])
    expect(sent.headers['access-control-allow-origin']).toBe(allowed)
    expect(sent.headers['access-control-expose-headers']).toBe(allowed && 'etag')
    expect(sent.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('the gateway’s own errors carry them too', async () => {
    const { headers } = await request('GET', '/broken', ['Host', 'x', 'Origin', 'https://a.example'])
    expect(headers['access-control-allow-origin']).toBe('https://a.example')
  })
})
