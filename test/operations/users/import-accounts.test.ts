import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AccountItem, toAccount } from '../../../accounts/account/attributes.ts'
import { identityKey } from '../../../accounts/identity/identity.ts'
import { passkeyKey } from '../../../accounts/passkey/passkey.ts'
import type { Stack } from '../../../operations/command-line/stack.ts'
import type { AccountRecord } from '../../../operations/users/account-record.ts'
import { ExistingAccounts } from '../../../operations/users/existing-accounts.ts'
import { importAccounts } from '../../../operations/users/import-accounts.ts'
import { emptyTally, type Tally } from '../../../operations/users/import-tally.ts'
import { recordWithHashes } from '../../../operations/users/kept-attributes.ts'
import { accountRecords } from '../../../operations/users/records.ts'
import { accountKinds } from '../../../shared/base/families.ts'
import hashes from '../../support/hashes.json' with { type: 'json' }
import { createHarness } from '../../support/service/harness.ts'
import { move, register } from '../../support/service/people.ts'

/** What an import does with accounts that were deleted or have moved. */

const harness = createHarness()
const password_hash = '$2b$04$LvRh58pFRMADxpXXaGNyv.UBsLO12hVeKPy8iMsuqhGBFtPs6YeFq'
const email = 'ada@example.com'
type Line = Partial<Record<keyof AccountRecord, unknown>>

/** What is said of lines that are not imported. */
const notes: string[] = []

async function run(
  line: Line,
  {
    acceptsDeleted = false,
    acceptsNoFactor = false,
    locks = false,
    isDry = false,
    scans = true,
    factorKey = '',
    passkeyRpId = 'localhost' as string | null,
  } = {},
  ...more: Line[]
): Promise<Tally> {
  notes.length = 0
  const tally = emptyTally()
  const existing = new ExistingAccounts()
  if (scans) await existing.read(harness.operator)
  async function* text() {
    for (const each of [line, ...more]) yield `${JSON.stringify({ email, password_hash, ...each })}\n`
  }
  await importAccounts(accountRecords(text(), 'ndjson'), {
    table: harness.operator,
    isDry,
    existing,
    acceptsNoPassword: false,
    acceptsDeleted,
    acceptsNoFactor,
    factorKey: factorKey || null,
    passkeyRpId,
    hashCost: 12,
    locks,
    tally,
    onNote: (_, note) => notes.push(note),
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

test.each([{ id: '7' }, {}])(
  'a record is imported that was opened after the deletion’s millisecond: %o',
  async line => {
    const at = Date.now() - 60_000
    await run({ id: '7' })
    await harness.deps.accounts.delete(toAccount(await imported()), new Date(at))
    const opened = (time: number) => ({ ...line, created_at: new Date(time).toISOString() })
    expect(await run(opened(at))).toMatchObject({ deleted: 1 })
    expect(await run(opened(at + 1))).toMatchObject({ imported: 1 })
  },
)

test('a deleted account stays deleted, whoever has its address now', async () => {
  await deleted({ id: '7' })
  await run({ id: '8' })
  expect(await run({ id: '7' })).toMatchObject({ deleted: 1, leftOut: 0 })
  expect(await run({ id: '7' }, { acceptsDeleted: true })).toMatchObject({ deleted: 0, leftOut: 1 })
})

/** Beyond any time in seconds that a test meets. */
const far = 10 ** 11

test.each<[string, Line, number, number | null]>([
  ['the time in seconds', { id: '7', token_version: 4 }, 9, null],
  ['one more than the mark has', { id: '7', token_version: 4 }, far, far + 1],
  [
    'one more than the mark has, of a record without an id, which gets the same one again',
    { created_at: before },
    far,
    far + 1,
  ],
  ['one more than the record has', { id: '7', token_version: far + 5 }, far, far + 6],
])('an account is imported with a token version that none of its tokens has: %s', async (_, line, marked, version) => {
  await run(line)
  await harness.setAttributes((await imported()).id, { token_version: marked })
  await harness.deps.accounts.delete(toAccount(await imported()), new Date())
  expect(await run(line, { acceptsDeleted: true })).toMatchObject({ imported: 1 })
  const { token_version } = await imported()
  if (version === null) expect(Math.abs(token_version - Date.now() / 1000)).toBeLessThan(60)
  else expect(token_version).toBe(version)
})

test('a record of an account that has moved is not imported', async () => {
  const { account } = await register(harness)
  await harness.operator.verify(account, harness.deps.now())
  harness.advance(1000)
  await move(harness, 'ada@example.org')
  expect(await run({ id: account.id })).toMatchObject({ leftOut: 1 })
  expect(await run({ id: account.id }, { scans: false })).toMatchObject({ leftOut: 1 })
  expect(await run({ created_at: before })).toMatchObject({ deleted: 1 })
  expect(await run({ id: 'another' })).toMatchObject({ imported: 1 })
})

describe('a second factor', () => {
  const factorKey = 'arn:aws:kms:us-east-1:000000000000:key/ours'
  const foreign = 'arn:aws:kms:us-east-1:000000000000:key/theirs'
  const line = {
    id: '7',
    second_factor: true,
    totp_secret: Buffer.from('a ciphertext').toString('base64'),
    totp_last_step: 59_000_000,
    recovery_codes: ['0a'.repeat(32)],
    wrong_codes: ['AbCd-_012345'],
    factor_key: factorKey,
  }
  const attributes = {
    totp_secret: new Uint8Array(Buffer.from('a ciphertext')),
    totp_last_step: 59_000_000,
    recovery_codes: new Set(line.recovery_codes),
    wrong_codes: new Set(line.wrong_codes),
  }
  const names = Object.keys(attributes)

  test.each([false, true])(
    'of the stack’s key is imported whole, whether others are refused or not: %s',
    async refuses => {
      expect(await run(line, { factorKey, acceptsNoFactor: !refuses })).toMatchObject({ imported: 1, lostFactors: 0 })
      expect(await imported()).toMatchObject(attributes)
    },
  )

  test('whose codes are all used, and none wrong, is imported without empty sets', async () => {
    await run({ ...line, recovery_codes: [], wrong_codes: [] }, { factorKey })
    expect(Object.keys(await imported()).filter(name => names.includes(name))).toEqual([
      'totp_secret',
      'totp_last_step',
    ])
  })

  test.each([
    ['another key', foreign, factorKey],
    ['a key, where the outputs name none', factorKey, ''],
  ])('of %s leaves the line out, or with the option is left away', async (_, key, ours) => {
    const other = { ...line, factor_key: key }
    for (const isDry of [true, false]) {
      expect(await run(other, { factorKey: ours, isDry })).toMatchObject({ imported: 0, leftOut: 1, lostFactors: 0 })
      expect(notes).toEqual([
        `has a second factor of another key (${key}); --without-factors imports the account without it`,
      ])
    }
    expect(await imported()).toBeNull()
    expect(await run(other, { factorKey: ours, acceptsNoFactor: true })).toMatchObject({
      imported: 1,
      lostFactors: 1,
    })
    expect(Object.keys(await imported()).filter(name => names.includes(name))).toEqual([])
  })

  test('of another key does not leave out an account that is there, or was deleted', async () => {
    const other = { ...line, factor_key: foreign }
    await run(other, { factorKey, acceptsNoFactor: true })
    expect(await run(other, { factorKey })).toMatchObject({ alreadyImported: 1, leftOut: 0 })
    await harness.operator.remove(await imported())
    expect(await run(other, { factorKey })).toMatchObject({ deleted: 1, leftOut: 0 })
  })

  test('that a file only tells of is counted, and the account is imported without it', async () => {
    expect(await run({ second_factor: true }, { factorKey })).toMatchObject({ imported: 1, lostFactors: 1 })
  })
})

describe('passkeys', () => {
  const spki = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' })
  const line = {
    is_verified: true,
    passkey_handle: `${'a'.repeat(85)}A`,
    passkey_rp_id: 'localhost',
    passkeys: [
      {
        ...{ credential_id: 'AbCd-_01', public_key: spki.toString('base64'), transports: ['internal'], sign_count: 7 },
        ...{ backup_eligible: true, backed_up: true, label: 'Phone', last_used_at: '2026-01-03T00:00:00.000Z' },
        created_at: '2026-01-02T03:04:05.678Z',
      },
    ],
  }
  const found = async () => {
    const { passkeys, passkey_handle, passkey_rp_id } = await imported()
    return [...Object.keys(passkeys), passkey_handle, passkey_rp_id].filter(each => each !== undefined)
  }

  test('of the stack’s domain are imported, where the address is verified', async () => {
    expect(await run(line)).toMatchObject({ imported: 1, lostPasskeys: 0 })
    const { passkeys, passkey_handle } = await imported()
    expect(passkey_handle).toBe(line.passkey_handle)
    expect(Object.entries(passkeys)).toEqual([
      [passkeyKey('AbCd-_01'), { ...line.passkeys[0], public_key: new Uint8Array(spki) }],
    ])
  })

  test.each<[string, Line, string | null]>([
    ['another domain', { ...line, passkey_rp_id: 'example.com' }, 'localhost'],
    ['any domain, where there are no passkeys here', line, null],
    ['an address that is not verified', { ...line, is_verified: false }, 'localhost'],
  ])('of %s are left away, and counted', async (_, other, passkeyRpId) => {
    expect(await run(other, { passkeyRpId })).toMatchObject({ imported: 1, lostPasskeys: 1 })
    expect(await found()).toEqual([])
  })

  test('whose handle another account or line has are left away, and counted', async () => {
    await run({ ...line, email: 'bob@example.com' })
    expect(await run(line)).toMatchObject({ imported: 1, lostPasskeys: 1 })
    expect(await found()).toEqual([])
    await harness.clear()
    expect(await run({ ...line, email: 'bob@example.com' }, {}, line)).toMatchObject({ imported: 2, lostPasskeys: 1 })
    expect(await found()).toEqual([])
  })
})

describe('identities', () => {
  const issuer = 'https://accounts.example.com'
  const subject = 'Ada of Example'
  const identity = { issuer, subject, email, connected_at: '2026-01-02T03:04:05.678Z' }
  const line = { id: '7', is_verified: true, identities: [identity] }
  const bob = { ...line, id: '8', email: 'bob@example.com' }
  const key = identityKey(issuer, subject)
  const leading = () => harness.deps.identities.findHolder(key)

  test('of a verified address are imported with their entries, in one transaction', async () => {
    expect(await run(line)).toMatchObject({ imported: 1, lostIdentities: 0 })
    expect((await imported()).identities).toEqual({ [key]: identity })
    expect(await leading()).toMatchObject({ account: { id: '7' }, read: '7' })
  })

  test.each(['1', 'a'.repeat(255)])('of a file that does not say when they were connected: %s', async subject => {
    await run({ ...line, identities: [{ issuer, subject }] })
    const { identities, updated_at } = await imported()
    const connected = { issuer, subject, email: null, connected_at: updated_at }
    expect(identities).toEqual({ [identityKey(issuer, subject)]: connected })
  })

  test('of an address that is not verified are left away, and counted', async () => {
    expect(await run({ ...line, is_verified: false })).toMatchObject({ imported: 1, lostIdentities: 1 })
    expect((await imported()).identities).toEqual({})
    expect(await leading()).toEqual({ account: null, read: null })
  })

  test.each([true, false])('that another account has leave the line out, on a dry run or not: %s', async isDry => {
    await run(bob)
    expect(await run(line, { isDry })).toMatchObject({ imported: 0, leftOut: 1 })
    expect(notes).toEqual(['has an identity of another account in the table (bob@example.com)'])
    // Also one that got it after the scan.
    expect(await run(line, { scans: false })).toMatchObject({ imported: 0, leftOut: 1 })
    expect(notes).toEqual(['an identity was connected to another account in the meantime'])
    expect(await imported()).toBeNull()
  })

  test('that another line has leave the second out', async () => {
    expect(await run(bob, {}, line)).toMatchObject({ imported: 1, leftOut: 1 })
    expect(notes).toEqual(['has an identity of line 1'])
  })

  test('of an account that is there already are no reason to leave it out', async () => {
    await run(line)
    expect(await run(line)).toMatchObject({ alreadyImported: 1, leftOut: 0, lackedIdentities: 0 })
  })

  test.each([true, false])(
    'that an account imported earlier lacks are counted, not added, dry run or not: %s',
    async isDry => {
      await run({ ...line, identities: null })
      const lacking = { alreadyImported: 1, imported: 0, leftOut: 0, lackedIdentities: 1 }
      expect(await run(line, { isDry })).toMatchObject(lacking)
      expect((await imported()).identities).toEqual({})
      // An import adds none to an address that is not verified.
      expect(await run({ ...line, is_verified: false }, { isDry })).toMatchObject({ lackedIdentities: 0 })
    },
  )

  test('whose entry leads to none, as after a removal by hand, lead there again', async () => {
    await harness.putItem('Accounts', { key: `${accountKinds.Identities}${key}`, id: 'gone' })
    expect(await run(line)).toMatchObject({ imported: 1 })
    expect(await leading()).toMatchObject({ account: { id: '7' } })
  })

  test.each([
    ['more than five', Array.from({ length: 6 }, (_, i) => ({ issuer, subject: String(i) }))],
    ['one twice', [identity, identity]],
    ['an issuer that is no address', [{ issuer: 'Google', subject }]],
    ['an issuer that looks like one', [{ issuer: 'https://[', subject }]],
    ['an issuer with a line break, which keys are made with', [{ issuer: `${issuer}\n`, subject }]],
    ['no subject', [{ issuer, subject: '' }]],
    ['a subject that is half a character', [{ issuer, subject: '\ud800' }]],
    ['a subject that is too long', [{ issuer, subject: 'a'.repeat(256) }]],
    ['an unknown member', [{ issuer, subject, provider: 'example' }]],
  ])('are refused: %s', async (_, identities) => {
    expect(await run({ ...line, identities })).toMatchObject({ imported: 0, leftOut: 1 })
    expect(notes).toEqual([expect.stringMatching(/^identities must /)])
  })
})

test.each([
  ['as of the import', null, expect.stringMatching(/^20[2-9]\d-/)],
  ['as of before, if it was', '2021-01-02T03:04:05.000Z', '2021-01-02T03:04:05.000Z'],
])('an account is imported locked, %s', async (_, locked_at, expected) => {
  await run({ locked_at }, { locks: true })
  expect((await imported()).locked_at).toEqual(expected)
})

test('an earlier export with hashes is imported whole, and exported the same', async () => {
  const text = await readFile(join(import.meta.dirname, '../migrate/gatehouse.ndjson'), 'utf8')
  const lines: Record<string, unknown>[] = text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const [factorKey] = lines.flatMap(({ factor_key }) => (factor_key === null ? [] : [String(factor_key)]))
  const [first, ...others] = lines
  const tally = await run(first as Line, { factorKey: factorKey ?? '' }, ...(others as Line[]))
  expect(tally).toMatchObject({
    imported: lines.length,
    leftOut: 0,
    foreignHashes: 0,
    lostFactors: 0,
    lostIdentities: 0,
  })
  const stack = { title: '', outputs: { FactorKey: factorKey } as Stack['outputs'] }
  for (const { token_version, ...line } of lines) {
    const item = (await harness.operator.find(String(line.email))) as AccountItem
    const { token_version: version, ...again } = recordWithHashes(item, stack) as Record<string, unknown>
    expect(again).toEqual(line)
    expect(version).toBeGreaterThan(Number(token_version))
  }
})

test('a hash of each form is imported as it stands, counted, and exported the same', async () => {
  const written = [...hashes.map(({ short }) => short), `{bcrypt}${password_hash}`]
  const [first, ...others] = written.map((hash, at) => ({ email: `p${at}@example.com`, password_hash: hash }))
  const tally = await run(first as Line, {}, ...others)
  expect(tally).toMatchObject({ imported: written.length, leftOut: 0, foreignHashes: 0 })
  // Less than a tenth of cost 12, by how each form is counted in steps of bcrypt: all but Better Auth's, of 1,311 steps.
  expect(tally.weakHashes).toBe(written.length - 1)
  const counted = Object.entries(tally.hashes)
  expect(counted.reduce((sum, [, count]) => sum + count, 0)).toBe(written.length)
  expect(tally.hashes).toMatchObject({ bcrypt: 5, 'bcrypt-sha256': 1, argon2: 4, 'scrypt of Better Auth': 1 })
  for (const [at, hash] of written.entries()) {
    const item = (await harness.operator.find(`p${at}@example.com`)) as AccountItem
    const stack = { title: '', outputs: {} as Stack['outputs'] }
    expect(recordWithHashes(item, stack)).toMatchObject({ password_hash: hash })
  }
})
