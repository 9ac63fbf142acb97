import { request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import { timed } from './timing.ts'

/** A server's answer. */
interface NetworkAnswer {
  status: number
  /** Its body if it is JSON; else undefined. */
  json: unknown
}

/** Calls addresses listed by an operator: at most 3 s and 64 KiB, without redirects or retries. */
export interface Network {
  /** @throws {Error} without a complete answer */
  postForm(url: string, form: Record<string, string>, headers?: Record<string, string>): Promise<NetworkAnswer>
  /** @throws {Error} likewise */
  getJson(url: string, headers?: Record<string, string>): Promise<NetworkAnswer>
}

/** Milliseconds until the last byte. Two calls one after the other and a login's work fit into a function's 20 s. */
const deadline = 3000

/** GitHub refuses calls without a name ("Getting started with the REST API", "User agent"). */
const userAgent = 'gatehouse'

/** Bytes: keys and tokens are a tenth of that. */
const maxBody = 64 * 1024

/** The network, by Node's own clients: `fetch` takes 60 ms of CPU at a cold start. */
export const network: Network = {
  postForm(url, form, headers = {}) {
    const body = new URLSearchParams(form).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
    return timed('provider', () => call(url, { method: 'POST', headers: { ...headers, ...type } }, body))
  },
  getJson: (url, headers = {}) => timed('provider', () => call(url, { method: 'GET', headers }, '')),
}

async function call(url: string, { headers, ...options }: RequestOptions, body: string): Promise<NetworkAnswer> {
  // Connections are not kept: while the environment is frozen the server closes them, and the next call would fail.
  const sent = {
    ...options,
    headers: { ...headers, accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': userAgent },
    agent: false,
    signal: AbortSignal.timeout(deadline),
  }
  const { promise, resolve, reject } = Promise.withResolvers<NetworkAnswer>()
  const request = (url.startsWith('http:') ? overHttp : overHttps)(url, sent, async response => {
    try {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of response) {
        size += chunk.length
        if (size > maxBody) throw new Error('the answer is larger than 64 KiB')
        chunks.push(chunk)
      }
      resolve({ status: response.statusCode ?? 0, json: parse(Buffer.concat(chunks)) })
    } catch (error) {
      reject(error)
    } finally {
      request.destroy()
    }
  })
  request.on('error', reject)
  request.on('close', () => reject(new Error('the connection was closed')))
  request.end(body)
  return promise
}

function parse(body: Uint8Array): unknown {
  try {
    // Strips a byte order mark, which no server should send and some do (RFC 8259 §8.1).
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
