// Addresses without quotes: in comments, in prose, in programs.
import { join, type Literal, literalAt, matchAt } from './literal.ts'

const scheme = /https?:\/\//y
const bare = /(?:[^\s"`<>]|<\w[\w -]*>|\{\{[^{}\n]*\}\})+/y
/** To further pairs on the next line, behind the mark of a comment. */
const newLine = String.raw`[^\S\n]*\n[^\S\n]*(?:(?:[*#%;]+|/{2,}|--)[^\S\n]*)?`
const goesOn = new RegExp(String.raw`(?<=[?&])${newLine}(?=[\w%[\]-]+=)|${newLine}(?=&[\w%[\]-]+=)`, 'y')
/** In texts, not patterns: the script is ASCII, and esbuild escapes texts alone. */
const ofSentence = ".,;:!?'*\\…’“"
const stops = '。、，；：！？'
const closing = new Map(
  Array.from('()[]{}（）「」『』【】《》“”«»'.matchAll(/(.)(.)/g), ([, open, close]) => [close, open]),
)
const opening = new Set(closing.values())

/** An address without quotes, up to the end of its sentence or of the brackets around it. */
export function addressAt(text: string, at: number): Literal | undefined {
  const pieces: Literal[] = []
  for (let start = at, before = matchAt(scheme, text, at); before; ) {
    const written = lineAt(text, start)
    const end = start + written.length
    before = matchAt(goesOn, text, end)
    const line = before ? written : withoutEnding(written)
    // A group in the pattern has `split` keep what it finds, at each odd place.
    line.split(/(<\w[^<>]*>|\{\{[^{}]*\}\}|\{\w*\}|\$\w+|\$\{\w+\})/).forEach((piece, nth) => {
      pieces.push(literalAt(piece, start, nth % 2 > 0 ? 'x' : undefined))
      start += piece.length
    })
    start = end + (before?.[0].length ?? 0)
  }
  return pieces.length > 0 ? join(pieces) : undefined
}

function lineAt(text: string, at: number): string {
  const written = matchAt(bare, text, at)?.[0] ?? ''
  const open: (string | undefined)[] = []
  for (let end = 0; end < written.length; end++) {
    const sign = written[end] ?? ''
    const opened = closing.get(sign)
    if (opening.has(sign)) open.push(sign)
    else if (opened && open.pop() !== opened && !/[\w&%+=]/.test(written[end + 1] ?? '')) return written.slice(0, end)
    // Names of their own language end with such signs: モーニング娘。
    if (stops.includes(sign) && /[!-~]/.test(written[end - 1] ?? '')) return written.slice(0, end)
  }
  return written
}

/** Without the signs of the sentence behind it. By a loop: a pattern would begin anew at each sign of a run. */
function withoutEnding(address: string): string {
  let end = address.length
  while (ofSentence.includes(address[end - 1] ?? ' ')) end--
  return address.slice(0, end)
}

/** The first addresses in a text, whatever it is: in comments, between quotes, in prose. */
export const addressesIn = (text: string): Literal[] =>
  [...text.matchAll(/(["'`]?)(?=https?:\/\/)/g)].slice(0, mostAddresses).flatMap(({ index, 1: quote = '' }) => {
    const start = index + quote.length
    const end = quote === '' ? -1 : text.slice(start, start + longestQuoted).search(new RegExp(`[${quote}\\n]`))
    return (end > 0 ? literalAt(text.slice(start, start + end), start) : addressAt(text, start)) ?? []
  })

/** Nobody writes about more. */
const mostAddresses = 50

/** Characters of an address between quotes in a comment. */
const longestQuoted = 8000
