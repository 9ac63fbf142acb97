// The query in an address, and the surrounding text.
import { type Literal, literalAt, type Span } from './literal.ts'

/** The surrounding text: a URL before the query, a fragment after it. */
export type Frame = { before: string; query: string; after: string }

/** A URL with a scheme, or a protocol-relative one. */
const address = /^(?:[a-z][a-z\d+.-]*:)?\/\//i

/** An address whose fragment is the query. */
export const sandbox = /^\s*\S*Special(?::|%3A)ApiSandbox#/i

/** `#`, but not in the numeric escape of an ampersand. */
const hashSign = /#(?!(?:38|x26);)/i

export function frameOf(text: string): Frame {
  const [opening] = sandbox.exec(text) ?? []
  if (opening) return cut(text, opening.length, text.trimEnd().length)
  const start = text.length - text.trimStart().length
  const hash = text.search(hashSign)
  const end = hash < 0 ? text.trimEnd().length : hash
  const mark = text.slice(start, end).indexOf('?')
  const head = mark < 0 ? text.slice(start, end) : text.slice(start, start + mark)
  const isAddress = address.test(head)
  if (mark < 0 && isAddress && chooses.test(text.slice(end))) return cut(text, end + 1, text.trimEnd().length)
  if (mark < 0 && !isAddress) return cut(text, start, end)
  return cut(text, mark < 0 ? end : isAddress || !/[=&]/.test(head) ? start + mark + 1 : start, end)
}

const bare = /https?:\/\/(?:[^\s"`<>]|<\w[\w -]*>|\{\{[^{}\n]*\}\})+/y
const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** An address without quotes, up to the end of its sentence or of the brackets around it. */
export function addressAt(text: string, at: number): Literal | undefined {
  bare.lastIndex = at
  const [written = ''] = bare.exec(text) ?? []
  const open: string[] = []
  let end = 0
  for (; end < written.length; end++) {
    const sign = written[end] ?? ''
    if (/[([{]/.test(sign)) open.push(sign)
    else if (closing[sign] && open.pop() !== closing[sign] && !/[\w&%+=]/.test(written[end + 1] ?? '')) break
  }
  const address = written.slice(0, end).replace(/[.,;:!?'*]+$/, '')
  const holes = [...address.matchAll(/<\w[^<>]*>|\{\{[^{}]*\}\}|\{\w*\}|\$\w+|\$\{\w+\}/g)].map(
    ({ index, 0: hole }): Span => [index, index + hole.length],
  )
  return address === '' ? undefined : { ...literalAt(address, at), ...(holes.length > 0 && { holes }) }
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

/** Whether a text names a module, which makes it surely a query. */
export const chooses = /(?:^|[?&#;\s])(?:action|list|prop|meta|generator)=/i

/** Whether a text is the address of a wiki page. */
export const isPageAddress = (text: string): boolean =>
  !sandbox.test(text) && /^\s*[^?#&=\s]*(?:(?:^|\/)wiki\/(?!api\.php)|index\.php)/.test(text)

function cut(text: string, start: number, end: number): Frame {
  const from = Math.min(start, end)
  return {
    before: text.slice(0, from),
    query: text.slice(from, Math.max(from, end)),
    after: text.slice(Math.max(from, end)),
  }
}
