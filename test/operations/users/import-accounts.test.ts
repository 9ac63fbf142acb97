import { expect, test } from 'vitest'
import type { AccountRecord } from '../../../operations/users/account-record.ts'
import { ExistingAccounts } from '../../../operations/users/existing-accounts.ts'
import { emptyTally, importAccounts, type Tally } from '../../../operations/users/import-accounts.ts'
import { accountRecords } from '../../../operations/users/records.ts'
import { markDeletion } from '../../../shared/accounts/deletion-marks.ts'
import type { AccountItem } from '../../../shared/store/account-item.ts'
import { createHarness } from '../../support/service/harness.ts'
import { move, register } from '../../support/service/people.ts'

/** What an import does with accounts that were deleted or have moved. */

const harness = createHarness()
const password_hash = '$2b$04$LvRh58pFRMADxpXXaGNyv.UBsLO12hVeKPy8iMsuqhGBFtPs6YeFq'
const email = 'ada@example.com'
type Line = Partial<Record<keyof AccountRecord, unknown>>

async function run(line: Line, { acceptsDeleted = false, scans = true } = {}): Promise<Tally> {
  const tally = emptyTally()
  const existing = new ExistingAccounts()
  if (scans) await existing.read(harness.operator)
  async function* text() {
    yield JSON.stringify({ email, password_hash, ...line })
  }
  await importAccounts(accountRecords(text(), 'ndjson'), {
    table: harness.operator,
    isDry: false,
    existing,
    acceptsNoPassword: false,
    acceptsDeleted,
    tally,
    onNote: () => {},
  })
  return tally
}

const imported = async () => (await harness.operator.find(email)) as AccountItem

/** Imports an account, and deletes it. */
async function deleted(line: Line): Promise<void> {
  expect(await run(line)).toMatchObject({ imported: 1 })
  expect(await harness.operator.remove(await imported())).toBe(true)
}

const before = '2020-01-01T00:00:00.000Z'

test.each<[string, Line, Line, 'imported' | 'deleted']>([
  ['with the id of a deleted account is skipped', { id: '7' }, { id: '7' }, 'deleted'],
  [
    'with the id of a deleted account is skipped, under another address too',
    { id: '7' },
    { id: '7', email: 'b@example.com' },
    'deleted',
  ],
  ['with another id is imported, though it has the address of one', { id: '7' }, { id: '8' }, 'imported'],
  ['without an id is skipped, if it has the address of one', { id: '7' }, {}, 'deleted'],
  ['that is older than the deletion is skipped', { id: '7' }, { id: '7', created_at: before }, 'deleted'],
])('a record %s', async (_, first, second, outcome) => {
  await deleted(first)
  expect(await run(second)).toMatchObject({ records: 1, [outcome]: 1, leftOut: 0 })
})

test.each([{ id: '7' }, {}])('a record that was opened after the deletion is imported: %o', async line => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await markDeletion({ ...harness.deps, now: () => minutesAgo(2) }, { id: '7', email, tokenVersion: 0 })
  expect(await run({ ...line, created_at: minutesAgo(3).toISOString() })).toMatchObject({ deleted: 1 })
  expect(await run({ ...line, created_at: minutesAgo(1).toISOString() })).toMatchObject({ imported: 1 })
})

test('a deleted account stays deleted, whoever has its address now', async () => {
  await deleted({ id: '7' })
  await run({ id: '8' })
  expect(await run({ id: '7' })).toMatchObject({ deleted: 1, leftOut: 0 })
  expect(await run({ id: '7' }, { acceptsDeleted: true })).toMatchObject({ deleted: 0, leftOut: 1 })
})

test.each<[string, Line]>([
  ['an id', { id: '7', token_version: 4 }],
  ['no id, which gets the same one again,', { created_at: before, token_version: 4 }],
])('an account of a record with %s never has a token version again that it had', async (_, line) => {
  await deleted(line)
  expect(await run(line, { acceptsDeleted: true })).toMatchObject({ imported: 1 })
  const { id, token_version } = await imported()
  expect(token_version).toBe(5)
  await harness.operator.signOut({ email, id }, harness.deps.now())
  await harness.operator.remove(await imported())
  expect(await run({ ...line, token_version: 2 }, { acceptsDeleted: true })).toMatchObject({ imported: 1 })
  expect((await imported()).token_version).toBe(7)
})

test('a record of an account that has moved is not imported, also when the scan missed the account', async () => {
  const { account } = await register(harness)
  await harness.operator.verify(account, harness.deps.now())
  harness.advance(1000)
  await move(harness, 'ada@example.org')
  expect(await run({ id: account.id })).toMatchObject({ leftOut: 1 })
  expect(await run({ id: account.id }, { scans: false })).toMatchObject({ leftOut: 1 })
  expect(await run({ created_at: before })).toMatchObject({ deleted: 1 })
  expect(await run({ id: 'another' })).toMatchObject({ imported: 1 })
})
