// The catalogue as it is served, for tests: packed in memory from the source files and asked through its handler.
import { buildCatalogue } from '../../shared/catalogue/build/catalogue.ts'
import { packCatalogue } from '../../shared/catalogue/build/pack.ts'
import { readSource } from '../../shared/catalogue/build/source.ts'
import { serveCatalogue } from '../../shared/catalogue/serve/catalogue.ts'
import { openPack } from '../../shared/catalogue/serve/pack.ts'

/** What a request says beyond its path; by default a GET that takes no compression. */
type Options = {
  method?: string
  query?: string
  headers?: Record<string, string>
  body?: string
  isBase64Encoded?: boolean
}

const packed = await packCatalogue(buildCatalogue(readSource()))
const handler = serveCatalogue(openPack((offset, length) => packed.slice(offset, offset + length)))

export function request(path: string, { method = 'GET', query = '', headers = {}, ...rest }: Options = {}) {
  return { rawPath: path, rawQueryString: query, headers, requestContext: { http: { method } }, ...rest }
}

export function ask(path: string, options?: Options) {
  return handler(request(path, options))
}

/** The JSON of an answer that must be a 200. */
export async function read<T>(path: string, query = ''): Promise<T> {
  const { statusCode, body } = await ask(path, { query })
  if (statusCode !== 200) throw new Error(`${path}?${query}: ${statusCode} ${body}`)
  return JSON.parse(body) as T
}
