import { extname } from 'node:path'
import { jsonOption, type OptionValues } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { showProgress, takeInterruption } from '../command-line/long-work.ts'
import { print, type Shown } from '../command-line/terminal.ts'
import { readText } from '../command-line/text-files.ts'
import type { Numbered } from './lines.ts'
import { countRecords, type Format, type RecordKind } from './records.ts'

/** Work on a file of records: a long one, which may be interrupted and is repeated after a failure. */

/** The options of commands that take a file. */
export const fileOptions = {
  format: { type: 'string', value: 'FORMAT', meaning: 'ndjson or csv; by default the extension of FILE decides' },
  'dry-run': { type: 'boolean', meaning: 'check the file against the table, and write nothing' },
  ...jsonOption,
} as const

interface FileTally {
  /** Records read so far. */
  records: number
  /** The line that the last of them begins on. */
  line: number
}

/** Records at once: each takes a few milliseconds, nearly all of them on the network. */
const concurrency = 32

/**
 * Handles the records of a file, some of them at once. A failure of AWS ends the run.
 *
 * @param handle begins with each in the order of the file
 * @param signal ends the run before the next record
 * @throws the reason of the signal, when all that it has read is done
 */
export async function eachRecord<T>(
  records: AsyncIterable<Numbered<T>>,
  { tally, signal }: { tally: FileTally; signal?: AbortSignal | undefined },
  handle: (record: Numbered<T>) => Promise<void> | undefined,
): Promise<void> {
  const pending = new Set<Promise<void>>()
  const failures: unknown[] = []
  try {
    for await (const record of records) {
      signal?.throwIfAborted()
      tally.records += 1
      tally.line = record.line
      const handled = handle(record)
      if (!handled) continue
      const handling = handled.catch(error => void failures.push(error)).finally(() => pending.delete(handling))
      pending.add(handling)
      if (pending.size >= concurrency) await Promise.race(pending)
      if (failures.length > 0) break
    }
  } finally {
    await Promise.all(pending)
  }
  if (failures.length > 0) throw failures[0]
}

interface FileWork {
  kind: Pick<RecordKind, 'noun' | 'members'>
  tally: FileTally
  /** What comes before the records. @param show takes the line of progress meanwhile */
  prepare?(signal: AbortSignal, show: (line: () => string) => void): Promise<void>
  /** @param onNote takes what there is to say about a record that is left out */
  run(
    chunks: AsyncIterable<string>,
    format: Format,
    signal: AbortSignal,
    onNote: (line: number, note: string) => void,
  ): Promise<void>
  /** The counts so far, for people. */
  counts(): string
  /** What is printed at the end. */
  summary(): Shown
  /** What the same command does after an interruption. */
  again: string
}

/** Works through a file, or stdin for `-`, with its progress. @throws {CommandError} */
export async function workThrough(
  options: OptionValues<typeof fileOptions>,
  file: string,
  { kind, tally, prepare, run, counts, summary, again }: FileWork,
): Promise<void> {
  const format = formatOf(options.format, file)
  let hasBegun = false
  using interruption = takeInterruption()
  const { signal } = interruption
  let progressLine = () => 'Counting the records of the file'
  const progress = showProgress(() => progressLine())
  try {
    // Stdin can be read only once.
    const total = file === '-' ? null : await countRecords(readText(file, signal), format, kind)
    await prepare?.(signal, line => {
      progressLine = line
    })
    hasBegun = true
    const started = Date.now()
    progressLine = () => progressOf(tally, counts(), total, (Date.now() - started) / 1000)
    await run(readText(file, signal), format, signal, (line, note) => progress.note(`line ${line}: ${note}`))
    // What an export leaves that failed.
    if (tally.records === 0) throw new CommandError(`${file} has no records; did its export fail?`)
  } catch (error) {
    // Nothing to sum up.
    if (tally.records === 0) hasBegun = false
    if (error !== signal.reason) throw error
    const where = tally.line === 0 ? 'before the first line' : `after line ${tally.line}`
    const next = options['dry-run'] ? '' : `; run the same command again: ${again}`
    throw new CommandError(`interrupted ${where}${next}`, 130)
  } finally {
    progress.end()
    if (hasBegun) print(summary())
  }
}

/** By name and extension: NDJSON files are often named `.json`. */
const formats = new Map<string, Format>([
  ['csv', 'csv'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'ndjson'],
])

export function formatOf(name: string | undefined, file: string): Format {
  const format = formats.get((name ?? extname(file).slice(1)).toLowerCase())
  if (format === undefined) throw new CommandError('unknown format; pass --format ndjson or --format csv', 2)
  return format
}

/**
 * The progress in one line.
 *
 * @param total records of the file; null for stdin, which cannot be read twice
 * @param seconds since the first record
 */
export function progressOf({ records }: FileTally, counts: string, total: number | null, seconds: number): string {
  if (total === null) return `${records} read: ${counts}`
  const left = records === 0 ? '' : `, ${timeLeft((seconds / records) * (total - records))}`
  return `${records} of ${total} read: ${counts}${left}`
}

const timeLeft = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`
