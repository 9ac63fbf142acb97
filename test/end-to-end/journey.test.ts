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

test('a person registers, verifies, logs in, changes name and password, logs out and leaves', async () => {
  const registered = await send('POST', '/auth/register', { email: ' Ada@Example.com ', password, name: 'Ada' })
  expect(registered.body).toMatchObject({ email, name: 'Ada', is_admin: false, is_verified: false })
  const welcome = await nextMail(email)
  expect(welcome.from).toBe('Gatehouse <no-reply@localhost>')
  const verification = linkIn(welcome)
  expect(`${verification.origin}${verification.pathname}`).toBe(`${running.system.baseUrl}/verify-email`)
  const page = await fetch(verification)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const token = verification.searchParams.get('token')
  expect((await send('POST', '/auth/verify-email', { token })).status).toBe(200)

  const login = await send('POST', '/auth/login', { email, password })
  const renamed = await send('PUT', '/auth/me', { name: 'Countess of Lovelace' }, bearerOf(login))
  expect(renamed.body).toEqual({ ...registered.body, is_verified: true, name: 'Countess of Lovelace' })

  for (const address of ['nobody@example.com', email])
    expect((await send('POST', '/auth/forgot-password', { email: address })).status).toBe(200)
  const reset = linkIn(await nextMail(email))
  expect((await fetch(reset)).status).toBe(200)
  const body = { token: reset.searchParams.get('token'), new_password: 'battery staple' }
  expect((await send('POST', '/auth/reset-password', body)).status).toBe(200)
  expect((await nextMail(email)).subject).toBe('Your Gatehouse password was changed')

  const again = await send('POST', '/auth/login', { email, password: 'battery staple' })
  const passwords = { current_password: 'battery staple', new_password: 'paper clip' }
  const changed = await send('POST', '/auth/change-password', passwords, bearerOf(again))
  expect((await send('GET', '/auth/me', undefined, bearerOf(changed))).status).toBe(200)
  expect((await nextMail(email)).subject).toBe('Your Gatehouse password was changed')
  expect((await send('POST', '/auth/logout-everywhere', undefined, bearerOf(changed))).status).toBe(200)

  const last = await send('POST', '/auth/login', { email, password: 'paper clip' })
  const leaving = { password: 'paper clip' }
  expect((await send('POST', '/auth/delete-account', leaving, bearerOf(last))).status).toBe(200)
  expect((await nextMail(email)).subject).toBe('Your Gatehouse account was deleted')
  expect((await send('POST', '/auth/login', { email, password: 'paper clip' })).status).toBe(401)
  expect(running.system.inbox.list()).toHaveLength(5)
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
