// Measures the catalogue, and the API's description, which the same code serves: cold start, bytes on the wire, the size
// of a 304, and answers of a warm function.

import { allParaminfo, description, everything, facade, longestList, oneParaminfo } from './catalogue/addresses.ts'
import { coldStarts, measureColdStart } from './catalogue/cold-start.ts'
import { compareLevels } from './catalogue/compression.ts'
import { handler, modules, request } from './catalogue/handlers.ts'
import { printValidation } from './catalogue/validation.ts'
import { measureWire } from './catalogue/wire.ts'
import { cpuOf, type Figure, measureCall, medianOf, printFigures, printTable } from './measure/figures.ts'

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
