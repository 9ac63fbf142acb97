import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gatewayServer } from '../../../local/gateway/gateway.ts'
import { routeFinder } from '../../../local/gateway/routes.ts'
import { close, listen } from '../../../local/network.ts'
import type { RouteTarget } from '../../../local/template/read-stack.ts'
import { runBehindGateway } from './behind-gateway.ts'

const { system, request } = runBehindGateway()

/** A gateway whose functions never answer in time. @returns its port */
async function busyGateway(timeouts?: { headers: number; request: number }): Promise<number> {
  const findRoute = routeFinder(new Map([['$default', {} as RouteTarget]]))
  const [enter, invoke] = [async () => true, async () => 'throttled' as const]
  const parts = { findRoute, cors: null, enter, invoke, onServed: () => {} }
  const server = gatewayServer(Promise.resolve(parts), null, timeouts)
  onTestFinished(() => close(server))
  return listen(server, '127.0.0.1')
}

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

  test('a body above 10 MB is refused, as is a body above Lambda’s limit', async () => {
    const post = (megabytes: number) =>
      fetch(`${system().baseUrl}/echo`, { method: 'POST', body: Buffer.alloc(megabytes * 1024 * 1024 + 1) })
    expect((await post(10)).status).toBe(413)
    expect((await post(6)).status).toBe(413)
    expect((await fetch(`${system().baseUrl}/echo`)).status).toBe(200)
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
