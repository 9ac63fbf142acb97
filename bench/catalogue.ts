// The catalogue's promises, and beside them those of the API's description, which is served by the same code: cold start,
// bytes on the wire, the size of a 304, and warm answers.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { bundle, bundleOf } from '../infra/build/bundle.ts'
import type { Catalogue } from '../shared/catalogue/model.ts'
import type { CatalogueRequest } from '../shared/catalogue/serve/request.ts'
import type { HttpAnswer } from '../shared/prebuilt/response.ts'
import { type Figure, measureCall, medianOf, printFigures, printTable, rounded } from './table.ts'

type Handler = (request: CatalogueRequest) => Promise<HttpAnswer>

const coldStarts = 41

const folder = mkdtempSync(`${tmpdir()}/catalogue-bench-`)
await bundle()

const fileOf = (name: string) => `${bundleOf(name)}/index.cjs`
const load = (name: string) => (createRequire(import.meta.url)(fileOf(name)) as { handler: Handler }).handler
const handlers = { catalogue: load('catalogue'), openapi: load('openapi') }
const description = '/openapi.json'
const handler: Handler = request => handlers[request.rawPath === description ? 'openapi' : 'catalogue'](request)

function request(path: string, query = '', headers: Record<string, string> = { 'accept-encoding': 'br, gzip' }) {
  return { rawPath: path, rawQueryString: query, headers, requestContext: { http: { method: 'GET' } } }
}

/** CPU from the process's start to its first answer, against that of a handler that does nothing; taken in turns. */
function measureColdStart(): Figure[] {
  const first = JSON.stringify(request('/catalogue/modules/query+allpages'))
  writeFileSync(`${folder}/empty.cjs`, `exports.handler = async () => ({ statusCode: 200, body: '' })`)
  writeFileSync(
    `${folder}/start.cjs`,
    `require(process.argv[2]).handler(${first}).then(({ statusCode }) => {
       const { user, system } = process.cpuUsage()
       process.stdout.write(String(statusCode === 200 ? (user + system) / 1000 : NaN))
     })`,
  )
  const start = (handlerFile: string) => Number(execFileSync(process.execPath, [`${folder}/start.cjs`, handlerFile]))
  const empty: number[] = []
  const catalogue: number[] = []
  const openapi: number[] = []
  for (let count = 0; count < coldStarts; count++) {
    empty.push(start(`${folder}/empty.cjs`))
    catalogue.push(start(fileOf('catalogue')))
    openapi.push(start(fileOf('openapi')))
  }
  return [
    { what: 'empty handler, cold', figure: medianOf(empty), unit: 'ms' },
    { what: 'catalogue, cold', figure: medianOf(catalogue), unit: 'ms' },
    { what: 'openapi, cold', figure: medianOf(openapi), unit: 'ms' },
    { what: 'cold start', figure: medianOf(catalogue) / medianOf(empty), unit: 'x an empty handler', target: 1.15 },
    { what: 'of openapi', figure: medianOf(openapi) / medianOf(empty), unit: 'x an empty handler', target: 1.15 },
  ]
}

/** Bytes of an answer over those of its JSON in brotli 11. A list that is not prebuilt is compressed with less effort. */
async function measureWire(path: string, query = '', target = 1.03): Promise<Figure> {
  const { body } = await handler(request(path, query, {}))
  const { headers } = await handler(request(path, query))
  const bytes = Number(headers['content-length'])
  const figure = bytes / brotliCompressSync(body).length
  return {
    what: `${path}${query && `?${query}`}: ${bytes} B of ${body.length}`,
    figure,
    unit: 'x brotli 11',
    target,
  }
}

/** Everything that a client receives for a 304, status line and Node's own fields included. */
async function measureNotModified(path: string, query = ''): Promise<Figure> {
  const { headers } = await handler(request(path, query))
  const server = createServer(async (_, response) => {
    const answer = await handler(request(path, query, { 'if-none-match': headers.etag ?? '' }))
    response.writeHead(answer.statusCode, answer.headers).end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const received = await new Promise<Buffer>(resolve => socket.once('data', resolve))
  socket.destroy()
  server.close()
  if (!received.toString().startsWith('HTTP/1.1 304')) throw new Error(received.toString())
  return { what: `304 of ${path}${query && `?${query}`}`, figure: received.length, unit: 'B', target: 300 }
}

async function measureWarm(what: string, ...given: Parameters<typeof request>): Promise<Figure> {
  const event = request(...given)
  return { what, figure: await measureCall(() => handler(event)), unit: 'µs', target: 50 }
}

/** The longest list that two letters find, and no build writes. */
const longestList = 'q=in&expand=parameters'

const qualities = { brotli: [4, 5, 6, 7, 8, 9, 11], gzip: [1, 4, 5, 6, 9] }

/** What each effort of compression costs and brings, taken in turns. */
function compareEfforts(json: string): string[][] {
  const brotli = (quality: number) =>
    brotliCompressSync(json, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
    }).length
  const gzip = (level: number) => gzipSync(json, { level }).length
  const efforts = [
    ...qualities.brotli.map(quality => ({ name: `brotli ${quality}`, compress: () => brotli(quality) })),
    ...qualities.gzip.map(level => ({ name: `gzip ${level}`, compress: () => gzip(level) })),
  ].map(effort => ({ ...effort, costs: [] as number[] }))
  for (let round = 0; round < coldStarts; round++) {
    for (const { compress, costs } of efforts) {
      const start = process.cpuUsage()
      compress()
      const { user, system } = process.cpuUsage(start)
      costs.push((user + system) / 1000)
    }
  }
  const smallest = brotli(11)
  return efforts.map(({ name, compress, costs }) => {
    const bytes = compress()
    return [name, `${bytes} B`, `${rounded(bytes / smallest)} x`, `${rounded(medianOf(costs))} ms`]
  })
}

/** Ten pairs without a mistake, and with one in each. */
const [right, wrong] = [
  'action=query&format=json&generator=links&gpllimit=max&titles=A&prop=info|categories&inprop=url&cllimit=50&redirects=1&maxlag=5',
  'action=query&generator=links&pllimit=6000&titles=A&prop=info|categorie&inprop=ulr&limit=x&clshow=hidden&redirect=0&Maxlag=5',
]

const everything = '/catalogue/export/catalogue.json'
const { modules } = JSON.parse((await handler(request(everything, '', {}))).body) as Catalogue

const everyModule = ['list', 'prop', 'meta']
  .map(group => `${group}=${modules.flatMap(module => (module.group === group ? module.name : [])).join('|')}`)
  .join('&')
const wires = modules.flatMap(({ prefix, parameters }) => parameters.map(({ name }) => prefix + name))

/** Up to the size of a body, nothing but what costs most. */
const largest: [what: string, make: (n: number) => string, separator: string, modules?: string][] = [
  ['names mistyped, of all modules', n => `${wires[n] ?? wires[n % wires.length] + n.toString(36)}x`, '&', everyModule],
  ['names nobody knows, of all modules', n => n.toString(36), '&', everyModule],
  ['names nobody knows', n => n.toString(36), '&'],
  ['names near to right ones', n => `tglim${n.toString(36)}`, '&'],
  ['values nobody knows', n => `${n === 0 ? 'rcprop=' : ''}${n.toString(36)}`, '|'],
  ['malformed pairs of one name', () => '\udfff', '&'],
]

async function printValidation() {
  const path = '/catalogue/validate'
  const ask = (text: string) => ({
    ...request(path),
    requestContext: { http: { method: 'POST' } },
    body: JSON.stringify({ query: text }),
  })
  const measure = async (what: string, text: string, target?: number): Promise<Figure> => {
    const { body } = await handler(ask(text))
    const figure = await measureCall(() => handler(ask(text)), 500)
    return { what: `${what}: ${Buffer.byteLength(body)} B`, figure, unit: 'µs', ...(target && { target }) }
  }
  const start = process.cpuUsage()
  await handler(ask(right))
  const first = process.cpuUsage(start).user / 1000
  printFigures('Validating a query, CPU, medians, and bytes of the report', [
    { what: 'the first, with loading', figure: first, unit: 'ms' },
    await measure('ten pairs', right, 200),
    await measure('ten pairs, a mistake in each', wrong),
    await measure('one pair', 'list=tags', 200),
  ])
  const rows: string[][] = []
  for (const [what, make, separator, asked = 'list=tags|recentchanges'] of largest) {
    const times: string[] = []
    for (const kibibytes of [1.5, 8, 16, 32, 60]) {
      let text = `${asked}&`
      for (let n = 0; text.length < kibibytes * 1024; n++) text += `${n === 0 ? '' : separator}${make(n)}`
      if (JSON.stringify({ query: text }).length > 64 * 1024) times.push('—')
      else times.push(`${rounded((await measureCall(() => handler(ask(text)), 1)) / 1000)} ms`)
    }
    rows.push([what, ...times])
  }
  printTable('Validating what costs most, CPU, medians', ['of', '1.5 KiB', '8 KiB', '16 KiB', '32 KiB', '60 KiB'], rows)
}

async function printParaminfo() {
  const measure = async (what: string, query: string, headers?: Record<string, string>): Promise<Figure> => {
    const event = request(facade, query, headers)
    const { headers: received } = await handler(event)
    const figure = await measureCall(() => handler(event), 50)
    return { what: `${what}: ${received['content-length']} B`, figure, unit: 'µs' }
  }
  printFigures('paraminfo, CPU, medians, and bytes', [
    await measure('a module, not compressed', oneParaminfo, {}),
    await measure('a module', oneParaminfo),
    await measure('all modules, not compressed', allParaminfo, {}),
    await measure('all modules', allParaminfo),
  ])
}

const facade = '/catalogue/w/api.php'
const oneParaminfo = 'action=paraminfo&format=json&modules=query%2Ballpages'
const allParaminfo = 'action=paraminfo&format=json&modules=query%2B*'
const { headers } = await handler(request('/catalogue/modules'))

try {
  printFigures(`Cold start, CPU, medians of ${coldStarts}`, measureColdStart())
  printFigures('On the wire', [
    await measureWire('/catalogue'),
    await measureWire(everything),
    await measureWire('/catalogue/modules'),
    await measureWire('/catalogue/modules', 'expand=parameters'),
    await measureWire('/catalogue/modules', 'group=prop&expand=parameters'),
    await measureWire('/catalogue/modules', 'q=sha1', 1.25),
    await measureWire('/catalogue/modules', longestList, 1.25),
    await measureWire('/catalogue/modules/query+allpages'),
    await measureWire('/catalogue/modules/query+allpages/parameters/namespace'),
    await measureWire('/catalogue/modules/query+allpages/schema'),
    await measureWire('/catalogue/export/query-modules.schema.json'),
    await measureWire('/catalogue/export/query-modules.d.ts'),
    await measureWire(facade, oneParaminfo, 1.25),
    await measureWire(facade, allParaminfo, 1.25),
    await measureWire(description),
    await measureNotModified('/catalogue'),
    await measureNotModified('/catalogue/modules', 'q=sha1&expand=parameters'),
  ])
  printFigures('Warm answers, CPU, medians', [
    await measureWarm('a module', '/catalogue/modules/query+allpages'),
    await measureWarm('a parameter', '/catalogue/modules/query+allpages/parameters/dir'),
    await measureWarm('everything', everything),
    await measureWarm('everything, not compressed', everything, '', {}),
    await measureWarm('the description of the API', description),
    await measureWarm('the same, not compressed', description, '', {}),
    await measureWarm('a 304', '/catalogue/modules', '', { 'if-none-match': headers.etag ?? '' }),
    await measureWarm('all modules', '/catalogue/modules'),
    await measureWarm('a group, whole', '/catalogue/modules', 'group=list&expand=parameters'),
    await measureWarm('a search', '/catalogue/modules', 'q=revision+sha1'),
    await measureWarm('a search, whole, not compressed', '/catalogue/modules', 'q=continue&expand=parameters', {}),
    await measureWarm('a refused query', '/catalogue/modules', 'groups=list'),
  ])
  await printValidation()
  await printParaminfo()
  const names = new Set(modules.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
  const firsts: number[] = []
  for (const name of [...names].slice(0, 50)) {
    const event = request('/catalogue/modules', `parameter=${name}&expand=parameters`)
    const start = process.cpuUsage()
    await handler(event)
    firsts.push(process.cpuUsage(start).user / 1000)
  }
  printFigures('The first answer of a list that is not prebuilt, whole', [
    { what: 'the median of 50', figure: medianOf(firsts), unit: 'ms' },
    { what: 'the longest', figure: Math.max(...firsts), unit: 'ms' },
  ])
  const { body } = await handler(request('/catalogue/modules', longestList, {}))
  printTable(
    'Compressing the longest of them, while a client waits',
    ['', 'bytes', 'of brotli 11', 'CPU'],
    compareEfforts(body),
  )
} finally {
  rmSync(folder, { recursive: true })
}
