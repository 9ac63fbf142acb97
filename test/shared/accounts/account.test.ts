import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import {
  accountView,
  logIn,
  openAccount,
  renameAccount,
  resetPassword,
  verifyEmail,
} from '../../../shared/accounts/account.ts'
import { hashToken } from '../../../shared/accounts/one-time-token.ts'
import { ada, find, lastMessage, register, requestToken } from '../../support/people.ts'
import { createWorld } from '../../support/world.ts'

const world = createWorld()
const { deps } = world
const remote = '203.0.113.7'
const second = 1000
const hour = 60 * 60 * second
const day = 24 * hour

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

describe('logging in', () => {
  test('finds the account by address and password', async () => {
    const { account } = await register(world)
    expect(await logIn(deps, remote, ada)).toEqual(account)
  })

  test.each([
    ['a wrong password', { ...ada, password: 'wrong' }],
    ['an unknown address', { ...ada, email: 'bob@example.com' }],
  ])('takes the same calls and refuses alike with %s', async (_, credentials) => {
    await register(world)
    world.calls.length = 0
    await expect(logIn(deps, remote, credentials)).rejects.toMatchObject({ code: 'bad-credentials' })
    expect(world.calls).toEqual(['UpdateItem RateLimits', 'GetItem Users'])
  })

  test('is possible before the address is verified, unless that is required', async () => {
    const { token } = await register(world)
    await logIn(deps, remote, ada)
    world.config.requireEmailVerification = true
    await expect(logIn(deps, remote, ada)).rejects.toMatchObject({ code: 'email-not-verified' })
    await verifyEmail(deps, token)
    await logIn(deps, remote, ada)
  })

  test('does not tell who knows no password that the address is not verified', async () => {
    await register(world)
    world.config.requireEmailVerification = true
    await expect(logIn(deps, remote, { ...ada, password: 'wrong' })).rejects.toMatchObject({ code: 'bad-credentials' })
  })

  test('is refused after ten failures, even with the right password', async () => {
    await register(world)
    for (let i = 0; i < 10; i++) await logIn(deps, remote, { ...ada, password: 'wrong' }).catch(() => {})
    await expect(logIn(deps, remote, ada)).rejects.toMatchObject({ code: 'too-many-requests' })
    await logIn(deps, '203.0.113.8', ada)
  })

  test('lets no eleventh guess through when twenty come at once', async () => {
    await register(world)
    const guesses = Array.from({ length: 20 }, () => logIn(deps, remote, { ...ada, password: 'wrong' }))
    const codes = (await Promise.allSettled(guesses)).map(o => o.status === 'rejected' && o.reason.code)
    expect(codes.filter(code => code === 'bad-credentials')).toHaveLength(10)
    expect(codes.filter(code => code === 'too-many-requests')).toHaveLength(10)
  })

  test('starts the count of failures anew', async () => {
    await register(world)
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 9; i++) await logIn(deps, remote, { ...ada, password: 'wrong' }).catch(() => {})
      await logIn(deps, remote, ada)
    }
  })

  const setHash = async (hash: string) => {
    const account = await find(world)
    expect(await deps.accounts.replaceHash(account, hash, deps.now())).toBe(true)
  }

  test.each([
    ['another form', () => bcrypt.hash(ada.password, 4)],
    ['another cost', async () => '$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2QlB8NdRT8SvGiI4ft2'],
  ])('replaces a hash of %s', async (form, makeHash) => {
    await register(world)
    await setHash(await makeHash())
    const password = form === 'another cost' ? 'password' : ada.password
    await logIn(deps, remote, { ...ada, password })
    expect((await find(world)).passwordHash).toMatch(/^\$bcrypt-sha256\$v=2,t=2b,r=4\$/)
    await logIn(deps, remote, { ...ada, password })
  })

  test('does not undo a reset that came in between', async () => {
    await register(world)
    await setHash(await bcrypt.hash(ada.password, 4))
    const fromReset = await bcrypt.hash('battery staple', 4)
    let isFirst = true
    world.beforeCall = async (command, table) => {
      if (command !== 'UpdateItem' || table !== 'Users' || !isFirst) return
      isFirst = false
      await setHash(fromReset)
    }
    await logIn(deps, remote, ada)
    expect((await find(world)).passwordHash).toBe(fromReset)
  })

  test('succeeds though the hash could not be replaced', async () => {
    await register(world)
    await setHash(await bcrypt.hash(ada.password, 4))
    world.beforeCall = (command, table) => {
      if (command === 'UpdateItem' && table === 'Users') throw new Error('no')
    }
    await logIn(deps, remote, ada)
    expect(world.events.map(({ event }) => event)).toContain('rehash-failed')
  })

  test.each(['Users', 'RateLimits'] as const)('is unavailable while %s does not answer, for everybody', async table => {
    await register(world)
    world.broken = table
    for (const email of [ada.email, 'bob@example.com']) {
      await expect(logIn(deps, remote, { ...ada, email })).rejects.toMatchObject({ code: 'unavailable' })
    }
  })
})

describe('renaming', () => {
  test('stores the name, an empty one too', async () => {
    const { account } = await register(world)
    world.advance(second)
    expect((await renameAccount(deps, account, 'Countess')).name).toBe('Countess')
    expect((await renameAccount(deps, account, '')).name).toBe('')
    const [item] = await world.items('Users')
    expect(item).toMatchObject({ name: '', updated_at: '2026-03-01T12:00:01.000Z' })
  })

  test('to null changes nothing, and writes nothing', async () => {
    const { account } = await register(world)
    world.calls.length = 0
    expect(await renameAccount(deps, account, null)).toEqual(account)
    expect(world.calls).toEqual([])
  })

  test.each([
    ['is gone', { email: 'gone@example.com' }],
    ['was deleted and opened anew', { id: '00000000-0000-7000-8000-000000000000' }],
    ['had its password reset', { tokenVersion: 7 }],
  ])('brings nothing back when the account %s', async (_, changes) => {
    const { account } = await register(world)
    const before = await world.items('Users')
    await expect(renameAccount(deps, { ...account, ...changes }, 'Eve')).rejects.toMatchObject({
      code: 'invalid-access-token',
    })
    expect(await world.items('Users')).toEqual(before)
  })
})

describe('a verification token', () => {
  test.each([
    ['works until the last moment of its day', day - 1, true],
    ['is dead when its day is over', day, false],
  ])('%s', async (_, age, works) => {
    const { token } = await register(world)
    world.advance(age)
    if (works) await verifyEmail(deps, token)
    else await expect(verifyEmail(deps, token)).rejects.toMatchObject({ code: 'invalid-verification-token' })
    expect((await find(world)).isVerified).toBe(works)
  })

  test('is cleared by its use, with its expiry', async () => {
    const { token } = await register(world)
    await verifyEmail(deps, token)
    const [item] = await world.items('Users')
    expect(item).toMatchObject({ is_verified: true, email_verification_requested_at: '2026-03-01T12:00:00.000Z' })
    expect(item).not.toHaveProperty('email_verification_token')
    expect(item).not.toHaveProperty('email_verification_expires')
  })

  test('works once, even when twenty use it at once', async () => {
    const { token } = await register(world)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => verifyEmail(deps, token)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is replaced by a newer one', async () => {
    const { token: first } = await register(world)
    world.advance(second)
    const newer = await requestToken(world, 'verification')
    await expect(verifyEmail(deps, first)).rejects.toMatchObject({ code: 'invalid-verification-token' })
    await verifyEmail(deps, newer)
  })

  test.each([
    ['empty', () => ''],
    ['unknown', () => 'A'.repeat(43)],
    ['truncated by one character', (token: string) => token.slice(0, -1)],
    ['longer by one character', (token: string) => `${token}A`],
    ['its own hash', hashToken],
  ])('is refused when it is %s', async (_, change) => {
    const { token } = await register(world)
    await expect(verifyEmail(deps, change(token))).rejects.toMatchObject({ code: 'invalid-verification-token' })
  })
})

describe('a reset token', () => {
  const reset = (token: string, new_password = 'battery staple') => resetPassword(deps, { token, new_password })

  test.each([
    ['works until the last moment of its hour', hour - 1, true],
    ['is dead when its hour is over', hour, false],
  ])('%s', async (_, age, works) => {
    await register(world)
    const token = await requestToken(world, 'reset')
    world.advance(age)
    if (works) await reset(token)
    else await expect(reset(token)).rejects.toMatchObject({ code: 'invalid-reset-token' })
    await logIn(deps, remote, { ...ada, password: works ? 'battery staple' : ada.password })
  })

  test('replaces the password, raises the token version and is cleared with its expiry', async () => {
    await register(world)
    await reset(await requestToken(world, 'reset'))
    const [item] = await world.items('Users')
    expect(item).toMatchObject({ token_version: 1, password_reset_requested_at: '2026-03-01T12:00:00.000Z' })
    expect(item).not.toHaveProperty('password_reset_token')
    expect(item).not.toHaveProperty('password_reset_expires')
    await expect(logIn(deps, remote, ada)).rejects.toMatchObject({ code: 'bad-credentials' })
  })

  test('works once, even when ten use it at once', async () => {
    await register(world)
    const token = await requestToken(world, 'reset')
    const passwords = Array.from({ length: 10 }, (_, i) => `battery staple ${i}`)
    const outcomes = await Promise.allSettled(passwords.map(password => reset(token, password)))
    const winners = passwords.filter((_, i) => outcomes[i]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    await logIn(deps, remote, { ...ada, password: winners[0] ?? '' })
    expect((await find(world)).tokenVersion).toBe(1)
  })

  test('does not verify an address, nor does a verification token reset a password', async () => {
    const { token: verification } = await register(world)
    const token = await requestToken(world, 'reset')
    await expect(verifyEmail(deps, token)).rejects.toMatchObject({ code: 'invalid-verification-token' })
    await expect(reset(verification)).rejects.toMatchObject({ code: 'invalid-reset-token' })
  })

  test.each([
    ['too short a password', 'short', 'password-too-short'],
    ['a good password', 'battery staple', 'invalid-reset-token'],
  ])('that is unknown is refused, with %s, for the right reason', async (_, password, code) => {
    await expect(reset('', password)).rejects.toMatchObject({ code })
  })

  test('clears what was counted against the address', async () => {
    await register(world)
    for (let i = 0; i < 10; i++) await logIn(deps, remote, { ...ada, password: 'wrong' }).catch(() => {})
    await reset(await requestToken(world, 'reset'))
    await logIn(deps, remote, { ...ada, password: 'battery staple' })
  })

  test('still works after the counters did not answer', async () => {
    await register(world)
    const token = await requestToken(world, 'reset')
    world.broken = 'RateLimits'
    await expect(reset(token)).rejects.toMatchObject({ code: 'unavailable' })
    world.broken = null
    await reset(token)
  })

  test('has its effect and success though its write is sent twice', async () => {
    await register(world)
    const token = await requestToken(world, 'reset')
    world.retriesWrites = true
    await reset(token)
    expect((await find(world)).tokenVersion).toBe(1)
    await logIn(deps, remote, { ...ada, password: 'battery staple' })
  })

  test('of an account that vanished in between brings nothing back', async () => {
    const { account } = await register(world)
    const token = await requestToken(world, 'reset')
    const gone = { ...account, email: 'gone@example.com' }
    expect(await deps.accounts.spendResetToken(gone, hashToken(token), 'hash', deps.now())).toBe(false)
    expect(await world.items('Users')).toHaveLength(1)
  })
})

test('a view of an account has the fields of the contract in its order, and no secret', async () => {
  const { account } = await register(world)
  expect(JSON.stringify(accountView(account))).toBe(
    JSON.stringify({
      id: account.id,
      email: 'ada@example.com',
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: '2026-03-01T12:00:00.000Z',
    }),
  )
})

test('events name accounts by id, and never an address or a token', async () => {
  const { token } = await register(world)
  await logIn(deps, remote, ada)
  await logIn(deps, remote, { ...ada, password: 'wrong' }).catch(() => {})
  await verifyEmail(deps, token)
  const reset = await requestToken(world, 'reset')
  await resetPassword(deps, { token: reset, new_password: 'battery staple' })
  expect(world.events.map(({ event }) => event)).toEqual([
    'registered',
    'logged-in',
    'login-failed',
    'email-verified',
    'reset-requested',
    'mail-sent',
    'password-reset',
  ])
  const log = JSON.stringify(world.events)
  for (const secret of [ada.email, ada.password, token, reset, lastMessage(world).token])
    expect(log).not.toContain(secret)
})
