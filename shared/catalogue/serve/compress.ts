// The compressed forms of an answer, as small as the formats allow.
import type { Answer } from './pack.ts'

/** Compressed forms in base64; one that is no shorter than the JSON is left out. */
export type Compressed = Pick<Answer, 'brotli' | 'gzip'>

// An import statement would load zlib at every cold start, though prebuilt answers never need it.
const zlib = () => process.getBuiltinModule('node:zlib')

/** Brotli at quality 11 and gzip at level 9. */
export function compressJson(json: string): Compressed {
  const { brotli, gzip } = options(json)
  return shorter(json, zlib().brotliCompressSync(json, brotli), zlib().gzipSync(json, gzip))
}

/** The same, on zlib's own threads. */
export async function compressAside(json: string): Promise<Compressed> {
  const { promisify } = process.getBuiltinModule('node:util')
  const { brotli, gzip } = options(json)
  const forms = [promisify(zlib().brotliCompress)(json, brotli), promisify(zlib().gzip)(json, gzip)] as const
  return shorter(json, ...(await Promise.all(forms)))
}

function options(json: string) {
  const { constants } = zlib()
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  }
  return { brotli: { params }, gzip: { level: constants.Z_BEST_COMPRESSION } }
}

function shorter(json: string, brotli: Buffer, gzip: Buffer): Compressed {
  return {
    ...(brotli.length < json.length && { brotli: brotli.toString('base64') }),
    ...(gzip.length < json.length && { gzip: gzip.toString('base64') }),
  }
}
