import { describe, expect, test } from 'vitest'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, register } from '../../support/service/people.ts'

const harness = createHarness()

describe('the current account', () => {
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

  test('ignores any body', async () => {
    await register(harness)
    for (const body of ['no JSON', '{}', '[]', { password: 1 }]) expect((await logOut({ body })).status).toBe(200)
    const image = { ...(await bearer(harness)), 'content-type': 'image/png' }
    expect((await logOut({ body: 'x'.repeat(20_000), headers: image })).status).toBe(200)
  })
})

describe('delete-account', () => {
  const remove = async (body: object = { password: ada.password }, headers?: Record<string, string>) =>
    send(harness, 'delete-account', { body, headers: headers ?? (await bearer(harness)) })

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
})
