import { randomBytes } from 'node:crypto'
import bcrypt from 'bcryptjs'
import fc from 'fast-check'
import * as v from 'valibot'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type BoundName, bounds, brokenBounds, ownForm, type Parts } from '../../../accounts/password/form.ts'
import { otherForms } from '../../../accounts/password/forms.ts'
import { hashPassword, isOutdated, verifyPassword } from '../../../accounts/password/hash.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { Hash, readHash } from '../../../operations/users/hash-record.ts'
import { made, passwords } from '../../support/hashes.ts'
import { holds } from '../../support/property.ts'

type Kind = keyof typeof passwords

/** Published with their passwords by others. */
const published: readonly (readonly [by: string, password: string, hash: string])[] = [
  [
    'ASP.NET Core, PasswordHasherTest, version 2',
    'my password',
    'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==',
  ],
  [
    'ASP.NET Core, PasswordHasherTest, version 3',
    'my password',
    'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
  ],
  [
    'Supabase Auth, TestScrypt',
    'mytestpassword',
    '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==',
  ],
  ['Drupal 7, in the test of a port', 'Cookies1', '$S$Dr3Hm8Od9X0Ux/olZ.B8Uwh6./3E1l4nPfXebovKVvMB9zcmjkTn'],
  [
    'WordPress 6.8, by PHP, in the demonstration of php-wasm',
    'admin',
    '$wp$2y$10$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES',
  ],
]

const logged: unknown[] = []
const deps = { randomBytes, config: { bcryptCost: 4 }, log: (entry: unknown) => logged.push(entry) }
const verify = (text: string, passwordHash: string, bcryptCost = 4) =>
  verifyPassword({ ...deps, config: { bcryptCost } }, toPassword(text), { id: 'ada', passwordHash })

const forms = [ownForm, ...otherForms]
const fitting = (hash: string) => forms.filter(({ pattern }) => pattern.test(hash))
/** A vector of each row, and of each digest of a row. */
const samples = made.map(({ by, short }) => [`${by}: ${short.slice(0, 22)}`, short] as const)

afterEach(() => vi.restoreAllMocks())

describe('a hash of another system', () => {
  test.each(made)('verifies its passwords, and no other: $by', async ({ by: _, ...hashes }) => {
    for (const kind of Object.keys(passwords) as Kind[]) {
      expect([kind, await verify(passwords[kind].normalize('NFD'), hashes[kind])]).toEqual([kind, true])
      expect([kind, await verify(`?${passwords[kind].slice(1)}`, hashes[kind])]).toEqual([kind, false])
    }
    expect(logged).toEqual([])
  })

  test.each(published)('verifies as published: %s', async (_, password, hash) => {
    expect([await verify(password, hash), await verify('mytestpassworD', hash)]).toEqual([true, false])
  })

  test('is of one row: each has a vector, and no text fits two', async () => {
    expect(otherForms.filter(form => !made.some(({ short }) => fitting(short).includes(form)))).toEqual([])
    for (const [, hash] of samples) expect(fitting(hash)).toHaveLength(1)
    for (const { pattern } of forms) {
      await holds(fc.stringMatching(new RegExp(pattern.source.replace(/\?<\w+>/g, ''))), async text =>
        expect(fitting(text)).toHaveLength(1),
      )
    }
  })

  test.each(samples)('does not verify with a changed character of a part: %s', async (_, hash) => {
    const [form] = fitting(hash)
    const pattern = new RegExp(form?.pattern.source ?? '', 'd')
    const positions = Object.values(pattern.exec(hash)?.indices?.groups ?? {}).flatMap(span => (span ? span[0] : []))
    // ASP.NET's text is one part: its algorithm, rounds and salt, and what is compared of its key.
    if (form?.by.startsWith('ASP')) positions.push(6, 9, 18, 30, 42)
    expect(positions.length).toBeGreaterThan(0)
    for (const at of positions) {
      const changed = hash.slice(0, at) + changedCharacter(hash[at] ?? '') + hash.slice(at + 1)
      expect([changed, await verify(passwords.short, changed)]).toEqual([changed, false])
    }
  })

  test.each(samples.filter(([, hash]) => /^\$(?:pbkdf2|argon2|scrypt|fbscrypt)/.test(hash)))(
    'does not verify with another spelling of its salt, of the same bytes: %s',
    async (_, hash) => {
      const [, salt = ''] = /\$([^$]+)\$[^$]+$/.exec(hash.replaceAll('.', '+')) ?? []
      const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
      const [last = ''] = salt.replace(/=+$/, '').slice(-1)
      const other = salt.replace(/.(=*)$/, `${digits[digits.indexOf(last) ^ 1]}$1`)
      expect(Buffer.from(other, 'base64')).toEqual(Buffer.from(salt, 'base64'))
      expect(await verify(passwords.short, hash.replaceAll('.', '+').replace(salt, other))).toBe(false)
    },
  )

  /** Of 64 bytes that were cut off after the first block the text is passlib's own of the same password. */
  const isOfOneBlock = (cut: string) => /^\$pbkdf2\$.+\$.{27}$|^\$pbkdf2-sha256\$.+\$.{43}$/.test(cut)

  test.each(samples)('does not verify where it was cut off, and throws nothing: %s', async (_, hash) => {
    for (let length = 0; length < hash.length; length++) {
      const cut = hash.slice(0, length)
      if (readHash(cut) !== null && !isOfOneBlock(cut))
        expect([cut, await verify(passwords.short, cut)]).toEqual([cut, false])
    }
  })

  test('is none of random texts: they verify nothing, and throw nothing', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(
          fc.constantFrom(...samples.map(([, hash]) => hash)),
          fc.nat(),
          fc.string({ unit: 'binary', minLength: 1 }),
        )
        .map(([hash, at, inserted]) => hash.slice(0, at % hash.length) + inserted + hash.slice(at % hash.length)),
    )
    const mayCost = (hash: string) => (readHash(hash)?.steps ?? 0) < 2 ** 10
    await holds(text.filter(mayCost), async hash => expect(await verify(passwords.short, hash)).toBe(false), 300)
  })

  test.each(samples.filter(([, hash]) => fitting(hash)[0] !== ownForm))(
    'takes no NUL for the end, nor for what HMAC pads a key with: %s',
    async (_, hash) => {
      expect(await verify(`${passwords.short}\0`, hash)).toBe(false)
      expect(await verify(`${passwords.short}\0${passwords.short}`, hash)).toBe(false)
    },
  )

  test('is of argon2, which this Node lacks: a wrong password, of which operators read', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => {
      throw Object.assign(new Error('not supported'), { code: 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED' })
    })
    const hash = made.find(({ short }) => short.startsWith('$argon2id'))?.short ?? ''
    const spent = vi.spyOn(bcrypt, 'hash')
    expect(await verify(passwords.short, hash)).toBe(false)
    expect(spent).toHaveBeenCalled()
    expect(logged.splice(0)).toEqual([{ event: 'hash-unsupported', account_id: 'ada' }])
  })
})

/** Another character of its kind. */
const changedCharacter = (character: string): string =>
  /\d/.test(character) ? String((Number(character) % 9) + 1) : character === 'b' ? 'c' : 'b'

/** How a parameter is brought to a value. Sizes are those of base64, and of text where a row has that. */
const ways: Record<BoundName, (value: number) => readonly Partial<Parts>[]> = {
  'a cost': value => [{ cost: String(value).padStart(2, '0') }],
  rounds: value => [{ rounds: String(value) }],
  'rounds of SHA-512': value => [{ rounds: String(value) }],
  'N·r, with N a power of two,': value => [{ N: String(value / 8), n: String(Math.log2(value / 8)), r: '8', p: '1' }],
  N·r·p: value => [{ N: '1024', n: '10', r: '8', p: String(value / 2 ** 13) }],
  'm (KiB)': value => [{ m: String(value), t: '1' }],
  'm·t (KiB)': value => [{ m: '1024', t: String(value / 2 ** 10) }],
  p: value => [{ p: String(value) }],
  'n (2ⁿ rounds)': value => [{ n: phpassDigit(value) }],
  'n (2ⁿ rounds of SHA-512)': value => [{ n: phpassDigit(value) }],
  'bytes of salt': value => spellings(value).map(salt => ({ salt })),
  'bytes of key, of a usual size,': value => spellings(value).map(key => ({ key })),
}
const phpassDigit = (value: number): string => './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'[value] ?? ''
function spellings(size: number): string[] {
  const bytes = Buffer.alloc(size, 7)
  const padded = bytes.toString('base64')
  return [padded.replace(/=+$/, ''), padded, 'x'.repeat(size), bytes.toString('hex')]
}

/** The next beyond a bound. */
const beyond = (name: BoundName, value: number, by: 1 | -1): number => {
  if (name.startsWith('N·r, ')) return value * 2 ** by
  if (name === 'N·r·p') return value + by * 2 ** 13
  return value + by * (name.startsWith('m·t') ? 2 ** 10 : 1)
}

/** A hash with other parts. */
function rewritten(hash: string, parts: Partial<Parts>): string {
  const [form] = fitting(hash)
  const { groups = {} } = new RegExp(form?.pattern.source ?? '', 'd').exec(hash)?.indices ?? {}
  const spans = Object.entries(groups)
    .filter(([, span]) => span !== undefined)
    .sort(([, [a]], [, [b]]) => b - a)
  return spans.reduce(
    (text, [name, [from, to]]) =>
      text.slice(0, from) + (parts[name as keyof Parts] ?? text.slice(from, to)) + text.slice(to),
    hash,
  )
}

describe('a hash within its bounds is taken, one beyond verifies nothing', () => {
  const cases = samples.flatMap(([what, hash]) =>
    (Object.keys(readHash(hash)?.bounded ?? {}) as BoundName[]).map(name => [name, what, hash] as const),
  )
  /** @param read how the value may read */
  const brought = (hash: string, name: BoundName, value: number, ...read: number[]) =>
    ways[name](value)
      .map(parts => rewritten(hash, parts))
      .find(text => [value, ...read].includes(Number(readHash(text)?.bounded[name] ?? Number.POSITIVE_INFINITY)))

  test.each(cases)('%s: %s', async (name, _, hash) => {
    const { min, max } = bounds[name]
    for (const value of [min, max]) {
      const text = brought(hash, name, value)
      if (text !== undefined) expect([text, v.is(Hash, text)]).toEqual([text, true])
    }
    for (const value of [beyond(name, min, -1), beyond(name, max, 1)]) {
      const text = brought(hash, name, value, Number.NaN)
      if (text === undefined) continue
      const spent = vi.spyOn(bcrypt, 'hash')
      expect(await verify(passwords.short, text)).toBe(false)
      expect(spent.mock.calls.map(([, salt]) => String(salt).slice(0, 7))).toEqual(['$2b$04$'])
      spent.mockRestore()
      const { issues = [] } = v.safeParse(Hash, text)
      expect(issues.map(({ message }) => message).join()).toMatch(/^must have .* from [\d,]+ to [\d,]+: no login/)
    }
  })

  test.each(cases)('costs at most twice a bcrypt hash of the greatest cost, at bound %s: %s', (name, _, hash) => {
    const { steps = 0 } = readHash(brought(hash, name, bounds[name].max) ?? hash) ?? {}
    expect(steps).toBeGreaterThan(0)
    expect(steps).toBeLessThanOrEqual(2 * 2 ** bounds['a cost'].max)
  })

  test('each bound is reached by some row, from both sides', () => {
    for (const name of Object.keys(bounds) as BoundName[]) {
      const hashes = cases.filter(([each]) => each === name).map(([, , hash]) => hash)
      for (const value of [bounds[name].min, bounds[name].max])
        expect([name, value, hashes.some(hash => brought(hash, name, value) !== undefined)]).toEqual([
          name,
          value,
          true,
        ])
    }
  })

  test('of ASP.NET Identity 3, whose text is one part, too', () => {
    const of = (algorithm: number, rounds: number, salt = 16, key = 32) => {
      const bytes = Buffer.alloc(13 + salt + key, 7)
      bytes[0] = 1
      for (const [at, value] of [algorithm, rounds, salt].entries()) bytes.writeUInt32BE(value, 1 + 4 * at)
      const read = readHash(bytes.toString('base64'))
      return read && brokenBounds(read)
    }
    expect([of(1, 1_000), of(0, 10_000_000), of(2, 5_000_000), of(1, 1_000, 8), of(1, 1_000, 64)]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ])
    expect([of(1, 999), of(0, 10_000_001), of(2, 5_000_001)]).toEqual([['rounds'], ['rounds'], ['rounds of SHA-512']])
    expect([of(1, 1_000, 7), of(1, 1_000, 65), of(1, 1_000, 16, 31)]).toEqual([
      ['bytes of salt'],
      ['bytes of salt'],
      ['bytes of key, of a usual size,'],
    ])
    expect(of(3, 1_000)).toBeNull()
  })
})

test('a hash of Better Auth is replaced when its original form is typed', async () => {
  const hash = made.find(({ by }) => by.startsWith('better-auth'))?.composed ?? ''
  const folded = toPassword(passwords.composed.normalize('NFKC'))
  expect([await verify(folded, hash), await isOutdated(deps, hash, folded)]).toEqual([true, true])
  expect(await isOutdated(deps, hash, toPassword(passwords.composed))).toBe(false)
})

describe('what a wrong password has not used of the CPU is burnt', () => {
  const [, hash] = samples.find(([, each]) => each.startsWith('pbkdf2_sha256')) ?? ['', '']
  const today = 12
  const whole = 2 ** today

  /** What all hashes of bcrypt take, in steps, when the form has taken as many. A step takes a microsecond. */
  async function burnt(used: number): Promise<number> {
    let [spent, asked] = [0, 0]
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => {
      // After the form was computed.
      if (++asked === 2) spent += used
      return { user: spent / 2, system: spent / 2 }
    })
    vi.spyOn(bcrypt, 'hash').mockImplementation((async (_: string, salt: string) => {
      spent += 2 ** Number(salt.slice(4, 6))
      return 'x'.repeat(60)
    }) as typeof bcrypt.hash)
    expect(await verify('wrong horse', hash, today)).toBe(false)
    vi.restoreAllMocks()
    return spent - used
  }

  test('up to a hash of today, whatever the form has used', async () => {
    await holds(fc.integer({ min: 0, max: whole - 16 }), async used => {
      const all = used + (await burnt(used))
      expect(Math.abs(all - whole)).toBeLessThanOrEqual(16)
    })
  })

  test('and at most an eighth of one where the form has used more', async () => {
    await holds(fc.integer({ min: whole, max: 8 * whole }), async used =>
      expect(await burnt(used)).toBeLessThanOrEqual(whole / 8),
    )
  })

  test('but not of a form over bcrypt, whose cost is known', async () => {
    const asked = vi.spyOn(process, 'cpuUsage')
    const spent = vi.spyOn(bcrypt, 'hash')
    const [, over] = samples.find(([, each]) => each.startsWith('bcrypt_sha256')) ?? ['', '']
    await verify('wrong horse', over, 7)
    expect(spent.mock.calls.map(([, salt]) => Number(String(salt).slice(4, 6)))).toEqual([4, 4, 5, 6])
    expect(asked.mock.calls.length).toBe(1)
  })

  test('and nothing after a right one', async () => {
    const spent = vi.spyOn(bcrypt, 'hash')
    expect(await verify(passwords.short, hash, today)).toBe(true)
    expect(spent).not.toHaveBeenCalled()
    const own = await hashPassword(deps, toPassword(passwords.short))
    expect(await isOutdated(deps, own, toPassword(passwords.short))).toBe(false)
  })
})
