import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request that is sent unchanged. */
export interface RawRequest {
  method?: string
  path: string
  /** Sent in this order, with duplicates. `host`, and a body's length and type, are added if missing. */
  headers?: Record<string, string> | readonly (readonly [name: string, value: string])[]
  /** Bytes and text are sent unchanged, anything else as JSON. */
  body?: unknown
}

export interface Answer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** Milliseconds: ten times what the slowest answer takes. A request that takes longer hangs. */
const timeout = 20_000

const agent = new Agent({ keepAlive: true })

/** Sends a request over HTTP and waits for the whole answer. */
export async function sendRaw(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<Answer> {
  const bytes = bytesOf(body)
  const fields = Array.isArray(headers) ? headers : Object.entries(headers)
  const stated = new Set(fields.map(([name]) => name.toLowerCase()))
  const { hostname, port, host } = new URL(baseUrl)
  const added: [string, string][] = [
    ['host', host],
    ...(bytes ? ([['content-length', String(bytes.length)]] as [string, string][]) : []),
    ...(bytes && !Buffer.isBuffer(body) ? ([['content-type', 'application/json']] as [string, string][]) : []),
  ]
  const all = [...added.filter(([name]) => !stated.has(name)), ...fields]
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path, headers: all.flat(), agent, signal: AbortSignal.timeout(timeout) },
      resolve,
    )
    request.on('error', reject)
    request.end(bytes)
  })
  return answerOf(response.statusCode ?? 0, response.headers as Record<string, string>, await text(response))
}

export function answerOf(status: number, headers: Record<string, string>, content: string): Answer {
  const isJson = /json/.test(headers['content-type'] ?? '') && content !== ''
  return { status, headers, text: content, body: isJson ? JSON.parse(content) : null }
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
