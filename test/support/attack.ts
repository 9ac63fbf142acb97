import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request as an attacker states it: nothing of it is put in order. */
export interface Attack {
  method?: string
  path: string
  /** In this order and as often as they stand here; names that were not thought of are filled in. */
  headers?: Record<string, string> | readonly (readonly [name: string, value: string])[]
  /** Bytes and text go as they are, anything else as JSON. */
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

/** Milliseconds. Nothing that is asked here takes a tenth of it: what does hangs. */
const patience = 20_000

const agent = new Agent({ keepAlive: true })

/** Sends a request over HTTP and waits for the whole answer. */
export async function attack(baseUrl: string, { method = 'GET', path, headers = {}, body }: Attack): Promise<Answer> {
  const bytes = bytesOf(body)
  const fields = Array.isArray(headers) ? headers : Object.entries(headers)
  const given = new Set(fields.map(([name]) => name.toLowerCase()))
  const { hostname, port, host } = new URL(baseUrl)
  const filledIn: [string, string][] = [
    ['host', host],
    ...(bytes ? ([['content-length', String(bytes.length)]] as [string, string][]) : []),
    ...(bytes && !Buffer.isBuffer(body) ? ([['content-type', 'application/json']] as [string, string][]) : []),
  ]
  const all = [...filledIn.filter(([name]) => !given.has(name)), ...fields]
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path, headers: all.flat(), agent, signal: AbortSignal.timeout(patience) },
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
