import bcrypt from 'bcryptjs'
import { beforeAll, describe, expect, test } from 'vitest'
import { listCommands } from '../../docs/write/commands.ts'
import { password, runWithCommands } from '../support/system/local-commands.ts'
import { operate } from '../support/system/operate.ts'
import { linkIn } from '../support/system/running.ts'

/** Commands that show, list, verify and delete accounts of the running system. */

const { running, dataDirectory, users, logIn, callsOf } = runWithCommands({ RATE_LIMITS: 'off' })
const { send } = running
const commands = await listCommands()

test('an account is shown with all its attributes but hashes', async () => {
  await send('POST', '/auth/register', { email: 'shown@example.com', password, name: 'Shown' })
  const { status, stdout } = await users(['show', ' Shown@Example.com'])
  expect(status).toBe(0)
  expect(stdout.replace(/\d{4}-\S+Z/g, '<time>').replace(/[\da-f-]{36}/, '<id>')).toBe(
    [
      'id                 <id>',
      'email              shown@example.com',
      'name               Shown',
      'admin              no',
      'verified           no',
      'locked             no',
      'password           bcrypt-sha256, cost 4',
      'second factor      none',
      'token version      0',
      'sessions           0',
      'created            <time>',
      'updated            <time>',
      'verification link  works until <time>',
      'pending address    none',
      'reset link         none',
      '',
    ].join('\n'),
  )
})

test('an account is shown as JSON, without its hashes', async () => {
  const { status, stdout } = await users(['show', 'shown@example.com', '--json'])
  const time = expect.stringMatching(/^\d{4}-\S+Z$/)
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    {
      email: 'shown@example.com',
      name: 'Shown',
      is_admin: false,
      is_verified: false,
      created_at: time,
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      token_version: 0,
      locked_at: null,
      language: null,
      roles: null,
      invited_until: null,
      second_factor: false,
      updated_at: time,
      password: { form: 'bcrypt-sha256', cost: 4 },
      sessions: 0,
      pending_email: null,
      verification_link_expires: time,
      recovery_codes_left: 0,
      passkeys: [],
      identities: [],
      reset_link_expires: null,
      invitation_link_expires: null,
      verification_requested_at: time,
      reset_requested_at: null,
      reset_verifies: false,
      notices: null,
      second_factor_used_at: null,
      wrong_codes: 0,
      pending_second_factor: null,
      passkey_handle: null,
      passkey_rp_id: null,
      remembered_remotes: [],
      changed_at: null,
      password_changed_at: null,
      changes: [],
      stored_sessions: [],
    },
  ])
})

test('an account that is about to change its address is shown with the new one', async () => {
  const { body } = await logIn('shown@example.com')
  const headers = { authorization: `Bearer ${body.access_token}` }
  await send('POST', '/auth/change-email', { new_email: 'new@example.org' }, headers)
  await running.nextMail('new@example.org')
  const { stdout } = await users(['show', 'shown@example.com'])
  expect(stdout).toMatch(/^verification link {2}none$/m)
  expect(stdout).toMatch(/^pending address {4}new@example\.org: its link works until \d{4}-\S+Z$/m)
  const { stdout: json } = await users(['show', 'shown@example.com', '--json'])
  expect(JSON.parse(json)).toMatchObject({ email: 'shown@example.com', pending_email: 'new@example.org' })
})

describe('a list of accounts', () => {
  beforeAll(async () => {
    const people = [
      { email: 'old@list.example', name: 'Olga', created_at: '2019-12-31T23:59:59.999Z', is_verified: true },
      { email: 'new@list.example', created_at: '2020-01-01T00:00:00Z', is_verified: true },
      { email: 'fresh@list.example', id: 'Fresh-1', created_at: '2020-01-01T00:00:00.001Z' },
      { email: 'locked@list.example', created_at: '2021-01-01T00:00:00Z', locked_at: '2022-01-01T00:00:00Z' },
    ]
    const lines = people.map(person => JSON.stringify(person)).join('\n')
    const imported = await users(['import', '-', '--format', 'ndjson', '--no-passwords', '--json'], lines)
    expect(JSON.parse(imported.stdout)).toEqual({
      dry_run: false,
      read: 4,
      imported: 4,
      imported_earlier: 0,
      skipped_as_deleted: 0,
      left_out: 0,
      foreign_hashes: 0,
      null_hashes: 4,
      hashes: {},
      weak_hashes: 0,
      invited: 0,
      second_factors_lost: 0,
      passkeys_lost: 0,
      identities_lost: 0,
      identities_not_added: 0,
    })
  })

  const all = ['old', 'new', 'fresh', 'locked']
  test.each<[string, string[], string[]]>([
    ['by an address, in any letters', ['--match', 'LIST.example'], all],
    ['by a name', ['--match', 'olg'], ['old']],
    ['by an id', ['--match', 'fresh-1'], ['fresh']],
    ['not verified', ['--match', 'list.example', '--unverified'], ['fresh', 'locked']],
    ['locked', ['--locked'], ['locked']],
    ['from a day on', ['--match', 'list.example', '--since', '2020-01-01'], ['new', 'fresh', 'locked']],
    ['from a time on', ['--match', 'list.example', '--since', '2020-01-01T01:00:00.001+01'], ['fresh', 'locked']],
    ['before a time', ['--match', 'list.example', '--before', '2020-01-01T00:00:00.001Z'], ['old', 'new']],
    [
      'between two days',
      ['--match', 'list.example', '--since', '2020-01-01', '--before', '2021-01-01'],
      ['new', 'fresh'],
    ],
    ['of none', ['--match', 'nobody'], []],
  ])('has those that are chosen: %s', async (_, args, names) => {
    const { status, stdout, stderr } = await users(['list', ...args, '--json'])
    const found = stdout.split('\n').filter(Boolean)
    expect(found.map(line => JSON.parse(line).email.split('@')[0]).sort()).toEqual([...names].sort())
    expect([status, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^\\d+ read, ${names.length} found\n$`))])
  })

  test('has as many as it may, and no hash', async () => {
    const { stdout } = await users(['list', '--match', 'list.example', '--limit', '3', '--json'])
    expect(stdout.trim().split('\n')).toHaveLength(3)
    expect(stdout).not.toMatch(/hash|password|_token"/)
  })

  test('has the same members for each account, locked or not', async () => {
    const { stdout } = await users(['list', '--match', 'list.example', '--json'])
    const members = stdout
      .trim()
      .split('\n')
      .map(line => Object.keys(JSON.parse(line)).join())
    expect(new Set(members)).toEqual(
      new Set([
        'email,name,is_admin,is_verified,created_at,id,token_version,locked_at,language,roles,invited_until,second_factor',
      ]),
    )
  })

  test('is a table for people', async () => {
    const { stdout } = await users(['list', '--match', 'old@list.example'])
    expect(stdout.split('\n').map(line => line.split(/ {2,}/))).toEqual([
      ['created', 'id', 'verified', 'locked', 'admin', 'email', 'name'],
      ['2019-12-31T23:59:59Z', expect.stringMatching(/^[\da-f-]{36}$/), 'yes', 'no', 'no', 'old@list.example', 'Olga'],
      [''],
    ])
  })

  test.each([
    [['--since', 'yesterday'], '--since must be a past day or time'],
    [['--since', '2026-02-30'], '--since must be a past day or time'],
    [['--before', '2999-01-01'], '--before must be a past day or time'],
    [['--limit', '0'], '--limit must be a number from 1'],
    [['--limit', '1e3'], '--limit must be a number from 1'],
  ])('%j is refused', async (args, reason) => {
    expect(await users(['list', ...args])).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) })
  })
})

test('an account is verified by a command, which revokes the mailed link', async () => {
  await send('POST', '/auth/register', { email: 'v@example.com', password })
  const token = linkIn(await running.nextMail('v@example.com')).searchParams.get('token')
  expect(await users(['verify', 'v@example.com'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('is verified'),
  })
  expect((await users(['show', 'v@example.com'])).stdout).toMatch(/^verified +yes.*^verification link +none/ms)
  expect((await send('POST', '/auth/verify-email', { token })).status).toBe(400)
  expect(await users(['verify', 'v@example.com'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('already'),
  })
})

test('an account is deleted after a confirmation, with its tokens', async () => {
  await send('POST', '/auth/register', { email: 'x@example.com', password })
  const { body } = await logIn('x@example.com')
  expect(await users(['delete', 'x@example.com'], 'yes\n')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('pass --yes'),
  })
  expect((await logIn('x@example.com')).status).toBe(200)

  expect(await users(['delete', 'x@example.com', '--yes'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('What remains'),
  })
  const me = await send('GET', '/auth/me', undefined, { authorization: `Bearer ${body.access_token}` })
  expect(me.status).toBe(401)
  expect((await send('POST', '/auth/register', { email: 'x@example.com', password })).status).toBe(201)
})

test('an account is deleted even if the answer of AWS is lost', async () => {
  await send('POST', '/auth/register', { email: 'once@example.com', password })
  const lost = { caller: 'operator', action: 'DeleteItem', times: 1 }
  running.system.disturb('dynamodb', { kind: 'lost-answer' }, lost)
  expect((await users(['delete', 'once@example.com', '--yes'])).status).toBe(0)
  expect((await logIn('once@example.com')).status).toBe(401)
})

test('an account is deleted only while it is not verified, where a loop says so', async () => {
  for (const email of ['never@example.com', 'later@example.com'])
    await send('POST', '/auth/register', { email, password })
  await users(['verify', 'later@example.com'])
  const swept = (email: string) => users(['delete', email, '--if-unverified', '--yes'])
  expect(await swept('later@example.com')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'users: later@example.com is verified by now; it was not deleted\n',
  })
  expect(await swept('never@example.com')).toMatchObject({ status: 0, stdout: expect.stringContaining('is deleted') })
  expect([(await logIn('later@example.com')).status, (await logIn('never@example.com')).status]).toEqual([200, 401])
})

describe('a command that names an account', () => {
  const named = commands.filter(({ operands }) => operands.includes('<email or id>'))

  test('takes its id too: all commands of people but invite, which is about a mailbox', () => {
    const mailboxes = commands.filter(({ operands }) => operands.some(operand => operand.includes('<email>')))
    expect(mailboxes.map(({ program, name }) => `${program} ${name}`)).toEqual([
      'users invite',
      'mail suppressed',
      'mail unsuppress',
    ])
    expect(named.length).toBeGreaterThan(12)
  })

  /** The operands of a call, for the account and the address that it is moved to. */
  const wordsOf = (operands: readonly string[], who: string, to: string) =>
    operands.map(operand => {
      if (operand === '<email or id>') return who
      return operand === '<new-email>' ? to : (/none|off/.exec(operand)?.[0] ?? operand)
    })

  test.each(named)('does the same by its id, with one read by its key less: $name', async ({ name, operands }) => {
    const people = ['by-address', 'by-id'].map(way => ({ id: `${way}-${name}|1`, email: `${way}@${name}.example.com` }))
    const { password_hash, created_at } = {
      password_hash: bcrypt.hashSync(password, 4),
      created_at: '2026-01-01T00:00:00Z',
    }
    const lines = people.map(person => JSON.stringify({ ...person, password_hash, created_at }))
    expect((await users(['import', '-', '--format', 'ndjson'], lines.join('\n'))).status).toBe(0)
    const outcomes = []
    for (const { id, email } of people) {
      const before = { gets: callsOf('GetItem'), scans: callsOf('Scan') }
      const who = email.startsWith('by-id') ? id : email
      const words = wordsOf(operands, who, `to-${email}`)
      const { status, stdout, stderr } = await users([name, ...words, ...(name === 'delete' ? ['--yes'] : [])])
      const after = (await users(['list', '--match', id, '--json'])).stdout
      const text = `${stdout}${stderr}${after}`.replaceAll(email, '<email>').replaceAll(id, '<id>')
      expect({ name, stdout }).toEqual({ name, stdout: expect.stringContaining(email) })
      outcomes.push({
        // An import begins token versions at the present second, which may end between two lines.
        outcome: { status, text: text.replaceAll(/\d{4}-\S+Z|(?<=token.version\W+)\d+/g, '<time>') },
        gets: callsOf('GetItem') - before.gets,
        // Of the list after it.
        scans: callsOf('Scan') - before.scans - 1,
      })
    }
    const [byAddress, byId] = outcomes
    expect(byId?.outcome).toEqual(byAddress?.outcome)
    expect(byId).toMatchObject({ gets: (byAddress?.gets ?? 0) - 1, scans: 0 })
  })

  test.each(named)(
    'says which account there is not, or that no account is named so: $name',
    async ({ name, operands }) => {
      const call = (who: string) => users([name, ...wordsOf(operands, who, 'to@example.com')])
      expect(await call('nobody@example.com')).toMatchObject({
        status: 1,
        // Of an earlier run of `move` it says more.
        stderr: expect.stringMatching(/^users: the local system has no account nobody@example\.com(?:\. Did .*)?\n$/),
      })
      expect(await call('shown@example')).toMatchObject({
        status: 2,
        stderr: "users: 'shown@example' is not an email address\n",
      })
      for (const id of ['nobody', 'x'.repeat(128), 'auth0|5dea:9.f-9_c'])
        expect(await call(id)).toEqual({
          status: 1,
          stdout: '',
          stderr: `users: the local system has no account with the id ${id}\n`,
        })
      for (const neither of ['', 'x'.repeat(129), 'a b', 'a/b', 'é'])
        expect(await call(neither)).toMatchObject({
          status: 2,
          stderr: `users: '${neither}' is not an email address or id\n`,
        })
    },
  )

  test('takes an id that begins with a hyphen after --', async () => {
    const line = JSON.stringify({ id: '-json', email: 'hyphen@example.com' })
    await users(['import', '-', '--format', 'ndjson', '--no-passwords'], line)
    const { stdout } = await operate('users', ['show', '--local', '--', '-json'], { env: { DATA_DIR: dataDirectory } })
    expect(stdout).toContain('hyphen@example.com')
  })
})
