import { describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, lastMessage, register, requestToken } from '../../support/service/people.ts'

const harness = createHarness()

describe('change-password', () => {
  const body = { current_password: ada.password, new_password: 'battery staple' }
  const change = async (changes: object = {}, headers?: Record<string, string>) =>
    send(harness, 'change-password', { body: { ...body, ...changes }, headers: headers ?? (await bearer(harness)) })

  test('may be to the same password', async () => {
    await register(harness)
    expect((await change({ new_password: ada.password })).status).toBe(200)
  })

  test('revokes queued reset links, and no later one', async () => {
    await register(harness)
    await send(harness, 'forgot-password', { body: { email: ada.email } })
    const queued = lastMessage(harness)
    harness.advance(1)
    await change()
    expect(await deliverMail(harness.deps, queued, harness.deps.now())).toBe('dropped')
    harness.advance(1)
    const token = await requestToken(harness, 'reset')
    const { status } = await send(harness, 'reset-password', { body: { token, new_password: 'another horse' } })
    expect(status).toBe(200)
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
})
