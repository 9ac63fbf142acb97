import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { password, runWithCommands } from '../support/system/local-commands.ts'
import { operate } from '../support/system/operate.ts'
import { identify, keyOf, openUsers } from '../support/system/operator.ts'
import { addPasskey } from '../support/system/passkeys.ts'
import { linkIn, logInFor } from '../support/system/running.ts'

/** Commands on one account of the running system: their effect on logins, and their output. */

const admin = 'admin@example.com'
const { running, dataDirectory, users, logIn, callsOf } = runWithCommands({
  RATE_LIMITS: 'off',
  ADMIN_EMAIL: admin,
  LANGUAGES: 'en,en-XA',
  PASSKEY_RP_ID: 'localhost',
})
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

/** Runs commands on a stack with other outputs; an undefined one is absent. */
async function withOutputs(changed: Record<string, string | undefined>, run: () => Promise<void>): Promise<void> {
  const file = join(dataDirectory, 'operator.json')
  const before = readFileSync(file, 'utf8')
  const { outputs, ...others } = JSON.parse(before)
  writeFileSync(file, JSON.stringify({ ...others, outputs: { Gatehouse: { ...outputs.Gatehouse, ...changed } } }))
  try {
    await run()
  } finally {
    writeFileSync(file, before)
  }
}

/** A success that printed this text. */
const done = (stdout: string) => ({ status: 0, stdout, stderr: '' })

test('an account is locked until it is unlocked', async () => {
  await register('l@example.com')
  expect(await users(['lock', ' L@Example.com'])).toEqual(
    done(
      `l@example.com is locked: nobody can log in, its access tokens are revoked, and no link is mailed to it.\n${otherServices}`,
    ),
  )
  expect(await shown('l@example.com')).toMatch(/^locked +since \d{4}-\S+Z$/m)
  expect((await logIn('l@example.com')).body).toMatchObject({ status: 403, code: 'account-locked' })
  expect(await users(['lock', 'l@example.com'])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^l@example\.com is already locked, since \d{4}-\S+Z\n$/),
  })

  expect(await users(['unlock', 'l@example.com'])).toEqual(
    done(
      'l@example.com is unlocked. Its access tokens stay revoked. Anyone who knows the password can log in. A link that was mailed before\nthe lock may have set that password: if someone else may have used it, run revoke. The owner gets no mail about it.\n',
    ),
  )
  expect(await shown('l@example.com')).toMatch(/^locked +no$/m)
  expect(await users(['unlock', 'l@example.com'])).toEqual(done('l@example.com is not locked\n'))
})

test('an account that is signed out has revoked tokens, no sessions, and a working password', async () => {
  const { token } = await register('s@example.com')
  const logInToSession = () => send('POST', '/auth/login', { email: 's@example.com', password, session: {} })
  for (const _ of [1, 2]) await logInToSession()
  expect(await shown('s@example.com')).toMatch(/^sessions +2$/m)
  expect(await users(['sign-out', 's@example.com'])).toEqual(
    done(
      `s@example.com is signed out: its access tokens are revoked, its 2 sessions have ended, and no client IP address is remembered. Its password still works.\n${otherServices}`,
    ),
  )
  expect((await me(token)).status).toBe(401)
  expect(await shown('s@example.com')).toMatch(/^sessions +0$/m)
})

test('a revoked account has no password until a reset', async () => {
  await register('r@example.com')
  expect(await users(['revoke', 'r@example.com'])).toEqual(
    done(`r@example.com has no password now, until a reset by mail sets one. Its access tokens and links are revoked, also the links in
queued mails, and no client IP address is remembered. Anyone who can read its mailbox can ask for a reset.
${otherServices}`),
  )
  expect(await shown('r@example.com')).toMatch(/^password +none: only a reset by mail sets one$/m)
  expect((await logIn('r@example.com')).status).toBe(401)
})

test('an account becomes an administrator and an ordinary one again', async () => {
  const { token: old, verification } = await register('a@example.com')
  expect(await users(['admin', 'a@example.com', 'on'])).toEqual({
    status: 0,
    stdout: `a@example.com is now an administrator: /auth/me says so. Its access tokens are revoked: the owner logs in again.\n${otherServices}`,
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

test('a command that deletes ADMIN_EMAIL warns of who registers it next', async () => {
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

test('who has lost phone and recovery codes logs in once the factor is off', async () => {
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
    done(`phone@example.com has no second factor any more: the password alone logs in. Its access tokens are revoked, and its sessions have ended.
${otherServices}`),
  )
  expect((await me(accessToken)).status).toBe(401)
  expect((await logIn(email)).status).toBe(200)
  expect((await users(['second-factor', 'off', email])).stdout).toBe('phone@example.com has no second factor\n')
})

test('who has lost all passkeys logs in with the password alone, once they are off', async () => {
  const email = 'passkeys@example.com'
  await send('POST', '/auth/register', { email, password })
  const { access_token: accessToken } = (await logIn(email)).body
  const { logIn: assert } = await addPasskey(running, { email, password, newEmail: '', accessToken })
  const logInByPasskey = async () => send('POST', '/auth/passkeys/login', { assertion: await assert() })
  expect((await users(['sign-out', email])).stdout).toContain('Its password still works. So do its passkeys.\n')
  const { body } = await logInByPasskey()
  expect((await me(body.access_token)).status).toBe(200)

  expect(await users(['passkeys', 'on', email])).toMatchObject({
    status: 2,
    stderr: "users: pass off, not 'on': only the owner can add one\n",
  })
  running.system.disturb('dynamodb', { kind: 'lost-answer' }, { caller: 'operator', action: 'UpdateItem', times: 1 })
  expect(await users(['passkeys', 'off', email])).toEqual(
    done(`passkeys@example.com has no passkeys any more: the password logs in. Its access tokens are revoked, and its sessions have ended.
${otherServices}`),
  )
  expect((await me(body.access_token)).status).toBe(401)
  expect((await logInByPasskey()).body).toMatchObject({ status: 401, code: 'wrong-passkey', reason: 'unknown' })
  expect((await logIn(email)).status).toBe(200)
  expect((await users(['passkeys', 'off', email])).stdout).toBe('passkeys@example.com has no passkeys\n')
})

test('the logins by providers of an account are shown, and disconnected with their entries', async () => {
  const email = 'provider@example.com'
  const { token } = await register(email)
  const key = await identify(running.system, email)
  const [day] = new Date().toISOString().split('T')
  expect(await shown(email)).toContain(
    `logs in by         ${email} of https://provider.example (${email}), connected on ${day}\n`,
  )
  const { stdout } = await users(['show', email, '--json'])
  expect(JSON.parse(stdout).identities).toEqual([
    { issuer: 'https://provider.example', subject: email, email, connected_at: expect.stringContaining(`${day}T`) },
  ])
  expect((await users(['sign-out', email])).stdout).toContain('still works.\n')
  await withOutputs({ Providers: 'google' }, async () => {
    expect((await users(['sign-out', email])).stdout).toContain('still works. So do its logins by providers.\n')
  })

  running.system.disturb(
    'dynamodb',
    { kind: 'lost-answer' },
    { caller: 'operator', action: 'TransactWriteItems', times: 1 },
  )
  expect(await users(['disconnect', email])).toEqual(
    done(`${email} has no logins by providers any more: the password logs in. Its access tokens are revoked, and its sessions have ended.
${otherServices}`),
  )
  expect((await me(token)).status).toBe(401)
  expect((await logIn(email)).status).toBe(200)
  expect(await openUsers(running.system).entries()).not.toHaveProperty([keyOf('Identities', key)])
  expect((await users(['disconnect', email])).stdout).toBe(`${email} has no logins by providers\n`)
})

test('a stolen account is moved to its owner, and no older undo works', async () => {
  const [mailbox, thief, owner] = ['taken@example.com', 'thief@example.com', 'owner@example.org']
  const { token, verification } = await register(mailbox)
  await send('POST', '/auth/verify-email', { token: verification })
  await send('POST', '/auth/change-email', { new_email: thief }, { authorization: `Bearer ${token}` })
  const change = linkIn(await nextMail(thief)).searchParams.get('token')
  expect((await send('POST', '/auth/confirm-email-change', { token: change, password })).status).toBe(200)
  const undo = linkIn(await nextMail(mailbox)).searchParams.get('token')
  const { id } = JSON.parse((await users(['show', thief, '--json'])).stdout)

  expect((await users(['list', '--match', id, '--json'])).stdout).toContain(thief)
  expect((await users(['lock', thief])).status).toBe(0)
  running.system.disturb(
    'dynamodb',
    { kind: 'lost-answer' },
    { caller: 'operator', action: 'TransactWriteItems', times: 1 },
  )
  expect(await users(['move', thief, owner])).toEqual(
    done(`thief@example.com has the address owner@example.org now (id ${id}). It has no password, second factor, passkey, login by a
provider or session, and is not verified until a reset link to it is used. It is still locked, and gets no link: after unlock, have the owner ask for a reset.
The address thief@example.com is told.
`),
  )
  expect((await nextMail(thief)).body.text).toContain(
    'The people who run this service have moved the Gatehouse account',
  )
  expect((await send('POST', '/auth/undo', { token: undo })).body.code).toBe('invalid-undo-token')
  expect((await logIn(owner)).status).toBe(401)
  expect(await users(['unlock', owner])).toEqual(
    done(`owner@example.org is unlocked. It has no password: have the owner ask for a reset. Anyone who can read the mails to
owner@example.org can ask for one too: if that is not the owner, run lock again, and move. The owner gets no mail about it.
`),
  )
  expect(await users(['move', thief, owner])).toEqual({
    status: 1,
    stdout: '',
    stderr: `users: the local system has no account thief@example.com. Did an earlier run move it? Then show owner@example.org has its id\n`,
  })
  expect((await reset(await resetToken(owner))).status).toBe(200)
  const { body } = await logIn(owner, 'battery staple')
  expect((await me(body.access_token)).body).toMatchObject({ id, email: owner, is_verified: true })
})

test('an account that is moved gets its link at once, over an unverified one', async () => {
  const squatter = 'squatted@example.org'
  await register('unlocked@example.com')
  await register(squatter)
  const { stdout, stderr } = await users(['move', 'unlocked@example.com', ` ${squatter.toUpperCase()}`])
  expect(stderr).toMatch(
    /^Warning: squatted@example\.org had an account that was not verified \([\w-]+\): it is gone\n$/,
  )
  expect(stdout).toMatch(
    /A reset link is on its way to it\.\nThe address unlocked@example\.com gets no mail about it\.\n$/,
  )
  expect((await reset(linkIn(await nextMail(squatter)).searchParams.get('token'))).status).toBe(200)
  expect(await shown(squatter)).toMatch(/^verified +yes$/m)
})

test.each([
  [
    'an administrator’s',
    () => users(['admin', 'm@example.com', 'on']),
    'm@example.org',
    1,
    'run admin m@example.com off first',
  ],
  [
    'to a verified one’s',
    () => users(['verify', 'n@example.com']),
    'n@example.com',
    1,
    'n@example.com has a verified account',
  ],
  ['to its own', async () => {}, 'M@example.com', 1, 'm@example.com has that address already'],
  ['to no address', async () => {}, 'nobody', 2, "'nobody' is not an email address"],
])('an account is not moved: %s', async (_, prepare, to, status, reason) => {
  await register('m@example.com')
  await register('n@example.com')
  await prepare()
  expect(await users(['move', 'm@example.com', to])).toMatchObject({ status, stderr: expect.stringContaining(reason) })
  expect(await shown('m@example.com')).toMatch(/^password +bcrypt/m)
  for (const email of ['m@example.com', 'n@example.com']) await users(['delete', email, '--yes'])
})

test('roles are set and printed; removing a role revokes tokens, and adding one does not', async () => {
  const email = 'roles@example.com'
  const { token } = await register(email)
  const set = (roles: string) => users(['roles', email, roles])
  expect(await set('editor,billing')).toEqual(
    done(`${email} had the roles none, and has billing,editor now. Tokens have them from the next refresh or login on. The owner gets no mail about it.
`),
  )
  expect((await me(token)).body).toMatchObject({ email, roles: ['billing', 'editor'] })
  expect(await set('billing,editor')).toEqual(done(`${email} has the roles billing,editor already\n`))
  expect(await shown(email)).toMatch(/^roles +billing,editor$/m)
  const listed = async (role: string) => (await users(['list', '--role', role])).stdout
  expect(await listed('editor')).toContain(email)
  expect(await listed('edit')).not.toContain(email)

  expect(await set('billing')).toEqual(
    done(
      `${email} had the roles billing,editor, and has billing now. Its access tokens are revoked, and its sessions have ended.\n${otherServices}`,
    ),
  )
  expect((await me(token)).status).toBe(401)
  for (const wrong of [
    '',
    'Editor',
    'a,a',
    'a,none',
    'a,,b',
    ' a',
    '.a',
    'x'.repeat(33),
    'abcdefghijk'.split('').join(),
  ]) {
    expect(await set(wrong)).toMatchObject({ status: 2, stderr: expect.stringContaining('roles must be at most ten') })
  }
  expect((await set('none')).stdout).toContain('had the roles billing, and has none now.')
  expect(await shown(email)).not.toMatch(/^roles/m)
})

describe.each([['lock'], ['unlock'], ['sign-out'], ['revoke'], ['admin', 'on'], ['verify'], ['roles', 'editor']])(
  '%s',
  (command, ...choice) => {
    test.each([
      ['without an address', () => users([command])],
      ['of two addresses', () => users([command, 'a@example.com', ...choice, 'b@example.com'])],
      ['without a stack', () => operate('users', [command, 'a@example.com', ...choice])],
    ])('%s is a wrong call', async (_, run) => {
      expect(await run()).toMatchObject({ status: 2, stderr: expect.stringMatching(/^users: .+\n$/) })
    })
  },
)

test('admin takes on or off', async () => {
  expect(await users(['admin', 'a@example.com', 'maybe'])).toMatchObject({
    status: 2,
    stderr: "users: pass on or off, not 'maybe'\n",
  })
  expect(await users(['admin', 'a@example.com'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('admin takes <email or id> on|off'),
  })
})

test('an action on an account deleted meanwhile changes nothing, and says so', async () => {
  const { token } = await register('gone@example.com')
  const updates = () => callsOf('UpdateItem')
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

describe('the language of an account', () => {
  const speak = (language: string) => users(['language', 'lang@example.com', language])
  const spoken = async () => (await me((await logIn('lang@example.com')).body.access_token)).body.language

  test('is set by a tag that leads to it, and removed, at once', async () => {
    const { token } = await register('lang@example.com')
    expect(await shown('lang@example.com')).not.toMatch(/^language/m)
    const put = { language: 'en-XA' }
    expect((await send('PUT', '/auth/me', put, { authorization: `Bearer ${token}` })).body.language).toBe('en-XA')
    expect(await shown('lang@example.com')).toMatch(/^language +en-XA; notices use en until \d{4}-\S+Z$/m)

    expect(await speak('EN-xa')).toEqual(
      done(
        'lang@example.com has the language en-XA now: mails and notices to it use that at once. The owner gets no mail about it.\n',
      ),
    )
    expect(await shown('lang@example.com')).toMatch(/^language +en-XA$/m)
    expect(await speak('en-XA')).toEqual(done('lang@example.com has the language en-XA already\n'))
    expect((await users(['show', 'lang@example.com', '--json'])).stdout).toContain('"language":"en-XA"')
    expect(await spoken()).toBe('en-XA')

    expect(await speak('none')).toEqual(
      done(
        'lang@example.com has no language any more: mails and notices to it use the default at once. The owner gets no mail about it.\n',
      ),
    )
    expect(await shown('lang@example.com')).not.toMatch(/^language/m)
    expect(await spoken()).toBeNull()
    expect(await speak('none')).toEqual(done('lang@example.com has no language\n'))
  })

  test.each(['pl', 'den', '', 'en-XA,en'])('is not %j, which leads to none', async language => {
    await send('POST', '/auth/register', { email: 'lang@example.com', password })
    expect(await speak(language)).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `users: pass none, or a language of en,en-XA, not '${language}'\n`,
    })
  })
})

describe('what a command says follows the settings of the stack:', () => {
  const nobody = 'Nobody can register the address again. invite makes another account, with another id.'
  const anyone = 'Anyone can register the address again. That makes another account, with another id.'
  const perhaps = 'Anyone can register the address again, unless SIGN_UP or SIGN_UP_DOMAINS says otherwise.'
  const warning = /^Warning: ADMIN_EMAIL is .*registers it next is an administrator/

  test.each<[Record<string, string | undefined>, string]>([
    [{}, anyone],
    [{ SignUp: 'invited' }, nobody],
    [{ SignUpDomains: 'example.org,example.com' }, anyone],
    [{ SignUpDomains: 'example.org,sub.example.com' }, nobody],
    [{ SignUp: 'invited', SignUpDomains: 'example.com' }, nobody],
    [{ SignUp: undefined }, perhaps],
  ])('with %j, whether a deleted address can be registered, and by whom ADMIN_EMAIL', async (changed, next) => {
    await send('POST', '/auth/register', { email: 'next@example.com', password })
    await withOutputs({ ...changed, AdminEmail: 'next@example.com' }, async () => {
      await users(['admin', 'next@example.com', 'on'])
      for (const command of [
        ['admin', 'next@example.com', 'off'],
        ['delete', 'next@example.com', '--yes'],
      ]) {
        const { stdout, stderr } = await users(command)
        if (next === nobody) expect(stderr).toBe('')
        else expect(stderr).toMatch(warning)
        if (command[0] === 'delete') expect(stdout).toContain(next)
      }
    })
  })

  test('where no mail is sent, no reset is promised', async () => {
    const email = 'unmailed@example.com'
    const noReset = 'MAIL_FROM is not set: no reset is mailed.'
    await send('POST', '/auth/register', { email, password })
    await withOutputs({ MailFrom: undefined }, async () => {
      expect((await users(['revoke', email])).stdout).toContain(noReset)
      await users(['lock', email])
      expect((await users(['unlock', email])).stdout).toContain(noReset)
    })
    expect((await users(['revoke', email])).stdout).not.toContain(noReset)
  })

  test('where passkeys of its domain do not log in, none is said to', async () => {
    const email = 'keyed@example.com'
    await send('POST', '/auth/register', { email, password })
    const accessToken = (await logIn(email)).body.access_token
    await addPasskey(running, { email, password, newEmail: 'other@example.com', accessToken })
    await withOutputs({ PasskeyRpId: undefined }, async () => {
      expect((await users(['sign-out', email])).stdout).toContain('still works.\n')
    })
  })
})
