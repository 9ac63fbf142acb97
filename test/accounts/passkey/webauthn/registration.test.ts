import { createPublicKey } from 'node:crypto'
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'
import { describe, expect, test } from 'vitest'
import { readAssertion } from '../../../../accounts/passkey/assertion.ts'
import { readRegistration } from '../../../../accounts/passkey/attestation.ts'
import { isSigned, readKey, spkiOf } from '../../../../accounts/passkey/public-key.ts'
import { type AlgorithmId, authenticator, coseOf, type Lies } from '../../../support/service/authenticator.ts'
import { chromiumRecordings, standardVectors } from './vectors.ts'
import { ourAssertion, ourRegistration, theirAssertion, theirRegistration } from './verdicts.ts'

const challenge = Buffer.alloc(32, 7).toString('base64url')
const user = { id: Buffer.alloc(64, 9).toString('base64url') }

const device = authenticator()
const create = (lies: Lies = {}) => device.create({ challenge, user }, lies)
const bytes = (length: number, value = 1): Uint8Array => new Uint8Array(length).fill(value)
const tail = (data: Uint8Array, ...more: Uint8Array[]): Buffer => Buffer.concat([data, ...more])

describe('a registration is taken', () => {
  test.each<[AlgorithmId, string]>([
    [-7, 'ES256'],
    [-8, 'Ed25519'],
    [-257, 'RS256'],
  ])('with a key of algorithm %i, %s; a second opinion agrees', async algorithm => {
    for (const isSynced of [true, false]) {
      const one = authenticator({ algorithm, isSynced })
      const registration = one.create({ challenge, user })
      expect(ourRegistration(registration)).toEqual({
        credentialId: registration.id,
        publicKey: one.held[0]?.publicKey.export({ format: 'der', type: 'spki' }),
        signCount: isSynced ? 0 : 1,
        backupEligible: isSynced,
        backedUp: isSynced,
        transports: ['hybrid', 'internal'],
      })
      expect(await theirRegistration(registration)).toBe('taken')
    }
  })

  test.each<[string, Lies, string?]>([
    ['with an id of one byte', { credentialId: bytes(1) }],
    ['with an id of 1,023 bytes', { credentialId: bytes(1023) }],
    ['with extensions', { extensions: encodeCBOR(new Map([['credProtect', 2]])) }],
    ['with empty extensions', { extensions: encodeCBOR(new Map()) }],
    ['that is eligible for backup, and has none yet', { flags: { backedUp: false } }],
    // A second opinion checks the statement.
    [
      "with its maker's statement",
      { attestation: object => object.set('fmt', 'packed').set('attStmt', new Map([['alg', -7]])) },
      'refused',
    ],
    [
      'with a statement of any form',
      { attestation: object => object.set('fmt', 7).set('attStmt', [null, 'x']) },
      'refused',
    ],
    [
      'without format and statement',
      { attestation: object => new Map([['authData', object.get('authData') ?? null]]) },
      'refused',
    ],
  ])('%s', async (_, lies, opinion = 'taken') => {
    expect(ourRegistration(create(lies))).toMatchObject({ signCount: 0 })
    expect(await theirRegistration(create(lies))).toBe(opinion)
  })

  test.each<[unknown, string[]]>([
    [
      ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'],
      ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'],
    ],
    [
      ['internal', 'internal', 'usb'],
      ['usb', 'internal'],
    ],
    [['cable', 'INTERNAL', '', '<script>', 'toString', 'x'.repeat(9000)], []],
    [[], []],
    [null, []],
    [undefined, []],
  ])('with those transports alone that the standard knows, each once: of %j, %j', (transports, kept) => {
    const { response, ...rest } = create()
    expect(ourRegistration({ ...rest, response: { ...response, transports } })).toMatchObject({ transports: kept })
  })
})

/** Why @simplewebauthn/server accepts what we refuse. */
const lenient = {
  cbor: 'it takes CBOR that ends early, or before its bytes do',
  extensions: 'it does not look at what the extensions are',
  id: 'it does not compare the two ids',
  length: 'it does not read the length of the id',
  frame: 'it does not look at frames here',
  challenge: 'it leaves the challenge to whom it asks',
  key: 'it does not read the key before the first assertion',
} as const
type Why = keyof typeof lenient

const withoutData = (object: Map<string, CBORType>): CBORType => {
  object.delete('authData')
  return object
}
const claimed = (text: string): Lies => ({ attestation: () => Buffer.from(text, 'hex') })
const cose = (change: (key: Map<number, CBORType>) => unknown): Lies => ({
  coseKey: key => {
    change(key)
    return key
  },
})

const refused: [string, string, Lies, Why?][] = [
  ['form', 'client data that is no JSON', { clientDataJson: '{' }],
  ['form', 'a challenge that is a number', { clientData: { challenge: 7 } }, 'challenge'],
  ['form', 'no CBOR', { attestation: () => bytes(0) }],
  ['form', 'a number in place of the object', { attestation: () => 7 }],
  ['form', 'an array in place of the object', { attestation: object => [...object.values()] }],
  ['form', 'an object without authenticator data', { attestation: withoutData }],
  ['form', 'authenticator data as a text', { attestation: object => object.set('authData', 'x'.repeat(200)) }],
  ['form', 'authenticator data as an array', { attestation: object => object.set('authData', [...bytes(200)]) }],
  ['form', 'a byte after the object', { attestation: object => tail(encodeCBOR(object), bytes(1)) }, 'cbor'],
  ['form', 'an object that ends early', { attestation: object => encodeCBOR(object).subarray(0, -1) }, 'cbor'],
  ['form', 'two members of one name', claimed('a2686175746844617461406861757468446174614100')],
  ['form', 'a string that claims 4 GB', claimed('a16861757468446174615affffffff00')],
  ['form', 'a string that claims 2^64 bytes', claimed('a16861757468446174615bffffffffffffffff00')],
  ['form', 'a map that claims 2^64 members', claimed('bbffffffffffffffff6861757468446174614100')],
  ['form', 'an array that claims 2^53 values', claimed('9b001fffffffffffff00')],
  ['form', 'strings without an end', claimed('a16861757468446174615f4100ff')],
  ['form', 'arrays within arrays, 9,000 deep', { attestation: () => tail(bytes(9000, 0x81), bytes(1, 0)) }],
  ['form', 'tags within tags, 9,000 deep', { attestation: () => tail(bytes(9000, 0xc1), bytes(1, 0)) }],
  ['form', 'authenticator data that ends early', { authenticatorData: data => data.subarray(0, 36) }],
  ['form', 'no credential data', { authenticatorData: data => data.subarray(0, 37), flags: { credential: false } }],
  ['form', 'credential data that is not flagged', { flags: { credential: false } }],
  ['form', 'flagged credential data that is not there', { authenticatorData: data => data.subarray(0, 37) }],
  ['form', 'credential data that ends within the length', { authenticatorData: data => data.subarray(0, 54) }],
  ['form', 'credential data that ends within the id', { authenticatorData: data => data.subarray(0, 60) }],
  ['form', 'credential data without a key', { authenticatorData: data => data.subarray(0, 87) }],
  ['form', 'a key that ends early', { authenticatorData: data => data.subarray(0, -1) }, 'cbor'],
  ['form', 'a length that is more than there is', { credentialIdLength: 0xffff }],
  ['form', 'a length of one more', { credentialIdLength: 33 }],
  ['form', 'a length of one less', { credentialIdLength: 31 }],
  ['form', 'a length of 0', { credentialIdLength: 0 }],
  ['form', 'an empty id', { credentialId: bytes(0), id: '' }],
  ['form', 'an id of 1,024 bytes', { credentialId: bytes(1024) }, 'length'],
  ['form', 'an id that is another', { id: Buffer.from(bytes(32)).toString('base64url') }, 'id'],
  ['form', 'a key that is no map', { coseKey: key => [...key.values()] }],
  ['form', 'a key of bytes', { coseKey: () => encodeCBOR(bytes(32)) }],
  ['form', 'a byte after the key', { coseKey: key => tail(encodeCBOR(key), bytes(1, 0)) }],
  ['form', 'a second map after the key that is not flagged', { coseKey: key => tail(encodeCBOR(key), bytes(1, 0xa0)) }],
  ['form', 'flagged extensions that are not there', { flags: { extensions: true } }],
  ['form', 'extensions that are no map', { extensions: encodeCBOR('none') }, 'extensions'],
  ['form', 'a byte after the extensions', { extensions: tail(bytes(1, 0xa0), bytes(1, 0)) }],
  [
    'form',
    'extensions whose string claims more than is there',
    { extensions: Buffer.from('a1616144ff', 'hex') },
    'cbor',
  ],
  ['form', 'a backup of what cannot be backed up', { flags: { backupEligible: false, backedUp: true } }],
  ['type', 'of an assertion', { clientData: { type: 'webauthn.get' } }],
  ['origin', 'of another site', { clientData: { origin: 'https://evil.example' } }],
  ['origin', 'in a frame of another site', { clientData: { crossOrigin: true } }, 'frame'],
  ['origin', 'below another page', { clientData: { topOrigin: 'https://app.localhost' } }, 'frame'],
  ['rp-id', 'of another domain', { rpId: 'evil.example' }],
  ['presence', 'of nobody', { flags: { present: false } }],
  ['verification', 'of nobody, who was present', { flags: { verified: false } }],
  ['algorithm', 'with a key that is empty', { coseKey: () => new Map() }],
  ['algorithm', 'of ES384', cose(key => key.set(3, -35))],
  ['algorithm', 'that its key does not fit', cose(key => key.set(3, -8)), 'key'],
  ['algorithm', 'with a key off the curve', cose(key => key.set(-3, bytes(32))), 'key'],
]

test.each(refused)('a registration is refused by its %s: %s', async (reason, _, lies, why) => {
  const registration = create(lies)
  expect(ourRegistration(registration)).toBe(reason)
  expect(await theirRegistration(registration)).toBe(why ? 'taken' : 'refused')
})

/** One lie per fault, in the order of the checks. */
const faults: [string, Lies][] = [
  ['form', { flags: { backupEligible: false, backedUp: true } }],
  ['type', { clientData: { type: 'webauthn.get' } }],
  ['origin', { clientData: { origin: 'https://evil.example' } }],
  ['rp-id', { rpId: 'evil.example' }],
  ['presence', { flags: { present: false } }],
  ['verification', { flags: { verified: false } }],
  ['algorithm', { coseKey: () => new Map() }],
]

test.each(
  faults.flatMap(([first, lie], i) =>
    faults.slice(i + 1).map(([second, other]) => [first, second, lie, other] as const),
  ),
)('of two faults the one is told whose check comes first: %s before %s', (reason, _, lie, other) => {
  const clientData = { ...other.clientData, ...lie.clientData }
  const flags = { ...other.flags, ...lie.flags }
  expect(ourRegistration(create({ ...other, ...lie, clientData, flags }))).toBe(reason)
})

describe("Chromium's passkeys work: with a key of", () => {
  const party = { rpId: 'localhost', origins: ['http://localhost:4970'] }
  test.each(chromiumRecordings)('$name', async ({ id, userHandle, publicKey, algorithm, registration, assertion }) => {
    const created = { id, rawId: id, type: 'public-key', response: registration, clientExtensionResults: {} }
    const found = ourRegistration(created, party)
    if (typeof found === 'string') throw new Error(found)
    expect(Buffer.from(found.publicKey).toString('base64url')).toBe(publicKey)
    expect(await theirRegistration(created, party)).toBe('taken')

    const asserted = { ...created, response: { ...assertion, userHandle } }
    const { backupEligible, backedUp } = found
    expect(ourAssertion(asserted, found, party)).toEqual({ signCount: 2, backedUp, isCounted: !backupEligible })
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' })
    expect(await theirAssertion(asserted, encodeCBOR(coseOf(key, algorithm)), 1, party)).toBe('taken')
  })
})

describe("the standard's examples are read, and their signatures are right: with a key of", () => {
  const party = { rpId: 'example.org', origins: ['https://example.org'] }
  test.each(standardVectors)('$name', ({ isVerified, ...vector }) => {
    const found = ourRegistration(vector.registration, party)
    expect(found).toEqual(isVerified ? expect.objectContaining({ signCount: 0, transports: [] }) : 'verification')
    const spki = spkiOf(readRegistration(vector.registration).coseKey)
    const key = spki && readKey(spki)
    const { signed, signature } = readAssertion(vector.assertion)
    expect(key && isSigned(key, signed, signature)).toBe(true)
    // No assertion there has the user verified flag.
    expect(
      ourAssertion(vector.assertion, { publicKey: spki ?? bytes(0), signCount: 0, backupEligible: true }, party),
    ).toBe('verification')
  })
})
