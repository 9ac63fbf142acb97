import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { makeDataDirectory, password, runWithCommands } from '../support/system/local-commands.ts'
import { listedIn } from '../support/system/providers.ts'
import { linkIn } from '../support/system/running.ts'

/**
 * The import of files made by the recipes of `docs/migrate.md`: psql 15 from tables filled by FastAPI-Users 12 and 15,
 * passlib 1.7.4, pgcrypto and Django 5.2; from hashes as Better Auth, Firebase, Keycloak, ASP.NET and WordPress document them; jq 1.6
 * from files in the documented form of Auth0, Cognito, Firebase and Keycloak; sqlite3 from one in that of Clerk.
 */

const fixtures = join(import.meta.dirname, 'migrate')

/** Stands in for a system that gives no hashes. */
const old = await startLyingProvider(() => new Date(), { id: 'old', name: 'your old login' })
afterAll(() => old[Symbol.asyncDispose]())
const dataDirectory = makeDataDirectory()
const listed = await listedIn(dataDirectory, [{ ...old.provider, secret: 's3cret' }])
const { running, users: runUsers, logIn } = runWithCommands({ SIGN_IN_PROVIDERS: listed }, dataDirectory)
const { send, nextMail } = running
const users = (...args: string[]) => runUsers(args)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

function file(name: string, lines: readonly (object | string)[]): string {
  const path = join(dataDirectory, name)
  writeFileSync(path, lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return path
}

/** bcrypt of `correct horse`. */
const password_hash = '$2b$04$LvRh58pFRMADxpXXaGNyv.UBsLO12hVeKPy8iMsuqhGBFtPs6YeFq'

/** An account's defaults. */
const plain = { name: null, is_admin: false, is_verified: false, created_at: expect.any(String) }

const report = (records: number, imported: number, leftOut = 0, forms = [`bcrypt: ${imported}`], missing = 0) =>
  `${records} read: ${imported} imported, 0 imported earlier, ${leftOut} left out\n` +
  forms.map(form => `${form}\n`).join('') +
  (missing > 0 ? `Without a password, since they have no password_hash: ${missing}\n` : '')

describe('the accounts of', () => {
  test.each([
    {
      system: 'PostgreSQL',
      fixture: 'postgresql.csv',
      options: [],
      stdout: report(5, 4, 1, ['bcrypt: 3', 'bcrypt-sha256: 1']),
      stderr: 'line 4: password_hash is missing (--no-passwords imports the account without one)\n',
      people: {
        ada: {
          id: '9007199254740993',
          name: 'Lovelace, "Ada"',
          is_admin: true,
          is_verified: true,
          created_at: '2019-12-10T00:00:00.123Z',
        },
        grace: { id: '9007199254740994', created_at: '2024-05-01T10:34:56.123Z' },
        crypt: { id: '9007199254740997', name: 'pgcrypto', is_verified: true },
      },
      refused: { mallory: 403, linus: 401 },
    },
    {
      system: 'FastAPI-Users',
      fixture: 'fastapi-users.csv',
      options: [],
      stdout: report(4, 4, 0, [
        "argon2: 1 (log in as one of them before you open: if the functions' Node lacks it, --no-passwords)",
        'bcrypt: 3',
      ]),
      people: {
        ada: { id: '77587098-de79-4df7-9abc-7d36dede89c4', is_admin: true, is_verified: true },
        grace: { id: '98b10c5c-5c75-4eb1-b227-1cecf0ef9a78' },
        'ada.argon': { id: '7e433653-f0cf-4af7-ae5d-1bba574f7d58', is_admin: true, is_verified: true },
      },
      refused: { mallory: 403 },
    },
    {
      system: 'Supabase',
      fixture: 'supabase.csv',
      options: ['--no-passwords'],
      stdout: report(4, 4, 0, ['bcrypt: 3'], 1),
      people: {
        ada: {
          id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
          name: 'Ada Lovelace',
          is_verified: true,
          created_at: '2024-05-01T12:30:00.123Z',
        },
        grace: { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3302', name: 'Grace Hopper' },
      },
      refused: { banned: 403, oauth: 401 },
    },
    {
      system: 'Auth0',
      fixture: 'auth0.ndjson',
      options: [],
      stdout: report(3, 3),
      people: {
        ada: {
          id: 'auth0|5dea9f9c82dd7c0e76e4ec93',
          name: 'Ada Lovelace',
          is_verified: true,
          created_at: '2019-12-06T18:36:12.412Z',
        },
        grace: { id: 'auth0|grace.h' },
      },
      refused: { mallory: 403 },
    },
    {
      system: 'Django',
      fixture: 'django.ndjson',
      options: [],
      stdout: report(5, 4, 1, ['bcrypt over SHA-256: 1', 'bcrypt: 1', 'pbkdf2-sha256: 1'], 1),
      stderr: 'line 4: has the address of line 1 (ada@django.example.com)\n',
      people: {
        ada: { id: '1', name: 'Ada Lovelace', is_admin: true },
        grace: { id: '2', name: 'Grace', created_at: '2024-05-01T12:34:56.123Z' },
        linus: { id: '3' },
      },
      refused: { unusable: 401 },
    },
    {
      system: 'Better Auth',
      fixture: 'better-auth.csv',
      options: ['--no-passwords'],
      stdout: report(2, 2, 0, ['scrypt of Better Auth: 1'], 1),
      people: {
        ada: {
          id: 'x7Gq2Ld9mNbV4cZsKpRtYw1HfJu8aEo3',
          name: 'Ada Lovelace',
          is_verified: true,
          created_at: '2024-05-01T12:34:56.123Z',
        },
      },
      refused: { oauth: 401 },
    },
    {
      system: 'Firebase',
      fixture: 'firebase.ndjson',
      options: [],
      stdout: report(1, 1, 0, ['scrypt of Firebase: 1']),
      people: {
        ada: {
          id: 'Yl4dN2bQxSgV7rTz0KpEwAhJc9U1',
          name: 'Ada Lovelace',
          is_verified: true,
          created_at: '2024-05-01T12:34:56.000Z',
        },
      },
      refused: {},
    },
    {
      system: 'Keycloak',
      fixture: 'keycloak.ndjson',
      options: [],
      stderr:
        'line 7: password_hash must be a hash of a form that docs/migrate.md lists (--no-passwords imports the account without one)\n',
      stdout: report(
        7,
        6,
        1,
        [
          "argon2: 1 (log in as one of them before you open: if the functions' Node lacks it, --no-passwords)",
          'pbkdf2-sha1: 1',
          'pbkdf2-sha256: 1',
          'pbkdf2-sha512: 2',
        ],
        1,
      ),
      people: {
        ada: {
          id: '7c1b5b0e-0000-4000-8000-000000000001',
          name: 'Ada Lovelace',
          is_verified: true,
          created_at: '2024-05-01T12:34:56.000Z',
          roles: ['content-admin', 'editor'],
        },
        grace: { id: '7c1b5b0e-0000-4000-8000-000000000002', name: 'Grace', created_at: '2024-05-01T12:34:56.000Z' },
        linus: {
          id: '7c1b5b0e-0000-4000-8000-000000000003',
          is_verified: true,
          created_at: '2024-05-01T12:34:56.000Z',
        },
        timeless: { id: '7c1b5b0e-0000-4000-8000-000000000007', is_verified: true },
      },
      refused: { mallory: 403, oauth: 401, unknown: 401 },
    },
    {
      system: 'ASP.NET Identity',
      fixture: 'asp-net.csv',
      options: ['--no-passwords'],
      stdout: report(3, 3, 0, ['pbkdf2-sha256: 2'], 1),
      people: {
        ada: { id: '2f7c1a52-8a0e-4a7e-9a39-1f0d4f1f6f01', is_verified: true, roles: ['admin', 'editor'] },
      },
      refused: { mallory: 403, oauth: 401 },
    },
    {
      system: 'Clerk',
      fixture: 'clerk.csv',
      options: [],
      stdout: report(3, 2, 1),
      stderr:
        'line 4: password_hash is an unsalted digest, which is not taken (--no-passwords imports the account without one)\n',
      people: {
        ada: { id: 'user_2NNEqL2nrIRdJ194ndJqAHwEfxC', name: 'Ada Lovelace', is_verified: true },
        grace: { id: 'user_2NNEqL2nrIRdJ194ndJqAHwEfxD', name: 'Grace' },
      },
      refused: { old: 401 },
    },
    {
      system: 'WordPress',
      fixture: 'wordpress.ndjson',
      options: [],
      stdout: report(1, 1, 0, ['bcrypt over HMAC-SHA-384: 1']),
      people: { ada: { id: '1815', name: 'Ada Lovelace', created_at: '2024-05-01T12:34:56.000Z' } },
      refused: {},
    },
  ])(
    '$system are imported, and people log in with their passwords',
    async ({ fixture, options, stdout, stderr = '', people, refused }) => {
      const outcome = await users('import', join(fixtures, fixture), ...options)
      expect(outcome).toEqual({ status: stderr === '' ? 0 : 1, stdout, stderr })

      const domain = `${fixture.split('.')[0]}.example.com`
      for (const [name, expected] of Object.entries(people)) {
        const email = `${name}@${domain}`
        const { body } = await logIn(email)
        expect({ email, sub: claimsOf(body.access_token).sub }).toEqual({ email, sub: expected.id })
        const me = await send('GET', '/auth/me', undefined, bearer(body.access_token))
        expect(me.body).toEqual({ ...plain, email, ...expected })
      }
      for (const [name, status] of Object.entries(refused)) {
        expect({ name, status: (await logIn(`${name}@${domain}`)).status }).toEqual({ name, status })
      }
    },
  )

  test('Cognito are imported without passwords, and their owners set one by mail', async () => {
    expect((await users('import', join(fixtures, 'cognito.ndjson'), '--no-passwords')).stdout).toBe(
      report(1, 1, 0, [], 1),
    )
    const email = 'ada@cognito.example.com'
    expect((await logIn(email)).status).toBe(401)
    await send('POST', '/auth/forgot-password', { email })
    const token = linkIn(await nextMail(email)).searchParams.get('token')
    expect((await send('POST', '/auth/reset-password', { token, new_password: password })).status).toBe(200)
    const { body } = await logIn(email)
    expect((await send('GET', '/auth/me', undefined, bearer(body.access_token))).body).toEqual({
      ...{ ...plain, email, id: 'b2a4c0de-1111-4f89-9a0c-0305e82c3301', name: 'Ada Lovelace', is_verified: true },
      created_at: expect.stringMatching(/^2024-05-01T12:34:56/),
    })
  })
})

describe('an import', () => {
  test('does not change an account that a stranger registered, and names its address', async () => {
    const email = 'early@example.com'
    const registered = await send('POST', '/auth/register', { email, password: "a stranger's", name: 'Stranger' })
    const path = file('strangers.ndjson', [{ email, password_hash, is_admin: true }])
    for (const options of [['--dry-run'], []]) {
      expect(await users('import', path, ...options)).toMatchObject({
        status: 1,
        stderr: `line 1: the table has another account with this address (${email}), created ${registered.body.created_at}, not verified\n`,
      })
    }
    expect((await logIn(email)).status).toBe(401)
    const { body } = await logIn(email, "a stranger's")
    expect((await send('GET', '/auth/me', undefined, bearer(body.access_token))).body).toEqual(registered.body)

    expect((await users('delete', email, '--yes')).status).toBe(0)
    expect(await users('import', path, '--also-deleted')).toMatchObject({ status: 0, stdout: report(1, 1) })
    expect((await logIn(email)).status).toBe(200)
  })

  test('skips an account that its owner has deleted, and with --also-deleted revokes its old tokens', async () => {
    const email = 'gone@deleted.example.com'
    const path = file('deleted.ndjson', [{ email, id: 'deleted-1', password_hash }])
    expect((await users('import', path)).stdout).toBe(report(1, 1))
    const { access_token: old } = (await logIn(email)).body
    expect((await send('POST', '/auth/delete-account', { password }, bearer(old))).status).toBe(200)
    for (const [options, counts] of [
      [['--dry-run'], '0 would be imported, 0 imported earlier, 1 would be skipped as deleted, 0 would be left out'],
      [[], '0 imported, 0 imported earlier, 1 skipped as deleted, 0 left out'],
    ] as const) {
      expect(await users('import', path, ...options)).toEqual({
        status: 0,
        stdout: expect.stringContaining(`1 read: ${counts}`),
        stderr: expect.stringMatching(/^line 1: was deleted at \d{4}-\S+Z: skipped\n$/),
      })
    }
    expect((await users('import', path, '--also-deleted')).stdout).toBe(report(1, 1))
    expect((await send('GET', '/auth/me', undefined, bearer(old))).status).toBe(401)
  })

  test('never gives two accounts the same id, in the file or in the table', async () => {
    const first = file('first.ndjson', [{ email: 'seven@example.com', id: 7, password_hash }])
    expect((await users('import', first)).status).toBe(0)
    const path = file('ids.ndjson', [
      { email: 'another@example.com', id: '7', password_hash },
      { email: 'oh-seven@example.com', id: '07', password_hash },
      { email: 'a@ids.example.com', id: 'A', password_hash },
      { email: 'b@ids.example.com', id: 'a', password_hash },
      { email: 'c@ids.example.com', id: 'A', password_hash },
    ])
    const problems = [
      'line 1: has the id of another account in the table (7, seven@example.com)',
      'line 5: has the id of line 3 (A)',
    ]
    const outcomes = [await users('import', path, '--dry-run'), await users('import', path)]
    expect(outcomes.map(({ stdout }) => stdout)).toEqual([
      '5 read: 3 would be imported, 0 imported earlier, 2 would be left out. Nothing was written.\nbcrypt: 3\n',
      '5 read: 3 imported, 0 imported earlier, 2 left out\nbcrypt: 3\n',
    ])
    for (const { stderr } of outcomes) expect(stderr.trim().split('\n').sort()).toEqual(problems)
    expect((await logIn('another@example.com')).status).toBe(401)
  })

  test.each([
    [
      'of a JSON array',
      'array.json',
      '[{"email":"ada@example.com"}]',
      "Convert it: jq -c '.[]' accounts.json > accounts.ndjson",
    ],
    ['of unknown columns', 'columns.csv', 'email,hashed_password\n', 'column 2 is none of these'],
    [
      'of CSV that ends in a quote',
      'open.csv',
      `email,password_hash\nada@open.example.com,${password_hash}\nb@example.com,"`,
      'line 3 opens a quote that is never closed. Nothing was written.',
    ],
    ['of nothing, which a failed export leaves,', 'empty.ndjson', '', 'has no records; did its export fail?'],
    ['of a first line alone', 'header.csv', 'email,password_hash\n', 'has no records'],
  ])('%s says so, and imports nothing', async (_, name, text, problem) => {
    const outcome = await users('import', file(name, [text]))
    expect(outcome).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(problem) })
    expect((await logIn('ada@open.example.com')).status).toBe(401)
  })

  test('predicts on a dry run what it does; a second dry run finds it done', async () => {
    const path = file('predicted.ndjson', [
      { email: 'new@predicted.example.com', password_hash },
      { email: 'also-new@predicted.example.com', id: 'new', password_hash },
      { email: 'nobody', password_hash },
    ])
    const counts = async (...options: string[]) => (await users('import', path, ...options)).stdout
    expect(await counts('--dry-run')).toContain('3 read: 2 would be imported, 0 imported earlier, 1 would be left out')
    expect((await users('show', 'new@predicted.example.com')).status).toBe(1)
    expect(await counts()).toBe('3 read: 2 imported, 0 imported earlier, 1 left out\nbcrypt: 2\n')
    expect(await counts('--dry-run')).toContain('3 read: 0 would be imported, 2 imported earlier, 1 would be left out')
  })
})

test('an imported account keeps an id of any form until it is deleted', async () => {
  const email = 'long-lived@example.com'
  const id = `auth0|${'x'.repeat(100)}:a.b-c_d`.padEnd(128, '7')
  const path = file('life.ndjson', [{ email, id, password_hash, is_verified: true }])
  expect((await users('import', path)).status).toBe(0)
  expect((await users('show', email)).stdout).toMatch(`id                 ${id}\n`)

  const { body } = await logIn(email)
  expect((await send('PUT', '/auth/me', { name: 'Ada' }, bearer(body.access_token))).body).toMatchObject({ id })
  const passwords = { current_password: password, new_password: 'battery staple' }
  const changed = await send('POST', '/auth/change-password', passwords, bearer(body.access_token))
  expect(claimsOf(changed.body.access_token).sub).toBe(id)
  expect((await nextMail(email)).subject).toMatch(/password/i)
  const deletion = { password: 'battery staple' }
  expect((await send('POST', '/auth/delete-account', deletion, bearer(changed.body.access_token))).status).toBe(200)
  expect((await nextMail(email)).subject).toMatch(/deleted/i)
})

const hasJq = spawnSync('jq', ['--version']).status === 0
test.skipIf(!hasJq)('a system that gives no hashes vouches for its people, who choose a password later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-old-'))
  const accounts = readFileSync(join(fixtures, 'auth0.ndjson'), 'utf8').replaceAll('auth0', 'old')
  writeFileSync(join(folder, 'accounts.ndjson'), accounts)
  const guide = readFileSync(join(import.meta.dirname, '../../docs/migrate.md'), 'utf8')
  const [, section = ''] = guide.split('\n## The old system as a provider\n')
  const [, rewrite = '', name = '', options = ''] =
    /^(jq .*)\nnpm run users -- import (\S+) --local (.*)$/m.exec(section) ?? []
  const env = { ...process.env, OLD_ISSUER: old.provider.issuer }
  execFileSync('/bin/sh', ['-c', rewrite], { cwd: folder, env })
  expect(await users('import', join(folder, name), ...options.split(' '))).toEqual({
    status: 0,
    stdout:
      '3 read: 3 imported, 0 imported earlier, 0 left out\n' +
      'Without a password, since they have no password_hash: 3\n' +
      'With logins by providers before, and without any now: 2\n',
    stderr: '',
  })

  const code_verifier = 'v'.repeat(43)
  const comeBack = (claims: { sub: string; email: string; email_verified: boolean }) =>
    send('POST', '/auth/provider-login', {
      ...{ provider: old.provider.id, code_verifier },
      authorization_code: old.authorize(code_verifier, claims),
    })
  const chooses = async (email: string, chosen: string) => {
    await send('POST', '/auth/forgot-password', { email })
    const token = linkIn(await nextMail(email)).searchParams.get('token')
    expect((await send('POST', '/auth/reset-password', { token, new_password: chosen })).status).toBe(200)
    return (await logIn(email, chosen)).status
  }
  const ada = { sub: 'old|5dea9f9c82dd7c0e76e4ec93', email: 'ada@old.example.com', email_verified: true }
  expect((await logIn(ada.email, 'correct horse')).status).toBe(401)
  const came = await comeBack(ada)
  expect([came.status, decodeJwt(came.body.access_token).sub]).toEqual([200, ada.sub])
  expect(await chooses(ada.email, 'a password of her own')).toBe(200)
  expect((await comeBack({ ...ada, email: 'moved@old.example.com' })).status).toBe(200)

  const grace = { sub: 'old|grace.h', email: 'grace@old.example.com', email_verified: false }
  const refused = await comeBack(grace)
  expect([refused.status, refused.body.code]).toEqual([403, 'provider-email-unverified'])
  expect(await chooses(grace.email, 'a password of her own')).toBe(200)
  // Why registration there is closed first.
  expect((await comeBack({ sub: 'new', email: 'new@example.com', email_verified: true })).status).toBe(200)
})
