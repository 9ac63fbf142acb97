// Addresses without quotes: in comments, in prose, in programs.
import { join, type Literal, literalAt, matchAt } from './literal.ts'

/** With placeholders, which may contain spaces. */
const bare = /(?:[^\s"`<>]|<\w[\w -]*>|\{\{[^{}\n]*\}\})+/y
/** To further pairs on the next line, behind the mark of a comment, and `&` on either line. */
const goesOn = /[^\S\n]*\n[^\S\n]*(?:(?:[*#%;]+|\/{2,}|--)[^\S\n]*)?(?=(&?)[\w%[\]-]+=)/y
const placeholder = /(<\w[^<>]*>|\{\{[^{}]*\}\}|\{\w*\}|\$\w+|\$\{\w+\})/
/** `。、，！：；＜＝＞？`: names of their own language end with such signs, as モーニング娘。 */
const wideStop = /[!-~][\u3001\u3002\uff01\uff0c\uff1a-\uff1f]/
/** Brackets and quotes of each script: a closing one is one or two characters behind its opening one. */
const [opening, closing] = [/\p{Ps}/u, /[\p{Pe}\p{Pf}\u201c]/u]

/** An address without quotes, up to the end of its sentence or of the brackets around it. */
export function addressAt(text: string, at: number): Literal | undefined {
  if (!text.startsWith('http://', at) && !text.startsWith('https://', at)) return undefined
  const pieces: Literal[] = []
  for (let start = at, isWhole = false; !isWhole; ) {
    const written = lineAt(text, start)
    const end = start + written.length
    const further = matchAt(goesOn, text, end)
    isWhole = !further || (further[1] === '' && !/[?&]$/.test(written))
    // A group in the pattern has `split` keep what it finds, at each odd place.
    const line = isWhole ? withoutEnding(written) : written
    line.split(placeholder).forEach((piece, nth) => {
      pieces.push(literalAt(piece, start, nth % 2 > 0 ? 'x' : undefined))
      start += piece.length
    })
    start = end + (further?.[0].length ?? 0)
  }
  return join(pieces)
}

function lineAt(text: string, at: number): string {
  const written = matchAt(bare, text, at)?.[0] ?? ''
  const open: number[] = []
  for (let end = 0; end < written.length; end++) {
    const sign = written[end] ?? ''
    const code = written.charCodeAt(end)
    if (opening.test(sign)) open.push(code)
    const isApart =
      closing.test(sign) && Math.abs(code - (open.pop() ?? 0)) > 2 && !/[\w&%+=]/.test(written[end + 1] ?? '')
    if (isApart || wideStop.test(written.slice(end - 1, end + 1))) return written.slice(0, end)
  }
  return written
}

/** Without the signs of the sentence behind it. By a loop: a pattern would begin anew at each sign of a run. */
function withoutEnding(address: string): string {
  let end = address.length
  while (/[.,;:!?'*\\\u2026]/.test(address[end - 1] ?? '')) end--
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
