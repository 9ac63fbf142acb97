import { CommandError } from '../command-line/command-error.ts'
import { maxRecord } from './lines.ts'

/** The fields of a record, and the line on which it begins. */
interface Row {
  line: number
  record: string[]
}

/**
 * Reads CSV as RFC 4180 has it: fields may be quoted, and then hold commas, quotes (doubled) and line breaks; lines end
 * in CRLF or LF.
 *
 * @throws {CommandError} at what is not of that form: where the next record begins is then anybody's guess, and what
 * stands inside someone's name must not be taken for one
 */
export async function* csv(chunks: AsyncIterable<string>): AsyncGenerator<Row> {
  const reader = new CsvReader()
  for await (const chunk of chunks) yield* reader.read(chunk)
  yield* reader.end()
}

class CsvReader {
  #at: 'field start' | 'plain' | 'quoted' | 'closing quote' = 'field start'
  #fields: string[] = []
  #field = ''
  #length = 0
  #line = 1
  /** The line on which the record begins. */
  #start = 1

  read(chunk: string): Row[] {
    const records: Row[] = []
    for (const character of chunk) {
      if (character === '\n') this.#line += 1
      this.#length += 1
      if (this.#length > maxRecord) this.#fail(`has a record longer than ${maxRecord} characters, or an open quote`)
      if (this.#isInside(character)) this.#field += character
      else if (character === '\n') records.push(this.#endRecord())
      else if (character === ',') this.#endField()
    }
    return records
  }

  end(): Row[] {
    if (this.#at === 'quoted') this.#fail('opens a quote that is never closed')
    return this.#length > 0 ? [this.#endRecord()] : []
  }

  /** Whether a character belongs to the field's text; quotes change the reader's place instead. */
  #isInside(character: string): boolean {
    if (this.#at === 'quoted') {
      if (character === '"') this.#at = 'closing quote'
      return character !== '"'
    }
    if (character === '"') {
      if (this.#at === 'plain') this.#fail('has a quote inside a field that is not quoted')
      const isDoubled = this.#at === 'closing quote'
      this.#at = 'quoted'
      return isDoubled
    }
    if (character === ',' || character === '\n') return false
    if (this.#at === 'closing quote' && character !== '\r') this.#fail('has text after a closing quote')
    if (this.#at === 'field start') this.#at = 'plain'
    return this.#at === 'plain'
  }

  #endField(): void {
    this.#fields.push(this.#field)
    this.#field = ''
    this.#at = 'field start'
  }

  #endRecord(): Row {
    if (this.#at === 'plain') this.#field = this.#field.replace(/\r$/, '')
    this.#endField()
    const numbered = { line: this.#start, record: this.#fields }
    this.#fields = []
    this.#length = 0
    this.#start = this.#line
    return numbered
  }

  #fail(problem: string): never {
    throw new CommandError(`line ${this.#start} ${problem}. Nothing from there on was read.`)
  }
}
