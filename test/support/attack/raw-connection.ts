import { connect, type Socket } from 'node:net'
import { type Answer, answerOf } from './raw-request.ts'

/** A TCP connection to the API, with full control over every byte. */
export interface Connection {
  socket: Socket
  send(text: string | Uint8Array): void
  /** Everything received, once the other side has closed. Fails when it does not close. */
  closed(): Promise<string>
  /** Waits until the received text fulfils a condition. */
  until(isThere: (received: string) => boolean): Promise<string>
}

/** Milliseconds: above the 10 s after which the gateway drops an unfinished head. */
const timeout = 30_000

export async function openConnection(baseUrl: string): Promise<Connection> {
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
export function answersIn(received: string): Answer[] {
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
