/** A record of a file, or what is wrong with it, and the line it begins on, counted from 1. */
export type Numbered<T> = { line: number } & ({ record: T } | { problem: string })

/**
 * Characters. Ten passkeys with the longest ids and keys take 25,000, another system's record far fewer. A longer one is a quote
 * that was never closed.
 */
export const maxRecord = 40_000

/**
 * The lines of a text, which end in CRLF or LF. Neither library fits: `node:readline` also splits at the other line
 * separators that JSON text may hold (RFC 8259 §7); csv-parse stops at a record that is too long.
 */
export async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<Numbered<string>> {
  let line = 0
  let rest = ''
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n')
    // Two characters over the limit are enough: a line of this length is too long even without its CR.
    rest = (parts.pop() ?? '').slice(0, maxRecord + 2)
    for (const part of parts) yield numbered(++line, part)
  }
  if (rest !== '') yield numbered(++line, rest)
}

function numbered(line: number, text: string): Numbered<string> {
  const record = text.endsWith('\r') ? text.slice(0, -1) : text
  return record.length > maxRecord ? { line, problem: `is longer than ${maxRecord} characters` } : { line, record }
}
