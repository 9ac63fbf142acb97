// The compressed forms of an answer, as small as the formats allow.
import type { Answer } from './pack.ts'

// An import statement would load zlib at every cold start, though prebuilt answers never need it.
const zlib = () => process.getBuiltinModule('node:zlib')

/** Brotli at quality 11 and gzip at level 9, in base64; a form that is no shorter than the JSON is left out. */
export function compressJson(json: string): Pick<Answer, 'brotli' | 'gzip'> {
  const { brotliCompressSync, constants, gzipSync } = zlib()
  const brotli = brotliCompressSync(json, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
    },
  })
  const gzip = gzipSync(json, { level: constants.Z_BEST_COMPRESSION })
  return {
    ...(brotli.length < json.length && { brotli: brotli.toString('base64') }),
    ...(gzip.length < json.length && { gzip: gzip.toString('base64') }),
  }
}
