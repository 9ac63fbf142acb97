import { createRequire } from 'node:module'
import { bundle, bundleOf } from '../../infra/build/bundle.ts'
import type { Catalogue } from '../../shared/catalogue/model.ts'
import type { CatalogueRequest } from '../../shared/catalogue/serve/http.ts'
import type { HttpAnswer } from '../../shared/prebuilt/response.ts'

// What the measurements ask for: paths, and queries to add to them.

/** The path of the whole catalogue in one answer. */
export const everything = '/catalogue/export/catalogue.json'

/** The path of the API's description. */
export const description = '/openapi.json'

/** MediaWiki's paraminfo API, as the catalogue answers it. */
export const facade = '/catalogue/w/api.php'
export const oneParaminfo = 'action=paraminfo&format=json&modules=query%2Ballpages'
export const allParaminfo = 'action=paraminfo&format=json&modules=query%2B*'

/** The longest answer to a search of two letters. No build writes it. */
export const longestList = 'q=in&expand=parameters'

type Handler = (request: CatalogueRequest) => Promise<HttpAnswer>

/** What the function that serves the API's description reads. */
export const environment = { SUPPORT_EMAIL: '' }
Object.assign(process.env, environment)

await bundle()

/** The bundle of a function, as it is deployed. */
export const fileOf = (name: 'catalogue' | 'openapi') => `${bundleOf(name)}/index.cjs`

const require = createRequire(import.meta.url)
const handlers = {
  catalogue: (require(fileOf('catalogue')) as { handler: Handler }).handler,
  openapi: (require(fileOf('openapi')) as { handler: Handler }).handler,
}

/** Answers a request as the catalogue, or as the function that serves the API's description. */
export const handler: Handler = request => handlers[request.rawPath === description ? 'openapi' : 'catalogue'](request)

/** A GET request, which accepts compressed answers by default. */
export function request(path: string, query = '', headers: Record<string, string> = { 'accept-encoding': 'br, gzip' }) {
  return { rawPath: path, rawQueryString: query, headers, requestContext: { http: { method: 'GET' } } }
}

export const { modules } = JSON.parse((await handler(request(everything, '', {}))).body) as Catalogue
