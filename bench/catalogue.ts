// Measures the catalogue, and the API's description, which the same code serves: cold start, bytes on the wire, the size
// of a 304, and answers of a warm function.

import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import {
  allParaminfo,
  description,
  environment,
  everything,
  facade,
  fileOf,
  handler,
  longestList,
  modules,
  oneParaminfo,
  request,
} from './catalogue/handlers.ts'
import { printValidation } from './catalogue/validation.ts'
import { measureWire } from './catalogue/wire.ts'
import { cpuOf, type Figure, measureCall, medianOf, printFigures, printTable, rounded } from './measure/figures.ts'
import { emptyHandler, firstCall } from './measure/first-call.ts'

const coldStarts = 41

/** CPU from the start of a process to its first answer, over that of a handler that does nothing; measured in turns. */
async function measureColdStart(): Promise<Figure[]> {
  const event = request('/catalogue/modules/query+allpages')
  const handlers = [emptyHandler(), fileOf('catalogue'), fileOf('openapi')]
  const times = handlers.map((): number[] => [])
  for (let count = 0; count < coldStarts; count++) {
    for (const [i, file] of handlers.entries()) {
      const { cpu, status } = await firstCall(file, event, environment)
      if (status !== 200) throw new Error(`${file} answers ${JSON.stringify(status)}`)
      times[i]?.push(cpu)
    }
  }
  const [empty = Number.NaN, catalogue = Number.NaN, openapi = Number.NaN] = times.map(medianOf)
  return [
    { what: 'empty handler, cold', figure: empty, unit: 'ms' },
    { what: 'catalogue, cold', figure: catalogue, unit: 'ms' },
    { what: 'openapi, cold', figure: openapi, unit: 'ms' },
    { what: 'cold start', figure: catalogue / empty, unit: 'x an empty handler', target: 1.15 },
    { what: 'of openapi', figure: openapi / empty, unit: 'x an empty handler', target: 1.15 },
  ]
}

const qualities = { brotli: [4, 5, 6, 7, 8, 9, 11], gzip: [1, 4, 5, 6, 9] }
const rounds = 41

/** Bytes and CPU of each level of compression, measured in turns. */
async function compareLevels(json: string): Promise<string[][]> {
  const brotli = (quality: number) =>
    brotliCompressSync(json, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
    }).length
  const gzip = (level: number) => gzipSync(json, { level }).length
  const levels = [
    ...qualities.brotli.map(quality => ({ name: `brotli ${quality}`, compress: () => brotli(quality) })),
    ...qualities.gzip.map(level => ({ name: `gzip ${level}`, compress: () => gzip(level) })),
  ].map(level => ({ ...level, costs: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { compress, costs } of levels) costs.push(await cpuOf(compress))
  }
  const smallest = brotli(11)
  return levels.map(({ name, compress, costs }) => {
    const bytes = compress()
    return [name, `${bytes} B`, `${rounded(bytes / smallest)} x`, `${rounded(medianOf(costs))} ms`]
  })
}

async function measureWarm(what: string, ...parts: Parameters<typeof request>): Promise<Figure> {
  const event = request(...parts)
  return { what, figure: await measureCall(() => handler(event)), unit: 'µs', target: 50 }
}

async function measureParaminfo(what: string, query: string, headers?: Record<string, string>): Promise<Figure> {
  const event = request(facade, query, headers)
  const { headers: received } = await handler(event)
  const figure = await measureCall(() => handler(event), 50)
  return { what: `${what}: ${received['content-length']} B`, figure, unit: 'µs' }
}

/** CPU in milliseconds of first answers, each of a list that is not prebuilt. */
async function measureFirstLists(): Promise<number[]> {
  const names = new Set(modules.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
  const firsts: number[] = []
  for (const name of [...names].slice(0, 50)) {
    const event = request('/catalogue/modules', `parameter=${name}&expand=parameters`)
    firsts.push(await cpuOf(() => handler(event)))
  }
  return firsts
}

const { headers } = await handler(request('/catalogue/modules'))

printFigures(`Cold start, CPU, medians of ${coldStarts}`, await measureColdStart())
printFigures('On the wire', await measureWire())
printFigures('Warm answers, CPU, medians', [
  await measureWarm('a module', '/catalogue/modules/query+allpages'),
  await measureWarm('a parameter', '/catalogue/modules/query+allpages/parameters/dir'),
  await measureWarm('everything', everything),
  await measureWarm('everything, not compressed', everything, '', {}),
  await measureWarm('the description of the API', description),
  await measureWarm('the same, not compressed', description, '', {}),
  await measureWarm('a 304', '/catalogue/modules', '', { 'if-none-match': headers.etag ?? '' }),
  await measureWarm('all modules', '/catalogue/modules'),
  await measureWarm('a group, with parameters', '/catalogue/modules', 'group=list&expand=parameters'),
  await measureWarm('a search', '/catalogue/modules', 'q=revision+sha1'),
  await measureWarm(
    'a search, with parameters, not compressed',
    '/catalogue/modules',
    'q=continue&expand=parameters',
    {},
  ),
  await measureWarm('a refused query', '/catalogue/modules', 'groups=list'),
])
await printValidation()
printFigures('paraminfo, CPU, medians, and bytes', [
  await measureParaminfo('a module, not compressed', oneParaminfo, {}),
  await measureParaminfo('a module', oneParaminfo),
  await measureParaminfo('all modules, not compressed', allParaminfo, {}),
  await measureParaminfo('all modules', allParaminfo),
])
const firsts = await measureFirstLists()
printFigures('The first answer of a list that is not prebuilt, with parameters', [
  { what: 'the median of 50', figure: medianOf(firsts), unit: 'ms' },
  { what: 'the longest', figure: Math.max(...firsts), unit: 'ms' },
])
const { body } = await handler(request('/catalogue/modules', longestList, {}))
printTable(
  'Compressing the longest of them, while a client waits',
  ['', 'bytes', 'of brotli 11', 'CPU'],
  await compareLevels(body),
)
