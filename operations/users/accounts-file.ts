import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import * as v from 'valibot'
import { hashPassword } from '../../accounts/password/hash.ts'
import { NewPassword, passwordLength } from '../../accounts/password/password.ts'
import { countCodePoints } from '../../shared/base/shapes.ts'
import { command, run } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { findStack } from '../command-line/stack.ts'
import { print } from '../command-line/terminal.ts'
import { readText } from '../command-line/text-files.ts'
import { AccountRecord, conflictIn } from './account-record.ts'
import { ExistingAccounts } from './existing-accounts.ts'
import { formatOf } from './file-work.ts'
import { importAccounts } from './import-accounts.ts'
import { emptyTally } from './import-tally.ts'
import type { Numbered } from './lines.ts'
import { readRecords, recordKind } from './records.ts'
import { AccountTable } from './table.ts'

/**
 * The accounts of `ACCOUNTS_FILE`, which the system on one machine opens before it answers its first request. It runs this file:
 * `node operations/users/accounts-file.ts <file> <cost of new hashes>`, and prints what this prints.
 */

/** More are an import's: a start hashes each password, which takes up to a third of a second. */
const maxRecords = 1000

/** A record of an import with the password itself, which only a file of invented people may have. */
const Seed = v.strictObject({
  ...AccountRecord.entries,
  password: v.optional(
    v.pipe(
      NewPassword,
      v.check(
        password => countCodePoints(password) >= passwordLength.min,
        `must be at least ${passwordLength.min} characters`,
      ),
    ),
  ),
})
type Seed = v.InferOutput<typeof Seed>

const kind = recordKind({
  noun: 'Accounts',
  schema: Seed,
  conflictIn({ password, ...record }: Seed) {
    const { password_hash, invited_until } = record
    if (password !== undefined && password_hash !== undefined) return 'password does not go with password_hash'
    if (password !== undefined && invited_until !== null) return 'invited_until does not go with a password'
    if (password === undefined && password_hash === undefined && invited_until === null) {
      return 'password is missing, or password_hash'
    }
    return conflictIn(record)
  },
})

/** The records of the file. @throws {CommandError} that names each bad line, and quotes none */
async function read(file: string): Promise<{ line: number; record: Seed }[]> {
  const records: { line: number; record: Seed }[] = []
  const problems: string[] = []
  const lineOf = new Map<string, number>()
  for await (const { line, ...numbered } of readRecords(readText(file), formatOf(undefined, file), kind)) {
    if (records.length + problems.length === maxRecords) {
      throw new CommandError(`${file} has more than ${maxRecords} accounts: import them by npm run users -- import`)
    }
    if ('problem' in numbered) {
      problems.push(`${file}, line ${line}: ${numbered.problem}`)
      continue
    }
    const { record } = numbered
    const keys = { address: record.email, ...(record.id !== null && { id: record.id }) }
    for (const [what, key] of Object.entries(keys)) {
      const first = lineOf.get(`${what} ${key}`)
      if (first !== undefined) problems.push(`${file}, line ${line}: has the ${what} of line ${first}`)
      else lineOf.set(`${what} ${key}`, line)
    }
    records.push({ line, record })
  }
  if (problems.length > 0) throw new CommandError(problems)
  if (records.length === 0) throw new CommandError(`${file} has no accounts`)
  return records
}

async function* each(
  records: readonly { line: number; record: AccountRecord }[],
): AsyncGenerator<Numbered<AccountRecord>> {
  yield* records
}

await run('ACCOUNTS_FILE', 'Opens the accounts of a file.', {
  '': command({
    summary: 'Opens the accounts of a file, on this machine.',
    operand: '<file> <cost>',
    options: {},
    async run(_, file, cost) {
      const records = await read(file ?? '')
      const stack = findStack({ local: true })
      const table = new AccountTable(stack)
      const existing = new ExistingAccounts()
      await existing.read(table)
      const absent = records.filter(({ record }) => existing.find(record.email) === null)
      const owned = absent.find(({ record: { id } }) => id !== null && existing.addressOf(id) !== null)
      if (owned) throw new CommandError(`${file}, line ${owned.line}: has the id of another account`)
      const importing = async (isDry: boolean, records: readonly { line: number; record: AccountRecord }[]) => {
        const tally = emptyTally()
        const notes: string[] = []
        await importAccounts(each(records), {
          table,
          isDry,
          existing,
          tally,
          factorKey: stack.outputs.FactorKey ?? null,
          passkeyRpId: stack.outputs.PasskeyRpId ?? null,
          acceptsNoPassword: true,
          acceptsDeleted: false,
          acceptsNoFactor: false,
          locks: false,
          hashCost: Number(cost),
          onNote: (line, note) => notes.push(`${file}, line ${line}: ${note}`),
        })
        if (tally.leftOut > 0) throw new CommandError(notes)
        return tally
      }
      // All lines are looked at before the first is written, and before any password is hashed.
      const { deleted } = await importing(true, absent)
      const config = { bcryptCost: Number(cost) }
      const hashed: { line: number; record: AccountRecord }[] = []
      for (const { line, record } of absent) {
        const { password, ...others } = record
        const hash =
          password === undefined ? others.password_hash : await hashPassword({ randomBytes, config }, password)
        hashed.push({ line, record: { ...others, ...(hash !== undefined && { password_hash: hash }) } })
      }
      await importing(false, hashed)
      const there = records.length - absent.length
      print(
        [
          `${records.length} ${records.length === 1 ? 'account' : 'accounts'} of ${basename(file ?? '')}`,
          ...(there > 0 ? [`${there} ${there === 1 ? 'was' : 'were'} there`] : []),
          ...(deleted > 0 ? [`${deleted} ${deleted === 1 ? 'was' : 'were'} deleted`] : []),
        ].join(', '),
      )
      return 0
    },
  }),
})
