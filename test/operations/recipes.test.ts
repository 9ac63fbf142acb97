import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { members } from '../../operations/users/account-record.ts'
import { csv } from '../../operations/users/csv.ts'

/** The recipes of `docs/migrate.md`, against their files in `migrate/`. */

const guide = readFileSync(join(import.meta.dirname, '../../docs/migrate.md'), 'utf8')
const fixtures = join(import.meta.dirname, 'migrate')

/** The commands under a heading. */
function recipe(heading: string): string {
  const [, section = ''] = guide.split(`\n### ${heading}\n`)
  const [, block] = /```sh\n(.*?)```/s.exec(section.split('\n##')[0] ?? '') ?? []
  if (block === undefined) throw new Error(`there is no recipe for ${heading}`)
  return block
}

/** The parameters of a project of Firebase, which the console shows. */
const firebase = {
  MEM_COST: '14',
  ROUNDS: '8',
  SALT_SEPARATOR: 'Bw==',
  SIGNER_KEY: '0pUsY61kLYvfNJKMWegqGLjhzlcx6dgG6cB0caPgOUjX5Xq2qExtYuHHmlQ2/ENlp3xL1HVJ3G8oMMSsPOC2xQ==',
}

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-recipes-'))

test('the guide documents every member of a line', () => {
  const [, section = ''] = guide.split('\n## What a line holds\n')
  const documented = [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+(?=`)/g) ?? [])
  expect(documented).toEqual(expect.arrayContaining(members))
})

describe('the recipe', () => {
  test.each([
    ['PostgreSQL', 'postgresql.csv'],
    ['FastAPI-Users', 'fastapi-users.csv'],
    ['Supabase', 'supabase.csv'],
    ['Django', 'django.ndjson'],
    ['Better Auth', 'better-auth.csv'],
    ['ASP.NET Identity', 'asp-net.csv'],
    ['Clerk', 'clerk.csv'],
  ])('for %s selects the columns that %s has', async (heading, fixture) => {
    const [, select = ''] = /^select (.*?)^from /ms.exec(recipe(heading)) ?? []
    // A comma inside parentheses does not separate columns.
    const columns = select.split(/,(?![^(]*\))/).map(column => /(\w+)\s*$/.exec(column)?.[1])
    for (const header of await headersOf(fixture)) expect(columns).toEqual(header)
  })

  test('for WordPress writes the members that wordpress.ndjson has', () => {
    const members = [...recipe('WordPress').matchAll(/^ {4}'(\w+)', /gm)].map(([, member]) => member)
    for (const record of linesOf('wordpress')) expect(Object.keys(record)).toEqual(members)
  })

  const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0
  test.skipIf(!hasSqlite)("for Clerk turns the dashboard's file into clerk.csv", async () => {
    const directory = mkdtempSync(join(scratch, 'clerk-'))
    cpSync(join(fixtures, 'clerk'), directory, { recursive: true })
    await promisify(execFile)('/bin/sh', ['-c', recipe('Clerk')], { cwd: directory })
    expect(await rowsOf(join(directory, 'accounts.csv'))).toEqual(await rowsOf(join(fixtures, 'clerk.csv')))
  })

  test.skipIf(!hasSqlite)('for Django begins with who logged in last, and takes an unusable password for none', () => {
    const [, select = ''] = /^select row_to_json\(line\) from \((.*?)\) line$/ms.exec(recipe('Django')) ?? []
    const people = [
      [1, 'a@x.example', 'of-1', '2020-01-01', 1],
      [2, 'A@x.example', 'of-2', '2024-01-01', 1],
      [3, 'b@x.example', '!unusable', null, 1],
      [4, 'a@x.example', 'of-4', '2025-01-01', 0],
      [5, '', 'of-5', '2025-01-01', 1],
    ]
    const rows = people.map(
      ([id, email, password, login, active]) =>
        `insert into auth_user values (${id}, '${email}', '', '', '${password}', 0, '2019-01-01', ${active}, ${login && `'${login}'`});`,
    )
    const table =
      'create table auth_user (id, email, first_name, last_name, password, is_superuser, date_joined, is_active, last_login);'
    const input = `${table}\n${rows.join('\n')}\n${select.replace('now()', "datetime('now')")};`
    const { stdout } = spawnSync('sqlite3', ['-json', ':memory:'], { input, encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 2, name: null, password_hash: 'of-2', locked_at: null },
      { id: 1 },
      { id: 3, password_hash: null },
      { id: 4, locked_at: expect.any(String) },
    ])
  })

  const hasJq = spawnSync('jq', ['--version']).status === 0
  const ofJq = [
    ['Auth0', 'auth0'],
    ['Cognito', 'cognito'],
    ['Firebase', 'firebase'],
    ['Keycloak', 'keycloak'],
  ] as const
  const linesOf = (name: string) =>
    readFileSync(join(fixtures, `${name}.ndjson`), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))

  test.each(ofJq)('for %s writes the members that %s.ndjson has', (heading, name) => {
    const members = [...recipe(heading).matchAll(/^ {4}(\w+): /gm)].map(([, member]) => member)
    for (const record of linesOf(name)) expect(Object.keys(record)).toEqual(members)
  })

  test.skipIf(!hasJq).each(ofJq)('for %s turns the files in %s/ into its NDJSON', async (heading, name) => {
    const directory = mkdtempSync(join(scratch, 'jq-'))
    cpSync(join(fixtures, name), directory, { recursive: true })
    const [block = ''] = /^jq .*/ms.exec(recipe(heading)) ?? []
    await promisify(execFile)('/bin/sh', ['-c', block], { cwd: directory, env: { ...process.env, ...firebase } })
    const written = readFileSync(join(directory, 'accounts.ndjson'), 'utf8').trim().split('\n')
    // The recipe uses the export's time as that of the lock.
    const withoutTime = (record: { locked_at?: string }) => ({ ...record, locked_at: record.locked_at && 'then' })
    expect(written.map(line => withoutTime(JSON.parse(line)))).toEqual(linesOf(name).map(withoutTime))
  })

  /** A system's command in the table of logins by providers. */
  const loginsOf = (system: string): string => {
    const [, section = ''] = guide.split('\n## Logins by providers\n')
    const [, command = ''] = new RegExp(`^\\| ${system}[^|]*\\| \`(.*)\` \\|$`, 'm').exec(section) ?? []
    return command.replaceAll('\\|', '|')
  }

  test.each(['Supabase', 'Better Auth', 'Django'])(
    'for logins by providers of %s selects what the next takes',
    system => {
      const [, members = ''] = /json_build_object\((.*)\) from/.exec(loginsOf(system)) ?? []
      expect(members.match(/(?<=')\w+(?=')/g)).toEqual(['id', 'provider', 'subject', 'connected_at'])
    },
  )

  test.skipIf(!hasJq).each(ofJq)(
    'for logins by providers of %s adds identities to its lines',
    async (heading, name) => {
      const directory = mkdtempSync(join(scratch, 'identities-'))
      cpSync(join(fixtures, name), directory, { recursive: true })
      cpSync(join(fixtures, `${name}.ndjson`), join(directory, 'accounts.ndjson'))
      const [, section = ''] = guide.split('\n## Logins by providers\n')
      const [, merge = ''] = /```sh\n(.*?)```/s.exec(section) ?? []
      await promisify(execFile)('/bin/sh', ['-c', `${loginsOf(heading)} && ${merge}`], { cwd: directory })
      const lines = readFileSync(join(directory, 'with-identities.ndjson'), 'utf8').trim().split('\n')
      const identities = lines.map(line => JSON.parse(line).identities)
      const identity = { issuer: 'https://accounts.google.com', subject: '113456789012345678901', connected_at: null }
      expect(identities.filter(each => each !== null)).toEqual([[identity]])
      expect(lines).toHaveLength(linesOf(name).length)
    },
  )

  /** The columns of a CSV, or the members of each line of NDJSON. */
  async function headersOf(fixture: string): Promise<string[][]> {
    if (fixture.endsWith('.ndjson')) return linesOf(fixture.replace('.ndjson', '')).map(Object.keys)
    const { value: header } = await csv(textOf(join(fixtures, fixture))).next()
    return [header?.record ?? []]
  }
  async function* textOf(path: string) {
    yield readFileSync(path, 'utf8')
  }
  async function rowsOf(path: string) {
    const rows: unknown[] = []
    for await (const { record } of csv(textOf(path))) rows.push(record)
    return rows
  }
})
