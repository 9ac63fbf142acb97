import { describe, expect, test } from 'vitest'
import { headersOf, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, openSession, register } from '../../support/service/people.ts'
import { detailOf } from './refusals.ts'

const harness = createHarness()

const logIn = (session: unknown) => send(harness, 'login', { body: { ...ada, session } })
const open = async (label: string | null = null) => {
  await register(harness)
  return openSession(harness, ada.email, label)
}

describe('login', () => {
  test('opens a session when it is asked to', async () => {
    await register(harness)
    const { status, body } = await logIn({})
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'bearer',
        expires_in: 3600,
        // Of an account whose id is a UUID.
        refresh_token: expect.stringMatching(/^ghr2\.[\w-]{48}\.[\w-]{22}\.1\.[\w-]{43}\.[\w-]{43}$/),
        refresh_expires_in: 14 * 24 * 60 * 60,
      },
    ])
  })

  test('opens none unasked, nor where there are none', async () => {
    await register(harness)
    const members = async (body: object) => Object.keys((await send(harness, 'login', { body })).body)
    expect(await members(ada)).toEqual(['access_token', 'token_type', 'expires_in'])
    harness.config.sessionDays = 0
    expect(await members({ ...ada, session: {} })).toEqual(['access_token', 'token_type', 'expires_in'])
  })
})

test('the sessions of an account are listed, and one of them is ended', async () => {
  const phone = await open('Phone')
  harness.advance(1000)
  const laptop = await openSession(harness, ada.email)
  const headers = headersOf(phone.tokens)
  const list = async () => (await send(harness, 'list-sessions', { headers })).body.sessions
  const kind = { application: null, browser: false, through: null }
  expect(await list()).toEqual([
    {
      ...{ id: phone.id, label: 'Phone', is_current: true, ...kind },
      created_at: '2026-03-01T12:00:00.000Z',
      last_used_at: '2026-03-01T12:00:00.000Z',
      expires_at: '2026-03-15T12:00:00.000Z',
    },
    {
      ...{ id: laptop.id, label: null, is_current: false, ...kind },
      created_at: '2026-03-01T12:00:01.000Z',
      last_used_at: '2026-03-01T12:00:01.000Z',
      expires_at: '2026-03-15T12:00:01.000Z',
    },
  ])
  const end = (password: string) => send(harness, 'end-session', { headers, body: { id: laptop.id, password } })
  expect(await detailOf(end('wrong'))).toEqual([400, 'Incorrect current password'])
  await end(ada.password)
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual([phone.id])
})

describe('ending all sessions but one', () => {
  const end = (headers: Record<string, string>) =>
    send(harness, 'end-session', { headers, body: { others: true, password: ada.password } })

  test('does so though that one is refreshed meanwhile', async () => {
    const phone = await open('Phone')
    await openSession(harness)
    harness.advance(60_000)
    harness.before('UpdateItem Accounts', async () => {
      // The first write spends the proof's guess.
      harness.before('UpdateItem Accounts', async () => {
        await send(harness, 'refresh', { body: { refresh_token: phone.refreshToken } })
      })
    })
    expect((await end(headersOf(phone.tokens))).status).toBe(200)
    expect((await find(harness)).sessions.map(({ id }) => id)).toEqual([phone.id])
    expect(harness.events.at(-1)?.event).toBe('logged-out-everywhere')
    expect((await send(harness, 'get-me', { headers: headersOf(phone.tokens) })).status).toBe(401)
    expect((await send(harness, 'refresh', { body: { refresh_token: phone.refreshToken } })).status).toBe(200)
  })

  test('ends all for a login without one', async () => {
    const phone = await open('Phone')
    const { body } = await logIn(undefined)
    expect((await end({ authorization: `Bearer ${body.access_token}` })).status).toBe(200)
    expect((await send(harness, 'refresh', { body: { refresh_token: phone.refreshToken } })).status).toBe(400)
  })

  test('needs no id, which every other end does', async () => {
    const phone = await open('Phone')
    const { status, body } = await send(harness, 'end-session', {
      headers: headersOf(phone.tokens),
      body: { password: ada.password },
    })
    expect([status, body.errors]).toEqual([422, [{ pointer: '/id', detail: 'is required' }]])
  })
})
