import { largestBody } from '../../shared/catalogue/serve/query-endpoint.ts'
import { cpuOf, type Figure, measureCall, printFigures, printTable, rounded } from '../measure/figures.ts'
import { handler, modules, request } from './handlers.ts'

/** Ten pairs without a mistake, and with one in each. */
const [right, wrong] = [
  'action=query&format=json&generator=links&gpllimit=max&titles=A&prop=info|categories&inprop=url&cllimit=50&redirects=1&maxlag=5',
  'action=query&generator=links&pllimit=6000&titles=A&prop=info|categorie&inprop=ulr&limit=x&clshow=hidden&redirect=0&Maxlag=5',
]

const everyModule = ['list', 'prop', 'meta']
  .map(group => `${group}=${modules.flatMap(module => (module.group === group ? module.name : [])).join('|')}`)
  .join('&')
const wireNames = modules.flatMap(({ prefix, parameters }) => parameters.map(({ name }) => prefix + name))

interface Flood {
  what: string
  /** The n-th pair, or value of a pair. */
  make(n: number): string
  separator: '&' | '|'
  modules?: string
}

/** Queries that repeat what costs most, up to the size of a body. */
const floods: Flood[] = [
  {
    what: 'mistyped names, all modules',
    make: n => `${wireNames[n] ?? wireNames[n % wireNames.length] + n.toString(36)}x`,
    separator: '&',
    modules: everyModule,
  },
  { what: 'unknown names, all modules', make: n => n.toString(36), separator: '&', modules: everyModule },
  { what: 'unknown names', make: n => n.toString(36), separator: '&' },
  { what: 'names close to right ones', make: n => `tglim${n.toString(36)}`, separator: '&' },
  { what: 'unknown values', make: n => `${n === 0 ? 'rcprop=' : ''}${n.toString(36)}`, separator: '|' },
  { what: 'malformed pairs of one name', make: () => '\udfff', separator: '&' },
]

const kibibytes = [1.5, 8, 16, 32, 60]

const bodyOf = (query: string): string => JSON.stringify({ query })

const validate = (query: string) =>
  handler({
    ...request('/catalogue/validate'),
    requestContext: { http: { method: 'POST' } },
    body: bodyOf(query),
  })

async function measureQuery(what: string, query: string, target?: number): Promise<Figure> {
  const { body } = await validate(query)
  const figure = await measureCall(() => validate(query), 500)
  return { what: `${what}: ${Buffer.byteLength(body)} B`, figure, unit: 'µs', ...(target && { target }) }
}

async function measureFlood({
  make,
  separator,
  modules: chosen = 'list=tags|recentchanges',
}: Flood): Promise<string[]> {
  const times: string[] = []
  for (const size of kibibytes) {
    let query = `${chosen}&`
    for (let n = 0; query.length < size * 1024; n++) query += `${n === 0 ? '' : separator}${make(n)}`
    if (bodyOf(query).length > largestBody) times.push('—')
    else times.push(`${rounded((await measureCall(() => validate(query), 1)) / 1000)} ms`)
  }
  return times
}

export async function printValidation(): Promise<void> {
  printFigures('Validating a query, CPU, medians, and bytes of the report', [
    { what: 'the first, with loading', figure: await cpuOf(() => validate(right)), unit: 'ms' },
    await measureQuery('ten pairs', right, 200),
    await measureQuery('ten pairs, a mistake in each', wrong),
    await measureQuery('one pair', 'list=tags', 200),
  ])
  const rows: string[][] = []
  for (const flood of floods) rows.push([flood.what, ...(await measureFlood(flood))])
  printTable('Validating what costs most, CPU, medians', ['of', ...kibibytes.map(size => `${size} KiB`)], rows)
}
