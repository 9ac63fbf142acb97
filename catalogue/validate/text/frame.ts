// The query in an address, and the surrounding text.

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
