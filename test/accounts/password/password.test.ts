import { randomBytes } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { describe, expect, test, vi } from 'vitest'
import { hashPassword, isOutdated, verifyPassword } from '../../../accounts/password/hash.ts'
import { requireLongEnough, toPassword } from '../../../accounts/password/password.ts'

const logged: unknown[] = []
const deps = { randomBytes, config: { bcryptCost: 4 }, log: (entry: unknown) => logged.push(entry) }
/** Verifies a password as it is typed. @param hash null for a missing account */
const verify = (text: string, passwordHash: string | null, as: { config: { bcryptCost: number } } = deps) =>
  verifyPassword({ ...deps, ...as }, toPassword(text), passwordHash === null ? null : { id: 'ada', passwordHash })
const passlib = '$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2QlB8NdRT8SvGiI4ft2'

test("passlib's hash of `password` verifies that password and no other", async () => {
  expect(await verify('password', passlib)).toBe(true)
  expect(await verify('Password', passlib)).toBe(false)
})

test('a hash has the form that passlib gives it', async () => {
  expect(await hashPassword(deps, toPassword('correct horse'))).toMatch(
    /^\$bcrypt-sha256\$v=2,t=2b,r=4\$[./A-Za-z0-9]{21}[.Oeu]\$[./A-Za-z0-9]{31}$/,
  )
})

test('a password is hashed with another salt each time', async () => {
  expect(await hashPassword(deps, toPassword('correct horse'))).not.toBe(
    await hashPassword(deps, toPassword('correct horse')),
  )
})

test.each([
  ['longer than the 72 bytes that bcrypt looks at', 'x'.repeat(100), `${'x'.repeat(99)}y`],
  ['with a NUL, at which C strings end', 'secret\0one', 'secret\0two'],
  ['of 256 characters outside the basic plane', '🔑'.repeat(256), `${'🔑'.repeat(255)}🔒`],
])('every character counts in a password %s', async (_, password, other) => {
  const hash = await hashPassword(deps, toPassword(password))
  expect(await verify(password, hash)).toBe(true)
  expect(await verify(other, hash)).toBe(false)
})

test('a password matches however its accents were composed', async () => {
  const hash = await hashPassword(deps, toPassword('crème brûlée'.normalize('NFC')))
  expect(await verify('crème brûlée'.normalize('NFD'), hash)).toBe(true)
})

test.each([
  ['there is no account', 'password', null],
  ['the stored hash is of no known form', 'password', 'plain text'],
  ['it is empty', '', null],
  ['it is over 256 characters', 'x'.repeat(257), null],
  ['it has a lone surrogate', '\ud800', null],
])("a password is simply wrong when %s, and costs exactly one hash at today's cost", async (_, password, hash) => {
  const spent = vi.spyOn(bcrypt, 'hash')
  expect(await verify(password, hash)).toBe(false)
  expect(spent.mock.calls.map(([, salt]) => String(salt).slice(0, 7))).toEqual(['$2b$04$'])
  spent.mockRestore()
})

/** The costs of the hashes computed to verify a password, in order. */
async function costsOf(verifying: () => Promise<unknown>): Promise<number[]> {
  const spent = vi.spyOn(bcrypt, 'hash')
  await verifying()
  const costs = spent.mock.calls.map(([, salt]) => Number(String(salt).slice(4, 6)))
  spent.mockRestore()
  return costs
}
/** What hashes cost together: bcrypt's cost is a power of two. */
const sum = (costs: number[]) => costs.reduce((total, cost) => total + 2 ** cost, 0)

describe('a wrong password costs exactly what an unknown address does', () => {
  const today = { randomBytes, config: { bcryptCost: 7 } }

  test.each([
    ['of today', 7, [7]],
    ['cheaper by one', 6, [6, 6]],
    ['cheaper by two', 5, [5, 5, 6]],
    ['of the least cost', 4, [4, 4, 5, 6]],
  ])('against a hash %s', async (_, cost, costs) => {
    const hash = await hashPassword({ ...today, config: { bcryptCost: cost } }, toPassword('correct horse'))
    const wrong = await costsOf(() => verify('wrong horse', hash, today))
    expect(wrong).toEqual(costs)
    expect(sum(wrong)).toBe(sum(await costsOf(() => verify('wrong horse', null, today))))
  })

  test.each(['2a', '2b', '2y'])('against a cheaper $%s$ hash', async version => {
    const hash = (await bcrypt.hash('correct horse', 4)).replace('$2b$', `$${version}$`)
    expect(sum(await costsOf(() => verify('wrong horse', hash, today)))).toBe(2 ** 7)
  })

  test.each([
    ['over 256 characters', 'x'.repeat(257)],
    ['no text', '\ud800'],
    ['empty', ''],
  ])('when it is %s', async (_, password) => {
    const hash = await hashPassword(deps, toPassword('correct horse'))
    expect(sum(await costsOf(() => verify(password, hash, today)))).toBe(2 ** 7)
  })

  test('while a right one costs its own hash, and another to replace it', async () => {
    const hash = await hashPassword(deps, toPassword('correct horse'))
    expect(await costsOf(() => verify('correct horse', hash, today))).toEqual([4])
  })
})

describe('a stored hash verifies nothing, and costs exactly one of today', () => {
  const [salt, digest] = ['n79VH.0Q2TMWmt3Oqt9uku', 'Kq4Noyk3094Y2QlB8NdRT8SvGiI4ft2']

  test.each([
    ['of our form and a version that is not ours', `$bcrypt-sha256$v=1,t=2b,r=4$${salt}$${digest}`],
    ['of a bcrypt that is known to be broken', `$2x$04$${salt}${digest}`],
    ['with a cost of one digit', `$2b$4$${salt}${digest}`],
    ['with a line break at its end', `$2b$04$${salt}${digest}\n`],
    ['that is empty', ''],
  ])('%s', async (_, hash) => {
    let isRight = true
    const costs = await costsOf(async () => {
      isRight = await verify('password', hash)
    })
    expect({ isRight, costs }).toEqual({ isRight: false, costs: [4] })
  })
})

test('invalid text does not match its replacement characters', async () => {
  const hash = await hashPassword(deps, toPassword('\ufffd'.repeat(8)))
  expect(await verify('\ud800'.repeat(8), hash)).toBe(false)
})

test('an over-long password does not match the empty text that is hashed in its place', async () => {
  const hash = await hashPassword(deps, toPassword(''))
  expect(await verify('x'.repeat(257), hash)).toBe(false)
})

test.each([
  ['of today', async () => hashPassword(deps, toPassword('x')), false],
  ['of another cost', async () => hashPassword({ ...deps, config: { bcryptCost: 5 } }, toPassword('x')), true],
  ['of another form', async () => bcrypt.hash('x', 4), true],
  ['of no known form', async () => 'x', false],
])('a hash %s is outdated: %#', async (_, make, outdated) => {
  expect(await isOutdated(deps, await make(), toPassword('x'))).toBe(outdated)
})

test.each([
  ['71 letters', 'x'.repeat(71), true],
  ['72 letters', 'x'.repeat(72), false],
  ['71 bytes in 36 characters', `x${'ä'.repeat(35)}`, true],
  ['72 bytes in 36 characters', 'ä'.repeat(36), false],
  ['72 bytes in 18 characters', '🔑'.repeat(18), false],
  ['72 bytes in 36 characters and their accents', 'a\u0308'.repeat(36), false],
])('of %s plain bcrypt knows the end, or its hash is not replaced', async (_, text, isKnown) => {
  const password = toPassword(text)
  const longer = ['x', 'ä', '🔑'].map(end => toPassword(password + end))
  const hash = await bcrypt.hash(password, 4)
  const taken = await Promise.all([password, ...longer].map(each => verify(each, hash)))
  expect(taken[0]).toBe(true)
  expect(await isOutdated(deps, hash, password)).toBe(isKnown)
  // The service's own form reads all of it.
  const costlier = await hashPassword({ ...deps, config: { bcryptCost: 5 } }, password)
  expect(await isOutdated(deps, costlier, password)).toBe(true)
  for (const [index, each] of longer.entries())
    if (taken[index + 1]) expect(await isOutdated(deps, hash, each)).toBe(false)
})

test.each([
  ['7 letters', 'abcdefg', false],
  ['8 letters', 'abcdefgh', true],
  ['7 characters in 14 UTF-16 units', '🔑'.repeat(7), false],
  ['8 characters outside the basic plane', '🔑'.repeat(8), true],
])('%s are long enough: %#', (_, password, isEnough) => {
  const check = () => requireLongEnough(toPassword(password))
  if (isEnough) expect(check).not.toThrow()
  else expect(check).toThrow('Password must be at least 8 characters')
})
