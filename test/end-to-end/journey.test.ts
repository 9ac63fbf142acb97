import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, test, vi } from 'vitest'
import type { LogLine } from '../../local/observer.ts'
import { leaksOf } from '../support/service/log-law.ts'
import { linkIn, runSystem } from '../support/system/running.ts'

/** A person's journey through the running system: the real bundles over HTTP, and real mails. */

const logs: LogLine[] = []
const running = runSystem({}, { observer: { logged: line => logs.push(line) } })
const { send, nextMail } = running
const email = 'ada@example.com'
const password = 'correct horse'
const bearerOf = ({ body }: { body: { access_token?: string } }) => ({ authorization: `Bearer ${body.access_token}` })

test('a person registers, verifies, logs in, is renamed, forgets and changes the password, logs out and leaves', async () => {
  const registered = await send('POST', '/auth/register', { email: ' Ada@Example.com ', password, name: 'Ada' })
  expect(registered.status).toBe(201)
  expect(registered.body).toMatchObject({ email, name: 'Ada', is_admin: false, is_verified: false })
  expect((await send('POST', '/auth/register', { email, password })).body.detail).toBe('Email already registered')

  const welcome = await nextMail(email)
  expect(welcome.from).toBe('Gatehouse <no-reply@localhost>')
  const verification = linkIn(welcome)
  expect(`${verification.origin}${verification.pathname}`).toBe(`${running.system.baseUrl}/verify-email`)
  const page = await fetch(verification)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const token = verification.searchParams.get('token')
  expect((await send('POST', '/auth/verify-email', { token })).body).toEqual({
    message: 'Email verified successfully. You can now log in.',
    success: true,
  })
  expect((await send('POST', '/auth/verify-email', { token })).status).toBe(400)

  const login = await send('POST', '/auth/login', { email, password })
  expect(login.body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 3600 })
  const bearer = { authorization: `Bearer ${login.body.access_token}` }
  const me = await send('GET', '/auth/me', undefined, bearer)
  expect(me.body).toEqual({ ...registered.body, is_verified: true })
  const renamed = await send('PUT', '/auth/me', { name: 'Countess of Lovelace' }, bearer)
  expect(renamed.body).toEqual({ ...me.body, name: 'Countess of Lovelace' })

  for (const address of [email, 'nobody@example.com']) {
    expect((await send('POST', '/auth/forgot-password', { email: address })).body).toEqual({
      message: 'If an account with this email exists, a password reset link has been sent.',
      success: true,
    })
  }
  const reset = linkIn(await nextMail(email))
  expect(reset.pathname).toBe('/reset-password')
  expect((await fetch(reset)).status).toBe(200)
  const body = { token: reset.searchParams.get('token'), new_password: 'battery staple' }
  expect((await send('POST', '/auth/reset-password', body)).body).toEqual({
    message: 'Password has been reset successfully. You can now log in.',
    success: true,
  })

  expect((await send('GET', '/auth/me', undefined, bearer)).body.detail).toBe('Invalid or expired token')
  expect((await send('POST', '/auth/login', { email, password })).body.detail).toBe('Incorrect email or password')
  expect((await nextMail(email)).subject).toBe('Your Gatehouse password was changed')

  const first = await send('POST', '/auth/login', { email, password: 'battery staple' })
  const passwords = { current_password: 'battery staple', new_password: 'paper clip' }
  const changed = await send('POST', '/auth/change-password', passwords, bearerOf(first))
  expect(changed.body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 3600 })
  expect((await send('GET', '/auth/me', undefined, bearerOf(first))).status).toBe(401)
  expect((await send('GET', '/auth/me', undefined, bearerOf(changed))).status).toBe(200)
  expect((await nextMail(email)).subject).toBe('Your Gatehouse password was changed')

  expect((await send('POST', '/auth/logout-everywhere', undefined, bearerOf(changed))).body).toEqual({
    message: 'Logged out everywhere.',
    success: true,
  })
  expect((await send('GET', '/auth/me', undefined, bearerOf(changed))).status).toBe(401)

  const last = await send('POST', '/auth/login', { email, password: 'paper clip' })
  expect((await send('POST', '/auth/delete-account', { password: 'wrong' }, bearerOf(last))).body).toMatchObject({
    status: 400,
    code: 'wrong-password',
  })
  expect((await send('POST', '/auth/delete-account', { password: 'paper clip' }, bearerOf(last))).body).toEqual({
    message: 'Your account has been deleted.',
    success: true,
  })
  expect((await nextMail(email)).subject).toBe('Your Gatehouse account was deleted')
  expect((await send('POST', '/auth/login', { email, password: 'paper clip' })).status).toBe(401)
  expect(running.system.inbox.list()).toHaveLength(5)
})

test('ten parallel changes of one password have one winner, which the owner is told of', async () => {
  const person = { email: 'eve@example.com', password }
  await send('POST', '/auth/register', person)
  const token = linkIn(await nextMail(person.email)).searchParams.get('token')
  await send('POST', '/auth/verify-email', { token })
  const bearer = bearerOf(await send('POST', '/auth/login', person))
  const changes = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      send('POST', '/auth/change-password', { current_password: password, new_password: `new horse ${i}` }, bearer),
    ),
  )
  expect(changes.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(changes.filter(({ status }) => status >= 500)).toEqual([])
  const winner = changes.findIndex(({ status }) => status === 200)
  const login = { email: person.email, password: `new horse ${winner}` }
  await vi.waitFor(async () => expect((await send('POST', '/auth/login', login)).status).toBe(200))
  expect((await nextMail(person.email)).subject).toBe('Your Gatehouse password was changed')
})

test('a request over a second logs what it waited for, not who sent it', async () => {
  const person = { email: 'slow@example.com', password }
  await send('POST', '/auth/register', person)
  logs.length = 0
  // The SDK gives up after a second, and asks again.
  running.system.disturb('dynamodb', { kind: 'hang' }, { caller: 'login', times: 1 })
  expect((await send('POST', '/auth/login', person)).status).toBe(200)
  const said = await vi.waitUntil(() =>
    logs.flatMap(({ line }) => JSON.parse(line).message ?? []).find(({ event }) => event === 'slow'),
  )
  expect(Object.keys(said).sort()).toEqual(['DynamoDB', 'KMS', 'event', 'hash', 'milliseconds'])
  expect(said.DynamoDB).toBeGreaterThanOrEqual(1000)
  expect(said.milliseconds).toBeGreaterThanOrEqual(said.DynamoDB + said.KMS + said.hash)
  expect(leaksOf(said)).toEqual([])
})

test('a stranger verifies a token by what the service publishes', async () => {
  const person = { email: 'bob@example.com', password }
  await send('POST', '/auth/register', person)
  const { body } = await send('POST', '/auth/login', person)
  const { body: discovery } = await send('GET', '/auth/.well-known/openid-configuration')
  const { payload } = await jwtVerify(body.access_token, createRemoteJWKSet(new URL(discovery.jwks_uri)), {
    issuer: discovery.issuer,
    audience: 'gatehouse',
  })
  expect(payload.email).toBe(person.email)
})

test('twenty registrations of one address at once make one account and one mail', async () => {
  const person = { email: 'carol@example.com', password }
  const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/auth/register', person)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 400)])
  const token = linkIn(await nextMail(person.email)).searchParams.get('token')
  expect((await send('POST', '/auth/verify-email', { token })).status).toBe(200)
})

test('ten uses of one token at once, and exactly one wins', async () => {
  const person = { email: 'dora@example.com', password }
  await send('POST', '/auth/register', person)
  const token = linkIn(await nextMail(person.email)).searchParams.get('token')
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('POST', '/auth/verify-email', { token })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a browser of another origin may call the API, without credentials of its own', async () => {
  const preflight = await send('OPTIONS', '/auth/me', undefined, {
    origin: 'https://app.example',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization,content-type',
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization/)
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
})

test.each([
  ['GET', '/nowhere', 404, null],
  ['DELETE', '/auth/me', 405, 'GET, HEAD, PUT, OPTIONS'],
  ['GET', '/auth/login', 405, 'POST, OPTIONS'],
])('%s %s is answered with %i', async (method, path, status, allow) => {
  const answer = await send(method, path)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('allow')).toBe(allow)
})
