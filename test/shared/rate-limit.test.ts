import { describe, expect, test } from 'vitest'
import { DomainError } from '../../shared/errors.ts'
import {
  countRequest,
  forgiveGuesses,
  guessing,
  mailing,
  parseRateLimits,
  rateLimitFields,
  remoteKey,
  reserveGuess,
  takeMail,
} from '../../shared/rate-limit.ts'
import { createWorld } from '../support/world.ts'

const world = createWorld()
const minute = 60_000

const refusalOf = async (attempt: Promise<unknown>): Promise<DomainError> => {
  const error = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof DomainError)) throw new Error('nothing was refused')
  return error
}

describe('the setting RATE_LIMITS', () => {
  test('is on with the defaults of the route table', () => {
    expect(Object.fromEntries(parseRateLimits('on') as Map<string, unknown>)).toEqual({
      register: { limit: 60, seconds: 60 },
      login: { limit: 60, seconds: 60 },
      'forgot-password': { limit: 30, seconds: 60 },
      'resend-verification': { limit: 10, seconds: 60 },
      'reset-password': { limit: 60, seconds: 60 },
      'verify-email': { limit: 60, seconds: 60 },
    })
  })

  test('can be off', () => {
    expect(parseRateLimits('off')).toBeNull()
    expect(parseRateLimits('OFF')).toBeNull()
  })

  test('overrides single routes and leaves the others', () => {
    const policies = parseRateLimits('login=10/minute, register=5/hour') as Map<string, unknown>
    expect(policies.get('login')).toEqual({ limit: 10, seconds: 60 })
    expect(policies.get('register')).toEqual({ limit: 5, seconds: 3600 })
    expect(policies.get('verify-email')).toEqual({ limit: 60, seconds: 60 })
  })

  test.each([
    'nonsense',
    'login',
    'login=',
    'login=0/minute',
    'login=-1/minute',
    'login=1.5/minute',
    'login=10/fortnight',
    'login=10/constructor',
    'login=10',
    'logout=10/minute',
    'get-me=10/minute',
    '__proto__=10/minute',
    'login=1/minute,login=2/minute',
    'login=1/minute,',
    'login=99999999/minute',
  ])('is refused when it is %s', text => {
    expect(parseRateLimits(text)).toMatch(/is not <route>=<number>\/<unit>/)
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7', 'an IPv4 address is itself'],
  ['::ffff:203.0.113.7', '203.0.113.7', 'an IPv4-mapped address is its IPv4 address'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', 'an IPv6 address is its /64'],
  ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64', 'case and compression do not matter'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64', 'leading zeros do not matter'],
  ['2001:db8::1', '2001:db8:0:0::/64', 'zeros that were left out count'],
  ['::1', '0:0:0:0::/64', 'the loopback address has a /64 too'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'a zone does not matter'],
])('%s counts as %s: %s', (sourceIp, key) => {
  expect(remoteKey(sourceIp)).toBe(key)
})

describe('requests of a remote address', () => {
  const policy = { limit: 3, seconds: 60 }
  const count = (remote = '203.0.113.7') => countRequest(world.deps, 'login', policy, remote)

  test('are refused beyond the limit, until the window ends', async () => {
    world.advance(10_000)
    const standings = [await count(), await count(), await count(), await count()]
    expect(standings.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0])
    expect(standings.map(({ isRefused }) => isRefused)).toEqual([false, false, false, true])
    expect(standings.map(({ resetSeconds }) => resetSeconds)).toEqual([50, 50, 50, 50])
    world.advance(49_999)
    expect((await count()).isRefused).toBe(true)
    world.advance(1)
    expect((await count()).isRefused).toBe(false)
  })

  test('are counted by address', async () => {
    for (let i = 0; i < 4; i++) await count()
    expect((await count('203.0.113.8')).isRefused).toBe(false)
  })

  test('are counted exactly when they come at once', async () => {
    const standings = await Promise.all(Array.from({ length: 20 }, () => count()))
    expect(standings.filter(({ isRefused }) => !isRefused)).toHaveLength(3)
  })

  test('leave an item that expires with its window', async () => {
    await count()
    const [item] = await world.items('RateLimits')
    expect(item?.expires).toBe(world.deps.now().getTime() / 1000 + 60)
  })

  test('are refused while the counters do not answer', async () => {
    world.broken = 'RateLimits'
    expect((await refusalOf(count())).code).toBe('unavailable')
  })
})

test('the standing is told in the IETF fields', () => {
  const standing = { name: 'login', policy: { limit: 60, seconds: 60 }, remaining: 59, resetSeconds: 30 }
  expect(rateLimitFields(standing)).toEqual({
    'ratelimit-policy': '"login";q=60;w=60',
    ratelimit: '"login";r=59;t=30',
  })
})

describe('guesses at a password', () => {
  const guess = (remote = '203.0.113.7', email = 'ada@example.com') => reserveGuess(world.deps, remote, email)
  const guessTimes = async (times: number, remote?: string) => {
    for (let i = 0; i < times; i++) await guess(remote)
  }

  test('are refused after ten in a quarter of an hour from one remote', async () => {
    await guessTimes(guessing.pair.limit)
    const refusal = await refusalOf(guess())
    expect(refusal.code).toBe('too-many-requests')
    expect(refusal.message).toBe(
      'Too many failed logins for this address: at most 10 in 15 minutes. Try again in 900 seconds.',
    )
    expect(refusal.particulars.headers).toEqual({
      'retry-after': '900',
      'ratelimit-policy': '"failed-logins-pair";q=10;w=900',
      ratelimit: '"failed-logins-pair";r=0;t=900',
    })
    world.advance(15 * minute - 1)
    await refusalOf(guess())
    world.advance(1)
    await guess()
  })

  test('do not slip through when they come at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => guess()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('from other remotes or at other addresses count apart', async () => {
    await guessTimes(10)
    await guess('203.0.113.8')
    await guess('203.0.113.7', 'bob@example.com')
  })

  test('are refused after a hundred in an hour from anywhere', async () => {
    for (let remote = 0; remote < 10; remote++) await guessTimes(10, `203.0.113.${remote}`)
    const refusal = await refusalOf(guess('198.51.100.1'))
    expect(refusal.message).toMatch('at most 100 in one hour. Try again in 3600 seconds.')
    world.advance(60 * minute)
    await guess('198.51.100.1')
  })

  test('that were right clear their pair and do not count for the address', async () => {
    await guessTimes(9)
    await (await guess()).forgive()
    await guessTimes(10)
    for (let remote = 0; remote < 8; remote++) await guessTimes(10, `198.51.100.${remote}`)
    await guess('192.0.2.1')
  })

  test('are cleared for all remotes when the password is reset', async () => {
    for (let remote = 0; remote < 10; remote++) await guessTimes(10, `203.0.113.${remote}`)
    await forgiveGuesses(world.deps, 'ada@example.com')
    await guess('203.0.113.0')
    await guess('198.51.100.1')
  })

  test('forgiven after they were cleared leave no item behind', async () => {
    const right = await guess()
    await forgiveGuesses(world.deps, 'ada@example.com')
    await right.forgive()
    expect(await world.items('RateLimits')).toEqual([])
  })

  test('are one write each', async () => {
    await guess()
    expect(world.calls).toEqual(['UpdateItem RateLimits'])
  })
})

test('an address gets at most five mails of a kind in an hour', async () => {
  const take = (kind: string) => takeMail(world.deps, kind, 'ada@example.com')
  for (let i = 0; i < mailing.limit; i++) expect(await take('reset')).toBe(true)
  expect(await take('reset')).toBe(false)
  expect(await take('verification')).toBe(true)
  world.advance(60 * minute)
  expect(await take('reset')).toBe(true)
})

test('nothing is counted when the limits are off', async () => {
  world.config.rateLimits = null
  for (let i = 0; i < 20; i++) {
    await reserveGuess(world.deps, '203.0.113.7', 'ada@example.com')
    expect(await takeMail(world.deps, 'reset', 'ada@example.com')).toBe(true)
  }
  await forgiveGuesses(world.deps, 'ada@example.com')
  expect(world.calls).toEqual([])
})
