import type { DeletionMark } from '../../accounts/address/deletion-marks.ts'
import { type AccountRecord, idOf, isOf } from './account-record.ts'
import type { ExistingAccount, ExistingAccounts } from './existing-accounts.ts'
import { eachRecord } from './file-work.ts'
import { fittedRecord, hasForeignFactor, type Target } from './fitted-record.ts'
import { wayOut } from './hash-record.ts'
import { keyOf } from './identity-record.ts'
import { countImported, type Tally } from './import-tally.ts'
import { itemOf } from './kept-attributes.ts'
import type { Numbered } from './lines.ts'
import type { AccountTable } from './table.ts'

interface Run extends Target {
  table: AccountTable
  /** Nothing is written. */
  isDry: boolean
  existing: ExistingAccounts
  acceptsNoPassword: boolean
  /** Imports accounts that were deleted, too. */
  acceptsDeleted: boolean
  /** Imports accounts whose second factor is of another key, without it. */
  acceptsNoFactor: boolean
  /** The cost of the functions' new hashes, as bcrypt's power of two. */
  hashCost: number
  /** Locks each account. */
  locks: boolean
  tally: Tally
  /** Ends the run before the next record. */
  signal?: AbortSignal
  /** Takes what there is to say about a record that is not imported. */
  onNote(line: number, note: string): void
}

interface Problem {
  problem: string
}

type Outcome = 'imported' | 'alreadyImported' | { deletedAt: Date } | Problem

/**
 * Adds accounts to the table. Each is one conditional write, with identities one transaction, so an existing account never changes. A failure of AWS ends
 * the run; the next run skips what this one imported.
 *
 * @throws the reason of the signal, when all that it has read is done
 */
export async function importAccounts(records: AsyncIterable<Numbered<AccountRecord>>, run: Run): Promise<void> {
  const { existing, tally } = run
  const checkRepeats = seenRecords()
  const handles = new Set<string>()
  /** Whether neither another account nor an earlier line has a handle. */
  const takeHandle = (handle: string): boolean => {
    const isFree = !existing.hasHandle(handle) && !handles.has(handle)
    handles.add(handle)
    return isFree
  }
  const checkIdentities = seenIdentities(existing)
  const count = (line: number, outcome: Outcome): undefined => {
    if (typeof outcome === 'string') {
      tally[outcome] += 1
      return
    }
    const isDeleted = 'deletedAt' in outcome
    tally[isDeleted ? 'deleted' : 'leftOut'] += 1
    run.onNote(line, isDeleted ? `was deleted at ${outcome.deletedAt.toISOString()}: skipped` : outcome.problem)
  }
  await eachRecord(records, run, ({ line, ...numbered }) => {
    if ('problem' in numbered) return count(line, numbered)
    const { record } = numbered
    const refused = checkHash(record, run) ?? checkRepeats(record, line)
    const compared = refused === null ? compare(record, existing) : null
    if (refused === null && compared === 'alreadyImported' && lacksIdentity(record, existing))
      tally.lackedIdentities += 1
    if (refused !== null || compared === 'alreadyImported') return count(line, refused ?? 'alreadyImported')
    const isHandleFree = record.passkey_handle !== null && takeHandle(record.passkey_handle)
    const fitted = fittedRecord(record, run, isHandleFree)
    const problem = compared ?? checkIdentities(fitted, line)
    return importRecord(record, fitted, problem, run).then(written => {
      if (written === 'imported') countImported(record, fitted, tally, run.hashCost)
      count(line, written)
    })
  })
}

/** The addresses and ids of a file, each with the line it first stands on. */
export function seenRecords() {
  const addresses = new Map<string, number>()
  const ids = new Map<string, number>()
  return ({ email, id }: Pick<AccountRecord, 'email' | 'id'>, line: number): Problem | null => {
    const sameAddress = addresses.get(email)
    const sameId = id === null ? undefined : ids.get(id)
    if (sameAddress !== undefined) return { problem: `has the address of line ${sameAddress} (${email})` }
    if (sameId !== undefined) return { problem: `has the id of line ${sameId} (${id})` }
    addresses.set(email, line)
    if (id !== null) ids.set(id, line)
    return null
  }
}

/**
 * The identities of a file, each with the line it first stands on. No two accounts have one: a line whose identity another has is
 * left out, because its owner would log in there, or nowhere.
 */
function seenIdentities(existing: ExistingAccounts) {
  const lines = new Map<string, number>()
  return ({ identities }: AccountRecord, line: number): Problem | null => {
    const keys = (identities ?? []).map(keyOf)
    const [same] = keys.flatMap(key => lines.get(key) ?? [])
    const [holder] = keys.flatMap(key => existing.holderOf(key) ?? [])
    for (const key of keys) if (!lines.has(key)) lines.set(key, line)
    if (holder !== undefined) return { problem: `has an identity of another account in the table (${holder})` }
    return same === undefined ? null : { problem: `has an identity of line ${same}` }
  }
}

const checkHash = ({ password_hash, invited_until }: AccountRecord, { acceptsNoPassword }: Run): Problem | null =>
  password_hash === undefined && invited_until === null && !acceptsNoPassword
    ? { problem: `password_hash is missing ${wayOut}` }
    : null

/**
 * Compares a record with the accounts in the table. Its id must not belong to another account: services that identify
 * people by the `sub` of their tokens would take one person for the other.
 *
 * @returns null when neither its address nor its id has an account
 */
function compare(record: AccountRecord, existing: ExistingAccounts): Problem | 'alreadyImported' | null {
  const found = existing.find(record.email)
  if (found !== null) return isOf(record, found) ? 'alreadyImported' : taken(record, found)
  const owner = record.id === null ? null : existing.addressOf(record.id)
  return owner === null ? null : ownedBy(record.id, owner)
}

/** Whether the account of a record lacks an identity that an import would have brought. */
function lacksIdentity({ email, is_verified, identities }: AccountRecord, existing: ExistingAccounts): boolean {
  const connected = existing.find(email)?.identities ?? {}
  return is_verified && (identities ?? []).some(identity => !Object.hasOwn(connected, keyOf(identity)))
}

const ownedBy = (id: string | null, owner: string): Problem => ({
  problem: `has the id of another account in the table (${id}, ${owner})`,
})

const taken = ({ email }: AccountRecord, { created_at, is_verified, invited_until }: ExistingAccount): Problem => ({
  problem:
    invited_until !== undefined
      ? `${email} is invited: the invitation stays`
      : `the table has another account with this address (${email}), created ${created_at}, ${is_verified ? '' : 'not '}verified`,
})

/**
 * The version of an imported account, which no token has, and no span of versions whose changes were undone: the account may
 * have lived on after the file was written, and have been deleted with or without a mark. It grew by one at a time, so that
 * the time is always ahead of it.
 */
const versionOf = (record: AccountRecord, mark: DeletionMark | null, now: Date): number =>
  Math.max(record.token_version + 1, mark === null ? 0 : mark.tokenVersion + 1, Math.floor(now.getTime() / 1000))

/**
 * Imports a record, unless it was deleted: then its owner does not want it back, and the tokens of the deleted account
 * must stay revoked. The marks are read after the table: a deletion leaves its mark before the account is gone, so an
 * account that was not in the table and has no mark was not deleted.
 *
 * @param fitted what is written
 */
async function importRecord(
  record: AccountRecord,
  fitted: AccountRecord,
  problem: Problem | null,
  run: Run,
): Promise<Outcome> {
  const { table, isDry, acceptsDeleted } = run
  const now = new Date()
  const createdAt = record.created_at ?? now
  const id = idOf(record, createdAt)
  const ofId = await table.findDeletion('id', id)
  const deletion = record.id === null ? await table.findDeletion('email', record.email) : ofId
  const isDeleted = deletion !== null && (record.created_at === null || record.created_at <= deletion.at)
  if (isDeleted && !acceptsDeleted) return { deletedAt: deletion.at }
  if (problem !== null) return problem
  // A scan can miss an account that moves meanwhile.
  const moved = record.id === null ? null : await table.findById(record.id)
  if (moved !== null) return ownedBy(record.id, moved.email)
  // Left away in silence, the password alone would log in.
  if (hasForeignFactor(record, run) && !run.acceptsNoFactor) {
    return {
      problem: `has a second factor of another key (${record.factor_key}); --without-factors imports the account without it`,
    }
  }
  if (isDry) return 'imported'
  const time = table.now()
  const decided = { id, createdAt, tokenVersion: versionOf(record, ofId, time) }
  const item = itemOf({ ...fitted, ...(run.locks && { locked_at: record.locked_at ?? now }) }, decided, now)
  if (await table.add(item)) return 'imported'
  // Someone registered it after the scan, or the SDK repeated this write because its answer was lost.
  const found = await table.find(record.email)
  if (found === null) {
    const isIdentity = Object.keys(item.identities).length > 0
    const happened = isIdentity
      ? 'an identity was connected to another account'
      : `${record.email} was registered and deleted`
    return { problem: `${happened} in the meantime` }
  }
  return isOf(record, found) ? 'alreadyImported' : taken(record, found)
}
