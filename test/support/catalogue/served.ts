// The served catalogue, for tests: the newly built pack, asked through the handler's source.
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { packFile } from '../../../catalogue/build/write-pack.ts'
import { openPack } from '../../../catalogue/serve/pack.ts'
import catalogue from '../../../functions/catalogue.ts'
import { bundleOf } from '../../../infra/build/function-bundles.ts'
import { readParts } from '../../../shared/prebuilt/parts.ts'
import { byName, expectDescribed } from '../api/openapi.ts'

/** A request beyond its path; by default a GET without compression. */
type Options = {
  method?: string
  query?: string
  headers?: Record<string, string>
  body?: string
  isBase64Encoded?: boolean
}

const handler = catalogue(openPack(readParts(join(bundleOf('catalogue'), packFile))))

export function request(path: string, { method = 'GET', query = '', headers = {}, ...rest }: Options = {}) {
  return { rawPath: path, rawQueryString: query, headers, requestContext: { http: { method } }, ...rest }
}

/** Calls the handler, and checks its answers against the API's document. */
export async function ask(path: string, options: Options = {}) {
  const answer = await handler(request(path, options))
  const { statusCode: status, headers, body, isBase64Encoded } = answer
  const decode = headers['content-encoding'] === 'br' ? brotliDecompressSync : gunzipSync
  const text = isBase64Encoded ? decode(Buffer.from(body, 'base64')).toString() : body
  expectDescribed(options.method ?? 'GET', path, { status, header: byName(headers), body: text })
  return answer
}

/** The JSON of an answer, which must be a 200. */
export async function read<T>(path: string, query = ''): Promise<T> {
  const { statusCode, body } = await ask(path, { query })
  if (statusCode !== 200) throw new Error(`${path}?${query}: ${statusCode} ${body}`)
  return JSON.parse(body) as T
}
