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

/** What a server may take. */
interface Bounds {
  /** Milliseconds until the last byte. */
  deadline: number
  /** Bytes. */
  maxBody: number
}

/** Calls an address for a text, within the caller's bounds, without redirects or retries. */
export interface TextNetwork {
  /** @throws {Error} without a complete answer */
  getText(url: string, headers: Record<string, string>, bounds: Bounds): Promise<{ status: number; text: string }>
}

/** Two calls to a provider one after the other and a login's work fit into a function's 20 s. Keys and tokens are a tenth of the bytes. */
const ofProviders: Bounds = { deadline: 3000, maxBody: 64 * 1024 }

/** GitHub and Have I Been Pwned refuse calls without a name ("Getting started with the REST API"; API v3, "Specifying the user agent"). */
const userAgent = 'gatehouse'

/** The network, by Node's own clients: `fetch` takes 60 ms of CPU at a cold start. */
export const network: Network = {
  postForm(url, form, headers = {}) {
    const body = new URLSearchParams(form).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
    return timed('provider', () => callForJson(url, { method: 'POST', headers: { ...headers, ...type } }, body))
  },
  getJson: (url, headers = {}) => timed('provider', () => callForJson(url, { method: 'GET', headers }, '')),
}

export const textNetwork: TextNetwork = {
  getText: (url, headers, bounds) =>
    timed('blocklist', async () => {
      const { status, body } = await call(url, { method: 'GET', headers }, '', bounds)
      return { status, text: body.toString() }
    }),
}

async function callForJson(url: string, { headers, ...options }: RequestOptions, sent: string): Promise<NetworkAnswer> {
  const asked = { ...options, headers: { ...headers, accept: 'application/json' } }
  const { status, body } = await call(url, asked, sent, ofProviders)
  return { status, json: parse(body) }
}

async function call(
  url: string,
  { headers, ...options }: RequestOptions,
  body: string,
  { deadline, maxBody }: Bounds,
): Promise<{ status: number; body: Buffer }> {
  // Connections are not kept: while the environment is frozen the server closes them, and the next call would fail.
  const sent = {
    ...options,
    headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': userAgent },
    agent: false,
    signal: AbortSignal.timeout(deadline),
  }
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Buffer }>()
  const request = (url.startsWith('http:') ? overHttp : overHttps)(url, sent, async response => {
    try {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of response) {
        size += chunk.length
        if (size > maxBody) throw new Error(`the answer is larger than ${maxBody / 1024} KiB`)
        chunks.push(chunk)
      }
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) })
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
