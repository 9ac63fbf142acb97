import { describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { hashToken } from '../../../accounts/token/token.ts'
import { accountsPerClient } from '../../../shared/base/limits/windows.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, home, register } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness

describe('a new account', () => {
  test('is stored under the attribute names of the specification, with only hashes of its secrets', async () => {
    const { account, token } = await register(harness)
    const [item] = await harness.accountItems()
    expect(await harness.items('Accounts')).toHaveLength(2)
    expect(await harness.items('Accounts')).toContainEqual({ key: 'email#ada@example.com', id: account.id })
    expect(item).toEqual({
      key: `account#${account.id}`,
      email: 'ada@example.com',
      id: account.id,
      name: 'Ada',
      password_hash: expect.stringMatching(/^\$bcrypt-sha256\$v=2,t=2b,r=4\$/),
      is_admin: false,
      is_verified: false,
      token_version: 0,
      ...{ sessions: {}, passkeys: {}, identities: {}, changes: {} },
      email_verification_token: hashToken(token),
      email_verification_expires: '2026-03-02T12:00:00.000Z',
      email_verification_requested_at: '2026-03-01T12:00:00.000Z',
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
    })
    expect(JSON.stringify(item)).not.toContain(token)
  })

  test('has a UUIDv7 for its id', async () => {
    const { account } = await register(harness)
    expect(account.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(account.id.replace('-', '').slice(0, 12), 16)).toBe(deps.now().getTime())
  })

  test("is an administrator's if its address is the configured one, and only then", async () => {
    expect((await register(harness, { ...ada, email: 'admin@example.com' })).account.isAdmin).toBe(true)
    expect((await register(harness)).account.isAdmin).toBe(false)
  })

  test('nobody is an administrator while no address is configured', async () => {
    harness.config.adminEmail = null
    expect((await register(harness)).account.isAdmin).toBe(false)
  })

  test('has its mail queued before it is written, delayed by two seconds', async () => {
    await register(harness)
    const writes = ['PutItem Accounts', 'PutItem Accounts']
    expect(harness.calls.filter(call => /Send|Put/.test(call))).toEqual(['SendMessage', ...writes])
    const [{ id = '' } = {}] = await harness.accountItems()
    expect(harness.queue).toEqual([
      {
        delaySeconds: 2,
        message: {
          kind: 'registration',
          account_id: id,
          token: expect.stringMatching(/^[\w-]{43}$/),
          requested_at: deps.now().getTime(),
          is_excess: false,
        },
      },
    ])
  })

  test('needs no message while delivery is not configured, and keeps its token all the same', async () => {
    harness.config.mailFrom = null
    await openAccount(deps, home, { ...ada, name: null })
    expect(harness.queue).toEqual([])
    expect((await find(harness)).tokens.verification.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is opened once when twenty ask for the same address at once', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => openAccount(deps, home, { ...ada, name: null })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await harness.accountItems()).toHaveLength(1)
  })

  test('is one of two hundred that its client may open in a UTC day', async () => {
    await register(harness)
    const [item] = (await harness.items('RateLimits')).filter(({ key }) =>
      String(key).startsWith('request#register-day#'),
    )
    expect(item).toMatchObject({ n: 1, expires: Date.parse('2026-03-02T00:00:00Z') / 1000 })
    expect(accountsPerClient.policy).toEqual({ limit: 200, seconds: 24 * 60 * 60 })
  })

  describe('beyond the limit of its client', () => {
    const open = (i: number, clientAddress = home) =>
      openAccount(deps, clientAddress, { ...ada, email: `p${i}@example.com`, name: null })
    const limitTo = (limit: number) => {
      harness.config.rateLimits = new Map([['register-day', { limit, seconds: 24 * 60 * 60 }]])
    }

    test('is refused until the next day, and costs neither a hash nor a mail', async () => {
      limitTo(3)
      for (let i = 0; i < 3; i++) await open(i)
      const calls = harness.calls.length
      const refusal = await refusalOf(open(3))
      expect(refusal.message).toBe(
        'Too many new accounts from this remote address: at most 3 in one day. Try again in 43200 seconds.',
      )
      expect(refusal.options.headers).toMatchObject({ 'retry-after': '43200', ratelimit: '"register-day";r=0;t=43200' })
      expect(harness.calls.slice(calls)).toEqual(['UpdateItem RateLimits'])
      expect(harness.events.at(-1)).toEqual({ event: 'request-limited', reason: 'register-day' })
      await open(3, '203.0.113.8')
      harness.advance(43_200_000)
      await open(4)
    })

    test('does not slip through when many ask at once', async () => {
      limitTo(3)
      await Promise.allSettled(Array.from({ length: 10 }, (_, i) => open(i)))
      expect(await harness.accountItems()).toHaveLength(3)
    })

    test('is refused only for accounts that were opened: others are given back', async () => {
      limitTo(2)
      await open(0)
      for (let i = 0; i < 3; i++) await expect(open(0)).rejects.toMatchObject({ code: 'email-taken' })
      for (const part of ['queue', 'Accounts'] as const) {
        harness.broken = part
        await expect(open(1)).rejects.toMatchObject({ code: 'unavailable' })
      }
      harness.broken = null
      await expect(openAccount(deps, home, { ...ada, password: toPassword('short'), name: null })).rejects.toThrow()
      await open(1)
      await refusalOf(open(2))
    })
  })

  test('costs nothing when its password is too short', async () => {
    await expect(register(harness, { ...ada, password: 'short' })).rejects.toMatchObject({ code: 'password-too-short' })
    expect(harness.calls).toEqual([])
  })
})
