import * as v from 'valibot'
import { command, jsonOption, type OptionValues } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { showProgress } from '../command-line/long-work.ts'
import { findStack, stackOptions } from '../command-line/stack.ts'
import { note } from '../command-line/terminal.ts'
import { openSink } from '../command-line/text-files.ts'
import { type Recorded, readAttributes, recordOf } from './kept-attributes.ts'
import { AccountTable } from './table.ts'
import { Time } from './time.ts'

const options = {
  ...stackOptions,
  match: { type: 'string', value: 'TEXT', meaning: 'only accounts whose address, name or id contains it' },
  unverified: { type: 'boolean', meaning: 'only accounts whose address is not verified' },
  locked: { type: 'boolean', meaning: 'only locked accounts' },
  invited: { type: 'boolean', meaning: 'only accounts that wait for their owner, and until when' },
  role: { type: 'string', value: 'ROLE', meaning: 'only accounts that have the role' },
  since: {
    type: 'string',
    value: 'TIME',
    meaning: 'only accounts opened since then: 2026-03-01 (UTC), or 2026-03-01T12:00:00Z',
  },
  before: { type: 'string', value: 'TIME', meaning: 'only accounts opened before then' },
  limit: { type: 'string', value: 'N', meaning: 'at most N accounts' },
  ...jsonOption,
} as const

export const listCommand = command({
  summary: 'Lists all accounts, or those that options choose, without hashes.',
  options,
  details: `Accounts come in no particular order, each as it is read: the command reads the whole table, and keeps none of it.
--json prints one object a line (NDJSON), as export writes them. In a pipe, run \`npm run --silent users -- list …\`;
otherwise npm prints lines of its own first. The members: email, name, is_admin, is_verified, created_at, id, token_version,
locked_at, language, roles, invited_until, second_factor.`,
  async run(options) {
    const isChosen = choice(options)
    const limit = limitOf(options.limit)
    const table = new AccountTable(findStack(options))
    await using output = await openSink(undefined)
    const isInvited = options.invited === true
    const now = new Date()
    const lineOf = (account: Recorded) =>
      options.json ? JSON.stringify(recordOf(account)) : row(cells(account, isInvited ? now : null))
    let read = 0
    let found = 0
    const progress = showProgress(() => `${read} read, ${found} found`)
    try {
      if (!options.json) await output.write([row(headOf(isInvited))])
      for await (const page of table.pages(readAttributes)) {
        const chosen = page.filter(isChosen).slice(0, limit - found)
        progress.hide()
        await output.write(chosen.map(lineOf))
        read += page.length
        found += chosen.length
        if (found === limit) break
      }
    } finally {
      progress.end()
    }
    note(`${read} read, ${found} found`)
    return 0
  },
})

/** What the options ask of an account. @throws {CommandError} */
function choice({
  match,
  unverified,
  locked,
  invited,
  role,
  since,
  before,
}: OptionValues<typeof options>): (account: Recorded) => boolean {
  const text = match?.toLowerCase() ?? ''
  const start = since === undefined ? '' : timeOf('--since', since)
  const end = before === undefined ? null : timeOf('--before', before)
  return ({ email, name, id, is_verified, locked_at, invited_until, roles = [], created_at }) =>
    [email, name ?? '', id].some(member => member.toLowerCase().includes(text)) &&
    !(unverified && is_verified) &&
    !(locked && locked_at === undefined) &&
    !(invited && invited_until === undefined) &&
    (role === undefined || roles.includes(role)) &&
    // Times in the table have one form, so that the order of text is theirs.
    created_at >= start &&
    (end === null || created_at < end)
}

/** A time as the table has it; a day begins at midnight in UTC. @throws {CommandError} */
function timeOf(option: string, text: string): string {
  const parsed = v.safeParse(Time, /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (!parsed.success) {
    throw new CommandError(`${option} must be a past day or time, such as 2026-03-01 or 2026-03-01T12:00:00Z`, 2)
  }
  return parsed.output.toISOString()
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CommandError('--limit must be a number from 1', 2)
  return Number(text)
}

/** Among invited accounts none is verified. */
const headOf = (isInvited: boolean) =>
  ['created', 'id', isInvited ? 'invited until' : 'verified', 'locked', 'admin', 'email', 'name'] as const

const toSecond = (time: string): string => `${time.slice(0, 19)}Z`

/** @param now of a list of invited accounts; null for others */
const cells = (
  { created_at, id, is_verified, invited_until = '', locked_at, is_admin, email, name }: Recorded,
  now: Date | null,
): string[] => [
  toSecond(created_at),
  id,
  now === null
    ? is_verified
      ? 'yes'
      : 'no'
    : `${invited_until > now.toISOString() ? '' : 'expired '}${toSecond(invited_until)}`,
  locked_at === undefined ? 'no' : 'yes',
  is_admin ? 'yes' : 'no',
  email,
  name ?? '',
]

/** The widths of a time to the second, of a UUID, and of most addresses: rows are printed before all are known. */
const widths = [20, 36, 8, 6, 5, 30]

const row = (cells: readonly string[]): string =>
  cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd()
