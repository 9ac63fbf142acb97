// JSON-RPC 2.0 as the Model Context Protocol uses it in both of its eras: the versions with a handshake, and that of
// 2026-07-28, in which each request names its version.
import { quote } from '../../shared/base/query.ts'
import { parseJson } from '../../shared/base/raw-body.ts'
import { isObject } from './arguments.ts'

const modern = '2026-07-28'

/** The versions with a handshake, the newest first. */
const legacy = ['2025-11-25', '2025-06-18', '2025-03-26']

const serverName = 'mediawiki-queries'

/** How Claude Code gets the tools. */
export const addCommand = `claude mcp add --transport http ${serverName} <address of this answer>/mcp`

/** The prefix of the protocol's own members of `_meta`. */
const own = 'io.modelcontextprotocol/'

const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, header: -32020, version: -32022 }

/** Milliseconds for which clients may keep a list: as long as other answers of the catalogue. */
const ttlMs = 5 * 60 * 1000

/** Characters of an id, which the answer repeats: far more than a UUID has. */
export const longestId = 256

/** The status is that of HTTP. */
type Refusal = { code: number; status: number; data?: object }

class RpcError extends Error {
  readonly refusal: Refusal

  constructor(message: string, refusal: Refusal) {
    super(message)
    this.refusal = refusal
  }
}

const refuse = (code: keyof typeof codes, message: string, status = 200, data?: object) =>
  new RpcError(message, { code: codes[code], status, ...(data && { data }) })

/** Wrong params, or arguments of a tool. */
export const refuseParams = (message: string, status?: number) => refuse('params', message, status)

type Headers = Readonly<Record<string, string | undefined>>
type Message = { id: string | number | undefined; method: string; params: Record<string, unknown> }
type Tools = { instructions: string; list: object[]; call(params: Message['params']): Promise<object> }

/** The answer to a notification has no body. */
type RpcAnswer = { status: number; body?: object }

/** @param version of the server */
export function openMessages(tools: Tools, version: string) {
  const serverInfo = { name: serverName, version }
  const about = { capabilities: { tools: {} }, instructions: tools.instructions }

  async function call({ method, params }: Message, isModern: boolean): Promise<object> {
    if (method === 'tools/list') return { tools: tools.list, ...(isModern && kept) }
    if (method === 'tools/call') return tools.call(params)
    if (isModern && method === 'server/discover') return { supportedVersions: [modern, ...legacy], ...about, ...kept }
    if (!isModern && method === 'ping') return {}
    if (isModern || method !== 'initialize')
      throw refuse('method', `There is no method ${quote(method)} here`, isModern ? 404 : 200)
    return {
      protocolVersion: legacy.find(known => known === params.protocolVersion) ?? legacy[0],
      serverInfo,
      ...about,
    }
  }

  return async (bytes: Uint8Array, headers: Headers, query: string): Promise<RpcAnswer> => {
    let id: Message['id']
    try {
      const json = read(bytes)
      id = idOf(json)
      if (query !== '') throw refuse('request', 'This path takes no query string', 400)
      const message = { id, ...readRequest(json) }
      const isModern = checkVersion(message, headers)
      if (id === undefined) return { status: 202 }
      const called = await call(message, isModern)
      const result = isModern
        ? { resultType: 'complete', ...called, _meta: { [`${own}serverInfo`]: serverInfo } }
        : called
      return { status: 200, body: { jsonrpc: '2.0', id, result } }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      const { status, code, data } = error.refusal
      return { status, body: { jsonrpc: '2.0', id, error: { code, message: error.message, data } } }
    }
  }
}

const kept = { ttlMs, cacheScope: 'public' }

function read(bytes: Uint8Array): Record<string, unknown> {
  let json: unknown
  try {
    json = parseJson(bytes)
  } catch {
    throw refuse('parse', 'The body is no JSON in UTF-8', 400)
  }
  if (!isObject(json)) throw refuse('request', 'The body must be one request, an object', 400)
  return json
}

function idOf({ id }: Record<string, unknown>): Message['id'] {
  const isId = typeof id === 'string' ? id.length <= longestId : id === undefined || Number.isSafeInteger(id)
  if (isId) return id as Message['id']
  throw refuse('request', `The id must be an integer or a text of at most ${longestId} characters`, 400)
}

function readRequest({ jsonrpc, method, params = {} }: Record<string, unknown>): Omit<Message, 'id'> {
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    throw refuse('request', 'The body must be a request by JSON-RPC 2.0, with jsonrpc and method', 400)
  if (!isObject(params)) throw refuseParams('params must be an object', 400)
  return { method, params }
}

/** Returns whether a request is of the modern era: its `_meta` names the version. */
function checkVersion({ id, method, params }: Message, headers: Headers): boolean {
  const { [`${own}protocolVersion`]: version, ...meta } = isObject(params._meta) ? params._meta : {}
  const sent = headers['mcp-protocol-version']
  if (version === undefined) {
    if (sent === undefined || legacy.includes(sent) || method === 'initialize') return false
    throw refuse('request', `MCP-Protocol-Version must be one of ${legacy.join(', ')}`, 400)
  }
  checkField('MCP-Protocol-Version', sent, version)
  if (version !== modern) {
    const data = { supported: [modern, ...legacy], requested: String(version).slice(0, 64) }
    throw refuse('version', 'Unsupported protocol version', 400, data)
  }
  // No version says what the other fields of a notification are.
  if (id === undefined) return true
  checkField('Mcp-Method', headers['mcp-method'], method)
  if (method === 'tools/call') checkField('Mcp-Name', decode(headers['mcp-name']), params.name)
  if (!isObject(meta[`${own}clientCapabilities`])) throw refuseParams(`_meta lacks ${own}clientCapabilities`, 400)
  return true
}

function checkField(name: string, sent: string | undefined, stated: unknown): void {
  if (sent === undefined || sent !== stated) throw refuse('header', `${name} must be what the body says`, 400)
}

/** Texts beyond ASCII are sent in base64 (Streamable HTTP of 2026-07-28, "Value Encoding"). */
function decode(sent: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(sent ?? '') ?? []
  return base64 === undefined ? sent : Buffer.from(base64, 'base64').toString()
}
