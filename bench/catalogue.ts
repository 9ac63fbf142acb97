import { createRequire } from 'node:module'
import type { Catalogue } from '../catalogue/model.ts'
import type { CatalogueRequest } from '../catalogue/serve/http.ts'
import { largestBody } from '../catalogue/serve/query-endpoint.ts'
import { bundleOf } from '../infra/build/function-bundles.ts'
import type { HttpAnswer } from '../shared/prebuilt/response.ts'
import { cpuOf, measureCall } from './measure/figures.ts'
import { type Measured, report, reportFigures } from './measure/report.ts'

/** CPU of a warm function with answers from the catalogue, and of checking queries. */

/** The path of the whole catalogue in one answer. */
const everything = '/catalogue/export/catalogue.json'

/** The path of the API's description, answered by another function. */
const description = '/openapi.json'

const require = createRequire(import.meta.url)

// This path's function reads the setting, which most stages leave unset.
process.env.SUPPORT_EMAIL ??= ''

/** A GET request, which accepts compressed answers by default. */
const request = (path: string, query = '', headers: Record<string, string> = { 'accept-encoding': 'br, gzip' }) => ({
  rawPath: path,
  rawQueryString: query,
  headers,
  requestContext: { http: { method: 'GET' } },
})

async function ask(request: CatalogueRequest): Promise<HttpAnswer> {
  const name = request.rawPath === description ? 'openapi' : 'catalogue'
  return require(`${bundleOf(name)}/index.cjs`).handler(request)
}

/** The body of an answer, uncompressed. */
const read = async (path: string): Promise<string> => (await ask(request(path, '', {}))).body

const json = { 'accept-encoding': '' }

async function answer(what: string, ...parts: Parameters<typeof request>): Promise<Measured & { what: string }> {
  const asked = request(...parts)
  return { what, figure: await measureCall(() => ask(asked)), unit: 'µs', target: 50 }
}

const { headers } = await ask(request('/catalogue/modules'))
reportFigures('Warm answers, CPU, medians', [
  await answer('a module', '/catalogue/modules/query+allpages'),
  await answer('a parameter', '/catalogue/modules/query+allpages/parameters/dir'),
  await answer('everything', everything),
  await answer('everything, not compressed', everything, '', json),
  await answer('the description of the API', description),
  await answer('a 304', '/catalogue/modules', '', { 'if-none-match': headers.etag ?? '' }),
  await answer('all modules', '/catalogue/modules'),
  await answer('a group, with parameters', '/catalogue/modules', 'group=list&expand=parameters'),
  await answer('a search', '/catalogue/modules', 'q=revision+sha1'),
  await answer('a search, with parameters, not compressed', '/catalogue/modules', 'q=continue&expand=parameters', json),
  await answer('a refused query', '/catalogue/modules', 'groups=list'),
])

/** Ten pairs without a mistake, and with one in each. */
const right =
  'action=query&format=json&generator=links&gpllimit=max&titles=A&prop=info|categories&inprop=url&cllimit=50&redirects=1&maxlag=5'
const wrong =
  'action=query&generator=links&pllimit=6000&titles=A&prop=info|categorie&inprop=ulr&limit=x&clshow=hidden&redirect=0&Maxlag=5'

const bodyOf = (query: string): string => JSON.stringify({ query })
const validate = (query: string) =>
  ask({ ...request('/catalogue/validate'), requestContext: { http: { method: 'POST' } }, body: bodyOf(query) })

async function check(what: string, query: string, target?: number): Promise<Measured & { what: string }> {
  const figure = await measureCall(() => validate(query), 500)
  return { what, figure, unit: 'µs', ...(target && { target }) }
}

reportFigures('Validating a query, CPU, medians', [
  { what: 'the first, with loading', figure: await cpuOf(() => validate(right)), unit: 'ms' },
  await check('ten pairs', right, 200),
  await check('ten pairs, a mistake in each', wrong),
  await check('one pair', 'list=tags', 200),
])

const { modules }: Catalogue = JSON.parse(await read(everything))
const two = 'list=tags|recentchanges'
const all = ['list', 'prop', 'meta']
  .map(group => `${group}=${modules.flatMap(module => (module.group === group ? module.name : [])).join('|')}`)
  .join('&')
const wireNames = modules.flatMap(({ prefix, parameters }) => parameters.map(({ name }) => prefix + name))
const mistyped = (n: number) => `${wireNames[n] ?? wireNames[n % wireNames.length] + n.toString(36)}x`

/** Queries that repeat the most expensive parts: a prefix, and the n-th part after it. */
const floods: [what: string, begin: string, separator: string, make: (n: number) => string][] = [
  ['mistyped names, all modules', `${all}&`, '&', mistyped],
  ['unknown names, all modules', `${all}&`, '&', n => n.toString(36)],
  ['unknown names', `${two}&`, '&', n => n.toString(36)],
  ['names close to right ones', `${two}&`, '&', n => `tglim${n.toString(36)}`],
  ['unknown values', `${two}&rcprop=`, '|', n => n.toString(36)],
  ['malformed pairs of one name', `${two}&`, '&', () => '\udfff'],
  ['code: values in a literal', `f"https://a.b/api.php?${two}`, '', () => '&a={b}'],
  ['code: values in values', `\`https://a.b/api.php?${two}&a=`, '', () => '$' + '{`'],
  ['code: texts that calls append', `x.append("?${two}")`, '', () => '.append("&a=").append(b)'],
  ['code: members of an object', `x = { "list": "tags"`, ', ', n => `"${n.toString(36)}": "b"`],
  ['code: words with carets', `curl ^"https://a.b/api.php?${two}`, '^&', n => `${n.toString(36)}=a`],
]
const kibibytes = [1.5, 8, 16, 32, 60]
const costs: (string | Measured)[][] = []
for (const [what, begin, separator, make] of floods) {
  const times: (string | Measured)[] = []
  for (const size of kibibytes) {
    let query = begin
    for (let n = 0; query.length < size * 1024; n++) query += `${n === 0 ? '' : separator}${make(n)}`
    const isTooLarge = bodyOf(query).length > largestBody
    times.push(isTooLarge ? '—' : { figure: (await measureCall(() => validate(query), 1)) / 1000, unit: 'ms' })
  }
  costs.push([what, ...times])
}
report('Validating what costs most, CPU, medians', ['of', ...kibibytes.map(size => `${size} KiB`)], costs)
