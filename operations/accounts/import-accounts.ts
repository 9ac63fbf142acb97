import { createHash } from 'node:crypto'
import { noPassword } from '../../shared/accounts/password-hash.ts'
import { type AccountItem, toItem } from '../../shared/store/account-item.ts'
import { uuidv7 } from '../../shared/uuid.ts'
import type { Numbered } from './lines.ts'
import type { AccountRecord } from './records.ts'
import type { AccountTable } from './table.ts'

/** Writes that are under way at once: each takes a few milliseconds, nearly all of them on the way. */
const width = 32

export interface Tally {
  /** Of the file, so far. */
  records: number
  imported: number
  /** By an earlier run. */
  alreadyImported: number
  leftOut: number
}

interface Run {
  /** Null writes nothing. */
  table: AccountTable | null
  acceptsNoPassword: boolean
  tally: Tally
  onLeftOut(line: number, problem: string): void
}

/**
 * Adds accounts to the table, each by one conditional write: one that is there is never changed. What fails of AWS ends
 * the run; another run passes over what this one has imported.
 */
export async function importAccounts(records: AsyncIterable<Numbered<AccountRecord>>, run: Run): Promise<void> {
  const { table, tally } = run
  const linesByAddress = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  const leaveOut = (line: number, problem: string) => {
    tally.leftOut += 1
    run.onLeftOut(line, problem)
  }
  try {
    for await (const { line, ...given } of records) {
      tally.records += 1
      const problem = 'problem' in given ? given.problem : problemOf(given.record, linesByAddress, run)
      if (problem !== null || !('record' in given)) {
        leaveOut(line, problem ?? '')
        continue
      }
      linesByAddress.set(given.record.email, line)
      if (table === null) continue
      const writing = write(table, given.record)
        .then(outcome => {
          if (outcome === 'taken')
            leaveOut(line, `the table holds another account of this address (${given.record.email})`)
          else tally[outcome] += 1
        })
        .catch(error => void failures.push(error))
        .finally(() => underWay.delete(writing))
      underWay.add(writing)
      if (underWay.size >= width) await Promise.race(underWay)
      if (failures.length > 0) break
    }
  } finally {
    await Promise.all(underWay)
  }
  if (failures.length > 0) throw failures[0]
}

function problemOf(
  { email, password_hash }: AccountRecord,
  linesByAddress: ReadonlyMap<string, number>,
  { acceptsNoPassword }: Run,
): string | null {
  const first = linesByAddress.get(email)
  if (first !== undefined) return `has the address of line ${first} (${email})`
  return password_hash === null && !acceptsNoPassword ? 'password_hash is missing' : null
}

async function write(table: AccountTable, record: AccountRecord): Promise<'imported' | 'alreadyImported' | 'taken'> {
  const now = new Date()
  const createdAt = record.created_at ?? now
  const item = toItem(
    {
      id: idOf(record, createdAt),
      email: record.email,
      name: record.name,
      passwordHash: record.password_hash ?? noPassword,
      isAdmin: record.is_admin,
      isVerified: record.is_verified,
      tokenVersion: record.token_version,
      lockedAt: record.locked_at,
      createdAt,
    },
    now,
  )
  if (await table.add(item)) return 'imported'
  const present = await table.find(record.email)
  return present !== null && isOf(record, present) ? 'alreadyImported' : 'taken'
}

/**
 * A record's account is told by its id, whatever has changed about it since. Where the record names none, the id is a
 * UUIDv7 whose 74 bits are not drawn but hashed from the record: another run comes to the same one.
 */
function idOf({ id, email, password_hash }: AccountRecord, createdAt: Date): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([email, password_hash]))
    .digest()
  return id ?? uuidv7(createdAt.getTime(), digest)
}

const isOf = (record: AccountRecord, { id, created_at }: AccountItem): boolean =>
  id === idOf(record, new Date(created_at))
