import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { type Answer, answerOf } from '../support/attack/raw-request.ts'
import { expectSafe } from '../support/attack/safe-answer.ts'
import { startTarget } from '../support/attack/target.ts'
import { holds, seed } from '../support/property.ts'

/** Connections that break the protocol, stop halfway or are slow. */

/** A TCP connection to the API, with full control over every byte. */
interface Connection {
  socket: Socket
  send(text: string | Uint8Array): void
  /** Everything received, once the other side has closed. Fails when it does not close. */
  closed(): Promise<string>
  /** Waits until the received text fulfils a condition. */
  until(isThere: (received: string) => boolean): Promise<string>
}

/** Milliseconds: above the 10 s after which the gateway drops an unfinished head. */
const timeout = 30_000

async function openConnection(baseUrl: string): Promise<Connection> {
  const { port } = new URL(baseUrl)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  let isClosed = false
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  socket.setEncoding('latin1')
  socket.on('data', chunk => {
    received += chunk
    tell()
  })
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      isClosed = true
      tell()
    })
  }
  await new Promise(resolve => socket.once('connect', resolve))

  const wait = (isThere: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`nothing more was received after: ${received}`)), timeout)
      const look = () => {
        if (!isThere()) return
        clearTimeout(timer)
        listeners.delete(look)
        resolve(received)
      }
      listeners.add(look)
      look()
    })
  return {
    socket,
    send: text => void socket.write(text),
    closed: () => wait(() => isClosed),
    until: isThere => wait(() => isClosed || isThere(received)),
  }
}

/** The HTTP answers among the received text, in order. */
function answersIn(received: string): Answer[] {
  const answers: Answer[] = []
  for (let rest = received; rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const [statusLine = '', ...lines] = head.split('\r\n')
    const headers = Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? []
    if (!status) throw new Error(`not an HTTP answer: ${rest}`)
    const body = rest.slice(head.length + 4, head.length + 4 + Number(headers['content-length'] ?? 0))
    answers.push(answerOf(Number(status), headers, body))
    rest = rest.slice(head.length + 4 + body.length)
  }
  return answers
}

const target = startTarget()
const connections: Connection[] = []
const open = async (): Promise<Connection> => {
  const connection = await openConnection(target.system.baseUrl)
  connections.push(connection)
  return connection
}

const keys = 'GET /auth/.well-known/jwks.json HTTP/1.1\r\nhost: localhost\r\n\r\n'
const lastKeys = keys.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')
const posted = (path: string, body: unknown, headers = '', padding = 0) => {
  const text = JSON.stringify(body) + ' '.repeat(padding)
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** Sends something after which either side closes the connection, and waits for that. @param closesHalf the client ends first */
async function exchange(text: string | Uint8Array, closesHalf = false) {
  const connection = await open()
  connection.send(text)
  if (closesHalf) connection.socket.end()
  const answers = answersIn(await connection.closed())
  for (const answer of answers) expectSafe(answer)
  return answers
}

/** Connections with an unfinished request. The last test checks them. */
const unfinished: [what: string, beginning: string][] = [
  ['nothing', ''],
  ['half a request line', 'GET /auth/m'],
  ['half a head', 'GET /auth/me HTTP/1.1\r\nhost: loc'],
]
const slow: Connection[] = []
beforeAll(async () => {
  for (let i = 0; i < 60; i++) {
    const connection = await open()
    slow.push(connection)
    connection.send(unfinished[i % unfinished.length]?.[1] ?? '')
  }
})
/** Sends a byte now and then, so that the connection is never idle. */
const drip = setInterval(() => {
  for (const { socket } of slow.slice(-20)) if (socket.writable) socket.write('x')
}, 500)
afterAll(() => {
  clearInterval(drip)
  for (const { socket } of connections) socket.destroy()
})

describe('a connection', () => {
  test('that breaks in the middle of a body leaves nothing behind', async () => {
    const people = Array.from({ length: 30 }, () => target.person())
    const sent = target.system.messages('MailQueue').length
    for (const [i, person] of people.entries()) {
      const request = posted('/auth/register', person, '', 50)
      const connection = await open()
      // Cut anywhere in the body; a third of them where the received part is complete JSON already.
      connection.send(request.slice(0, i % 3 ? request.indexOf('\r\n\r\n') + 4 + i : -1 - i))
      if (i % 2) connection.socket.destroySoon()
      else connection.socket.resetAndDestroy()
    }
    await target.send({ path: '/auth/me' })
    const stored = await target.users.all()
    expect(stored.filter(({ email }) => people.some(person => person.email === email))).toEqual([])
    expect(target.system.messages('MailQueue').length).toBe(sent)
  })

  test('that breaks before its answer leaves a complete account with its mail', async () => {
    const person = target.person()
    const connection = await open()
    connection.send(posted('/auth/register', person))
    connection.socket.end()
    connection.socket.resetAndDestroy()
    const [token] = await Promise.race([target.mailed(person.email), notRegistered(person)])
    if (token) expect((await target.post('/auth/verify-email', { token })).status).toBe(200)
  })

  /** The reset may arrive before the gateway has read the request. */
  const notRegistered = async ({ email }: { email: string }): Promise<string[]> => {
    await new Promise(resolve => setTimeout(resolve, 6000))
    return (await target.users.find(email)) ? new Promise(() => {}) : []
  }

  test('is closed once its client has closed its half', async () => {
    const [answer] = await exchange(keys, true)
    expect([undefined, 200]).toContain(answer?.status)
  })

  test('that sends a body byte by byte is answered like any other', async () => {
    const connection = await open()
    for (const byte of posted('/auth/forgot-password', { email: 'nobody@example.com' })) connection.send(byte)
    const received = await connection.until(text => text.includes('success'))
    expect(answersIn(received)[0]?.status).toBe(200)
  })

  test('may carry many requests at once, answered in their order', async () => {
    const connection = await open()
    const count = 40
    for (let i = 0; i < count; i++) connection.send(i % 2 ? keys : keys.replace('GET', 'PUT'))
    connection.send(lastKeys)
    const statuses = answersIn(await connection.closed()).map(({ status }) => status)
    expect(statuses).toEqual([...Array.from({ length: count }, (_, i) => (i % 2 ? 200 : 405)), 200])
  })

  test('is closed at the first byte that is not HTTP, and the rest is ignored', async () => {
    const answers = await exchange(`${keys}\x16\x03\x01\x02\0${keys}`)
    expect([[400], [200, 400]]).toContainEqual(answers.map(({ status }) => status))
  })

  test('is closed when its client asks for that', async () => {
    expect(await exchange(lastKeys)).toHaveLength(1)
  })
})

/** RFC 9112 §11.2: an ambiguous request can smuggle another one. */
describe('an ambiguous request is refused:', () => {
  const smuggled = 'GET /auth/me HTTP/1.1\r\nhost: localhost\r\n\r\n'
  const body = `0\r\n\r\n${smuggled}`
  const post = (...fields: string[]) =>
    `POST /auth/login HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${fields.join('\r\n')}\r\n\r\n`

  test.each([
    ['a length and chunks', `${post(`content-length: ${body.length}`, 'transfer-encoding: chunked')}${body}`],
    ['two lengths', `${post('content-length: 0', `content-length: ${smuggled.length}`)}${smuggled}`],
    ['a list of lengths', `${post('content-length: 0, 0')}`],
    ['a length with a sign', `${post('content-length: +0')}`],
    ['a length that is no number', `${post('content-length: 0x0')}`],
    ['a length that no integer holds', `${post('content-length: 99999999999999999999')}`],
    ['chunks before another coding', `${post('transfer-encoding: chunked, identity')}${body}`],
    ['chunks in two fields', `${post('transfer-encoding: chunked', 'transfer-encoding: identity')}${body}`],
    ['an unknown coding', `${post('transfer-encoding: xchunked')}${body}`],
    ['a chunk whose size is no number', `${post('transfer-encoding: chunked')}z\r\n`],
    ['a chunk whose size no integer holds', `${post('transfer-encoding: chunked')}fffffffffffffffff\r\n`],
    ['a blank before a colon', `${post('content-length : 0')}`],
    ['a folded field', `${post('x-a: b\r\n c: d')}`],
    ['a bare line feed', keys.replace('\r\nhost', '\nhost')],
    ['a NUL in a field', keys.replace('localhost', 'local\0host')],
    ['a line end in a field', keys.replace('localhost', 'local\rhost')],
    ['a method in small letters', keys.replace('GET', 'get')],
    ['a blank in the path', keys.replace('/auth/', '/auth /')],
    ['a path without its slash', keys.replace('/auth', 'auth')],
    ['the version of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the beginning of TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
  ])('%s', async (_, text) => {
    const answers = await exchange(Buffer.from(text, 'latin1'))
    expect(answers.map(({ status }) => status)).toEqual([400])
  })

  test('chunks are read, and their extensions and trailers ignored', async () => {
    const text = JSON.stringify({ email: 'nobody@example.com' })
    const chunks = `${text.length.toString(16)};a="b"\r\n${text}\r\n0\r\nauthorization: Bearer x\r\n\r\n`
    const [answer] = await exchange(
      `${post('content-type: application/json\r\ntransfer-encoding: chunked').replace('login', 'forgot-password')}${chunks}`,
    )
    expect(answer?.status).toBe(200)
  })

  test('an upgrade is ignored', async () => {
    const [answer] = await exchange(keys.replace('\r\n\r\n', '\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n'))
    expect(answer?.status).toBe(200)
  })

  test('a client that expects 100 (Continue) is asked for its body', async () => {
    const connection = await open()
    const request = posted('/auth/forgot-password', { email: 'nobody@example.com' }, 'expect: 100-continue\r\n')
    const at = request.indexOf('\r\n\r\n') + 4
    connection.send(request.slice(0, at))
    await connection.until(text => text.startsWith('HTTP/1.1 100 '))
    connection.send(request.slice(at))
    expect(await connection.until(text => text.includes('success'))).toContain('HTTP/1.1 200')
  })
})

test(`any bytes are answered safely, or not at all (seed ${seed})`, () =>
  holds(
    fc.tuple(
      fc.constantFrom('', 'GET / HTTP/1.1\r\n', 'POST /auth/login HTTP/1.1\r\nhost: a\r\n', keys),
      fc.uint8Array({ maxLength: 100 }),
    ),
    async ([beginning, bytes]) => void (await exchange(Buffer.concat([Buffer.from(beginning), bytes]), true)),
    60,
  ))

describe('a connection that never finishes its request', () => {
  test('delays no other connection, and is closed in the end', async () => {
    for (const connection of slow) {
      const answers = answersIn(await connection.closed())
      for (const answer of answers) expectSafe(answer)
      expect([[], [400], [408], [431]]).toContainEqual(answers.map(({ status }) => status))
    }
  })
})

testAfterAttack(target)
