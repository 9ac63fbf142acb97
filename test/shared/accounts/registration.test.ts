import { describe, expect, test } from 'vitest'
import { hashToken } from '../../../shared/accounts/one-time-token.ts'
import { openAccount } from '../../../shared/accounts/registration.ts'
import { ada, find, register } from '../../support/people.ts'
import { createWorld } from '../../support/world.ts'

const world = createWorld()
const { deps } = world

describe('a new account', () => {
  test('is stored under the attribute names of the specification, with only hashes of its secrets', async () => {
    const { account, token } = await register(world)
    const [item] = await world.items('Users')
    expect(item).toEqual({
      email: 'ada@example.com',
      id: account.id,
      name: 'Ada',
      password_hash: expect.stringMatching(/^\$bcrypt-sha256\$v=2,t=2b,r=4\$/),
      is_admin: false,
      is_verified: false,
      token_version: 0,
      email_verification_token: hashToken(token),
      email_verification_expires: '2026-03-02T12:00:00.000Z',
      email_verification_requested_at: '2026-03-01T12:00:00.000Z',
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
    })
    expect(JSON.stringify(item)).not.toContain(token)
  })

  test('has a UUIDv7 for its id', async () => {
    const { account } = await register(world)
    expect(account.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(account.id.replace('-', '').slice(0, 12), 16)).toBe(deps.now().getTime())
  })

  test("is an administrator's if its address is the configured one, and only then", async () => {
    expect((await register(world, { ...ada, email: 'admin@example.com' })).account.isAdmin).toBe(true)
    expect((await register(world)).account.isAdmin).toBe(false)
  })

  test('nobody is an administrator while no address is configured', async () => {
    world.config.adminEmail = null
    expect((await register(world)).account.isAdmin).toBe(false)
  })

  test('has its mail on the queue before it is written, kept back for two seconds', async () => {
    await register(world)
    expect(world.calls.filter(call => /Send|Put/.test(call))).toEqual(['SendMessage', 'PutItem Users'])
    expect(world.queue).toEqual([
      {
        delaySeconds: 2,
        message: {
          kind: 'registration',
          email: 'ada@example.com',
          token: expect.stringMatching(/^[\w-]{43}$/),
          requested_at: deps.now().getTime(),
        },
      },
    ])
  })

  test('does not exist when its mail could not be queued', async () => {
    world.broken = 'queue'
    await expect(register(world)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await world.items('Users')).toEqual([])
  })

  test('needs no message while delivery is not configured, and keeps its token all the same', async () => {
    world.config.mailFrom = null
    await openAccount(deps, { ...ada, name: null })
    expect(world.queue).toEqual([])
    expect((await find(world)).tokens.verification.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is not opened when the table does not answer', async () => {
    world.broken = 'Users'
    await expect(register(world)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('survives that its write is sent twice', async () => {
    world.retriesWrites = true
    const { account } = await register(world)
    expect(account.email).toBe(ada.email)
  })

  test('cannot have an address that is taken, and changes nothing about whoever has it', async () => {
    await register(world)
    const before = await world.items('Users')
    await expect(register(world, { ...ada, password: 'another password' })).rejects.toMatchObject({
      code: 'email-taken',
    })
    expect(await world.items('Users')).toEqual(before)
  })

  test('is opened once when twenty ask for the same address at once', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => openAccount(deps, { ...ada, name: null })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await world.items('Users')).toHaveLength(1)
  })

  test('costs nothing when its password is too short', async () => {
    await expect(register(world, { ...ada, password: 'short' })).rejects.toMatchObject({ code: 'password-too-short' })
    expect(world.calls).toEqual([])
  })
})
