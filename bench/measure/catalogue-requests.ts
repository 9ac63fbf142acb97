import { createRequire } from 'node:module'
import { bundleOf } from '../../infra/build/function-bundles.ts'
import type { CatalogueRequest } from '../../shared/catalogue/serve/http.ts'
import type { HttpAnswer } from '../../shared/prebuilt/response.ts'

/** The path of the whole catalogue in one answer. */
export const everything = '/catalogue/export/catalogue.json'

/** The path of the API's description, which another function answers. */
export const description = '/openapi.json'

const require = createRequire(import.meta.url)

// The function that answers there reads it; it is unset on most stages.
process.env.SUPPORT_EMAIL ??= ''

/** A GET request, which accepts compressed answers by default. */
export const request = (
  path: string,
  query = '',
  headers: Record<string, string> = { 'accept-encoding': 'br, gzip' },
) => ({ rawPath: path, rawQueryString: query, headers, requestContext: { http: { method: 'GET' } } })

export async function ask(request: CatalogueRequest): Promise<HttpAnswer> {
  const name = request.rawPath === description ? 'openapi' : 'catalogue'
  return require(`${bundleOf(name)}/index.cjs`).handler(request)
}

/** What an answer says, not compressed. */
export const read = async (path: string): Promise<string> => (await ask(request(path, '', {}))).body
