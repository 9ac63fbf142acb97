import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { Name } from '../../../accounts/account/shapes.ts'
import { Email } from '../../../accounts/address/shapes.ts'
import { NewPassword } from '../../../accounts/password/password.ts'
import { componentSchemas } from '../../../api/openapi/schemas.ts'

/** The document's schemas of texts agree with the checks in the code. */

const written = componentSchemas()
// Formats are annotations: an address may be padded, or have an international domain.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const schemaOf = (name: string) => (name === 'Name' ? written.UserCreate?.properties?.name : written[name])
const fits = (name: string, text: string | null): boolean => ajv.validate(schemaOf(name) as object, text)

test('a name may hold the same characters, some beside a letter or an emoji alone', () => {
  const places = (unit: number) => [`a${String.fromCodePoint(unit)}a`, `1${String.fromCodePoint(unit)}`]
  const differ = Array.from({ length: 0x10000 }, (_, unit) => unit).filter(
    // Lone surrogates are described in words: patterns only see pairs.
    unit =>
      (unit < 0xd800 || unit > 0xdfff) &&
      places(unit).some(text => fits('Name', text)) !== places(unit).some(text => v.is(Name, text)),
  )
  expect(differ.map(unit => unit.toString(16))).toEqual([])
})

test.each([
  ['Name', Name, 'x'.repeat(200), 'x'.repeat(201)],
  ['Name', Name, '🏰'.repeat(200), '🏰'.repeat(201)],
  ['NewPassword', NewPassword, 'x'.repeat(256), 'x'.repeat(257)],
  ['NewPassword', NewPassword, '🔑'.repeat(256), '🔑'.repeat(257)],
  [
    'Email',
    Email,
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
    `a@${'b'.repeat(254)}.de`,
  ],
] as const)('%s ends where its check ends: %#', (name, schema, longest, longer) => {
  for (const text of [longest, longer]) expect(fits(name, text)).toBe(v.is(schema, text))
  expect([fits(name, longest), fits(name, longer)]).toEqual([true, false])
})

test('the schema states the minimum length of a password', () => {
  expect(written.NewPassword).toMatchObject({ minLength: 8, maxLength: 256 })
  expect(v.is(NewPassword, 'seven77')).toBe(true)
  expect(written.NewPassword?.description).toContain('password-too-short')
})

test('no member has a name that a JSON Pointer escapes', () => {
  const names = Object.values(written).flatMap(({ properties = {} }) => Object.keys(properties))
  expect(names.filter(name => /[~/]/.test(name))).toEqual([])
})

test('a name may be null, which a list of types says', () => {
  expect(fits('Name', null)).toBe(true)
  expect(schemaOf('Name')).toMatchObject({ type: ['string', 'null'] })
})

test('a token has one type', () => {
  expect(written.Token?.properties?.token_type).toMatchObject({ type: 'string', const: 'bearer' })
})

test('what is a password is not shown while it is typed', () => {
  for (const [name, member] of [
    ['UserLogin', 'password'],
    ['ChangePasswordRequest', 'current_password'],
    ['DeleteAccountRequest', 'password'],
  ] as const)
    expect(written[name]?.properties?.[member]).toMatchObject({ type: 'string', format: 'password' })
  expect(written.NewPassword).toMatchObject({ format: 'password' })
})
