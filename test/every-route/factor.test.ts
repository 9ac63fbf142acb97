import { describe, expect, test } from 'vitest'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { endpointNames, membersOf } from '../support/api/rows.ts'
import { disguise } from '../support/code-forms.ts'
import { bearer, goodRequest, send } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import { find, protect } from '../support/service/people.ts'

const harness = createHarness()

const asking = endpointNames.filter(name => (routes[name] as Route).checksPassword)
const isLogin = (name: EndpointName) => (routes[name] as Route).refuses?.includes('bad-credentials') ?? false

test('every endpoint that takes the password of an account takes a code too', () => {
  const taking = endpointNames.filter(name => {
    const isChoosing = (routes[name] as Route).choosesPassword && !membersOf(name).includes('current_password')
    return membersOf(name).some(member => /^(current_)?password$/.test(member)) && !isChoosing
  })
  expect(asking).toEqual(taking)
  for (const name of asking) expect(membersOf(name)).toContain('code')
  expect(asking.length).toBeGreaterThanOrEqual(7)
})

describe.each(asking)('with a stolen password, %s', name => {
  /** A request with the password and, if needed, an access token. */
  async function stolen() {
    const good = await goodRequest(harness, name)
    const factor = await protect(harness)
    const headers = isLogin(name) ? {} : await bearer(harness)
    const ask = (code?: unknown) => send(harness, name, { headers, body: { ...(good.body as object), code } })
    return { ask, ...factor }
  }

  test('asks for the second factor, and does nothing without it', async () => {
    const { ask, wrongCode } = await stolen()
    const items = await harness.items('Accounts')
    for (const [code, expected, detail] of [
      [undefined, 'second-factor-required', 'A second factor is required'],
      ['\u3000\n', 'second-factor-required', 'A second factor is required'],
      [wrongCode(), 'wrong-code', 'Incorrect code'],
      ['A'.repeat(24), 'wrong-code', 'Incorrect code'],
    ] as const) {
      const { status, body, headers } = await ask(code)
      expect([status, body.code, body.detail]).toEqual([isLogin(name) ? 401 : 400, expected, detail])
      expect(headers['www-authenticate']).toBe(isLogin(name) ? 'Bearer' : undefined)
      expect(body.methods).toEqual(expected === 'wrong-code' ? undefined : ['code', 'recovery'])
    }
    const counted = items.map(item =>
      'email' in item ? { ...item, wrong_codes: expect.any(Set), updated_at: expect.any(String) } : item,
    )
    expect(await harness.items('Accounts')).toEqual(counted)
    expect((await find(harness)).wrongCodes).toBe(1)
  })

  test('refuses a code that is no text before it reads the account', async () => {
    const { ask } = await stolen()
    for (const code of [492039, null, ['492039'], { code: '492039' }, true]) {
      expect((await ask(code)).body).toMatchObject({ code: 'invalid-body', errors: [{ pointer: '/code' }] })
    }
  })

  test('takes a code of the app, and a recovery code, by their characters', async () => {
    const { ask, code } = await stolen()
    expect((await ask(disguise(code()))).status).toBe(200)
    await harness.clear()
    const other = await stolen()
    expect((await other.ask(disguise(other.recoveryCodes[0] ?? ''))).status).toBe(200)
  })
})

test.each(endpointNames.filter(name => membersOf(name).includes('code') && !asking.includes(name)))(
  '%s, which asks for no password, takes an app’s code by what it says',
  async name => {
    const { body, headers } = await goodRequest(harness, name)
    const { code } = body as { code: string }
    expect((await send(harness, name, { headers, body: { code: disguise(code) } })).status).toBe(200)
  },
)
