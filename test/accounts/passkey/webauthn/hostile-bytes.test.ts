import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Assertion, NewCredential } from '../../../../accounts/passkey/shapes.ts'
import { reasons } from '../../../../shared/base/system.ts'
import { holds } from '../../../support/property.ts'
import { authenticator, type Lies } from '../../../support/service/authenticator.ts'
import { ourAssertion, ourRegistration } from './verdicts.ts'

/** Anybody can send this input: nothing but a `WrongPasskey` may be thrown. */

const challenge = Buffer.alloc(32, 7).toString('base64url')
const user = { id: Buffer.alloc(64, 9).toString('base64url') }
const device = authenticator({ algorithm: -8 })
const registration = device.create({ challenge, user })
const assertion = device.get({ challenge })
const found = ourRegistration(registration)
if (typeof found === 'string') throw new Error(found)

/** The same answer with other bytes in one member. */
const with_ = <T extends { response: object }>(json: T, member: string, bytes: Uint8Array): T => ({
  ...json,
  response: { ...json.response, [member]: Buffer.from(bytes).toString('base64url') },
})
const bytesOf = (json: { response: object }, member: string): Buffer =>
  Buffer.from((json.response as Record<string, string>)[member] ?? '', 'base64url')

const members = [
  ['clientDataJSON', assertion],
  ['authenticatorData', assertion],
  ['signature', assertion],
  ['clientDataJSON', registration],
  ['attestationObject', registration],
] as const
const judge = (json: typeof assertion | typeof registration) =>
  'signature' in json.response ? ourAssertion(json, found) : ourRegistration(json)
const kindOf = (json: object) => (json === assertion ? 'an assertion' : 'a registration')

describe.each(members.map(([member, json]) => ({ member, of: kindOf(json), json })))(
  '$member of $of',
  ({ member, json }) => {
    const right = bytesOf(json, member)

    test('is refused wherever it ends early', () => {
      for (let size = 0; size < right.length; size++)
        expect(judge(with_(json, member, right.subarray(0, size)))).toBe(member === 'signature' ? 'signature' : 'form')
    })

    test('may be any bytes', () =>
      holds(fc.uint8Array({ maxLength: 400 }), async bytes => {
        expect(reasons['passkey-refused']).toContain(judge(with_(json, member, bytes)))
      }))

    test('may have other bytes anywhere', () => {
      const change = fc.tuple(fc.nat(right.length - 1), fc.nat(8), fc.uint8Array({ maxLength: 8 }))
      return holds(
        change,
        async ([at, removed, inserted]) => {
          const bytes = Buffer.concat([right.subarray(0, at), inserted, right.subarray(at + removed)])
          const verdict = judge(with_(json, member, bytes))
          if (typeof verdict === 'string') expect(reasons['passkey-refused']).toContain(verdict)
          else if (json === assertion) expect(bytes).toEqual(right)
        },
        1000,
      )
    })
  },
)

test.each(['clientDataJSON', 'authenticatorData', 'signature'])(
  'an assertion is refused with any bit of its %s flipped',
  member => {
    const right = bytesOf(assertion, member)
    for (let bit = 0; bit < right.length * 8; bit++) {
      const bytes = Buffer.from(right)
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(typeof judge(with_(assertion, member, bytes))).toBe('string')
    }
  },
)

/** Anything that the CBOR decoder reads or refuses. */
const { value: anyCbor } = fc.letrec<{ value: CBORType }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<CBORType>(
      null,
      undefined,
      true,
      false,
      'authData',
      'fmt',
      '__proto__',
      1,
      3,
      -1,
      -2,
      -3,
      -7,
      -8,
      -257,
    ),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 40 }).map(bytes => new Uint8Array(bytes)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom('authData', 'fmt', 1, 3, -1, -2, -3), fc.integer()), tie('value')), {
        maxLength: 6,
      })
      .map(entries => new Map<string | number, CBORType>(entries)),
  ),
}))

test.each<[string, (value: CBORType) => Lies]>([
  ['attestation object', value => ({ attestation: () => value })],
  ['authenticator data', value => ({ attestation: object => object.set('authData', value) })],
  ['key', value => ({ coseKey: () => value })],
  ['coordinate', value => ({ coseKey: key => key.set(-2, value) })],
  ['algorithm', value => ({ coseKey: key => key.set(3, value === -8 ? -7 : value) })],
  ['extensions', value => ({ extensions: encodeCBOR([value]) })],
])('a registration may have any CBOR as %s', (_, lies) =>
  holds(
    anyCbor,
    async value => {
      expect(reasons['passkey-refused']).toContain(ourRegistration(device.create({ challenge, user }, lies(value))))
    },
    300,
  ),
)

test.each(['[', '{"a":', '{"__proto__":'])('client data may be nested without end: %s', piece => {
  const deep = Buffer.from(piece.repeat(12_000 / piece.length))
  expect(judge(with_(assertion, 'clientDataJSON', deep))).toBe('form')
  expect(judge(with_(registration, 'clientDataJSON', deep))).toBe('form')
})

describe.each([
  ['assertion', Assertion, assertion],
  ['credential', NewCredential, registration],
] as const)('the shape of an %s', (_, schema, json) => {
  const pointers = (value: unknown) =>
    v.safeParse(schema, value).issues?.map(issue => issue.path?.map(({ key }) => String(key)).join('/') ?? '')

  test('is that of the standard, and other members are ignored', () => {
    const more = { ...json, type: 7, other: {}, response: { ...json.response, publicKey: 7, publicKeyAlgorithm: '' } }
    expect(pointers(more)).toBeUndefined()
    expect(Object.keys(v.parse(schema, more)).sort()).toEqual(['id', 'rawId', 'response'])
  })

  const wrong = [null, 7, true, [], {}, 'a', 'AB', 'AA==', 'A A', 'A+A', 'A/A', 'AA\n', 'ü', '\u0000', 'A'.repeat(5)]
  const texts = [
    'id',
    'rawId',
    ...Object.keys(json.response)
      .filter(name => name !== 'transports')
      .map(name => `response/${name}`),
  ]
  test.each(texts)('names %s where it is no base64url without padding', pointer => {
    const [name = '', member] = pointer.split('/')
    for (const value of wrong) {
      if (member === 'userHandle' && value === null) continue
      const spoilt = member ? { ...json, response: { ...json.response, [member]: value } } : { ...json, [name]: value }
      expect(pointers(spoilt)).toContain(pointer)
    }
  })

  test('names rawId where it is not id', () => {
    expect(pointers({ ...json, rawId: 'AAAA' })).toEqual(['rawId'])
    // As long as it, too.
    expect(pointers({ ...json, rawId: `${json.id.startsWith('A') ? 'B' : 'A'}${json.id.slice(1)}` })).toEqual(['rawId'])
  })

  test('may be anything', () =>
    holds(fc.jsonValue(), async value => {
      expect(pointers(value)).toBeDefined()
      expect(pointers({ ...json, response: value })).toBeDefined()
      v.safeParse(schema, { ...json, response: { ...json.response, transports: value } })
    }))
})
