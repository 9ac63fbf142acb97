import type { RequestListener } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { network } from '../../../shared/base/network.ts'
import { serve } from '../../support/web-server.ts'

const servers: AsyncDisposable[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})

async function answering(answer: RequestListener): Promise<string> {
  const server = await serve(answer)
  servers.push(server)
  return server.url
}

/** A server with full control over every byte. @param speak gets each connection @returns its address, and the received bytes */
async function speaking(speak: (socket: Socket) => void, scheme = 'http') {
  const received: Buffer[][] = []
  const sockets: Socket[] = []
  const server = createServer(socket => {
    const bytes: Buffer[] = []
    received.push(bytes)
    sockets.push(socket.on('error', () => {}).on('data', chunk => bytes.push(chunk)))
    speak(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers.push({
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  })
  const { port } = server.address() as { port: number }
  return { url: `${scheme}://127.0.0.1:${port}/`, received }
}

test('a form is posted, with the header fields that are given', async () => {
  const heard: unknown[] = []
  const url = await answering(async (request, response) => {
    heard.push(request.method, request.url, request.headers, await text(request))
    response.writeHead(400).end('{"error":"x"}')
  })
  const form = { code: 'a&b=c', secret: 'ü+ %' }
  const answer = await network.postForm(`${url}/token?a=b`, form, { authorization: 'Basic x' })
  expect(answer).toEqual({ status: 400, json: { error: 'x' } })
  const headers = {
    host: new URL(url).host,
    authorization: 'Basic x',
    accept: 'application/json',
    'accept-encoding': 'identity',
    connection: 'close',
    'user-agent': 'gatehouse',
    'content-length': '35',
    'content-type': 'application/x-www-form-urlencoded',
  }
  expect(heard).toEqual(['POST', '/token?a=b', headers, 'code=a%26b%3Dc&secret=%C3%BC%2B+%25'])
})

test('a body that is no JSON is nothing', async () => {
  for (const body of ['', '<html>', '{', '{"a":1}x', '{}\ufeff', '\ufeff\ufeff{}', Buffer.from([0x1f, 0x8b, 8])]) {
    const url = await answering((_, response) => response.end(body))
    expect(await network.getJson(url)).toEqual({ status: 200, json: undefined })
  }
})

test('a byte order mark before the JSON is not part of it', async () => {
  const url = await answering((_, response) => response.end('\ufeff{"a":"\ufeff"}'))
  expect(await network.getJson(url)).toEqual({ status: 200, json: { a: '\ufeff' } })
  expect(await network.postForm(url, { code: 'x' })).toEqual({ status: 200, json: { a: '\ufeff' } })
})

test.each([301, 302, 303, 307, 308])('a redirect is an answer, and is not followed: %i', async status => {
  let calls = 0
  const elsewhere = await answering((_, response) => {
    calls++
    response.end('{}')
  })
  const url = await answering((_, response) => response.writeHead(status, { location: elsewhere }).end())
  expect(await network.getJson(url)).toEqual({ status, json: undefined })
  expect(await network.postForm(url, { code: 'x' })).toEqual({ status, json: undefined })
  expect(calls).toBe(0)
})

describe('an answer of', () => {
  const bytes = (size: number) => `"${'x'.repeat(size - 2)}"`

  test('64 KiB is taken', async () => {
    const url = await answering((_, response) => response.end(bytes(64 * 1024)))
    expect(await network.getJson(url)).toEqual({ status: 200, json: 'x'.repeat(64 * 1024 - 2) })
  })

  test('a byte more is none', async () => {
    const url = await answering((_, response) => response.end(bytes(64 * 1024 + 1)))
    await expect(network.getJson(url)).rejects.toThrow('larger than 64 KiB')
  })

  test('any length is left where it becomes too long', async () => {
    let sent = 0
    const closed = Promise.withResolvers<void>()
    const url = await answering((_, response) => {
      const chunk = 'x'.repeat(16 * 1024)
      const more = (): void => {
        if (response.destroyed) return
        sent += chunk.length
        if (response.write(chunk)) setImmediate(more)
        else response.once('drain', more)
      }
      response.on('close', () => closed.resolve())
      more()
    })
    await expect(network.getJson(url)).rejects.toThrow('larger than 64 KiB')
    await closed.promise
    // At most what the sockets of two processes hold.
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })
})

const head = 'HTTP/1.1 200 OK\r\n'

test.each<[string, (socket: Socket) => void]>([
  ['closes the connection', socket => socket.destroy()],
  ['hangs up', socket => socket.end()],
  ['speaks no HTTP', socket => socket.end('220 mail.example ESMTP\r\n')],
  ['says less than it announces', socket => socket.end(`${head}content-length: 9\r\n\r\n{}`)],
  ['stops within a chunk', socket => socket.end(`${head}transfer-encoding: chunked\r\n\r\n9\r\n{}`)],
  ['states two lengths', socket => socket.end(`${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`)],
  ['says too much of itself', socket => socket.end(`${head}x: ${'x'.repeat(20_000)}\r\n\r\n{}`)],
  [
    'speaks another protocol',
    socket => socket.end('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  ],
])('a server that %s has not answered, and is asked once', async (_, speak) => {
  const { url, received } = await speaking(socket => socket.once('data', () => speak(socket)))
  await expect(network.postForm(url, { code: 'x' })).rejects.toThrow(Error)
  expect(received).toHaveLength(1)
})

test('a server that is not there has not answered', async () => {
  const server = await serve(() => {})
  await server.close()
  await expect(network.getJson(server.url)).rejects.toThrow('ECONNREFUSED')
})

test('after 3 s a server has not answered, whatever it has sent so far', async () => {
  const timers: NodeJS.Timeout[] = []
  const dribbling = (first: string, more: string) => (socket: Socket) => {
    socket.write(first)
    timers.push(setInterval(() => socket.write(more), 50))
  }
  const ways: ((socket: Socket) => void)[] = [
    () => {},
    dribbling('H', 'T'),
    dribbling(head, 'x: y\r\n'),
    dribbling(`${head}content-length: 9999\r\n\r\n`, ' '),
    dribbling('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    dribbling(`${head}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
  ]
  const started = performance.now()
  const took = ways.map(async speak => {
    const { url } = await speaking(speak)
    await expect(network.getJson(url)).rejects.toThrow(Error)
    return performance.now() - started
  })
  const all = await Promise.all(took)
  for (const timer of timers) clearInterval(timer)
  // A character that no status line has ends the second at once.
  expect(Math.min(...all.toSpliced(1, 1))).toBeGreaterThan(2900)
  // Far below the 10 s of a function, on a busy machine too.
  expect(Math.max(...all)).toBeLessThan(6000)
})

test('https is spoken by TLS, and by nothing else', async () => {
  const { url, received } = await speaking(socket => socket.once('data', () => socket.end(`${head}\r\n{}`)), 'https')
  await expect(network.postForm(url, { code: 'secret' })).rejects.toThrow(Error)
  const bytes = Buffer.concat(received.flat())
  // RFC 8446 §5.1: a record of the handshake.
  expect(bytes[0]).toBe(22)
  expect(bytes.includes('secret')).toBe(false)
})
