import { describe, expect, test } from 'vitest'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, register, requestToken } from '../../support/service/people.ts'
import { badNames, complaints, detailOf } from './refusals.ts'

const harness = createHarness()

describe('the current account', () => {
  test('is returned as it is stored', async () => {
    const { account } = await register(harness)
    const { status, body } = await send(harness, 'get-me', { headers: await bearer(harness) })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: account.id,
      email: ada.email,
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: '2026-03-01T12:00:00.000Z',
    })
  })

  test.each([
    ['a name', { name: 'Countess' }, 'Countess'],
    ['an empty name', { name: '' }, ''],
    ['null', { name: null }, 'Ada'],
    ['nothing', {}, 'Ada'],
  ])('is updated with %s', async (_, body, name) => {
    await register(harness)
    const answer = await send(harness, 'update-me', { body, headers: await bearer(harness) })
    expect(answer.status).toBe(200)
    expect(answer.body.name).toBe(name)
    expect((await find(harness)).name).toBe(name)
  })

  test('is not updated with a name of another shape', async () => {
    await register(harness)
    for (const name of badNames) expect(await complaints(harness, 'update-me', { name })).toEqual([422, ['/name']])
    expect((await find(harness)).name).toBe('Ada')
  })

  test('is not returned for a token outside the Authorization field', async () => {
    await register(harness)
    const { authorization = '' } = await bearer(harness)
    const token = authorization.replace('Bearer ', '')
    expect((await send(harness, 'update-me', { body: { name: 'Eve', access_token: token } })).status).toBe(401)
    expect(
      (await send(harness, 'get-me', { headers: { cookie: `access_token=${token}`, 'x-access-token': token } })).status,
    ).toBe(401)
  })
})

describe('logout-everywhere', () => {
  const logOut = async (sent: object = {}) =>
    send(harness, 'logout-everywhere', { headers: await bearer(harness), ...sent })

  test('ends every access token, also the one of the request', async () => {
    await register(harness)
    const [mine, other] = [await bearer(harness), await bearer(harness)]
    const { status, body } = await logOut({ headers: mine })
    expect([status, body]).toEqual([200, { message: 'Logged out everywhere.', success: true }])
    for (const headers of [mine, other]) expect((await send(harness, 'get-me', { headers })).status).toBe(401)
    expect((await logOut({ headers: mine })).status).toBe(401)
    expect((await send(harness, 'login', { body: ada })).status).toBe(200)
  })

  test('ignores any body', async () => {
    await register(harness)
    for (const body of ['no JSON', '{}', '[]', { password: 1 }]) expect((await logOut({ body })).status).toBe(200)
    const image = { ...(await bearer(harness)), 'content-type': 'image/png' }
    expect((await logOut({ body: 'x'.repeat(20_000), headers: image })).status).toBe(200)
  })

  test('leaves a pending reset link as it is', async () => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    await logOut()
    expect((await send(harness, 'reset-password', { body: { token, new_password: 'battery staple' } })).status).toBe(
      200,
    )
  })
})

describe('delete-account', () => {
  const remove = async (body: object = { password: ada.password }, headers?: Record<string, string>) =>
    send(harness, 'delete-account', { body, headers: headers ?? (await bearer(harness)) })

  test('deletes the account and ends its tokens; its address is free again', async () => {
    const { account } = await register(harness)
    const headers = await bearer(harness)
    const { status, body } = await remove({ password: ada.password }, headers)
    expect([status, body]).toEqual([200, { message: 'Your account has been deleted.', success: true }])
    expect(await harness.items('Accounts')).toEqual([])
    expect((await send(harness, 'get-me', { headers })).status).toBe(401)
    expect((await send(harness, 'login', { body: ada })).status).toBe(401)
    expect((await register(harness)).account.id).not.toBe(account.id)
    expect((await send(harness, 'get-me', { headers })).status).toBe(401)
  })

  test('refuses a wrong password, which counts as a guess', async () => {
    await register(harness)
    const headers = await bearer(harness)
    for (let i = 0; i < 10; i++)
      expect(await detailOf(remove({ password: 'wrong horse' }, headers))).toEqual([400, 'Incorrect current password'])
    expect((await remove(undefined, headers)).status).toBe(429)
    expect((await send(harness, 'login', { body: ada })).status).toBe(429)
    expect(await harness.accountItems()).toHaveLength(1)
  })

  test("refuses an administrator's account, after it checks the shape and before it checks the password", async () => {
    const admin = { ...ada, email: 'admin@example.com' }
    await register(harness, admin)
    const headers = await bearer(harness, admin.email)
    expect((await remove({ password: 1 }, headers)).status).toBe(422)
    const answer = await remove({ password: 'wrong horse' }, headers)
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      403,
      'administrator',
      "An administrator's account cannot be deleted here",
    ])
    expect((await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('guess'))).toEqual([])
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    for (const password of [undefined, null, 1, [], {}])
      expect(await complaints(harness, 'delete-account', { password })).toEqual([422, ['/password']])
    for (const password of ['', 'x'.repeat(1000), '\ud800'])
      expect(await complaints(harness, 'delete-account', { password })).toEqual([400, []])
  })
})
