import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Certificate } from '../certificate.ts'
import type { Outcome } from '../lambda/environment.ts'
import type { Throttled } from '../lambda/functions.ts'
import type { Cors } from '../template/property-schemas.ts'
import type { RouteTarget } from '../template/read-stack.ts'
import { isPreflight, preflightHeaders, withCors } from './cors.ts'
import { eventOf, isEncrypted, pathOf, responseOf, type WireResponse } from './event.ts'
import type { Match } from './routes.ts'

/** API Gateway's quotas for HTTP APIs, and Lambda's for events. */
const quotas = {
  /** Bytes of a body. */
  payload: 10 * 1024 * 1024,
  /** Bytes of the request line and the values of all headers. */
  headers: 10_240,
  /** Bytes of an event. */
  event: 6 * 1024 * 1024,
  /** Milliseconds: the timeout of an integration. */
  integration: 30_000,
}

/** The console's view of a request. Its query, headers and body stay private. */
export interface Served {
  method: string
  path: string
  status: number
  code: string | null
  milliseconds: number
}

export interface GatewayParts {
  findRoute(method: string, path: string): Match<RouteTarget> | null
  cors: Cors | null
  /** Waits while the system is at rest. @returns whether it goes on in time */
  enter(): Promise<boolean>
  /** @returns `denied` if API Gateway may not invoke the function */
  invoke(target: RouteTarget, event: string, signal: AbortSignal): Promise<Outcome | Throttled | 'denied'>
  onServed(served: Served, exchange: Exchange): void
}

/** What a request and its answer said. It is not for the console as it is: it has secrets. */
interface Exchange {
  /** Without `?`. */
  query: string
  authorization: string | undefined
  /** Empty where no function got it. */
  sent: Buffer
  answered: Buffer
}

/** An answer, and the body of the request that a function got. */
type Answer = WireResponse & { sent?: Buffer }

/** An error of API Gateway itself, in its fixed form. */
const gatewayError = (status: number, message: string): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: Buffer.from(JSON.stringify({ message })),
})

/** Milliseconds in which a client must send the headers, and the entire request: more than enough on one machine. */
const timeouts = { headers: 10_000, request: 30_000 }

/**
 * The HTTP API in front of the functions.
 *
 * @param parts resolves when the system is ready; requests wait for it
 * @param certificate speaks TLS with it
 */
export function gatewayServer(
  parts: Promise<GatewayParts>,
  certificate: Certificate | null = null,
  { headers, request } = timeouts,
): Server {
  const options = {
    // Above the quota, so that the gateway refuses, and not Node.
    maxHeaderSize: 2 * quotas.headers,
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(1000, headers),
    keepAliveTimeout: 60_000,
    // An ambiguous request must not be parsed in two ways: request smuggling (RFC 9112 §11.2).
    insecureHTTPParser: false,
  }
  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    const began = performance.now()
    const { cors, onServed, ...rest } = await parts
    const method = request.method ?? ''
    const answer: Answer | null = await respond(request, { cors, ...rest }).catch((error: Error) => {
      // A client that disconnects in the middle of its request gets no answer.
      if (!request.complete) return null
      process.emitWarning(error)
      return gatewayError(500, 'Internal Server Error')
    })
    if (answer === null) return
    send(response, withCorsOf(request, cors, answer))
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2)
    const milliseconds = performance.now() - began
    const { sent = Buffer.alloc(0), body: answered } = answer
    const exchange = { query, authorization: request.headers.authorization, sent, answered }
    onServed({ method, path, status: answer.status, code: codeOf(answer), milliseconds }, exchange)
  }
  const server = certificate
    ? createTlsServer({ cert: certificate.cert, key: certificate.key, handshakeTimeout: headers, ...options }, answerTo)
    : createServer(options, answerTo)
  server.on('clientError', refuse)
  // After a failed handshake there is nothing to answer with.
  server.on('tlsClientError', (_, socket) => socket.destroy())
  return server
}

/** The code of a problem document (`shared/base/errors.ts`); null for other answers and errors of the gateway. */
function codeOf({ headers, body }: WireResponse): string | null {
  if (headers['content-type'] !== 'application/problem+json') return null
  try {
    return String(JSON.parse(body.toString()).code)
  } catch {
    return null
  }
}

async function respond(request: IncomingMessage, parts: Omit<GatewayParts, 'onServed'>): Promise<Answer> {
  const { method = '', url = '', rawHeaders, httpVersion } = request
  const values = rawHeaders.filter((_, i) => i % 2 === 1)
  const counted = [`${method} ${url} HTTP/${httpVersion}`, ...values].join('')
  if (Buffer.byteLength(counted, 'latin1') > quotas.headers) return gatewayError(431, 'Request Header Fields Too Large')
  const path = namesHost(request) ? pathOf(url) : null
  if (path === null) return gatewayError(400, 'Bad Request')
  const body = await bodyOf(request)
  if (body === null) return gatewayError(413, 'Request Entity Too Large')
  const fields = request.headers as Record<string, string>
  if (parts.cors && isPreflight(method, fields)) {
    return { status: 204, headers: preflightHeaders(parts.cors, fields), cookies: [], body: Buffer.alloc(0) }
  }
  const match = parts.findRoute(method, path)
  return match
    ? { ...(await integrate(request, body, path, match, parts)), sent: body }
    : gatewayError(404, 'Not Found')
}

async function integrate(
  request: IncomingMessage,
  body: Buffer,
  path: string,
  { target, ...match }: Match<RouteTarget>,
  { enter, invoke }: Pick<GatewayParts, 'enter' | 'invoke'>,
): Promise<WireResponse> {
  if (!(await enter())) return gatewayError(503, 'Service Unavailable')
  const event = eventOf(request, body, { ...match, path })
  const text = JSON.stringify(event)
  if (Buffer.byteLength(text) > quotas.event) return gatewayError(413, 'Request Too Long')
  const outcome = await invoke(target, text, AbortSignal.timeout(quotas.integration))
  if (outcome === 'throttled') return gatewayError(503, 'Service Unavailable')
  const response = outcome !== 'denied' && 'payload' in outcome ? responseOf(outcome.payload) : null
  return response
    ? { ...response, headers: { ...response.headers, 'apigw-requestid': event.requestContext.requestId } }
    : gatewayError(500, 'Internal Server Error')
}

/** `uri-host [ ":" port ]` (RFC 9110 §7.2): a name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 §3.2.2). */
const host = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?$/i

/** A request target in absolute form also names a host (RFC 9112 §3.2.2). */
const absolute = /^https?:\/\/([^/?#]*)/i

/**
 * Whether a request names exactly one host; any other is answered with 400 (RFC 9112 §3.2). API Gateway finds APIs by
 * host, so it also refuses an empty one. Node's parser refuses HTTP/1.1 requests without the field; in HTTP/1.0 it is
 * optional.
 */
function namesHost({ url = '', headersDistinct }: Pick<IncomingMessage, 'url' | 'headersDistinct'>): boolean {
  const fields = headersDistinct.host ?? []
  const [, target] = absolute.exec(url) ?? []
  return fields.length < 2 && [...fields, ...(target === undefined ? [] : [target])].every(name => host.test(name))
}

/**
 * Reads the body. An oversized body is read to its end but not kept, and gives null: many clients read no answer before
 * they have sent everything.
 *
 * @throws {Error} if the client disconnects in the middle
 */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > quotas.payload) chunks.length = 0
    else chunks.push(chunk)
  }
  return length > quotas.payload ? null : Buffer.concat(chunks)
}

const withCorsOf = (request: IncomingMessage, cors: Cors | null, answer: WireResponse): WireResponse =>
  isPreflight(request.method ?? '', request.headers as Record<string, string>)
    ? answer
    : { ...answer, headers: withCors(cors, request.headers as Record<string, string>, answer.headers) }

function send(response: ServerResponse, { status, headers, cookies, body }: WireResponse): void {
  const hasBody = status !== 204 && status !== 304
  for (const [name, value] of Object.entries(headers)) {
    // Browsers would ask for TLS at all ports of this host (RFC 6797 §8.3), where the inbox and other servers speak HTTP.
    if (name === 'strict-transport-security' && isEncrypted(response.req)) continue
    if (hasBody || name !== 'content-type') setHeader(response, name, value)
  }
  if (cookies.length > 0) setHeader(response, 'set-cookie', [...cookies])
  // An answer to HEAD may state the length of the body that it omits (RFC 9110 §8.6).
  const statesLength = response.req.method === 'HEAD' && body.length === 0 && 'content-length' in headers
  if (hasBody && !statesLength) response.setHeader('content-length', body.length)
  response.writeHead(status)
  response.end(hasBody ? body : undefined)
}

/** Drops an invalid header, as API Gateway does. */
function setHeader(response: ServerResponse, name: string, value: string | string[]): void {
  try {
    response.setHeader(name, value)
  } catch {}
}

/** Answers data that is not an HTTP request, and requests that take too long. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  const [status, message] = refusals[error.code ?? ''] ?? ['400 Bad Request', 'Bad Request']
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}

const refusals: Record<string, readonly [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Request Timeout'],
}
