import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { runBehindGateway } from './behind-gateway.ts'

const { system } = runBehindGateway()

describe('connections:', () => {
  /** The answer to these bytes until the other side closes, or `ending` arrives. */
  async function exchange(bytes: string, ending = /\}$/): Promise<string> {
    const socket = connect(Number(new URL(system().baseUrl).port), '127.0.0.1')
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
    ['a target without its host', 'GET http:///echo HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a target whose host is broken', 'GET http://y@x/echo HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path whose escapes make no sense', 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path of escapes that are no UTF-8', 'GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s is answered 400', async (_, bytes) => {
    expect(await exchange(bytes, /HTTP\/1\.1 \d{3}/)).toMatch(/^HTTP\/1\.1 400 /)
  })

  const badHosts = {
    'an empty host': '',
    'a host of two words': ' x y',
    'a host with a path': ' x/y',
    'a host with a user': ' y@x',
    'a host with a port that is no number': ' x:y',
    'a host with a bracket that is not closed': ' [::1',
    'a host with an escape that makes no sense': ' x%zz',
    'a host that is not ASCII': ' \xfc',
  }
  test.each(Object.entries(badHosts))('%s is answered 400', async (_, host) => {
    expect(await exchange(`GET / HTTP/1.1\r\nHost:${host}\r\n\r\n`, /HTTP\/1\.1 \d{3}/)).toMatch(/^HTTP\/1\.1 400 /)
  })

  const goodHosts = {
    'a name': 'GET /echo HTTP/1.1\r\nHost: api.example.com\r\n\r\n',
    'a name and a port': 'GET /echo HTTP/1.1\r\nHost: localhost:3000\r\n\r\n',
    'an IPv4 address': 'GET /echo HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n',
    'an IPv6 address': 'GET /echo HTTP/1.1\r\nHost: [::1]:80\r\n\r\n',
    'none in HTTP/1.0': 'GET /echo HTTP/1.0\r\n\r\n',
    'one in the target as well': 'GET http://y.example:80/echo?a HTTP/1.1\r\nHost: x\r\n\r\n',
  }
  test.each(Object.entries(goodHosts))('a host may be %s', async (_, bytes) => {
    expect(await exchange(bytes, /HTTP\/1\.1 \d{3}/)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('a connection that breaks within a body reaches no function, and does no harm', async () => {
    const socket = connect(Number(new URL(system().baseUrl).port), '127.0.0.1')
    socket.write('POST /untouched HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy())
    await once(socket, 'close')
    expect((await fetch(`${system().baseUrl}/echo`)).status).toBe(200)
    expect(system().environments.map(({ caller }) => caller)).not.toContain('untouched')
  })

  test('a hundred at once are all answered', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => (await fetch(`${system().baseUrl}/echo?${i}`)).status),
    )
    expect(statuses).toEqual(Array.from({ length: 100 }, () => 200))
  })
})

test('a request is reported by method, path, status, code and time, without its query', async () => {
  system().served.length = 0
  await fetch(`${system().baseUrl}/echo?token=secret`)
  expect(system().served).toEqual([
    { method: 'GET', path: '/echo', status: 200, code: null, milliseconds: expect.any(Number) },
  ])
})
