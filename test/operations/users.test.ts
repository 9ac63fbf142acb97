import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { password, runWithCommands } from '../support/system/local-commands.ts'
import { linkIn } from '../support/system/running.ts'

/** Import and export on the running system: the API shows what they change. */

const { running, dataDirectory, users, logIn, callsOf } = runWithCommands({ RATE_LIMITS: 'off' })
const { send } = running

const bcryptHash = (prefix: string) => bcrypt.hashSync(password, 4).replace(/^\$2.\$/, prefix)
const file = (name: string, contents: string): string => {
  writeFileSync(join(dataDirectory, name), contents)
  return join(dataDirectory, name)
}
let exports = 0
const exported = async () => {
  const path = join(dataDirectory, `export-${exports++}.ndjson`)
  expect((await users(['export', '--with-hashes', '--to', path])).status).toBe(0)
  return new Map(
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
      .map(record => [record.email, record]),
  )
}

describe('import', () => {
  /** passlib's test vector: the hash of `password`. */
  const passlib = '$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2QlB8NdRT8SvGiI4ft2'

  test('reads CSV and NDJSON; people log in with the old password', async () => {
    const csv = file(
      'people.csv',
      [
        '\ufeffemail,name,is_verified,is_admin,created_at,password_hash',
        `A@Example.com,"Lovelace, ""Ada""",true,1,2019-12-10T00:00:00Z,${bcryptHash('$2a$')}`,
        `b@example.com,,false,0,,${bcryptHash('$2b$')}`,
        `c@example.com,,,,,"${bcryptHash('$2y$')}"`,
        '',
      ].join('\r\n'),
    )
    expect(await users(['import', csv])).toEqual({
      status: 0,
      stdout: '3 read: 3 imported, 0 imported earlier, 0 left out\nbcrypt: 3\n',
      stderr: '',
    })
    const ndjson = `${JSON.stringify({ email: 'd@example.com', password_hash: passlib, is_verified: true })}\n`
    expect((await users(['import', '-', '--format', 'ndjson'], ndjson)).status).toBe(0)

    const { body } = await logIn('a@example.com')
    const me = await send('GET', '/auth/me', undefined, { authorization: `Bearer ${body.access_token}` })
    expect(me.body).toEqual({
      id: expect.stringMatching(/^016eed1b-0000-7/),
      email: 'a@example.com',
      name: 'Lovelace, "Ada"',
      is_admin: true,
      is_verified: true,
      created_at: '2019-12-10T00:00:00.000Z',
    })
    for (const email of ['b@example.com', 'c@example.com']) expect((await logIn(email)).status).toBe(200)
    expect((await logIn('d@example.com', 'password')).status).toBe(200)
    expect((await logIn('b@example.com', 'wrong horse')).status).toBe(401)
    for (const { password_hash } of (await exported()).values()) {
      expect(password_hash).toMatch(/^\$bcrypt-sha256\$v=2,t=2b,r=4\$/)
    }
    expect((await logIn('a@example.com')).status).toBe(200)
  })

  test('leaves out bad records by their line, imports the others, and prints no secret', async () => {
    const hash = bcryptHash('$2b$')
    const secrets = ['S3cret-looking', hash.slice(7)]
    const lines = [
      { email: 'e@example.com', password_hash: hash },
      { email: 'E@EXAMPLE.COM', password_hash: hash },
      { email: 'a@example.com', password_hash: hash },
      { email: 'f@example.com' },
      { email: 'S3cret-looking', password_hash: hash },
      { email: 'g@example.com', password_hash: 'S3cret-looking' },
      { email: 'h@example.com', password_hash: hash, name: 'Grace' },
    ]
    const path = file('bad.jsonl', [...lines.map(line => JSON.stringify(line)), 'S3cret-looking'].join('\n'))
    const { status, stdout, stderr } = await users(['import', path])
    expect(status).toBe(1)
    expect(stdout).toBe('8 read: 2 imported, 0 imported earlier, 6 left out\nbcrypt: 2\n')
    expect(stderr.trim().split('\n').sort()).toEqual([
      'line 2: has the address of line 1 (e@example.com)',
      'line 3: the table has another account with this address (a@example.com), created 2019-12-10T00:00:00.000Z, verified',
      'line 4: password_hash is missing (--no-passwords imports the account without one)',
      'line 5: email must be an e-mail address, such as ada@example.com',
      expect.stringContaining('line 6: password_hash must be a hash of a form'),
      'line 8: is not valid JSON',
    ])
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)
    expect([(await logIn('e@example.com')).status, (await logIn('h@example.com')).status]).toEqual([200, 200])
    expect([...(await exported()).keys()]).not.toContain('g@example.com')
  })

  test('continues after a failure, and recognises what it has imported, even if changed since', async () => {
    const people = Array.from(
      { length: 200 },
      (_, i) => `r${i}@example.com,${bcryptHash('$2b$').slice(0, 50)}${String(i).padStart(10, 'x')}`,
    )
    const path = file('many.csv', ['email,password_hash', ...people].join('\n'))
    const restore = running.system.disturb(
      'dynamodb',
      { kind: 'failure' },
      { caller: 'operator', action: 'PutItem', times: 400 },
    )
    const slow = running.system.disturb(
      'dynamodb',
      { kind: 'slow', milliseconds: 5 },
      { caller: 'operator', times: 100 },
    )
    const broken = await users(['import', path])
    slow()
    restore()
    expect(broken.status).toBe(1)
    expect(broken.stderr).toContain('InternalServerError')
    const [, read, before = ''] =
      /^(\d+) read: (\d+) imported, 0 imported earlier, 0 left out/.exec(broken.stdout) ?? []
    expect(Number(before)).toBeLessThan(Number(read))
    expect(Number(read)).toBeLessThan(200)

    expect(await users(['import', path])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(
        `200 read: ${200 - Number(before)} imported, ${before} imported earlier, 0 left out\n`,
      ),
    })
    await users(['verify', 'r7@example.com'])
    expect((await users(['import', path])).stdout).toBe('200 read: 0 imported, 200 imported earlier, 0 left out\n')
    expect((await exported()).get('r7@example.com').is_verified).toBe(true)
  })

  describe('that is interrupted', () => {
    /** Waits for a number of calls from now on. */
    const afterCalls = (action: string, count: number) => {
      const before = callsOf(action)
      return expect
        .poll(() => callsOf(action), { timeout: 1_200_000, interval: 5 })
        .toBeGreaterThanOrEqual(before + count)
    }

    test('says after which line it stopped, and continues when it is run again', async () => {
      const people = Array.from({ length: 1000 }, (_, i) => ({ email: `s${i}@example.com`, password_hash: passlib }))
      const path = file('interrupted.ndjson', people.map(line => JSON.stringify(line)).join('\n'))
      const slow = running.system.disturb('dynamodb', { kind: 'slow', milliseconds: 20 }, { caller: 'operator' })
      const { status, stdout, stderr } = await users(['import', path], '', afterCalls('PutItem', 40))
      slow()
      const [, line] = /^users: interrupted after line (\d+); run the same command again: it skips/m.exec(stderr) ?? []
      const counts = `${line} read: ${line} imported, 0 imported earlier, 0 left out\n`
      expect([status, stdout]).toEqual([130, expect.stringContaining(counts)])
      expect(Number(line)).toBeLessThan(1000)
      expect((await users(['import', path])).stdout).toContain(
        `1000 read: ${1000 - Number(line)} imported, ${line} imported earlier, 0 left out\n`,
      )
    })

    test('ends while it waits for stdin', async () => {
      const interrupted = afterCalls('Scan', 1)
      const never = new Promise<string>(() => {})
      expect(await users(['import', '-', '--format', 'csv'], never, interrupted)).toMatchObject({
        status: 130,
        stderr: expect.stringContaining('users: interrupted before the first line'),
      })
    })

    test('leaves no incomplete file, if it is an export', async () => {
      const path = join(dataDirectory, 'stopped.ndjson')
      const release = running.system.disturb('dynamodb', { kind: 'hang' }, { caller: 'operator', action: 'Scan' })
      const interrupted = afterCalls('Scan', 1)
      const exporting = users(['export', '--to', path], '', interrupted)
      await interrupted
      release()
      expect(await exporting).toMatchObject({ status: 130, stderr: 'users: interrupted\n' })
      expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false])
    })
  })

  test('takes people without a password by --no-passwords; they log in after a reset by mail', async () => {
    const line = JSON.stringify({ email: 'nopass@example.com', is_verified: true })
    expect((await users(['import', '-', '--format', 'ndjson', '--no-passwords'], line)).status).toBe(0)
    for (const tried of ['', '*', password]) expect((await logIn('nopass@example.com', tried)).status).toBe(401)
    expect((await users(['show', 'nopass@example.com'])).stdout).toMatch(/^password +none/m)

    await send('POST', '/auth/forgot-password', { email: 'nopass@example.com' })
    const token = linkIn(await running.nextMail('nopass@example.com')).searchParams.get('token')
    expect((await send('POST', '/auth/reset-password', { token, new_password: password })).status).toBe(200)
    expect((await logIn('nopass@example.com')).status).toBe(200)
  })

  test.each([
    ['a file that does not exist', ['import', '/nowhere.csv'], 1, 'users: /nowhere.csv: there is no such file\n'],
    ['a directory', ['import', '/tmp', '--format', 'csv'], 1, 'users: /tmp: is a directory, not a file\n'],
    [
      'a file of an unknown format',
      ['import', 'people.txt'],
      2,
      'unknown format; pass --format ndjson or --format csv',
    ],
    ['no file', ['import'], 2, 'import takes FILE'],
    ['two files', ['import', 'a.csv', 'b.csv'], 2, "'b.csv' is one argument too many"],
    ['an unknown option', ['import', 'a.csv', '--force'], 2, "Unknown option '--force'"],
  ])('with %s says so', async (_, args, status, reason) => {
    expect(await users(args)).toMatchObject({ status, stderr: expect.stringContaining(reason) })
  })

  test('of a file that is not UTF-8 says so', async () => {
    const path = join(dataDirectory, 'latin1.csv')
    writeFileSync(path, Buffer.from('email,name\nj@example.com,J\xfcrgen\n', 'latin1'))
    expect(await users(['import', path])).toMatchObject({ status: 1, stderr: expect.stringContaining('is not UTF-8') })
  })
})

describe('export', () => {
  test('writes what import reads: the same people and ids, who log in as before', async () => {
    expect((await users(['revoke', 'e@example.com'])).status).toBe(0)
    const before = await exported()
    const path = join(dataDirectory, 'all.ndjson')
    expect(await users(['export', '--with-hashes', '--to', path])).toMatchObject({
      status: 0,
      stderr: `${before.size} exported\n`,
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const deleted = ['a@example.com', 'e@example.com', 'h@example.com']
    for (const email of deleted) expect((await users(['delete', email, '--yes'])).status).toBe(0)
    expect((await logIn('a@example.com')).status).toBe(401)

    const { status, stdout } = await users(['import', path, '--also-deleted'])
    expect([status, stdout]).toEqual([
      0,
      `${before.size} read: 3 imported, ${before.size - 3} imported earlier, 0 left out\nbcrypt-sha256: 2\n` +
        'Without a password, since they have no password_hash: 1\n',
    ])
    const after = await exported()
    for (const email of deleted) {
      // Their old access tokens stay revoked.
      expect(after.get(email).token_version).toBeGreaterThan(before.get(email).token_version)
      before.get(email).token_version = after.get(email).token_version
    }
    expect(after).toEqual(before)
    expect((await logIn('a@example.com')).status).toBe(200)
  })

  test('contains hashes only by --with-hashes, and never tokens', async () => {
    await send('POST', '/auth/register', { email: 'i@example.com', password })
    const { stdout } = await users(['export'])
    expect(stdout).toContain('i@example.com')
    expect(stdout).not.toMatch(/hash|\$2|email_verification|password/)
    expect(JSON.stringify([...(await exported()).values()])).not.toMatch(/_token"|_expires/)
  })

  test('never writes hashes to a terminal, pipe or log', async () => {
    expect(await users(['export', '--with-hashes'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'users: hashes go only into a file that only its owner can read: pass --to FILE\n',
    })
  })

  test('replaces no file, and leaves no incomplete one behind', async () => {
    const existing = file('existing.ndjson', 'mine')
    expect(await users(['export', '--to', existing])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('exists already'),
    })
    expect(readFileSync(existing, 'utf8')).toBe('mine')
    const restore = running.system.disturb('dynamodb', { kind: 'failure' }, { caller: 'operator', action: 'Scan' })
    const path = join(dataDirectory, 'broken.ndjson')
    expect((await users(['export', '--to', path])).status).toBe(1)
    restore()
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false])
  })

  test('leaves alone a file F.part that it did not write', async () => {
    const part = file('mine.ndjson.part', 'mine')
    expect(await users(['export', '--to', join(dataDirectory, 'mine.ndjson')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('mine.ndjson.part exists already'),
    })
    expect(readFileSync(part, 'utf8')).toBe('mine')
  })
})

test('export and list read more than one page, to the last account', async () => {
  const hash = bcryptHash('$2b$')
  const domain = `${'x'.repeat(60)}.${'y'.repeat(60)}.example.com`
  const names = Array.from({ length: 1500 }, (_, i) => [`n${i}@${domain}`, '🔑'.repeat(200), hash])
  const path = file('long-names.csv', ['email,name,password_hash', ...names.map(row => row.join(','))].join('\n'))
  expect((await users(['import', path])).status).toBe(0)
  const scans = () => callsOf('Scan')
  const before = scans()
  const all = await exported()
  expect(names.filter(([email = '']) => !all.has(email))).toEqual([])
  const pages = scans() - before
  expect(pages).toBeGreaterThan(1)
  const listed = (...args: string[]) => users(['list', '--match', domain, '--json', ...args])
  expect((await listed()).stdout.match(/^\{/gm)).toHaveLength(names.length)
  expect(scans() - before).toBe(2 * pages)
  expect((await listed('--limit', '1')).stdout.match(/^\{/gm)).toHaveLength(1)
  expect(scans() - before).toBe(2 * pages + 1)
})

test('the commands make exactly the calls that the policy for operators allows for accounts', () => {
  const actions = running.system.calls.filter(({ caller }) => caller === 'operator').map(({ action }) => action)
  const needed = ['DeleteItem', 'GetItem', 'PutItem', 'Scan', 'UpdateItem'].map(action => `dynamodb:${action}`)
  expect([...new Set(actions)].sort()).toEqual(needed)
})
