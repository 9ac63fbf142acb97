import { afterAll, expect, test } from 'vitest'
import { readAllSettings } from '../../local/local-settings.ts'
import { startHashRanges } from '../support/service/hash-ranges.ts'
import { runSystem } from '../support/system/running.ts'

/** `BLOCKLIST_URL`: a stand-in for Have I Been Pwned. */

const ranges = await startHashRanges()
ranges.found.set('Tr0ub4dor&3', 12)
afterAll(() => ranges[Symbol.asyncDispose]())
const { BLOCKLIST_URL } = readAllSettings({ BLOCKLIST_URL: ranges.url })
const { send } = runSystem({ PASSWORD_BLOCKLIST: 'online' }, { blocklistUrl: BLOCKLIST_URL })
const register = (password: string) => send('POST', '/auth/register', { email: 'ada@example.com', password })

test.each(['https://api.pwnedpasswords.com', 'http://example.com', 'http://127.0.0.1:4000/range', '127.0.0.1:4000'])(
  'is an origin on this machine, not %s',
  address => {
    expect(() => readAllSettings({ BLOCKLIST_URL: address })).toThrow('BLOCKLIST_URL must be an http address on this')
  },
)

test('is asked whether a new password is known from a breach', async () => {
  const { status, body } = await register('Tr0ub4dor&3')
  expect([status, body.code, body.reason]).toEqual([400, 'password-too-common', 'breached'])
  expect((await register('correct horse')).status).toBe(201)
  expect(ranges.heard.map(({ path }) => path)).toEqual([
    expect.stringMatching(/^\/range\/[\dA-F]{5}$/),
    expect.stringMatching(/^\/range\/[\dA-F]{5}$/),
  ])
})
