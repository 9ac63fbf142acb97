import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { ExistingAccounts } from '../../../operations/users/existing-accounts.ts'
import { importAccounts } from '../../../operations/users/import-accounts.ts'
import { emptyTally } from '../../../operations/users/import-tally.ts'
import { accountRecords } from '../../../operations/users/records.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { subjectsOf } from '../../support/service/identities.ts'
import { find, home, requestToken } from '../../support/service/people.ts'

/** A file that 0.4.0's `export --with-hashes` wrote, with an account of each kind: docs/upgrade/0.5.md imports one. */

const harness = createHarness()
const file = join(import.meta.dirname, '../../support/exported-by-0.4.0/accounts.ndjson')

async function upgrade() {
  const tally = emptyTally()
  const existing = new ExistingAccounts()
  await existing.read(harness.operator)
  const notes: string[] = []
  const isKey = { factorKey: 'arn:aws:kms:us-east-1:000000000000:key/FactorKey-f9bb761b-614a-4b19-a89f-46ad3f28dd77' }
  await importAccounts(accountRecords(createReadStream(file, 'utf8'), 'ndjson'), {
    ...{ table: harness.operator, isDry: false, existing, tally, passkeyRpId: 'localhost', ...isKey },
    ...{ acceptsNoPassword: false, acceptsDeleted: false, acceptsNoFactor: false, locks: false, hashCost: 12 },
    onNote: (line, note) => notes.push(`${line}: ${note}`),
  })
  return { tally, notes }
}

/** The login of each, by its address, with everybody's password. */
const logins = {
  '0@example.com': 200,
  '1@example.com': 'bad-credentials',
  '2@example.com': 200,
  '3@example.com': 'account-locked',
  '4@example.com': 200,
  '5@example.com': 'bad-credentials',
  '6@example.com': 200,
  '7@example.com': 200,
  '8@example.com': 200,
  '9@example.com': 200,
  '10@example.com': 'second-factor-required',
  '11@example.com': 'second-factor-required',
  'moved-here@example.org': 200,
  'moved-away@example.org': 'bad-credentials',
  'old@example.com': 200,
}

test('an import takes each account of the file, and each logs in as before', async () => {
  expect(await upgrade()).toMatchObject({ tally: { imported: 15, leftOut: 0, deleted: 0 }, notes: [] })
  // With one address entry each, and the identity of one.
  const subjects = await subjectsOf(harness)
  expect(Object.keys(subjects).sort()).toEqual(Object.keys(logins).sort())
  expect(subjects['8@example.com']).toEqual(['8@example.com'])
  harness.config.rateLimits = null
  for (const [email, expected] of Object.entries(logins)) {
    const { status, body } = await send(harness, 'login', { body: { email, password: 'correct horse' } })
    expect([email, status === 200 ? status : body.code]).toEqual([email, expected])
  }
  expect((await find(harness, '7@example.com')).passkeys).toHaveLength(1)
  expect((await find(harness, '6@example.com')).roles).toEqual(['billing', 'editor'])
  expect((await find(harness, '4@example.com')).isAdmin).toBe(true)
})

test('a second import changes nothing, and a void password is replaced by mail', async () => {
  await upgrade()
  expect((await upgrade()).tally).toMatchObject({ imported: 0, alreadyImported: 15, leftOut: 0 })
  const token = await requestToken(harness, 'reset', '1@example.com')
  const former = resetPassword(harness.deps, home, { token, new_password: toPassword('correct horse') })
  await expect(former).rejects.toMatchObject({ code: 'former-password' })
  await resetPassword(harness.deps, home, { token, new_password: toPassword('battery staple') })
})
