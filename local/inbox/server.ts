import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { canonicalEmail } from '../../accounts/address/address.ts'
import { furthest, secondsOf } from '../clock/clock.ts'
import { decoded } from '../network.ts'
import type { Inbox } from './inbox.ts'
import { sourceOf } from './mail-source.ts'

/** What a tester may change below the running system. */
export interface Control {
  /** Seconds by which the clock is ahead of the machine's. */
  ahead(): number
  /** @returns why it may not move now; null when it has moved */
  advance(seconds: number): Promise<string | null>
  /** @returns why that cannot be; null when all is as at the start */
  reset(): Promise<string | null>
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}

interface Call {
  path: string
  request: IncomingMessage
  /** A mail's recipient, in canonical form. */
  to: string | undefined
  /** The members of a POST. */
  body: Record<string, unknown>
}

/** What is at a path: its parameter and members, by name, and its methods. */
interface Endpoint {
  parameters?: readonly string[]
  members?: readonly string[]
  methods: Partial<Record<'GET' | 'POST' | 'DELETE', (call: Call) => Answer | Promise<Answer>>>
}

/**
 * What testers use: the mails in JSON at `/store`, one as its recipient gets it at `/store/<messageId>`, the clock at
 * `/clock`, `/reset`, and the inbox's page at `/`.
 *
 * No page of another origin can change anything: it may send neither DELETE nor JSON, because its preflight is refused
 * (Fetch §4.8), nor read an answer.
 *
 * @param control resolves when the system is ready
 * @param hosts allowed host names, in addition to the loopback's. Others are refused against DNS rebinding: a web page
 *   whose name resolves to this machine must not read the mails.
 */
export function inboxServer(inbox: Inbox, control: Promise<Control>, hosts: readonly string[]): Server {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...hosts.map(host => host.toLowerCase())])
  const endpoints = endpointsOf(inbox, control)

  async function answer(request: IncomingMessage): Promise<Answer> {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
    if (!names.has(name)) return refusal(421, 'This server does not answer for that host')
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2)
    const { parameters = [], members = [], methods } = endpoints[path.startsWith('/store/') ? '/store/' : path] ?? {}
    if (!methods) return refusal(404, 'There is nothing at this path')
    const method = request.method === 'HEAD' ? 'GET' : (request.method as keyof typeof methods)
    const serve = methods[method]
    if (!serve) {
      const allowed = Object.keys(methods).flatMap(each => (each === 'GET' ? ['GET', 'HEAD'] : [each]))
      return { ...refusal(405, `Only ${allowed.join(' and ')} are allowed`), headers: { allow: allowed.join(', ') } }
    }
    if (method === 'POST' && !/^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
      return refusal(415, 'The body must be application/json')
    }
    try {
      const to = readParameters(query, method === 'POST' ? [] : parameters)
      const body = method === 'POST' ? await readBody(request, members) : {}
      return await serve({ path, request, to, body })
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      return refusal(400, error.message)
    }
  }

  return createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, async (request, response) => {
    const {
      status,
      headers,
      body = '',
    } = await answer(request).catch(error => {
      if (request.complete) process.emitWarning(error)
      return refusal(500, 'It failed')
    })
    const length = Buffer.byteLength(body)
    response.writeHead(status, { ...closed, ...headers, ...(status !== 304 && { 'content-length': length }) })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
}

function endpointsOf(inbox: Inbox, control: Promise<Control>): Record<string, Endpoint> {
  const clock = async (): Promise<Answer> => {
    const ahead = (await control).ahead()
    return jsonAnswer({ now: new Date().toISOString(), ahead })
  }
  return {
    '/': {
      // Loaded on demand, because esbuild builds it. Its address has `?to=`, which its script reads.
      parameters: ['to'],
      methods: {
        GET: async () => {
          const { inboxPage } = await import('./inbox-page.ts')
          return { status: 200, ...inboxPage }
        },
      },
    },
    '/store': {
      parameters: ['to'],
      methods: {
        GET({ request, to }) {
          const etag = `"${createHash('sha256').update(inbox.version(to)).digest('base64url')}"`
          if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
          const { headers, ...answer } = jsonAnswer({ emails: inbox.list(to) })
          return { ...answer, headers: { ...headers, etag } }
        },
        DELETE({ to }) {
          inbox.clear(to)
          return { status: 204 }
        },
      },
    },
    '/store/': {
      methods: {
        GET({ path }) {
          const mail = inbox.find(decoded(path.slice('/store/'.length)) ?? '')
          if (mail === null) return refusal(404, 'There is no such mail')
          return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: sourceOf(mail) }
        },
      },
    },
    '/clock': {
      members: ['advance'],
      methods: {
        GET: clock,
        async POST({ body }) {
          const seconds = secondsOf(body.advance)
          if (seconds === null) throw new Invalid('advance is 1 to 7 digits and s, m, h or d, such as 25h')
          const { ahead, advance } = await control
          if (ahead() + seconds > furthest) throw new Invalid('the clock may be 4,000 days ahead at most')
          const reason = await advance(seconds)
          return reason === null ? clock() : refusal(409, reason)
        },
      },
    },
    '/reset': {
      methods: {
        async POST() {
          const reason = await (await control).reset()
          return reason === null ? { status: 204 } : refusal(409, reason)
        },
      },
    },
  }
}

/** The message is the answer to a request that is not understood. */
class Invalid extends Error {}

/** @returns the recipient, if it is given */
function readParameters(query: string, allowed: readonly string[]): string | undefined {
  let to: string | undefined
  for (const [name, value] of new URLSearchParams(query)) {
    if (!allowed.includes(name)) throw new Invalid(`there is no parameter ${name}`)
    if (to !== undefined) throw new Invalid(`${name} is given more than once`)
    const address = canonicalEmail(value)
    if (address === null) {
      throw new Invalid(`${name} is not an email address${value.includes(' ') ? ' (a + is written %2B)' : ''}`)
    }
    to = address
  }
  return to
}

/** Bytes: far more than a body needs here. */
const maxBody = 1024

async function readBody(request: IncomingMessage, allowed: readonly string[]): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    if (text.length <= maxBody) text += chunk
  }
  if (text.length > maxBody) throw new Invalid(`the body has more than ${maxBody} bytes`)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Invalid('the body is not a JSON object')
  for (const name of Object.keys(body)) {
    if (!allowed.includes(name)) throw new Invalid(`there is no member ${name}`)
    if (text.split(new RegExp(`"${name}"\\s*:`)).length > 2) throw new Invalid(`${name} is given more than once`)
  }
  return body as Record<string, unknown>
}

const closed = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const jsonAnswer = (value: unknown): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

const refusal = (status: number, reason: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${reason}\n`,
})
