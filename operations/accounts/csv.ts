import { pipeline } from 'node:stream'
import { CsvError, type CsvErrorCode, parse } from 'csv-parse'
import { CommandError } from '../command-line/command-error.ts'
import { maxRecord } from './lines.ts'

/** The fields of a record, and the line on which it begins. */
interface Row {
  line: number
  record: string[]
}

const problems: Partial<Record<CsvErrorCode, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is never closed',
  CSV_MAX_RECORD_SIZE: `has a record longer than ${maxRecord} bytes, or an open quote`,
  INVALID_OPENING_QUOTE: 'has a quote inside a field that is not quoted',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote',
}

/**
 * Reads CSV (RFC 4180), with lines that end in CRLF or LF.
 *
 * @param chunks none of which cuts a character in two
 * @throws {CommandError} at what is not of that form: where the next record begins is then anybody's guess, and what
 * stands inside someone's name must not be taken for one
 */
export async function* csv(chunks: AsyncIterable<string>): AsyncGenerator<Row> {
  /** Where the parser's next record begins: it is some records ahead of the loop. */
  let next = 1
  const parser = parse({
    max_record_size: maxRecord,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    on_record(record) {
      next += linesOf(record)
      return record
    },
  })
  // An error of either reaches the loop.
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
    throw new CommandError(`line ${next} ${problems[error.code] ?? 'is not valid CSV'}. The rest was not read.`)
  }
}

/** The library counts a CRLF within quotes twice. */
const linesOf = (record: readonly string[]): number => record.join('').split('\n').length
