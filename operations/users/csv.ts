import { pipeline } from 'node:stream'
import { CsvError, type CsvErrorCode, parse } from 'csv-parse'
import { CommandError } from '../command-line/failures.ts'
import { maxRecord } from './lines.ts'

/** The fields of a record, and the line it begins on. */
interface Row {
  line: number
  record: string[]
}

const problems: Partial<Record<CsvErrorCode, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is never closed',
  CSV_MAX_RECORD_SIZE: `has a record longer than ${maxRecord} bytes, or a quote that is never closed`,
  INVALID_OPENING_QUOTE: 'has a quote inside a field that is not quoted',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote',
}

/**
 * Reads CSV (RFC 4180) whose records end in CRLF or LF.
 *
 * @param chunks none splits a character
 * @param end the sentence that follows what is wrong
 * @throws {CommandError} at the first malformed record: after it, text inside a quoted name could pass for a record
 */
export async function* csv(chunks: AsyncIterable<string>, end = 'The rest was not read.'): AsyncGenerator<Row> {
  /** The line of the record that the parser reads: it is some records ahead of the loop. */
  let parserLine = 1
  const parser = parse({
    max_record_size: maxRecord,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    on_record(record) {
      parserLine += linesOf(record)
      return record
    },
  })
  // An error in either of the two reaches the loop.
  pipeline(chunks, parser, () => {})
  let line = 1
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      yield { line, record }
      line += linesOf(record)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The library's own message quotes the text.
    throw new CommandError(`line ${parserLine} ${problems[error.code] ?? 'is not valid CSV'}. ${end}`)
  }
}

/** The library's own line count takes a CRLF inside quotes for two lines. */
const linesOf = (record: readonly string[]): number => record.join('').split('\n').length
