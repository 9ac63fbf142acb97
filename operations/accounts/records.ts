import * as v from 'valibot'
import { bearableCosts, costOf } from '../../shared/accounts/password-hash.ts'
import { Email, Name } from '../../shared/schemas.ts'
import { CommandError } from '../command-line/command-error.ts'
import { csv } from './csv.ts'
import { lines, type Numbered } from './lines.ts'

const noHash =
  'must be a bcrypt hash ($2a$, $2b$, $2y$) or a bcrypt-sha256 one of version 2 ($bcrypt-sha256$v=2,t=2b,…)'

const Hash = v.pipe(
  v.string(noHash),
  v.check(hash => costOf(hash) !== null, noHash),
  v.check(hash => {
    const cost = costOf(hash) ?? 0
    return cost >= bearableCosts.min && cost <= bearableCosts.max
  }, `must have a cost from ${bearableCosts.min} to ${bearableCosts.max}: no login could verify another in time`),
)

const Flag = v.optional(v.boolean('must be true or false'), false)

/** RFC 3339, with an offset. */
const Time = v.pipe(
  v.string('must be a time such as 2026-03-01T12:00:00Z'),
  v.regex(
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
    'must be a time such as 2026-03-01T12:00:00Z',
  ),
  v.transform(text => new Date(text)),
  v.date('must be a time such as 2026-03-01T12:00:00Z'),
  v.check(time => time.getTime() >= 0 && time.getTime() <= Date.now(), 'must be a time from 1970 to now'),
)

/** An account as it comes from elsewhere. What a column is not named for is refused, lest a misspelt one be missed. */
export const AccountRecord = v.strictObject({
  email: Email,
  name: v.optional(v.nullable(Name), null),
  is_admin: Flag,
  is_verified: Flag,
  created_at: v.optional(v.nullable(Time), null),
  id: v.optional(v.pipe(v.string('must be a UUID'), v.uuid('must be a UUID'), v.toLowerCase())),
  token_version: v.optional(
    v.pipe(
      v.number('must be a whole number'),
      v.integer('must be a whole number'),
      v.minValue(0, 'must be a whole number'),
    ),
    0,
  ),
  locked_at: v.optional(v.nullable(Time), null),
  password_hash: v.optional(v.nullable(Hash), null),
})
export type AccountRecord = v.InferOutput<typeof AccountRecord>

export const formats = ['ndjson', 'csv'] as const
export type Format = (typeof formats)[number]

/** Reads accounts from a text, each by itself. @throws {CommandError} when the text as a whole is of no use */
export async function* accountRecords(
  chunks: AsyncIterable<string>,
  format: Format,
): AsyncGenerator<Numbered<AccountRecord>> {
  for await (const { line, ...given } of format === 'csv' ? table(chunks) : objects(chunks)) {
    if ('problem' in given) {
      yield { line, ...given }
      continue
    }
    const parsed = v.safeParse(AccountRecord, given.record, { abortPipeEarly: true })
    yield parsed.success ? { line, record: parsed.output } : { line, problem: parsed.issues.map(complaint).join('; ') }
  }
}

/** Never what was received: it may be a hash that stands in the wrong column. */
function complaint(issue: v.BaseIssue<unknown>): string {
  const key = issue.path?.[0]?.key
  if (key === undefined) return 'is no JSON object'
  if (!Object.hasOwn(AccountRecord.entries, String(key))) return 'has a member that accounts do not have'
  return `${key} ${issue.input === undefined ? 'is missing' : issue.message}`
}

async function* objects(chunks: AsyncIterable<string>): AsyncGenerator<Numbered<unknown>> {
  for await (const { line, ...given } of lines(chunks)) {
    if ('problem' in given) yield { line, ...given }
    else if (given.record.trim() !== '') yield { line, ...parseJson(given.record) }
  }
}

function parseJson(text: string): { record: unknown } | { problem: string } {
  try {
    return { record: JSON.parse(text) }
  } catch {
    return { problem: 'is not valid JSON' }
  }
}

async function* table(chunks: AsyncIterable<string>): AsyncGenerator<Numbered<unknown>> {
  let header: string[] | null = null
  for await (const { line, record } of csv(chunks)) {
    if (header === null) header = checkedHeader(record)
    else if (record.length === 1 && record[0] === '') continue
    else if (record.length !== header.length) {
      yield { line, problem: `has ${record.length} fields where the first line has ${header.length}` }
    } else yield { line, record: cells(header, record) }
  }
}

function checkedHeader(names: string[]): string[] {
  const columns = Object.keys(AccountRecord.entries)
  const strange = names.some(name => !columns.includes(name)) || new Set(names).size < names.length
  if (strange || !names.includes('email')) {
    throw new CommandError(
      `the first line must name the columns, email and any of ${columns.slice(1).join(', ')}, each once`,
    )
  }
  return names
}

/** CSV knows text alone: an empty field is absent. */
function cells(header: readonly string[], record: readonly string[]): Record<string, unknown> {
  const values = header.map((name, i) => [name, cell(name, record[i] ?? '')] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

function cell(name: string, text: string): unknown {
  if (name.startsWith('is_')) return /^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : text
  return name === 'token_version' && /^\d{1,9}$/.test(text) ? Number(text) : text
}
