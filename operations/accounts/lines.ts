/** A record of a file, by the line that it begins on, counted from 1. */
export type Numbered<T> = { line: number } & ({ record: T } | { problem: string })

/** Characters: a record holds an address, a name and a hash. A longer one is a quote that was never closed. */
export const maxRecord = 10_000

/**
 * The lines of a text. Only a line feed ends one, a carriage return before it goes with it: JSON text may hold other
 * line separators (RFC 8259 §7), at which `node:readline` would cut it.
 */
export async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<Numbered<string>> {
  let rest = ''
  let line = 0
  let isTooLong = false
  const end = (text: string): Numbered<string> => {
    const record = text.endsWith('\r') ? text.slice(0, -1) : text
    const numbered: Numbered<string> =
      isTooLong || record.length > maxRecord
        ? { line, problem: `is longer than ${maxRecord} characters` }
        : { line, record }
    isTooLong = false
    return numbered
  }
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      line += 1
      yield end(part)
    }
    if (rest.length > maxRecord) {
      isTooLong = true
      rest = ''
    }
  }
  line += 1
  if (rest !== '' || isTooLong) yield end(rest)
}
