import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { password, runWithCommands } from '../support/system/local-commands.ts'
import { operate } from '../support/system/operate.ts'
import { linkIn, logInFor } from '../support/system/running.ts'

/** What commands do to one account of the running system: whom they lock out, and what they print. */

const admin = 'admin@example.com'
const { running, dataDirectory, users, logIn } = runWithCommands({ RATE_LIMITS: 'off', ADMIN_EMAIL: admin })
const { send, nextMail } = running

const shown = async (email: string) => (await users(['show', email])).stdout

const me = (token: string) => send('GET', '/auth/me', undefined, { authorization: `Bearer ${token}` })
const reset = (token: string | null) => send('POST', '/auth/reset-password', { token, new_password: 'battery staple' })

/** Registers somebody. @returns the access token, and the token in the mail */
async function register(email: string): Promise<{ token: string; verification: string | null }> {
  expect((await send('POST', '/auth/register', { email, password })).status).toBe(201)
  const verification = linkIn(await nextMail(email)).searchParams.get('token')
  return { token: (await logIn(email)).body.access_token, verification }
}

async function resetToken(email: string): Promise<string | null> {
  await send('POST', '/auth/forgot-password', { email })
  return linkIn(await nextMail(email)).searchParams.get('token')
}

const otherServices =
  'Services that verify tokens only by the key set accept old ones until they expire (exp). Services that ask\n/auth/me reject them at once. The owner gets no mail about it.\n'

/** A success that printed this text. */
const done = (stdout: string) => ({ status: 0, stdout, stderr: '' })

test('a locked account cannot log in or use its tokens until it is unlocked', async () => {
  const { token } = await register('l@example.com')
  const link = await resetToken('l@example.com')
  expect(await users(['lock', ' L@Example.com'])).toEqual(
    done(
      `l@example.com is locked: nobody can log in, its access tokens are void, and no link is mailed to it.\n${otherServices}`,
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
    stdout: expect.stringMatching(/^l@example\.com is already locked, since \d{4}-\S+Z\n$/),
  })

  expect(await users(['unlock', 'l@example.com'])).toEqual(
    done(
      'l@example.com is unlocked. Its access tokens stay void. Anyone who knows the password can log in. A link that was mailed before\nthe lock may have set that password: if someone else may have used it, run revoke. The owner gets no mail about it.\n',
    ),
  )
  expect(await shown('l@example.com')).toMatch(/^locked +no$/m)
  expect((await me(token)).status).toBe(401)
  expect((await logIn('l@example.com', 'battery staple')).status).toBe(200)
  expect(await users(['unlock', 'l@example.com'])).toEqual(done('l@example.com is not locked\n'))
})

test('a lock is exported and imported', async () => {
  await register('moved@example.com')
  await users(['lock', 'moved@example.com'])
  const path = join(dataDirectory, 'moved.ndjson')
  await users(['export', '--with-hashes', '--to', path])
  const before = await shown('moved@example.com')
  await users(['delete', 'moved@example.com', '--yes'])
  await users(['import', path, '--also-deleted'])
  const lockedAt = (text: string) => /^locked +(since .+)$/m.exec(text)?.[1]
  expect(lockedAt(await shown('moved@example.com'))).toBe(lockedAt(before))
  expect((await logIn('moved@example.com')).body.code).toBe('account-locked')
})

test('an account that is signed out has void tokens, no sessions, and a password that works', async () => {
  const { token } = await register('s@example.com')
  const logInToSession = async () => {
    const body = { email: 's@example.com', password, session: {} }
    return (await running.send('POST', '/auth/login', body)).body
  }
  const { refresh_token } = await logInToSession()
  await logInToSession()
  expect(await shown('s@example.com')).toMatch(/^sessions +2$/m)
  expect(await users(['sign-out', 's@example.com'])).toEqual(
    done(
      `s@example.com is signed out: its access tokens are void, its 2 sessions have ended, and no remote address is remembered. Its password still works.\n${otherServices}`,
    ),
  )
  expect((await me(token)).status).toBe(401)
  expect((await running.send('POST', '/auth/refresh', { refresh_token })).body.code).toBe('invalid-refresh-token')
  expect(await shown('s@example.com')).toMatch(/^sessions +0$/m)
  expect((await me((await logIn('s@example.com')).body.access_token)).status).toBe(200)
})

test('a revoked account opens only by a reset that is asked for afterwards', async () => {
  const { token, verification } = await register('r@example.com')
  const link = await resetToken('r@example.com')
  expect(await users(['revoke', 'r@example.com'])).toEqual(
    done(`r@example.com has no password now, until a reset by mail sets one. Its access tokens and links are void, also the links in
queued mails, and no remote address is remembered. Anyone who can read its mailbox can ask for a reset.
${otherServices}`),
  )
  const revokedBy = Date.now() + 1000
  expect(await shown('r@example.com')).toMatch(/^password +none: only a reset by mail sets one$/m)
  expect((await logIn('r@example.com')).status).toBe(401)
  expect((await me(token)).status).toBe(401)
  expect((await send('POST', '/auth/verify-email', { token: verification })).status).toBe(400)
  expect((await reset(link)).status).toBe(400)
  // A revocation is dated by the table's clock, which is known to a second: links that are asked for within it are void too.
  await vi.waitUntil(() => Date.now() > revokedBy)
  expect((await reset(await resetToken('r@example.com'))).status).toBe(200)
  expect((await logIn('r@example.com', 'battery staple')).status).toBe(200)
})

test('an account becomes an administrator and an ordinary one again, with a warning while its address is not verified', async () => {
  const { token: old, verification } = await register('a@example.com')
  expect(await users(['admin', 'a@example.com', 'on'])).toEqual({
    status: 0,
    stdout: `a@example.com is now an administrator: /auth/me says so. Its access tokens are void: the owner logs in again.\n${otherServices}`,
    stderr:
      'Warning: the address a@example.com is not verified: anyone may have registered it, and know the password\n',
  })
  expect((await me(old)).status).toBe(401)
  const token = (await logIn('a@example.com')).body.access_token
  expect((await me(token)).body.is_admin).toBe(true)
  await send('POST', '/auth/verify-email', { token: verification })
  expect(await users(['admin', 'a@example.com', 'on'])).toEqual(done('a@example.com is already an administrator\n'))
  expect((await users(['admin', 'a@example.com', 'off'])).stdout).toContain('is no longer an administrator')
  expect((await me(token)).body.is_admin).toBe(false)
})

test('a command that deletes ADMIN_EMAIL, or lets its owner delete it, warns that the next to register it is an administrator', async () => {
  await register(admin)
  expect(await users(['admin', admin, 'off'])).toMatchObject({
    status: 0,
    stderr:
      'Warning: ADMIN_EMAIL is admin@example.com. The owner can delete the account now, and whoever registers it next is an administrator\n',
  })
  expect(await users(['delete', admin, '--yes'])).toMatchObject({
    status: 0,
    stderr:
      'Warning: ADMIN_EMAIL is admin@example.com. Whoever registers it next is an administrator. Change that setting first.\n',
  })
  await register('nobody-special@example.com')
  expect((await users(['delete', 'nobody-special@example.com', '--yes'])).stderr).toBe('')
})

test('who has lost phone and recovery codes logs in with the password alone, once the second factor is off', async () => {
  const email = 'phone@example.com'
  await send('POST', '/auth/register', { email, password })
  const { accessToken } = await logInFor('remove-second-factor', running, { email, password })
  expect((await logIn(email)).body).toMatchObject({ status: 401, code: 'second-factor-required' })
  expect(await users(['second-factor', 'on', email])).toMatchObject({
    status: 2,
    stderr: "users: pass off, not 'on': only the owner can set one up\n",
  })
  running.system.disturb('dynamodb', { kind: 'lost-answer' }, { caller: 'operator', action: 'UpdateItem', times: 1 })
  expect(await users(['second-factor', 'off', email])).toEqual(
    done(`phone@example.com has no second factor any more: the password alone logs in. Its access tokens are void, and its sessions have ended.
${otherServices}`),
  )
  expect((await me(accessToken)).status).toBe(401)
  expect((await logIn(email)).status).toBe(200)
  expect((await users(['second-factor', 'off', email])).stdout).toBe('phone@example.com has no second factor\n')
  expect((await users(['second-factor', 'off', 'nobody@example.com'])).status).toBe(1)
})

const actions = [['lock'], ['unlock'], ['sign-out'], ['revoke'], ['admin', 'on'], ['admin', 'off'], ['verify']]

describe.each(actions)('%s', (command, ...choice) => {
  const act = (email: string, more: readonly string[] = []) =>
    users([command, email, ...choice.filter(Boolean), ...more])

  test('of an account that does not exist says so, and changes nothing', async () => {
    expect(await act('nobody@example.com')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'users: the local system has no account nobody@example.com\n',
    })
    expect((await send('POST', '/auth/login', { email: 'nobody@example.com', password })).status).toBe(401)
  })

  test.each([
    ['of a bad address', () => act('nobody')],
    ['without an address', () => users([command])],
    ['of two addresses', () => act('a@example.com', ['b@example.com'])],
    ['without a stack', () => operate('users', [command, 'a@example.com', ...choice])],
  ])('%s is a wrong call', async (_, run) => {
    expect(await run()).toMatchObject({ status: 2, stderr: expect.stringMatching(/^users: .+\n$/) })
  })

  test('takes effect even if the answer of AWS is lost', async () => {
    const email = `lost-${command}-${choice.join('')}@example.com`
    await register(email)
    if (command === 'unlock') await users(['lock', email])
    if (choice[0] === 'off') await users(['admin', email, 'on'])
    const lost = { caller: 'operator', action: 'UpdateItem', times: 1 }
    running.system.disturb('dynamodb', { kind: 'lost-answer' }, lost)
    expect((await act(email)).status).toBe(0)
    const expected: Record<string, RegExp> = {
      lock: /^locked +since/m,
      unlock: /^locked +no/m,
      'sign-out': /^token version +[12]$/m,
      revoke: /^password +none/m,
      admin: choice[0] === 'on' ? /^admin +yes/m : /^admin +no/m,
      verify: /^verified +yes/m,
    }
    expect(await shown(email)).toMatch(expected[command ?? ''] ?? /never/)
  })
})

test('admin takes on or off', async () => {
  expect(await users(['admin', 'a@example.com', 'maybe'])).toMatchObject({
    status: 2,
    stderr: "users: pass on or off, not 'maybe'\n",
  })
  expect(await users(['admin', 'a@example.com'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('admin takes <email> on|off'),
  })
})

test('an action on an account that is deleted in the meantime changes nothing, and says so', async () => {
  const { token } = await register('gone@example.com')
  const updates = () =>
    running.system.calls
      .filter(({ caller, action }) => caller === 'operator' && action === 'dynamodb:UpdateItem')
      .reduce((sum, { count }) => sum + count, 0)
  const before = updates()
  const release = running.system.disturb('dynamodb', { kind: 'hang' }, { caller: 'operator', action: 'UpdateItem' })
  const locking = users(['lock', 'gone@example.com'])
  await expect.poll(updates, { timeout: 10_000 }).toBe(before + 1)
  const deleted = await send('POST', '/auth/delete-account', { password }, { authorization: `Bearer ${token}` })
  expect(deleted.status).toBe(200)
  release()
  expect(await locking).toMatchObject({
    status: 1,
    stderr: 'users: gone@example.com was deleted or changed its address in the meantime; nothing was changed\n',
  })
  expect((await logIn('gone@example.com')).status).toBe(401)
})
