import { once } from 'node:events'
import { request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { afterAll, beforeAll } from 'vitest'
import { type Observed, observe, smallStack } from '../../support/system/small-stack.ts'

const cors = {
  AllowOrigins: ['https://a.example', 'https://b.example'],
  AllowMethods: ['GET', 'POST'],
  AllowHeaders: ['authorization'],
  ExposeHeaders: ['etag'],
  MaxAge: 60,
}

const answering = `exports.handler = async ({ body, requestContext }) =>
  requestContext.http.method === 'HEAD'
    ? { statusCode: 200, headers: { 'x-seen': 'yes' }, body: 'not to be seen' }
    : JSON.parse(body)`

export interface Sent {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A stack behind the gateway for the tests of a file, and a client that sends requests unchanged. */
export function runBehindGateway() {
  let system: Observed
  beforeAll(async () => {
    const assembly = smallStack(
      {
        echo: {
          on: ['$default', 'GET /echo', 'POST /echo', 'GET /things/{id}'],
          source: 'exports.handler = async event => ({ event })',
        },
        // It echoes its input as JSON.
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

  /** fetch would correct some of these requests. */
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

  /** The function `answer`'s result, as the gateway passes it on. */
  function answer(result: unknown, headers: string[] = []): Promise<Sent> {
    const body = JSON.stringify(result)
    const length = String(Buffer.byteLength(body))
    const own = ['Host', 'localhost', 'Content-Type', 'application/json', 'Content-Length', length]
    return request('POST', '/answer', [...own, ...headers], body)
  }

  /** The function `echo`'s event. */
  async function eventOf(method: string, path: string, headers: string[] = [], body: string | Buffer = '') {
    const length = ['Content-Length', String(Buffer.byteLength(body))]
    const own = ['Host', 'localhost', ...(body.length > 0 ? length : [])]
    const sent = await request(method, path, [...own, ...headers], body)
    return JSON.parse(sent.body).event as APIGatewayProxyEventV2
  }

  return { system: () => system, request, answer, eventOf }
}
