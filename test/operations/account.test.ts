import { expect, test } from 'vitest'
import { password, runWithCommands } from '../support/system/local-commands.ts'
import { linkIn } from '../support/system/running.ts'

/** Commands that show, verify and delete an account of the running system. */

const { running, users, logIn } = runWithCommands({ RATE_LIMITS: 'off' })
const { send } = running

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
      'password           bcrypt-sha256, cost 10',
      'token version      0',
      'created            <time>',
      'updated            <time>',
      'verification link  works until <time>',
      'reset link         none',
      '',
    ].join('\n'),
  )
})

test('an account is verified by a command, which voids the mailed link', async () => {
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

test.each(['show', 'delete', 'verify'])('%s of an account that does not exist says so', async command => {
  expect(await users([command, 'nobody@example.com'])).toMatchObject({
    status: 1,
    stderr: 'users: the local system has no account nobody@example.com\n',
  })
  expect((await users([command, 'nobody'])).status).toBe(2)
})
