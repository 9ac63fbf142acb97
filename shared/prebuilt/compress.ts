// The compressed forms of an answer.
import type { Answer } from './pack.ts'

/** Compressed forms in base64; one that is no shorter than the text is left out. */
export type Compressed = Pick<Answer, 'brotli' | 'gzip'>

// An import statement would load zlib at every cold start, though prebuilt answers never need it.
const zlib = () => process.getBuiltinModule('node:zlib')

/** Brotli's quality and gzip's level. */
type Effort = { brotli: number; gzip: number }

/** At build time: as small as the formats allow. */
const greatest: Effort = { brotli: 11, gzip: 9 }

/**
 * For lists that are compressed while a client waits: searches for two letters alone give hundreds. From 5 on, brotli uses the
 * context of each byte: the longest list takes 1.6 ms and 13 % more bytes than at 11, which takes 132 ms; gzip takes
 * 1.2 ms (docs/performance.md).
 */
const quick: Effort = { brotli: 5, gzip: 6 }

/** Compresses at once, at little cost. */
export function compressNow(text: string): Compressed {
  const { brotli, gzip } = options(text, quick)
  return shorter(text, zlib().brotliCompressSync(text, brotli), zlib().gzipSync(text, gzip))
}

/** Compresses as well as can be, on zlib's own threads. */
export async function compressAside(text: string): Promise<Compressed> {
  const { promisify } = process.getBuiltinModule('node:util')
  const { brotli, gzip } = options(text, greatest)
  const forms = [promisify(zlib().brotliCompress)(text, brotli), promisify(zlib().gzip)(text, gzip)] as const
  return shorter(text, ...(await Promise.all(forms)))
}

function options(text: string, effort: Effort) {
  const { constants } = zlib()
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort.brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  return { brotli: { params }, gzip: { level: effort.gzip } }
}

function shorter(text: string, brotli: Buffer, gzip: Buffer): Compressed {
  return {
    ...(brotli.length < text.length && { brotli: brotli.toString('base64') }),
    ...(gzip.length < text.length && { gzip: gzip.toString('base64') }),
  }
}
