import { describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, lastMessage, register, requestToken } from '../../support/service/people.ts'
import { badNewPasswords, complaints, detailOf } from './refusals.ts'

const harness = createHarness()

describe('change-password', () => {
  const body = { current_password: ada.password, new_password: 'battery staple' }
  const change = async (changes: object = {}, headers?: Record<string, string>) =>
    send(harness, 'change-password', { body: { ...body, ...changes }, headers: headers ?? (await bearer(harness)) })

  test('replaces the password, and returns a token that works', async () => {
    await register(harness)
    const { status, body: token } = await change()
    expect([status, token.token_type, token.expires_in]).toEqual([200, 'bearer', 3600])
    const headers = { authorization: `Bearer ${token.access_token}` }
    expect((await send(harness, 'get-me', { headers })).status).toBe(200)
    expect((await send(harness, 'login', { body: { ...ada, password: 'battery staple' } })).status).toBe(200)
    expect((await send(harness, 'login', { body: ada })).status).toBe(401)
  })

  test('ends every other access token', async () => {
    await register(harness)
    const [mine, other] = [await bearer(harness), await bearer(harness)]
    await change({}, mine)
    for (const headers of [mine, other])
      expect(await detailOf(send(harness, 'get-me', { headers }))).toEqual([401, 'Invalid or expired token'])
  })

  test('may be to the same password', async () => {
    await register(harness)
    expect((await change({ new_password: ada.password })).status).toBe(200)
  })

  test('refuses a wrong current password, and keeps the token good', async () => {
    await register(harness)
    const headers = await bearer(harness)
    const answer = await change({ current_password: 'wrong horse' }, headers)
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      400,
      'wrong-password',
      'Incorrect current password',
    ])
    expect((await send(harness, 'get-me', { headers })).status).toBe(200)
  })

  test('revokes a pending reset link, and queued ones', async () => {
    await register(harness)
    const pending = await requestToken(harness, 'reset')
    harness.advance(1)
    await send(harness, 'forgot-password', { body: { email: ada.email } })
    const queued = lastMessage(harness)
    harness.advance(1)
    await change()
    expect(await deliverMail(harness.deps, queued, harness.deps.now())).toBe('dropped')
    for (const token of [pending, queued.token]) {
      const reset = { token, new_password: 'another horse' }
      expect(await detailOf(send(harness, 'reset-password', { body: reset }))).toEqual([
        400,
        'Invalid or expired reset token',
      ])
    }
    harness.advance(1)
    const later = await requestToken(harness, 'reset')
    expect(
      (await send(harness, 'reset-password', { body: { token: later, new_password: 'another horse' } })).status,
    ).toBe(200)
  })

  test('checks the token, the shape, the length, the limits and the password, in this order', async () => {
    await register(harness)
    const headers = await bearer(harness)
    const wrong = { current_password: 'wrong horse' }
    expect((await change({ ...wrong, new_password: 1 }, {})).body.code).toBe('not-authenticated')
    expect((await change({ ...wrong, new_password: 1 }, headers)).body.code).toBe('invalid-body')
    expect((await change({ ...wrong, new_password: 'seven77' }, headers)).body.code).toBe('password-too-short')
    for (let i = 0; i < 10; i++) expect((await change(wrong, headers)).body.code).toBe('wrong-password')
    expect((await change({}, headers)).body.code).toBe('too-many-requests')
    expect((await change({ new_password: 'seven77' }, headers)).body.code).toBe('password-too-short')
  })

  test('shares the count of guesses with login', async () => {
    await register(harness)
    for (let i = 0; i < 10; i++) await send(harness, 'login', { body: { ...ada, password: 'wrong horse' } })
    harness.advance(2000)
    const { status, body, headers } = await change()
    expect([status, body.detail]).toEqual([
      429,
      'Too many failed logins for this address: at most 10 in 15 minutes. Try again in 898 seconds.',
    ])
    expect(headers.ratelimit).toBe('"change-password";r=29;t=58, "failed-logins-pair";r=0;t=898')
  })

  test('does not count a right guess', async () => {
    await register(harness)
    const wrong = { current_password: 'wrong horse' }
    for (let i = 0; i < 9; i++) await change(wrong)
    await change()
    for (let i = 0; i < 9; i++) expect((await change(wrong)).body.code).toBe('wrong-password')
    expect((await send(harness, 'login', { body: { ...ada, password: body.new_password } })).status).toBe(200)
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    for (const current_password of [undefined, null, 1, [], {}])
      expect(await complaints(harness, 'change-password', { ...body, current_password })).toEqual([
        422,
        ['/current_password'],
      ])
    for (const new_password of badNewPasswords)
      expect(await complaints(harness, 'change-password', { ...body, new_password })).toEqual([422, ['/new_password']])
    for (const current_password of ['', 'x'.repeat(1000), '\ud800'])
      expect(await complaints(harness, 'change-password', { ...body, current_password })).toEqual([400, []])
  })
})
