import { randomBytes } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { expect, test, vi } from 'vitest'
import { requireLongEnough } from '../../../shared/accounts/password.ts'
import { hashPassword, isOutdated, verifyPassword } from '../../../shared/accounts/password-hash.ts'

const deps = { randomBytes, config: { bcryptCost: 4 } }
const passlib = '$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2QlB8NdRT8SvGiI4ft2'

test("passlib's hash of `password` verifies, and of nothing else", async () => {
  expect(await verifyPassword(deps, 'password', passlib)).toBe(true)
  expect(await verifyPassword(deps, 'Password', passlib)).toBe(false)
})

test('a hash has the form that passlib gives it', async () => {
  expect(await hashPassword(deps, 'correct horse')).toMatch(
    /^\$bcrypt-sha256\$v=2,t=2b,r=4\$[./A-Za-z0-9]{21}[.Oeu]\$[./A-Za-z0-9]{31}$/,
  )
})

test('a password is hashed with another salt each time', async () => {
  expect(await hashPassword(deps, 'correct horse')).not.toBe(await hashPassword(deps, 'correct horse'))
})

test.each([
  ['longer than the 72 bytes that bcrypt looks at', 'x'.repeat(100), `${'x'.repeat(99)}y`],
  ['with a NUL, at which C strings end', 'secret\0one', 'secret\0two'],
  ['of 256 characters outside the basic plane', '🔑'.repeat(256), `${'🔑'.repeat(255)}🔒`],
])('every character counts in a password %s', async (_, password, other) => {
  const hash = await hashPassword(deps, password)
  expect(await verifyPassword(deps, password, hash)).toBe(true)
  expect(await verifyPassword(deps, other, hash)).toBe(false)
})

test('a password matches however its accents were composed', async () => {
  const hash = await hashPassword(deps, 'crème brûlée'.normalize('NFC'))
  expect(await verifyPassword(deps, 'crème brûlée'.normalize('NFD'), hash)).toBe(true)
})

test.each(['2a', '2b', '2y'])('an imported $%s$ hash verifies', async version => {
  const hash = (await bcrypt.hash('imported password', 4)).replace('$2b$', `$${version}$`)
  expect(await verifyPassword(deps, 'imported password', hash)).toBe(true)
  expect(await verifyPassword(deps, 'another password', hash)).toBe(false)
})

test.each([
  ['there is no account', 'password', null],
  ['the stored hash is of no known form', 'password', 'plain text'],
  ['it is empty', '', null],
  ['it is over 256 characters', 'x'.repeat(257), null],
  ['it has a lone surrogate', '\ud800', null],
])('a password is simply wrong when %s, and costs exactly one hash of today', async (_, password, hash) => {
  const spent = vi.spyOn(bcrypt, 'hash')
  expect(await verifyPassword(deps, password, hash)).toBe(false)
  expect(spent.mock.calls.map(([, salt]) => String(salt).slice(0, 7))).toEqual(['$2b$04$'])
  spent.mockRestore()
})

test('what is not text does not match what it would be replaced by', async () => {
  const hash = await hashPassword(deps, '\ufffd'.repeat(8))
  expect(await verifyPassword(deps, '\ud800'.repeat(8), hash)).toBe(false)
})

test('an over-long password does not match the empty one that is hashed in its place', async () => {
  const hash = await hashPassword(deps, '')
  expect(await verifyPassword(deps, 'x'.repeat(257), hash)).toBe(false)
})

test.each([
  ['of today', async () => hashPassword(deps, 'x'), false],
  ['of another cost', async () => hashPassword({ ...deps, config: { bcryptCost: 5 } }, 'x'), true],
  ['of another form', async () => bcrypt.hash('x', 4), true],
  ['of no known form', async () => 'x', true],
])('a hash %s is outdated: %#', async (_, make, outdated) => {
  expect(isOutdated(deps, await make())).toBe(outdated)
})

test.each([
  ['7 letters', 'abcdefg', false],
  ['8 letters', 'abcdefgh', true],
  ['7 characters in 14 UTF-16 units', '🔑'.repeat(7), false],
  ['8 characters outside the basic plane', '🔑'.repeat(8), true],
])('%s are long enough: %#', (_, password, isEnough) => {
  const check = () => requireLongEnough(password)
  if (isEnough) expect(check).not.toThrow()
  else expect(check).toThrow('Password must be at least 8 characters')
})
