import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccounts } from '../../local/accounts-file.ts'
import { runStack } from '../../local/system.ts'
import { settingsToRun } from '../support/stack/settings.ts'
import { assembled } from '../support/system/assembled.ts'
import { operate } from '../support/system/operate.ts'

/** `ACCOUNTS_FILE`: accounts that exist before the first answer. */

let dataDirectory: string
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-accounts-'))
})

const password = 'correct horse'
const password_hash = '$2b$04$LvRh58pFRMADxpXXaGNyv.UBsLO12hVeKPy8iMsuqhGBFtPs6YeFq'
const ada = { email: 'ada@example.com', password, name: 'Ada', is_verified: true }

function file(name: string, contents: string | readonly object[]): string {
  const path = join(dataDirectory, name)
  writeFileSync(path, typeof contents === 'string' ? contents : contents.map(line => JSON.stringify(line)).join('\n'))
  return path
}

/** Starts the system in the data directory. */
async function start(accountsFile?: string) {
  const settings = settingsToRun({ MAIL_FROM: 'Gatehouse <no-reply@localhost>' })
  const told: string[] = []
  const system = await runStack({
    ...{ settings, assembly: await assembled(settings), port: 0, inboxPort: 0, host: '127.0.0.1', dataDirectory },
    ...(accountsFile !== undefined && { accountsFile }),
    observer: { seeded: line => told.push(line) },
  })
  const logIn = async (email: string, tried = password) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email, password: tried })
    return (await fetch(`${system.baseUrl}/auth/login`, { method: 'POST', headers, body })).status
  }
  const DATA_DIR = dataDirectory
  const users = (...args: string[]) => operate('users', [...args, '--local'], { env: { DATA_DIR } })
  const open = (path: string) => openAccounts(path, { dataDirectory: DATA_DIR, bcryptCost: settings.BCRYPT_COST })
  return { told, logIn, users, open, inbox: system.inbox, [Symbol.asyncDispose]: () => system.stop() }
}

test('accounts are there without mail; a later start leaves what they have become', async () => {
  const path = file('accounts.ndjson', [
    ada,
    { email: 'bob@example.com', password_hash, roles: ['editor'] },
    { email: 'eve@example.com', password_hash: null },
  ])
  {
    await using first = await start(path)
    expect(first.told).toEqual(['3 accounts of accounts.ndjson'])
    expect([await first.logIn('ada@example.com'), await first.logIn('bob@example.com')]).toEqual([200, 200])
    expect(await first.logIn('eve@example.com')).toBe(401)
    expect((await first.users('show', 'ada@example.com')).stdout).toMatch(/^name +Ada$.*^verified +yes$/ms)
    expect(first.inbox.list()).toEqual([])
    await first.users('lock', 'ada@example.com')
    await first.users('delete', 'eve@example.com', '--yes')
  }
  await using second = await start(
    file('more.csv', `email,password\nada@example.com,another one\ndan@example.com,${password}\n`),
  )
  expect(second.told).toEqual(['2 accounts of more.csv, 1 was there'])
  expect([await second.logIn('ada@example.com'), await second.logIn('dan@example.com')]).toEqual([403, 200])
  await second[Symbol.asyncDispose]()
  await using third = await start(path)
  expect(third.told).toEqual(['3 accounts of accounts.ndjson, 2 were there, 1 was deleted'])
  expect(await third.logIn('bob@example.com')).toBe(200)
})

describe('a file', () => {
  /** One for all: a bad file is refused by the command, with or without the system's start. */
  let system: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-accounts-'))
    system = await start()
  })
  afterAll(() => system[Symbol.asyncDispose]())

  test.each<[string, string, string | readonly object[], string[]]>([
    [
      'bad lines, each of them',
      'accounts.ndjson',
      `${JSON.stringify(ada)}\n{\n${JSON.stringify({ email: 'S3cret', password })}\n${JSON.stringify({ ...ada, is_Admin: true })}`,
      [
        'line 2: is not valid JSON',
        'line 3: email must be an e-mail address',
        'line 4: has an unknown member: is_Admin',
      ],
    ],
    [
      'a password that is too short',
      'a.ndjson',
      [{ ...ada, password: 'S3cret' }],
      ['line 1: password must be at least 8'],
    ],
    [
      'a password and a hash',
      'a.ndjson',
      [{ ...ada, password_hash }],
      ['line 1: password does not go with password_hash'],
    ],
    ['neither', 'a.ndjson', [{ email: ada.email }], ['line 1: password is missing, or password_hash']],
    [
      'an address twice',
      'a.ndjson',
      [ada, { ...ada, email: 'ADA@example.com' }],
      ['line 2: has the address of line 1'],
    ],
    [
      'an id twice',
      'a.ndjson',
      [
        { ...ada, id: 'S3cret' },
        { email: 'b@example.com', password, id: 'S3cret' },
      ],
      ['line 2: has the id of line 1'],
    ],
    [
      'a second factor of another key',
      'a.ndjson',
      [
        ada,
        {
          ...{ email: 'b@example.com', password, id: '7', totp_secret: 'AAAA', totp_last_step: 1 },
          ...{ recovery_codes: [], wrong_codes: [], factor_key: 'arn:aws:kms:us-east-1:000000000000:key/theirs' },
        },
      ],
      ['line 2: has a second factor of another key'],
    ],
    [
      'more than 1,000 lines',
      'a.csv',
      `email,password\n${Array.from({ length: 1001 }, (_, i) => `p${i}@example.com,${password}`).join('\n')}`,
      ['has more than 1000 accounts'],
    ],
    ['no lines', 'a.ndjson', '', ['has no accounts']],
    ['an unknown column', 'a.csv', 'email,pasword\n', ['column 2 is none of these']],
    ['an extension that is none', 'a.txt', [ada], ['unknown format']],
  ])('with %s is refused as a whole, and not quoted', async (_, name, contents, reasons) => {
    const failure: Error = await system.open(file(name, contents)).then(
      () => expect.fail('it is taken'),
      error => error,
    )
    expect(failure.name).toBe('StartError')
    for (const reason of reasons) expect(failure.message).toContain(reason)
    for (const text of ['S3cret', password, password_hash]) expect(failure.message).not.toContain(text)
  })

  test('that is refused has written nothing, and keeps the system from starting', async () => {
    expect((await system.users('list')).stderr).toBe('0 read, 0 found\n')
    await expect(start(file('accounts.ndjson', [ada, { ...ada, password_hash }]))).rejects.toThrow(
      /, line 2: password does not go with password_hash$/,
    )
    await using without = await start()
    expect((await without.users('list')).stderr).toBe('0 read, 0 found\n')
  })
})

test('an import refuses passwords', async () => {
  await using system = await start()
  const path = file('accounts.ndjson', [ada])
  expect(await system.users('import', path)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('line 1: has an unknown member: password.'),
  })
})
