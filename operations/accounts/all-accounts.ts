import { extname } from 'node:path'
import { costOf } from '../../shared/accounts/password-hash.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { command } from '../command-line/command.ts'
import { CommandError } from '../command-line/command-error.ts'
import { Progress } from '../command-line/progress.ts'
import { findStack, stackOptions } from '../command-line/stack.ts'
import { openSink, readText } from '../command-line/text-files.ts'
import { importAccounts, type Tally } from './import-accounts.ts'
import { progressOf, reportOf } from './import-report.ts'
import { PresentAccounts } from './present-accounts.ts'
import { accountRecords, countRecords, type Format } from './records.ts'
import { AccountTable } from './table.ts'

export const importCommand = command({
  summary: 'Adds the accounts of a file.',
  operand: 'FILE',
  options: {
    ...stackOptions,
    format: { type: 'string', value: 'FORMAT', meaning: "ndjson or csv; otherwise the file's name says it" },
    'dry-run': { type: 'boolean', meaning: 'check the file and compare it with the table, write nothing' },
    'no-passwords': {
      type: 'boolean',
      meaning: `take accounts without a password_hash too, and leave out hashes of other forms:
        nobody can log in to these accounts until the password is reset by mail`,
    },
  },
  details: `FILE is NDJSON (a JSON object a line) or CSV (RFC 4180; its first line names the columns); - reads stdin.
It is UTF-8. The members of an account, or the columns:

  email           required; brought into its canonical form
  password_hash   required: bcrypt ($2a$, $2b$, $2y$) or bcrypt-sha256 of version 2, of a cost from 4 to 15
  name            text, or nothing
  is_verified     true or false (CSV: t and f, 1 and 0 too); false where it is absent
  is_admin        as is_verified
  created_at      a time such as 2026-03-01T12:00:00Z, or as PostgreSQL writes it: 2026-03-01 12:00:00.123456+00;
                  UTC where it has no offset, now where it is absent
  id              1 to 128 letters, digits and characters of _ . : | -, or a whole number; the subject of access
                  tokens, kept as it is written; a new one where it is absent
  token_version   a whole number up to 2147483648; 0 where it is absent
  locked_at       a time; the account is locked since then. Not locked where it is absent

People log in with their old passwords, and get a hash of today's form when they first do. An account that is
there already is never changed. What cannot be imported is left out and told of by its line. Run the command again
after a failure: what an earlier run has imported is passed over. How to write such a file: docs/migrate.md.`,
  async run(given, file) {
    const format = formatOf(given.format, file)
    const isDry = given['dry-run'] === true
    const acceptsNoPassword = given['no-passwords'] === true
    const table = new AccountTable(findStack(given))
    const tally: Tally = { records: 0, imported: 0, alreadyImported: 0, leftOut: 0, foreignHashes: 0 }
    const present = new PresentAccounts()
    let hasBegun = false
    let told = () => 'Counting the records of the file'
    const progress = new Progress(() => told())
    try {
      // Stdin can be read once only.
      const total = file === '-' ? null : await countRecords(readText(file), format)
      told = () => `Reading the table: ${present.count} accounts`
      await present.read(table)
      hasBegun = true
      const started = Date.now()
      told = () => progressOf(tally, total, (Date.now() - started) / 1000)
      await importAccounts(accountRecords(readText(file), format, { takesAnyHash: acceptsNoPassword }), {
        table: isDry ? null : table,
        present,
        acceptsNoPassword,
        tally,
        onLeftOut: (line, problem) => progress.note(`line ${line}: ${problem}`),
      })
    } finally {
      progress.end()
      if (hasBegun) console.log(reportOf(tally, isDry))
    }
    return tally.leftOut === 0 ? 0 : 1
  },
})

/** NDJSON is often named `.json`. */
const formats = new Map<string, Format>([
  ['csv', 'csv'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'ndjson'],
])

function formatOf(given: string | undefined, file: string): Format {
  const format = formats.get((given ?? extname(file).slice(1)).toLowerCase())
  if (format === undefined) throw new CommandError('say the format: --format ndjson or --format csv', 2)
  return format
}

export const exportCommand = command({
  summary: 'Writes all accounts as NDJSON that import reads.',
  options: {
    ...stackOptions,
    to: { type: 'string', value: 'FILE', meaning: 'a new file, readable by its owner alone; otherwise stdout' },
    'with-hashes': {
      type: 'boolean',
      meaning: `with password hashes, into a file alone: whoever has it can try passwords
        against them`,
    },
  },
  details: `Without hashes, import takes the file by --no-passwords. One-time tokens are never exported: links that are
under way end with the table. Written to stdout, say \`npm run --silent users -- export …\`, or npm's own words come first.`,
  async run(given) {
    const withHashes = given['with-hashes'] === true
    // Terminals keep what they show, and so do the logs of CI.
    if (withHashes && given.to === undefined) {
      throw new CommandError('hashes are written to a file alone, which only its owner can read: say --to FILE', 2)
    }
    const table = new AccountTable(findStack(given))
    await using sink = await openSink(given.to)
    let count = 0
    const progress = new Progress(() => `${count} exported`)
    try {
      for await (const page of table.pages()) {
        await sink.write(page.map(item => `${JSON.stringify(exported(item, withHashes))}\n`).join(''))
        count += page.length
      }
      await sink.finish()
    } finally {
      progress.end()
    }
    console.error(`${count} exported`)
    return 0
  },
})

const exported = (item: AccountItem, withHash: boolean) => ({
  email: item.email,
  name: item.name,
  is_admin: item.is_admin,
  is_verified: item.is_verified,
  created_at: item.created_at,
  id: item.id,
  token_version: item.token_version,
  ...(item.locked_at !== undefined && { locked_at: item.locked_at }),
  ...(withHash && { password_hash: costOf(item.password_hash) === null ? null : item.password_hash }),
})
