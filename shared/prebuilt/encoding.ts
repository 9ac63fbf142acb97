// Which of the prebuilt forms of an answer the client takes (RFC 9110, 12.5.3).
import type { Answer } from './pack.ts'

/** An answer's chosen form: its bytes, as text or in base64, and how many they are on the wire. */
export type Encoded = { body: string; isBase64Encoded: boolean; length: number; encoding?: 'br' | 'gzip' }

/**
 * Chooses the form the client ranks highest; among equals the shortest: brotli, gzip, then the text as it is.
 *
 * @param answer in ASCII
 */
export function encodeFor(accepted: string | undefined, answer: Omit<Answer, 'etag'>): Encoded {
  const weights = readWeights(accepted)
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const br = answer.brotli === undefined ? 0 : weightOf('br')
  const gzip = answer.gzip === undefined ? 0 : Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0)
  const identity = weights.get('identity') ?? 0
  if (answer.brotli !== undefined && br > 0 && br >= gzip && br >= identity) return compressed('br', answer.brotli)
  if (answer.gzip !== undefined && gzip > 0 && gzip >= identity) return compressed('gzip', answer.gzip)
  // The text is ASCII; counting the bytes of the longest would take 20 times as long as everything else here.
  return { body: answer.text, isBase64Encoded: false, length: answer.text.length }
}

/** Any text, as it is. */
export function plain(text: string): Encoded {
  return { body: text, isBase64Encoded: false, length: Buffer.byteLength(text) }
}

function readWeights(accepted = ''): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';')
    const weight = parameters.map(parameter => parameter.trim()).find(parameter => parameter.startsWith('q='))
    if (coding.trim()) weights.set(coding.trim(), weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return weights
}

function compressed(encoding: 'br' | 'gzip', base64: string): Encoded {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return { body: base64, isBase64Encoded: true, length: (base64.length / 4) * 3 - padding, encoding }
}
