import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { operate } from '../support/operate.ts'
import { linkIn, runSystem } from '../support/running.ts'

/** What commands do to one account, on the running system: who they keep out, and what they say that they cannot do. */

const dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-acts-'))
const admin = 'admin@example.com'
const running = runSystem({ RATE_LIMITS: 'off', ADMIN_EMAIL: admin }, { dataDirectory })
const { send, nextMail } = running
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))

const users = (args: readonly string[]) => operate('users', [...args, '--local'], { env: { DATA_DIR: dataDirectory } })
const shown = async (email: string) => (await users(['show', email])).stdout

const password = 'correct horse'
const logIn = (email: string, tried = password) => send('POST', '/auth/login', { email, password: tried })
const me = (token: string) => send('GET', '/auth/me', undefined, { authorization: `Bearer ${token}` })
const reset = (token: string | null) => send('POST', '/auth/reset-password', { token, new_password: 'battery staple' })

/** Somebody new. @returns their access token, and the one in the mail */
async function register(email: string): Promise<{ token: string; verification: string | null }> {
  expect((await send('POST', '/auth/register', { email, password })).status).toBe(201)
  const verification = linkIn(await nextMail(email)).searchParams.get('token')
  return { token: (await logIn(email)).body.access_token, verification }
}

async function forgotten(email: string): Promise<string | null> {
  await send('POST', '/auth/forgot-password', { email })
  return linkIn(await nextMail(email)).searchParams.get('token')
}

const elsewhere =
  'Services that verify tokens by the key set alone take older ones until they expire (exp). Services that ask\n/auth/me refuse them at once. Its owner is not mailed about it.\n'

/** Done, and what it says of it: what became of the account, and what did not. */
const done = (stdout: string) => ({ status: 0, stdout, stderr: '' })

test('an account is locked: its password, its tokens and its mails are of no use until it is unlocked', async () => {
  const { token } = await register('l@example.com')
  const link = await forgotten('l@example.com')
  expect(await users(['lock', ' L@Example.com'])).toEqual(
    done(
      `l@example.com is locked: nobody can log in, its access tokens are void, and no link is mailed to it.\n${elsewhere}`,
    ),
  )
  expect(await shown('l@example.com')).toMatch(/^locked +since \d{4}-\S+Z$/m)
  expect((await logIn('l@example.com')).body).toMatchObject({ status: 403, code: 'account-locked' })
  expect((await logIn('l@example.com', 'wrong')).status).toBe(401)
  expect((await me(token)).status).toBe(401)
  expect((await reset(link)).status).toBe(200)
  expect((await logIn('l@example.com', 'battery staple')).status).toBe(403)
  expect(await users(['lock', 'l@example.com'])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^l@example\.com is locked already, since \d{4}-\S+Z\n$/),
  })

  expect(await users(['unlock', 'l@example.com'])).toEqual(
    done(
      'l@example.com is not locked any more. Its access tokens stay void. Whoever knows its password can log in, also where a link\nthat was mailed before the lock has set a new one: if that may be somebody else, revoke it. Its owner is not mailed about it.\n',
    ),
  )
  expect(await shown('l@example.com')).toMatch(/^locked +no$/m)
  expect((await me(token)).status).toBe(401)
  expect((await logIn('l@example.com', 'battery staple')).status).toBe(200)
  expect(await users(['unlock', 'l@example.com'])).toEqual(done('l@example.com is not locked\n'))
})

test('a lock outlives a move: it is exported and imported', async () => {
  await register('moved@example.com')
  await users(['lock', 'moved@example.com'])
  const path = join(dataDirectory, 'moved.ndjson')
  await users(['export', '--with-hashes', '--to', path])
  const before = await shown('moved@example.com')
  await users(['delete', 'moved@example.com', '--yes'])
  await users(['import', path])
  const lockedAt = (text: string) => /^locked +(since .+)$/m.exec(text)?.[1]
  expect(lockedAt(await shown('moved@example.com'))).toBe(lockedAt(before))
  expect((await logIn('moved@example.com')).body.code).toBe('account-locked')
})

test('an account is signed out: its tokens are void, and its password works', async () => {
  const { token } = await register('s@example.com')
  expect(await users(['sign-out', 's@example.com'])).toEqual(
    done(
      `s@example.com is signed out: its access tokens are void, and no remote is remembered. Its password still works.\n${elsewhere}`,
    ),
  )
  expect((await me(token)).status).toBe(401)
  expect((await me((await logIn('s@example.com')).body.access_token)).status).toBe(200)
})

test('an account is revoked: nothing opens it but a reset by mail that is asked for later', async () => {
  const { token, verification } = await register('r@example.com')
  const link = await forgotten('r@example.com')
  expect(await users(['revoke', 'r@example.com'])).toEqual(
    done(`r@example.com has no password any more, until a reset by mail sets one. Its access tokens and links are void, those on
the queue too, and no remote is remembered. Whoever reads its mailbox can ask for a reset.
${elsewhere}`),
  )
  expect(await shown('r@example.com')).toMatch(/^password +none: only a reset sets one$/m)
  expect((await logIn('r@example.com')).status).toBe(401)
  expect((await me(token)).status).toBe(401)
  expect((await send('POST', '/auth/verify-email', { token: verification })).status).toBe(400)
  expect((await reset(link)).status).toBe(400)
  expect((await reset(await forgotten('r@example.com'))).status).toBe(200)
  expect((await logIn('r@example.com', 'battery staple')).status).toBe(200)
})

test('an account becomes an administrator and an ordinary one again, with a warning while its address is anybody’s', async () => {
  const { token, verification } = await register('a@example.com')
  expect(await users(['admin', 'a@example.com', 'on'])).toEqual({
    status: 0,
    stdout: 'a@example.com is an administrator now: /auth/me says so at once. Its owner is not mailed about it.\n',
    stderr:
      'Warning: the address a@example.com is not verified: anybody may have registered it, and know the password\n',
  })
  expect((await me(token)).body.is_admin).toBe(true)
  await send('POST', '/auth/verify-email', { token: verification })
  expect(await users(['admin', 'a@example.com', 'on'])).toEqual(done('a@example.com is an administrator already\n'))
  expect((await users(['admin', 'a@example.com', 'off'])).stdout).toContain('is no administrator now')
  expect((await me(token)).body.is_admin).toBe(false)
})

test('whoever deletes ADMIN_EMAIL, or opens the way to that, is warned of who registers it next', async () => {
  await register(admin)
  expect(await users(['admin', admin, 'off'])).toMatchObject({
    status: 0,
    stderr:
      'Warning: ADMIN_EMAIL is admin@example.com. Its owner can delete the account now, and whoever registers it next is an administrator\n',
  })
  expect(await users(['delete', admin, '--yes'])).toMatchObject({
    status: 0,
    stderr:
      'Warning: ADMIN_EMAIL is admin@example.com. Whoever registers it next is an administrator. Change that setting first.\n',
  })
  await register('nobody-special@example.com')
  expect((await users(['delete', 'nobody-special@example.com', '--yes'])).stderr).toBe('')
})

const acting = [['lock'], ['unlock'], ['sign-out'], ['revoke'], ['admin', 'on'], ['admin', 'off'], ['verify']]

describe.each(acting)('%s', (command, ...choice) => {
  const act = (email: string, more: readonly string[] = []) =>
    users([command, email, ...choice.filter(Boolean), ...more])

  test('of somebody who is not there says so, and changes nothing', async () => {
    expect(await act('nobody@example.com')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'users: the local system has no account nobody@example.com\n',
    })
    expect((await send('POST', '/auth/login', { email: 'nobody@example.com', password })).status).toBe(401)
  })

  test.each([
    ['of what is no address', () => act('nobody')],
    ['of nobody', () => users([command])],
    ['of two', () => act('a@example.com', ['b@example.com'])],
    ['of no stack', () => operate('users', [command, 'a@example.com', ...choice])],
  ])('%s is a call that is not right', async (_, run) => {
    expect(await run()).toMatchObject({ status: 2, stderr: expect.stringMatching(/^users: .+\n$/) })
  })

  test('has its effect once more than not at all when AWS loses its answer', async () => {
    const email = `lost-${command}-${choice.join('')}@example.com`
    await register(email)
    if (command === 'unlock') await users(['lock', email])
    if (choice[0] === 'off') await users(['admin', email, 'on'])
    const lost = { caller: 'operator', action: 'UpdateItem', times: 1 }
    running.system.disturb('dynamodb', { kind: 'lost-answer' }, lost)
    expect((await act(email)).status).toBe(0)
    const due: Record<string, RegExp> = {
      lock: /^locked +since/m,
      unlock: /^locked +no/m,
      'sign-out': /^token version +[12]$/m,
      revoke: /^password +none/m,
      admin: choice[0] === 'on' ? /^admin +yes/m : /^admin +no/m,
      verify: /^verified +yes/m,
    }
    expect(await shown(email)).toMatch(due[command ?? ''] ?? /never/)
  })
})

test('admin takes on or off', async () => {
  expect(await users(['admin', 'a@example.com', 'maybe'])).toMatchObject({
    status: 2,
    stderr: "users: say on or off, not 'maybe'\n",
  })
  expect(await users(['admin', 'a@example.com'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('admin takes <email> on|off'),
  })
})

test('an act on an account that is gone by then changes nothing, and says so', async () => {
  const { token } = await register('gone@example.com')
  const updates = () =>
    running.system.calls
      .filter(({ caller, action }) => caller === 'operator' && action === 'dynamodb:UpdateItem')
      .reduce((sum, { count }) => sum + count, 0)
  const before = updates()
  const letGo = running.system.disturb('dynamodb', { kind: 'hang' }, { caller: 'operator', action: 'UpdateItem' })
  const locking = users(['lock', 'gone@example.com'])
  await expect.poll(updates, { timeout: 10_000 }).toBe(before + 1)
  const deleted = await send('POST', '/auth/delete-account', { password }, { authorization: `Bearer ${token}` })
  expect(deleted.status).toBe(200)
  letGo()
  expect(await locking).toMatchObject({
    status: 1,
    stderr: 'users: gone@example.com was deleted meanwhile; nothing was changed\n',
  })
  expect((await logIn('gone@example.com')).status).toBe(401)
})
