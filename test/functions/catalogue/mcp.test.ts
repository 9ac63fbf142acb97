// POST /catalogue/mcp: the catalogue as tools of agents, in both eras of the Model Context Protocol.
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Module, Parameter } from '../../../catalogue/model.ts'
import type { Report } from '../../../catalogue/report.ts'
import { mistakes } from '../../support/catalogue/mistakes.ts'
import { ask, read } from '../../support/catalogue/served.ts'

const path = '/catalogue/mcp'
const json = { 'content-type': 'application/json' }
const { modules } = await read<{ modules: Module[] }>('/catalogue/modules', 'expand=parameters')

/** Sends what the client would send, to the function itself. */
const toFunction = async (_: string | URL, { method = 'GET', headers, body }: RequestInit = {}) => {
  const sent = Object.fromEntries(new Headers(headers))
  const answer = await ask(path, { method, headers: sent, ...(body != null && { body: String(body) }) })
  return new Response(answer.body || null, { status: answer.statusCode, headers: answer.headers })
}

async function connect(versionNegotiation: ClientOptions['versionNegotiation'] = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://catalogue.example${path}`), { fetch: toFunction }),
  )
  return client
}

const eras = [
  ['2025-11-25', await connect({ mode: 'legacy' })],
  ['2026-07-28', await connect({ mode: { pin: '2026-07-28' } })],
  ['2026-07-28', await connect({ mode: 'auto' })],
] as const

type Result = { isError?: boolean; content: { text: string }[]; structuredContent: Record<string, unknown> }

describe.each(eras)('a client of %s', (version, client) => {
  const call = async (name: string, given: object) =>
    (await client.callTool({ name, arguments: { ...given } })) as unknown as Result

  test('agrees on that version, and is told who answers', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getServerVersion()).toEqual({ name: 'mediawiki-queries', version: '1.0.0' })
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
  })

  test('lists three tools, all of which only read', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['find_modules', 'describe_module', 'check_query'])
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toEqual({ readOnlyHint: true })
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    }
  })

  test.each([
    ['find_modules', { q: 'prefixsearch' }, { total: 1, modules: [{ name: 'prefixsearch' }] }],
    [
      'describe_module',
      { name: 'query+search', parameters: ['limit'] },
      { name: 'search', parameters: [{ name: 'limit' }] },
    ],
    [
      'check_query',
      { query: 'list=search&srsearch=a&limit=5' },
      { valid: false, findings: [{ rule: 'missing-prefix' }] },
    ],
  ])('calls %s, and is answered in text and as data', async (name, given, due) => {
    const { content, structuredContent, isError } = await call(name, given)
    expect(structuredContent).toMatchObject(due)
    expect(content.map(({ text }) => JSON.parse(text))).toEqual([structuredContent])
    expect(isError).toBeUndefined()
  })

  test('learns the nearest names of a module or a parameter that there is not', async () => {
    for (const given of [{ name: 'allpagse' }, { name: 'allpages', parameters: ['from', 'prefxi'] }]) {
      const { isError, content, structuredContent } = await call('describe_module', given)
      const [nearest] = structuredContent.suggestions as string[]
      expect([isError, nearest]).toEqual([true, given.parameters ? 'prefix' : 'allpages'])
      expect(content.map(({ text }) => text)).toEqual([structuredContent.detail])
    }
  })

  test.each([
    ['nosuch', {}],
    ['toString', {}],
    ['find_modules', { q: 5 }],
    ['find_modules', { q: ' ' }],
    ['find_modules', { q: 'x'.repeat(101) }],
    ['find_modules', { group: 'nosuch' }],
    ['find_modules', { limit: 0 }],
    ['find_modules', { limit: 21 }],
    ['find_modules', { limit: 1.5 }],
    ['find_modules', { toString: 'a' }],
    ['describe_module', {}],
    ['describe_module', { name: 'search', parameters: 'limit' }],
    ['describe_module', { name: 'search', parameters: Array.from({ length: 21 }, () => 'limit') }],
    ['check_query', { query: '' }],
    ['check_query', { query: 'x'.repeat(8001) }],
  ])('is refused %s %j', async (name, given) => {
    await expect(call(name, given)).rejects.toMatchObject({ code: -32602 })
  })
})

/** A message as it is sent, without a client. */
async function send(message: unknown, headers: Record<string, string> = {}) {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const answer = await ask(path, { method: 'POST', headers: { ...json, ...headers }, body })
  return { status: answer.statusCode, headers: answer.headers, answer: answer.body && JSON.parse(answer.body) }
}

const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const callOf = (name: string, given: object) => request('tools/call', { name, arguments: given })
const result = async (name: string, given: object) => (await send(callOf(name, given))).answer.result.structuredContent

const own = 'io.modelcontextprotocol/'
const meta = { [`${own}protocolVersion`]: '2026-07-28', [`${own}clientCapabilities`]: {} }
const fields = (method: string, version = '2026-07-28') => ({ 'mcp-protocol-version': version, 'mcp-method': method })

describe('an answer is that of the path that the tool stands for', () => {
  test('find_modules', async () => {
    for (const given of [
      {},
      { q: 'rev id' },
      { group: 'prop', type: 'ts' },
      { parameter: 'dir', limit: 20 },
      { q: 'nosuch' },
    ]) {
      const { limit = 10, ...filters } = given as { limit?: number }
      const list = await read<{ total: number; modules: Module[] }>(
        '/catalogue/modules',
        `${new URLSearchParams(filters)}`,
      )
      const listed = list.modules.slice(0, limit).map(({ name, group, prefix, generator, links }) => {
        return { name, group, prefix, generator, address: links.self }
      })
      expect(await result('find_modules', given)).toEqual({ total: list.total, modules: listed })
    }
  })

  test.each(modules.map(module => [module.path, module] as const))('describe_module %s', async (_, module) => {
    const listed = module.parameters.map(parameter => {
      const address = `${module.links.parameters}/${parameter.name}`
      const count = parameter.values?.length ?? 0
      return count > 50 ? { ...parameter, values: { count, address } } : parameter
    })
    for (const name of [module.path, module.name, `query ${module.name}`, `query%2B${module.name}`])
      expect(await result('describe_module', { name })).toEqual({ ...module, parameters: listed })
    const [first, second] = listed.slice(-2)
    const some = { name: module.name, parameters: [second, first].flatMap(parameter => parameter?.name ?? []) }
    const { parameters } = await result('describe_module', some)
    expect(parameters).toEqual([first, second].filter(Boolean))
    for (const { values } of listed as { values?: { address?: string } }[]) {
      if (values?.address) expect((await read<Parameter>(values.address)).values?.length).toBeGreaterThan(50)
    }
  })

  test.each(mistakes.map(({ query }) => query))('check_query %s', async query => {
    expect(await result('check_query', { query })).toEqual(
      await read('/catalogue/validate', `query=${encodeURIComponent(query)}`),
    )
  })
})

describe('with a handshake', () => {
  test.each([
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('%s is answered by %s, whatever the field says', async (protocolVersion, due) => {
    const sent = await send(request('initialize', { protocolVersion }), {
      'mcp-protocol-version': 'x',
      'mcp-session-id': 'x',
    })
    expect(sent).toMatchObject({ status: 200, answer: { id: 1, result: { protocolVersion: due } } })
    expect(sent.headers).not.toHaveProperty('mcp-session-id')
  })

  test('a ping is answered, and a notification taken', async () => {
    const ping = await send(request('ping'), { 'mcp-protocol-version': '2025-06-18' })
    expect(ping).toMatchObject({ status: 200, answer: { jsonrpc: '2.0', id: 1, result: {} } })
    expect(await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
      status: 202,
      answer: '',
    })
  })

  test.each([
    ['no JSON', 'x', {}, 400, -32700],
    ['nothing', '', {}, 400, -32700],
    ['a batch', [request('ping')], {}, 400, -32600],
    ['null', null, {}, 400, -32600],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, {}, 400, -32600],
    ['another JSON-RPC', { ...request('ping'), jsonrpc: '1.0' }, {}, 400, -32600],
    ['an id that is null', { ...request('ping'), id: null }, {}, 400, -32600],
    ['an id that is too long', { ...request('ping'), id: 'x'.repeat(257) }, {}, 400, -32600],
    ['params in a list', { ...request('ping'), params: [] }, {}, 400, -32602],
    ['a method that there is not', request('resources/list'), {}, 200, -32601],
    ['a method of the other era', request('server/discover'), {}, 200, -32601],
    ['another version', request('ping'), { 'mcp-protocol-version': '2026-07-28' }, 400, -32600],
  ])('%s is refused', async (_, message, headers, status, code) => {
    expect(await send(message, headers)).toMatchObject({ status, answer: { jsonrpc: '2.0', error: { code } } })
  })
})

describe('without a handshake', () => {
  const list = request('tools/list', { _meta: meta })
  const find = request('tools/call', { name: 'find_modules', _meta: meta })

  test('lists say how long they may be kept, and every answer that it is whole', async () => {
    for (const method of ['server/discover', 'tools/list']) {
      const { answer } = await send(request(method, { _meta: meta }), fields(method))
      expect(answer.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' })
    }
    for (const name of ['find_modules', `=?base64?${Buffer.from('find_modules').toString('base64')}?=`]) {
      const { answer } = await send(find, { ...fields('tools/call'), 'mcp-name': name })
      expect(answer.result).toMatchObject({ resultType: 'complete', structuredContent: { total: modules.length } })
      expect(answer.result).not.toHaveProperty('ttlMs')
    }
  })

  test.each([
    ['no field of the version', list, { 'mcp-method': 'tools/list' }, 400, -32020],
    ['another version in the field', list, fields('tools/list', '2025-11-25'), 400, -32020],
    ['another method in the field', list, fields('tools/call'), 400, -32020],
    ['no field of the method', list, { 'mcp-protocol-version': '2026-07-28' }, 400, -32020],
    ['no field of the name', find, fields('tools/call'), 400, -32020],
    ['another name in the field', find, { ...fields('tools/call'), 'mcp-name': 'check_query' }, 400, -32020],
    ['no name at all', request('tools/call', { _meta: meta }), fields('tools/call'), 400, -32020],
    [
      'no capabilities',
      request('tools/list', { _meta: { [`${own}protocolVersion`]: '2026-07-28' } }),
      fields('tools/list'),
      400,
      -32602,
    ],
    ['a handshake', request('initialize', { _meta: meta }), fields('initialize'), 404, -32601],
    ['a ping', request('ping', { _meta: meta }), fields('ping'), 404, -32601],
  ])('%s is refused', async (_, message, headers, status, code) => {
    expect(await send(message, headers)).toMatchObject({ status, answer: { jsonrpc: '2.0', id: 1, error: { code } } })
  })

  test('another version is refused with those that there are', async () => {
    const _meta = { ...meta, [`${own}protocolVersion`]: '2027-01-01' }
    const { status, answer } = await send(request('tools/list', { _meta }), fields('tools/list', '2027-01-01'))
    expect([status, answer.error.code, answer.error.data]).toEqual([
      400,
      -32022,
      { supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'], requested: '2027-01-01' },
    ])
  })
})

describe('over HTTP', () => {
  test('no answer is kept, of whatever origin the request is', async () => {
    const { headers } = await send(request('ping'), { origin: 'https://evil.example' })
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  })

  test('other methods than POST are refused', async () => {
    expect(await ask(path, { method: 'OPTIONS' })).toMatchObject({
      statusCode: 204,
      headers: { allow: 'OPTIONS, POST' },
    })
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
      const { statusCode, headers } = await ask(path, { method, headers: { accept: 'text/event-stream' } })
      expect([statusCode, headers.allow]).toEqual([405, 'OPTIONS, POST'])
    }
  })

  test('a query string is refused', async () => {
    const body = JSON.stringify(request('ping'))
    const { statusCode, body: text } = await ask(path, { method: 'POST', query: 'a=1', headers: json, body })
    expect([statusCode, JSON.parse(text)]).toMatchObject([400, { id: 1, error: { code: -32600 } }])
  })

  test('64 KiB are taken, and not a byte more', async () => {
    const body = JSON.stringify(request('ping')).padEnd(64 * 1024)
    expect((await send(body)).status).toBe(200)
    expect(await send(`${body} `)).toMatchObject({ status: 413, answer: { detail: 'The body is larger than 64 KiB' } })
  })
})

describe('an answer has at most 32 KiB', () => {
  const bytes = async (message: unknown) => {
    const { headers, answer } = await send(message)
    return [Number(headers['content-length']), answer.result?.structuredContent] as const
  }
  const id = '\u0000'.repeat(256)
  const floods: [what: string, query: string][] = [
    ['unknown names', Array.from({ length: 8000 }, (_, n) => `n${n}=1`).join('&')],
    [
      'names that are not judged',
      modules.flatMap(({ prefix, parameters }) => parameters.map(({ name }) => `${prefix}${name}=a`)).join('&'),
    ],
    ['letters that are encoded', `titles=${'語'.repeat(8000)}`],
    ['values', `list=allusers&aurights=${Array.from({ length: 2000 }, (_, n) => `r${n}`).join('|')}`],
    ['long values', `list=allpages&aplimit=${'"'.repeat(8000)}`],
    ['the same name', 'a=\u0001&'.repeat(2000)],
    ['all modules', `list=${modules.map(({ name }) => name).join('|')}&${'x=1&'.repeat(2000)}`],
  ]

  test.each(floods)('to %s, and says what is left out', async (_, flood) => {
    const query = flood.slice(0, 8000)
    const report = JSON.parse(
      (await ask('/catalogue/validate', { method: 'POST', body: JSON.stringify({ query }), headers: json })).body,
    ) as Report
    const [length, told] = await bytes({ ...callOf('check_query', { query }), id })
    expect(length).toBeLessThanOrEqual(32 * 1024)
    for (const [name, value] of Object.entries(told)) {
      if (name === 'findings') {
        const whole = (value as Report['findings']).map((finding, n) => ({ ...report.findings[n], ...finding }))
        expect(value).toEqual(whole)
      } else if (name !== 'truncated')
        expect(
          Array.isArray(value) ? report[name as 'modules'].slice(0, value.length) : report[name as 'valid'],
        ).toEqual(value)
    }
    if (JSON.stringify({ ...told, truncated: undefined }) !== JSON.stringify({ ...report, truncated: undefined }))
      expect(told.truncated).toBe(true)
    expect(told.findings.length > 0).toBe(report.findings.length > 0)
  })

  test('to each call of the other tools', async () => {
    for (const { name } of modules)
      expect((await bytes({ ...callOf('describe_module', { name }), id }))[0]).toBeLessThan(32 * 1024)
    for (const limit of [1, 20])
      expect((await bytes({ ...callOf('find_modules', { limit }), id }))[0]).toBeLessThan(32 * 1024)
  })
})

test('any bytes get an answer, which repeats little of them', async () => {
  const json = fc.jsonValue({ maxDepth: 3 })
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, json),
      id: json,
      method: fc.oneof(fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call', 'server/discover'), json),
      params: fc.oneof(
        json,
        fc.record(
          {
            name: fc.oneof(fc.constantFrom('find_modules', 'describe_module', 'check_query', '__proto__'), json),
            arguments: fc.dictionary(fc.constantFrom('q', 'name', 'query', 'limit', 'parameters', '__proto__'), json),
            _meta: fc.oneof(fc.constant(meta), json),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    message.map(each => Buffer.from(JSON.stringify(each))),
  )
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom({}, fields('tools/call'), fields('ping', 'x')), async (sent, headers) => {
      const body = Buffer.from(sent).toString('base64')
      const answer = await ask(path, { method: 'POST', body, isBase64Encoded: true, headers })
      expect([200, 202, 400, 404]).toContain(answer.statusCode)
      expect(answer.body.length).toBeLessThan(16 * 1024)
    }),
  )
})
