// The compressed forms of an answer, and the choice among them (RFC 9110, 12.5.3).
import { type Answer, once } from './pack.ts'

/** A chosen form: its bytes, as text or in base64, and their number on the wire. */
export type Encoded = { body: string; isBase64Encoded: boolean; length: number; encoding?: 'br' | 'gzip' }

/**
 * Chooses the form that the client ranks highest; of equals the shortest: brotli, gzip, then plain text.
 *
 * @param answer in ASCII
 */
export function encodeFor(accepted: string | undefined, answer: Omit<Answer, 'etag'>): Encoded {
  const weights = readWeights(accepted)
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const br = weightOf('br')
  const gzip = Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0)
  const identity = weights.get('identity') ?? 0
  // A form may be made when it is read.
  const isFirst = br > 0 && br >= identity && (br >= gzip || answer.gzip === undefined)
  if (isFirst && answer.brotli !== undefined) return encodeCompressed('br', answer.brotli)
  if (gzip > 0 && gzip >= identity && answer.gzip !== undefined) return encodeCompressed('gzip', answer.gzip)
  // The text is ASCII, so its length is its bytes; counting them would take 20 times as long as everything else here.
  return { body: answer.text, isBase64Encoded: false, length: answer.text.length }
}

/** Any text, uncompressed. */
export const plain = (text: string): Encoded => ({
  body: text,
  isBase64Encoded: false,
  length: Buffer.byteLength(text),
})

function readWeights(accepted = ''): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';')
    const weight = parameters.map(parameter => parameter.trim()).find(parameter => parameter.startsWith('q='))
    if (coding.trim()) weights.set(coding.trim(), weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return weights
}

function encodeCompressed(encoding: 'br' | 'gzip', base64: string): Encoded {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return { body: base64, isBase64Encoded: true, length: (base64.length / 4) * 3 - padding, encoding }
}

/** Compressed forms in base64, left out if no shorter than the text. */
export type Compressed = Pick<Answer, 'brotli' | 'gzip'>

// An import statement would load zlib at every cold start, though prebuilt answers never need it.
const zlib = () => process.getBuiltinModule('node:zlib')

/** Brotli's quality and gzip's level. */
export type Effort = { brotli: number; gzip: number }

/** For text that is compressed once, such as in a build for a deploy: as small as possible. */
export const greatest: Effort = { brotli: 11, gzip: 9 }

/**
 * While somebody waits: for `npm start`, or for a list, of which a search by two letters finds hundreds. From 5 on,
 * brotli uses the context of each byte. The longest list takes 1.6 ms, and 13 % more bytes than at 11, which takes 132
 * ms; gzip takes 1.2 ms.
 */
export const quick: Effort = { brotli: 5, gzip: 6 }

/** Compresses at once, quickly by default. */
export function compressNow(text: string, effort = quick): Compressed {
  return { ...compressLater(text, effort) }
}

/** Compresses each form when it is first read. */
export function compressLater(text: string, effort = quick): Compressed {
  const { brotli, gzip } = options(text, effort)
  const forms = {
    brotli: once(() => shorter(text, zlib().brotliCompressSync(text, brotli))),
    gzip: once(() => shorter(text, zlib().gzipSync(text, gzip))),
  }
  return {
    get brotli() {
      return forms.brotli()
    },
    get gzip() {
      return forms.gzip()
    },
  }
}

/** Compresses on zlib's own threads. */
export async function compressAside(text: string, effort: Effort): Promise<Compressed> {
  const { promisify } = process.getBuiltinModule('node:util')
  const { brotli, gzip } = options(text, effort)
  const forms = [promisify(zlib().brotliCompress)(text, brotli), promisify(zlib().gzip)(text, gzip)] as const
  const [ofBrotli, ofGzip] = await Promise.all(forms)
  return { brotli: shorter(text, ofBrotli), gzip: shorter(text, ofGzip) }
}

function options(text: string, effort: Effort) {
  const { constants } = zlib()
  const params = { [constants.BROTLI_PARAM_QUALITY]: effort.brotli, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  return { brotli: { params }, gzip: { level: effort.gzip } }
}

const shorter = (text: string, form: Buffer): string | undefined =>
  form.length < text.length ? form.toString('base64') : undefined
