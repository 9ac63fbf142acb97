import { createHash } from 'node:crypto'
import { noPassword } from '../../shared/accounts/password-hash.ts'
import { type AccountItem, toItem } from '../../shared/store/account-item.ts'
import { uuidv7 } from '../../shared/uuid.ts'
import type { AccountRecord } from './account-record.ts'
import type { Numbered } from './lines.ts'
import type { PresentAccount, PresentAccounts } from './present-accounts.ts'
import type { AccountTable } from './table.ts'

/** Writes that are under way at once: each takes a few milliseconds, nearly all of them on the way. */
const width = 32

export interface Tally {
  /** Of the file, so far. */
  records: number
  /** On a dry run: what would be. */
  imported: number
  /** By an earlier run. */
  alreadyImported: number
  leftOut: number
  /** Password hashes of forms that no login could verify, left out of accounts. */
  foreignHashes: number
}

interface Run {
  /** Null writes nothing. */
  table: AccountTable | null
  present: PresentAccounts
  acceptsNoPassword: boolean
  tally: Tally
  onLeftOut(line: number, problem: string): void
}

type Outcome = 'imported' | 'alreadyImported' | { problem: string }

/**
 * Adds accounts to the table, each by one conditional write: one that is there is never changed. What fails of AWS ends
 * the run; another run passes over what this one has imported.
 */
export async function importAccounts(records: AsyncIterable<Numbered<AccountRecord>>, run: Run): Promise<void> {
  const { table, present, tally } = run
  const lines = new LinesOf()
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  const count = (line: number, outcome: Outcome) => {
    if (typeof outcome === 'string') {
      tally[outcome] += 1
      return
    }
    tally.leftOut += 1
    run.onLeftOut(line, outcome.problem)
  }
  try {
    for await (const { line, ...given } of records) {
      tally.records += 1
      if ('problem' in given) {
        count(line, given)
        continue
      }
      const { record } = given
      const outcome = refusalOfHash(record, run) ?? lines.refusal(record, line) ?? standing(record, present)
      if (outcome !== 'new' || table === null) {
        count(line, outcome === 'new' ? 'imported' : outcome)
        continue
      }
      const writing = write(table, record)
        .then(written => count(line, written))
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

/** The lines on which a file names an address or an id first. */
class LinesOf {
  readonly #addresses = new Map<string, number>()
  readonly #ids = new Map<string, number>()

  refusal({ email, id }: AccountRecord, line: number): { problem: string } | null {
    const [sameAddress, sameId] = [this.#addresses.get(email), id === null ? undefined : this.#ids.get(id)]
    if (sameAddress !== undefined) return { problem: `has the address of line ${sameAddress} (${email})` }
    if (sameId !== undefined) return { problem: `has the id of line ${sameId} (${id})` }
    this.#addresses.set(email, line)
    if (id !== null) this.#ids.set(id, line)
    return null
  }
}

function refusalOfHash({ password_hash }: AccountRecord, run: Run): { problem: string } | null {
  if (password_hash === noPassword) run.tally.foreignHashes += 1
  return password_hash === null && !run.acceptsNoPassword ? { problem: 'password_hash is missing' } : null
}

/**
 * How a record stands to the accounts that are there. Its id must not be another account's: services that know people
 * by the `sub` of their tokens would take one person for the other.
 */
function standing(record: AccountRecord, present: PresentAccounts): 'new' | Exclude<Outcome, 'imported'> {
  const found = present.find(record.email)
  if (found !== null) return isOf(record, found) ? 'alreadyImported' : taken(record, found)
  const holder = record.id === null ? null : present.holderOf(record.id)
  return holder === null ? 'new' : { problem: `has the id of another account in the table (${record.id}, ${holder})` }
}

const taken = ({ email }: AccountRecord, { created_at, is_verified }: PresentAccount): { problem: string } => ({
  problem: `the table holds another account of this address (${email}), since ${created_at}, ${is_verified ? '' : 'not '}verified`,
})

async function write(table: AccountTable, record: AccountRecord): Promise<Outcome> {
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
  // It came since the table was read, or AWS lost the answer to the first try of this very write.
  const found = await table.find(record.email)
  if (found === null) return { problem: `${record.email} was registered and deleted meanwhile` }
  return isOf(record, found) ? 'alreadyImported' : taken(record, found)
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

const isOf = (record: AccountRecord, { id, created_at }: Pick<AccountItem, 'id' | 'created_at'>): boolean =>
  id === idOf(record, new Date(created_at))
