import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { password, runWithCommands } from '../support/system/local-commands.ts'
import { openUsers } from '../support/system/operator.ts'
import { linkIn } from '../support/system/running.ts'

const { running, dataDirectory, users, logIn, callsOf } = runWithCommands({ LANGUAGES: 'en,de' })
const { send } = running

/** The link in the next mail to somebody. */
const nextLink = async (email: string) => linkIn(await running.nextMail(email))
const accept = (link: URL, name?: string) =>
  send('POST', '/auth/accept-invitation', { token: link.searchParams.get('token'), new_password: password, name })

test('from the command to the mail, the page, the acceptance and the login', async () => {
  const email = 'ada@example.com'
  const invited = await users(['invite', email, '--name', 'Ada', '--roles', 'editor,billing', '--language', 'de-AT'])
  expect(invited).toMatchObject({ status: 0, stderr: '' })
  const [, until = ''] =
    /^ada@example\.com is invited until (\S+Z)\. A mail with a link is on its way\.\n$/.exec(invited.stdout) ?? []
  const days = (Date.parse(until) - Date.now()) / (24 * 60 * 60_000)
  expect(days).toBeGreaterThan(6.9)
  expect(days).toBeLessThanOrEqual(7.1)

  expect((await users(['list', '--invited'])).stdout).toContain(`${until.slice(0, 19)}Z`)
  expect((await users(['show', email])).stdout).toContain(`invited            until ${until}\n`)
  for (const refused of [
    ['verify', email],
    ['admin', email, 'on'],
    ['move', email, 'eve@example.net'],
  ])
    expect(await users(refused)).toMatchObject({ status: 1, stderr: expect.stringContaining(`${email} is invited`) })

  const link = await nextLink(email)
  expect([link.pathname, link.searchParams.get('lang')]).toEqual(['/invitation', 'de'])
  expect((await send('GET', `${link.pathname}${link.search}`)).body).toContain('Nehmen Sie Ihre Einladung an')
  expect((await logIn(email)).status).toBe(401)
  expect(await accept(link)).toMatchObject({
    status: 200,
    body: { message: 'Your account is ready. You can now log in.', success: true },
  })
  expect(await accept(link)).toMatchObject({ status: 400, body: { code: 'invalid-invitation' } })
  const { access_token } = (await logIn(email)).body
  const { body } = await send('GET', '/auth/me', undefined, { authorization: `Bearer ${access_token}` })
  expect(body).toMatchObject({
    name: 'Ada',
    is_verified: true,
    is_admin: false,
    language: 'de',
    roles: ['billing', 'editor'],
  })
  expect((await running.nextMail(email)).subject).toBe('Ihre Einladung zu Gatehouse wurde angenommen')

  expect(await users(['invite', email])).toMatchObject({
    status: 1,
    stderr: `users: ${email} has an account already\n`,
  })
  expect((await users(['show', email])).stdout).not.toContain('invited ')
})

test('a request for a link after the command is later than the invitation', async () => {
  const email = 'soon@example.com'
  expect(await users(['invite', email])).toMatchObject({ status: 0 })
  const ended = new Date()
  const invited = await openUsers(running.system).find(email)
  expect(Date.parse(String(invited?.password_reset_requested_at))).toBeLessThanOrEqual(ended.getTime())
  const older = await nextLink(email)
  await send('POST', '/auth/forgot-password', { email })
  expect((await accept(await nextLink(email))).status).toBe(200)
  expect((await accept(older)).status).toBe(400)
})

test.each([
  [['invite'], 'pass an address, or --file FILE'],
  [['invite', 'bob@example.com', '--file', 'people.csv'], 'pass an address, or --file FILE'],
  [['invite', '--file', 'people.csv', '--name', 'Bob'], 'name, roles and language of the people of a file stand in it'],
  [['invite', 'bob@example.com', '--roles', 'Editor'], '--roles must be'],
  [['invite', 'bob@example.com', '--name', 'Bob\u202e'], '--name must not contain'],
  [['invite', 'bob@example.com', '--language', 'fr'], 'pass none, or a language of en,de'],
  [['invite', 'bob'], "'bob' is not an email address"],
])('%j is refused, and invites nobody', async (args, reason) => {
  expect(await users(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) })
  expect((await users(['list', '--match', 'bob'])).stdout).not.toContain('bob')
})

const people = ['email,name,roles,language', ...['x', 'y', 'z'].map(name => `${name}@example.com,${name},a b,de`)].join(
  '\n',
)

test('a file invites its people, says how many mails it sends, and mails nobody twice', async () => {
  const file = join(dataDirectory, 'people.csv')
  writeFileSync(
    file,
    `${people}\nada@example.com,,,\nnobody,,,\nX@example.com,,,\nv@example.com,,None,\nw@example.com,,,fr\n`,
  )
  const dry = await users(['invite', '--file', file, '--dry-run'])
  expect(dry.stdout).toBe(
    '8 read: 3 would be invited, 0 invited earlier, 5 would be left out. 3 mails would be sent. Nothing was written.\n',
  )
  const first = await users(['invite', '--file', file])
  expect([first.status, first.stdout]).toEqual([
    1,
    '8 read: 3 invited, 0 invited earlier, 5 left out. 3 mails are on the way.\n',
  ])
  for (const note of [
    'line 5: ada@example.com has an account already',
    'line 6: email must be an e-mail address',
    'line 7: has the address of line 2 (x@example.com)',
    'line 8: roles must be',
    "line 9: pass none, or a language of en,de, not 'fr'",
  ])
    expect(first.stderr).toContain(note)
  const again = await users(
    ['invite', '--file', '-', '--format', 'ndjson', '--json'],
    '{"email":"x@example.com"}\n{"email":"u@example.com","roles":["a"]}\n',
  )
  expect([again.status, JSON.parse(again.stdout)]).toEqual([
    0,
    { dry_run: false, read: 2, mails: 1, invited_earlier: 1, left_out: 0 },
  ])
  for (const email of ['x', 'y', 'z', 'u'].map(name => `${name}@example.com`))
    expect((await accept(await nextLink(email))).status).toBe(200)
  expect((await users(['export'])).stdout).toContain('"invited_until":null')
})

test('a file that is interrupted says where, and another run mails the rest', async () => {
  const before = callsOf('PutItem')
  const interrupted = expect
    .poll(() => callsOf('PutItem'), { timeout: 20_000, interval: 5 })
    .toBeGreaterThan(before + 40)
  const path = join(dataDirectory, 'many.ndjson')
  writeFileSync(path, Array.from({ length: 400 }, (_, i) => `{"email":"s${i}@example.com"}`).join('\n'))
  const slow = running.system.disturb('dynamodb', { kind: 'slow', milliseconds: 20 }, { caller: 'operator' })
  const { status, stdout, stderr } = await users(['invite', '--file', path], '', interrupted)
  slow()
  const [, line] =
    /^users: interrupted after line (\d+); run the same command again: it skips who is invited/m.exec(stderr) ?? []
  expect([status, stdout]).toEqual([
    130,
    `${line} read: ${line} invited, 0 invited earlier, 0 left out. ${line} mails are on the way.\n`,
  ])
  const rest = 400 - Number(line)
  expect((await users(['invite', '--file', path])).stdout).toBe(
    `400 read: ${rest} invited, ${line} invited earlier, 0 left out. ${rest} mails are on the way.\n`,
  )
})

test('revoke ends an invitation, and delete takes it back', async () => {
  const email = 'eve@example.com'
  await users(['invite', email])
  const first = await nextLink(email)
  expect((await users(['revoke', email])).stdout).toContain('is not invited any more')
  expect((await accept(first)).body.code).toBe('invalid-invitation')
  // By the table's clock, which is known to a second.
  const shown = async () => (await users(['show', email])).stdout
  await expect.poll(shown, { timeout: 60_000 }).toMatch(/invited +expired \S+, without a link/)
  expect((await users(['list', '--invited'])).stdout).toMatch(/expired \S+Z .*eve@example\.com/)
  expect((await users(['invite', email])).status).toBe(0)
  const second = await nextLink(email)
  expect((await users(['delete', email, '--yes'])).status).toBe(0)
  expect((await accept(second)).body.code).toBe('invalid-invitation')
  expect((await send('POST', '/auth/register', { email, password })).status).toBe(201)
})
