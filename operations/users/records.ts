import * as v from 'valibot'
import { CommandError } from '../command-line/failures.ts'
import { AccountRecord, conflictIn, RecordWithAnyHash } from './account-record.ts'
import { csv } from './csv.ts'
import { withHashes } from './kept-attributes.ts'
import { lines, maxRecord, type Numbered } from './lines.ts'

export type Format = 'ndjson' | 'csv'

/** What the records of a file are. */
export interface RecordKind<T = unknown> {
  /** As a sentence begins: `Accounts`. */
  noun: string
  schema: v.GenericSchema<unknown, T> & { entries: object }
  /** Names of members, and of columns; the first is the address. */
  members: readonly string[]
  /** What is wrong with a record as a whole. @returns null where nothing is */
  conflictIn?(record: T): string | null
}

type Named = Pick<RecordKind, 'noun' | 'members'>

export const recordKind = <T>(kind: Omit<RecordKind<T>, 'members'>): RecordKind<T> => ({
  ...kind,
  members: Object.keys(kind.schema.entries),
})

export const accountKind = recordKind({ noun: 'Accounts', schema: AccountRecord, conflictIn })
const kindWithAnyHash = recordKind({ noun: 'Accounts', schema: RecordWithAnyHash, conflictIn })

/** Reads accounts from a text. A bad record becomes a problem. @throws {CommandError} when the rest cannot be read */
export const accountRecords = (
  chunks: AsyncIterable<string>,
  format: Format,
  { takesAnyHash = false } = {},
): AsyncGenerator<Numbered<AccountRecord>> => readRecords(chunks, format, takesAnyHash ? kindWithAnyHash : accountKind)

/** Reads records of a kind from a text, likewise. @throws {CommandError} */
export async function* readRecords<T>(
  chunks: AsyncIterable<string>,
  format: Format,
  kind: RecordKind<T>,
): AsyncGenerator<Numbered<T>> {
  for await (const { line, ...numbered } of records(chunks, format, kind)) {
    if ('problem' in numbered) {
      yield { line, ...numbered }
      continue
    }
    const parsed = v.safeParse(kind.schema, numbered.record, { abortPipeEarly: true })
    const problem = parsed.success
      ? (kind.conflictIn?.(parsed.output) ?? null)
      : [...new Set(parsed.issues.map(issue => problemOf(issue, kind)))].join('; ')
    yield parsed.success && problem === null ? { line, record: parsed.output } : { line, problem: problem ?? '' }
  }
}

/** Counts the records that `readRecords` yields, before the first of them is written. @throws {CommandError} */
export async function countRecords(chunks: AsyncIterable<string>, format: Format, kind: Named): Promise<number> {
  let count = 0
  for await (const _ of records(chunks, format, kind, 'Nothing was written.')) count += 1
  return count
}

/** @param end what is said after the fault of a malformed CSV */
const records = (
  chunks: AsyncIterable<string>,
  format: Format,
  kind: Named,
  end?: string,
): AsyncGenerator<Numbered<unknown>> => (format === 'csv' ? table(chunks, kind, end) : objects(chunks))

const notAnObject = 'is not a JSON object'

/** Never quotes a value: it may be a hash in the wrong column. */
function problemOf(issue: v.BaseIssue<unknown>, kind: Named): string {
  const key = issue.path?.[0]?.key
  if (key === undefined) return notAnObject
  if (!kind.members.includes(String(key))) return `has an unknown member${unknownNames([String(key)], kind)}`
  const isAbsent = issue.input === undefined && issue.path?.length === 1
  return `${key} ${isAbsent ? 'is missing' : issue.message}`
}

/** Lists unknown names, as far as they look like names, and the known ones. */
function unknownNames(names: readonly string[], { noun, members }: Named): string {
  const plausible = names.filter(name => /^[A-Za-z_]\w{0,39}$/.test(name))
  return `${plausible.length > 0 ? `: ${plausible.join(', ')}` : ''}. ${noun} have ${members.join(', ')}`
}

async function* objects(chunks: AsyncIterable<string>): AsyncGenerator<Numbered<unknown>> {
  let isFirst = true
  for await (const { line, ...numbered } of lines(refusingArrays(chunks))) {
    if ('problem' in numbered) {
      isFirst = false
      yield { line, ...numbered }
      continue
    }
    const text = numbered.record.trim()
    if (text === '') continue
    if (isFirst && text === '{') {
      throw new CommandError(
        'the file has objects of several lines, and not one a line. Convert it: jq -c . accounts.json > accounts.ndjson',
      )
    }
    isFirst = false
    yield { line, ...parseJson(numbered.record) }
  }
}

async function* refusingArrays(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isBlank = true
  for await (const chunk of chunks) {
    if (isBlank && /^\s*\[/.test(chunk)) {
      throw new CommandError(
        "the file is a JSON array, and not one object a line. Convert it: jq -c '.[]' accounts.json > accounts.ndjson",
      )
    }
    isBlank &&= chunk.trim() === ''
    yield chunk
  }
}

function parseJson(text: string): { record: unknown } | { problem: string } {
  try {
    // TypeScript does not know the third argument yet.
    const record = JSON.parse(text, idAsText as (key: string, value: unknown) => unknown)
    return Array.isArray(record) ? { problem: notAnObject } : { record }
  } catch {
    return { problem: 'is not valid JSON' }
  }
}

/** Keeps all digits of a numeric id: from 2^53 on, neighbouring integers parse to the same number. */
const idAsText = (key: string, value: unknown, { source = '' }: { source?: string }): unknown =>
  key === 'id' && typeof value === 'number' && /^\d+$/.test(source) ? source : value

async function* table(chunks: AsyncIterable<string>, kind: Named, end?: string): AsyncGenerator<Numbered<unknown>> {
  let header: string[] | null = null
  for await (const { line, record } of csv(refusingSeparators(chunks, kind), end)) {
    // Spreadsheets write lines and last columns that hold nothing.
    const width = record.findLastIndex(field => field.trim() !== '') + 1
    if (width === 0) continue
    if (header === null) header = checkedHeader(record.slice(0, width).map(folded), kind)
    else {
      const fields = record.slice(0, Math.max(width, header.length))
      if (fields.length === header.length) yield { line, ...cells(header, fields) }
      else yield { line, problem: `has ${fields.length} fields where the first line has ${header.length}` }
    }
  }
}

/** The name of a column, however a spreadsheet has written it. */
const folded = (name: string): string => name.trim().toLowerCase()

const otherSeparators = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
] as const

/** Looks at the first line before it is parsed: quotes beside other separators are malformed there. */
async function* refusingSeparators(chunks: AsyncIterable<string>, { members }: Named): AsyncGenerator<string> {
  const hasColumn = (line: string, separator: string) =>
    line.split(separator).some(name => members.includes(folded(name.replaceAll('"', ''))))
  let first: string | null = ''
  for await (const chunk of chunks) {
    if (first === null) {
      yield chunk
      continue
    }
    first += chunk
    if (!/\S.*\n/.test(first) && first.length <= maxRecord) continue
    yield checked(first)
    first = null
  }
  if (first !== null) yield checked(first)

  function checked(text: string): string {
    const [line = ''] = text.trimStart().split('\n', 1)
    const other = hasColumn(line, ',') ? undefined : otherSeparators.find(([separator]) => hasColumn(line, separator))
    if (other) throw new CommandError(`the columns are separated by ${other[1]}: export it with commas`)
    return text
  }
}

/** Says what is wrong by the numbers of columns: a name that is not known may be anything, such as a password. */
function checkedHeader(names: string[], { members }: Named): string[] {
  const faults = names.flatMap((name, i) => {
    const first = names.indexOf(name)
    if (!members.includes(name)) return `column ${i + 1} ${name === '' ? 'has no name' : 'is none of these'}`
    return first < i ? `column ${i + 1} is ${name} again, as column ${first + 1}` : []
  })
  if (!names.includes('email')) faults.push('no column is email')
  if (faults.length === 0) return names
  const isHeader = names.some(name => members.includes(name))
  const what = isHeader ? faults.join('; ') : 'no column is one of these'
  throw new CommandError(
    `the first line must name the columns, separated by commas: email and any of ${members.slice(1).join(', ')}, each once. ` +
      `But ${what}`,
  )
}

/** What export writes for its own import: no other system has it, and CSV has no form for it. */
const ndjsonAlone: readonly string[] = withHashes.filter(name => name !== 'password_hash')

/** CSV has only text: an empty field counts as absent. */
function cells(header: readonly string[], record: readonly string[]): { record: unknown } | { problem: string } {
  const values = header
    .map((name, i) => [name, cell(name, record[i] ?? '')] as const)
    .filter(([, value]) => value !== '')
  const refused = values.map(([name]) => name).filter(name => ndjsonAlone.includes(name))
  if (refused.length > 0) return { problem: `${refused.join(', ')}: read from NDJSON alone` }
  return { record: Object.fromEntries(values) }
}

function cell(name: string, text: string): unknown {
  // PostgreSQL writes t and f.
  if (name.startsWith('is_') || name === 'second_factor')
    return /^(?:t|true|1)$/i.test(text) || (/^(?:f|false|0)$/i.test(text) ? false : text)
  if (name === 'roles') return text === '' ? text : text.split(' ')
  return name === 'token_version' && /^\d{1,15}$/.test(text) ? Number(text) : text
}
