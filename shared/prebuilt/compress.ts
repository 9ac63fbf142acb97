// The compressed forms of an answer.
import type { Answer } from './pack.ts'

/** Compressed forms in base64; one that is no shorter than the JSON is left out. */
export type Compressed = Pick<Answer, 'brotli' | 'gzip'>

// An import statement would load zlib at every cold start, though prebuilt answers never need it.
const zlib = () => process.getBuiltinModule('node:zlib')

/** Brotli's quality and gzip's level. */
type Effort = { brotli: number; gzip: number }

/** At build time: as small as the formats allow. */
const greatest: Effort = { brotli: 11, gzip: 9 }

/**
 * While a client waits, and two letters to search for already make hundreds of lists. From 5 on brotli looks at the
 * context of each byte: the longest list takes 1.6 ms and 13 % more bytes than at 11, which takes 132 ms; gzip takes
 * 1.2 ms (docs/performance.md).
 */
const quick: Effort = { brotli: 5, gzip: 6 }

/** Compresses at once, at little cost. */
export function compressJson(json: string): Compressed {
  const { brotli, gzip } = options(json, quick)
  return shorter(json, zlib().brotliCompressSync(json, brotli), zlib().gzipSync(json, gzip))
}

/** Compresses as well as can be, on zlib's own threads. */
export async function compressAside(json: string): Promise<Compressed> {
  const { promisify } = process.getBuiltinModule('node:util')
  const { brotli, gzip } = options(json, greatest)
  const forms = [promisify(zlib().brotliCompress)(json, brotli), promisify(zlib().gzip)(json, gzip)] as const
  return shorter(json, ...(await Promise.all(forms)))
}

function options(json: string, effort: Effort) {
  const { constants } = zlib()
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort.brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  }
  return { brotli: { params }, gzip: { level: effort.gzip } }
}

function shorter(json: string, brotli: Buffer, gzip: Buffer): Compressed {
  return {
    ...(brotli.length < json.length && { brotli: brotli.toString('base64') }),
    ...(gzip.length < json.length && { gzip: gzip.toString('base64') }),
  }
}
