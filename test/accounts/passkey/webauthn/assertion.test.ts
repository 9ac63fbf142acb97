import { generateKeyPairSync } from 'node:crypto'
import { encodeCBOR } from '@levischuck/tiny-cbor'
import { describe, expect, test } from 'vitest'
import type { CheckedPasskey } from '../../../../accounts/passkey/assertion.ts'
import { type AlgorithmId, authenticator, coseOf, type Lies } from '../../../support/service/authenticator.ts'
import { ourAssertion, theirAssertion } from './verdicts.ts'

const challenge = Buffer.alloc(32, 7).toString('base64url')
const user = { id: Buffer.alloc(64, 9).toString('base64url') }

/** An authenticator with a passkey, and its stored part. */
function registered(algorithm: AlgorithmId = -7, isSynced = true) {
  const device = authenticator({ algorithm, isSynced })
  device.create({ challenge, user })
  const [passkey] = device.held
  if (!passkey) throw new Error('nothing was made')
  const publicKey = passkey.publicKey.export({ format: 'der', type: 'spki' })
  const stored: CheckedPasskey = { publicKey, signCount: passkey.signCount, backupEligible: isSynced }
  const theirs = (json: { id: string }, counter = stored.signCount) =>
    theirAssertion(json, encodeCBOR(coseOf(passkey.publicKey, algorithm)), counter)
  return { device, stored, theirs, get: (lies: Lies = {}) => device.get({ challenge }, lies) }
}

const { stored, theirs, get } = registered()
const taken = { signCount: 0, backedUp: true, isCounted: false }

const json = (data: unknown): Lies => ({ clientDataJson: JSON.stringify(data) })
const honest = { type: 'webauthn.get', challenge, origin: 'http://localhost:3000' }
/** The same bytes, but for some bits of one. */
function changed(bytes: Buffer, at: number, bits: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ bits, at)
  return bytes
}
const longId = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64url')
const { privateKey: stranger } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

describe('an assertion is taken', () => {
  test.each<[AlgorithmId, string]>([
    [-7, 'ES256'],
    [-8, 'Ed25519'],
    [-257, 'RS256'],
  ])('with a key of algorithm %i, %s; a second opinion agrees', async algorithm => {
    const passkey = registered(algorithm)
    const assertion = passkey.get()
    expect(ourAssertion(assertion, passkey.stored)).toEqual(taken)
    expect(await passkey.theirs(assertion)).toBe('taken')
  })

  test.each<[string, Lies]>([
    ['of another origin that is listed', { clientData: { origin: 'https://app.localhost' } }],
    ['whose client data has a byte order mark', { clientDataJson: `\ufeff${JSON.stringify(honest)}` }],
    ['whose client data has members that we do not know', { clientData: { other: [{}], __proto__: 1 } }],
    ['whose client data does not speak of frames', { clientData: { crossOrigin: undefined } }],
    ['whose client data has null for what is absent', { clientData: { crossOrigin: null, topOrigin: null } }],
    ['without a handle', { userHandle: undefined }],
    ['with null as handle', { userHandle: null }],
    ['with an empty handle', { userHandle: '' }],
    ['with extensions, which are not read', { extensions: encodeCBOR(new Map([['credProps', true]])) }],
    ['with flags that have no meaning yet', { authenticatorData: data => changed(data, 32, 0x22) }],
    ['with an id of 1,023 bytes', { id: longId(1023) }],
  ])('%s; a second opinion agrees', async (_, lies) => {
    const assertion = get(lies)
    expect(ourAssertion(assertion, stored)).toEqual(taken)
    expect(await theirs(assertion)).toBe('taken')
  })
})

/** Why @simplewebauthn/server accepts what we refuse. */
const lenient = {
  challenge: 'it leaves the challenge to whom it asks',
  signature: 'it takes the two numbers of a signature, and not what follows them',
  text: 'it replaces bytes that are not UTF-8',
  length: 'it does not read the length of the id',
  frame: 'it takes a frame that does not name the page around it, as Safari does not',
  credential: 'it reads credential data in an assertion, where the standard has none',
} as const

type Why = keyof typeof lenient
const forms: [string, Lies, Why?][] = [
  ['client data that is no JSON', { clientDataJson: '{' }],
  ['empty client data', { clientDataJson: '' }],
  ['client data that is null', json(null)],
  ['client data that is a number', json(7)],
  ['client data that is a text', json('webauthn.get')],
  ['client data that is an array', json([honest])],
  ['members of a prototype', { clientDataJson: `{"__proto__":${JSON.stringify(honest)}}` }],
  ['no type', { clientData: { type: undefined } }],
  ['a type that is an array', { clientData: { type: ['webauthn.get'] } }],
  ['no challenge', { clientData: { challenge: undefined } }, 'challenge'],
  ['a challenge that is a number', { clientData: { challenge: 7 } }, 'challenge'],
  ['no origin', { clientData: { origin: undefined } }],
  ['an origin that is an array', { clientData: { origin: ['http://localhost:3000'] } }],
  ['an origin with its own text', { clientData: { origin: { toString: 'http://localhost:3000' } } }],
  ['client data in Latin-1', { clientDataJson: Buffer.from(JSON.stringify({ ...honest, ü: 1 }), 'latin1') }, 'text'],
  ['client data in UTF-16', { clientDataJson: Buffer.from(JSON.stringify(honest), 'utf16le') }],
  ['no authenticator data', { authenticatorData: () => Buffer.alloc(0) }],
  ['authenticator data that ends early', { authenticatorData: data => data.subarray(0, 36) }],
  ['a byte left over', { authenticatorData: data => Buffer.concat([data, Buffer.alloc(1)]) }],
  ['extensions that are not flagged', { extensions: Buffer.from('a0', 'hex'), flags: { extensions: false } }],
  ['extensions that are not there', { flags: { extensions: true } }],
  ['credential data that is not there', { flags: { credential: true } }],
  [
    'credential data',
    {
      flags: { credential: true },
      authenticatorData: data => Buffer.concat([data, Buffer.alloc(18), Buffer.from('a0', 'hex')]),
    },
    'credential',
  ],
  ['a backup of what cannot be backed up', { flags: { backupEligible: false, backedUp: true } }],
  ['an empty id', { id: '' }],
  ['an id of 1,024 bytes', { id: longId(1024) }, 'length'],
]

const others: [string, string, Lies, (Why | undefined)?][] = [
  ['type', 'of a registration', { clientData: { type: 'webauthn.create' } }],
  ['type', 'of a payment', { clientData: { type: 'payment.get' } }],
  ['type', 'in other letters', { clientData: { type: 'Webauthn.get' } }],
  ['origin', 'of another site', { clientData: { origin: 'https://localhost.example' } }],
  ['origin', 'of another port', { clientData: { origin: 'http://localhost:3001' } }],
  ['origin', 'of another scheme', { clientData: { origin: 'https://localhost:3000' } }],
  ['origin', 'of a domain below', { clientData: { origin: 'https://evil.app.localhost' } }],
  ['origin', 'with a path', { clientData: { origin: 'http://localhost:3000/' } }],
  ['origin', 'in other letters', { clientData: { origin: 'HTTP://localhost:3000' } }],
  ['origin', 'of nothing', { clientData: { origin: 'null' } }],
  ['origin', 'in a frame of another site', { clientData: { crossOrigin: true } }, 'frame'],
  ['origin', 'in a frame, said in words', { clientData: { crossOrigin: 'true' } }, 'frame'],
  ['origin', 'below another page', { clientData: { topOrigin: 'https://app.localhost' } }],
  [
    'origin',
    'below another page, twice said',
    { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } },
  ],
  ['rp-id', 'of another domain', { rpId: 'evil.example' }],
  ['rp-id', 'of a domain below', { rpId: 'app.localhost' }],
  ['rp-id', 'of the origin', { rpId: 'http://localhost:3000' }],
  ['presence', 'of nobody', { flags: { present: false } }],
  ['presence', 'of nobody, who was verified not either', { flags: { present: false, verified: false } }],
  ['verification', 'of nobody, who was present', { flags: { verified: false } }],
  ['signature', 'of another key', { signer: stranger }],
  [
    'signature',
    'of a key of another algorithm',
    { signer: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey },
  ],
  ['signature', 'with a bit flipped', { signature: bytes => changed(bytes, 9, 1) }],
  ['signature', 'that ends early', { signature: bytes => bytes.subarray(0, -1) }],
  ['signature', 'with a byte left over', { signature: bytes => Buffer.concat([bytes, Buffer.alloc(1)]) }, 'signature'],
  ['signature', 'of nothing', { signature: () => Buffer.alloc(0) }],
  ['signature', 'of zeros', { signature: () => Buffer.from('3006020100020100', 'hex') }],
  ['signature', 'in plain numbers', { signature: () => Buffer.alloc(64, 1) }],
]

describe('an assertion is refused', () => {
  const ofForm = forms.map(([title, lies, why]): (typeof others)[number] => ['form', title, lies, why])

  test.each([...ofForm, ...others])('by its %s: %s', async (reason, _, lies, why) => {
    const assertion = get(lies)
    expect(ourAssertion(assertion, stored)).toBe(reason)
    expect(await theirs(assertion)).toBe(why ? 'taken' : 'refused')
  })

  test('by its signature, where what is signed was changed after it', async () => {
    const [one, other] = [get(), get({ signCount: 1, clientData: { more: 1 } })]
    for (const member of ['clientDataJSON', 'authenticatorData'] as const) {
      const mixed = { ...one, response: { ...one.response, [member]: other.response[member] } }
      expect(ourAssertion(mixed, stored)).toBe('signature')
      expect(await theirs(mixed)).toBe('refused')
    }
  })

  test('by its algorithm, where the stored key is none that is taken', () => {
    const keys = [
      new Uint8Array(),
      Buffer.alloc(91),
      Buffer.concat([stored.publicKey, Buffer.alloc(1)]),
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'der', type: 'spki' }),
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'der', type: 'spki' }),
    ]
    for (const publicKey of keys) expect(ourAssertion(get(), { ...stored, publicKey })).toBe('algorithm')
  })
})

/** One lie per fault, in the order of the checks. The last two are in the stored part. */
const faults: [string, Lies, Partial<CheckedPasskey>][] = [
  ['form', { flags: { backupEligible: false, backedUp: true } }, {}],
  ['type', { clientData: { type: 'webauthn.create' } }, {}],
  ['origin', { clientData: { origin: 'https://evil.example' } }, {}],
  ['rp-id', { rpId: 'evil.example' }, {}],
  ['presence', { flags: { present: false } }, {}],
  ['verification', { flags: { verified: false } }, {}],
  ['algorithm', {}, { publicKey: new Uint8Array(1) }],
  ['signature', { signature: () => new Uint8Array(1) }, {}],
  [
    'count',
    { signCount: 1, flags: { backupEligible: false, backedUp: false } },
    { signCount: 2, backupEligible: false },
  ],
]
const pairs = faults.flatMap((first, i) =>
  faults.slice(i + 1).map(second => [first[0], second[0], first, second] as const),
)

test.each(pairs)(
  'of two faults the one is told whose check comes first: %s before %s',
  (_, __, [reason, ...one], [, ...other]) => {
    const [[first, held], [second, alsoHeld]] = [one, other]
    const lies: Lies = {
      ...second,
      ...first,
      clientData: { ...second.clientData, ...first.clientData },
      flags: { ...second.flags, ...first.flags },
    }
    expect(ourAssertion(get(lies), { ...stored, ...alsoHeld, ...held })).toBe(reason)
  },
)

describe('the count of signatures', () => {
  const device = registered(-7, false)
  const ofDevice = (signCount: number, before: number, flags: Lies['flags'] = {}, wasEligible = false) => {
    const assertion = device.get({ signCount, flags })
    return [
      ourAssertion(assertion, { ...device.stored, signCount: before, backupEligible: wasEligible }),
      assertion,
    ] as const
  }

  test.each([
    [1, 0],
    [6, 5],
    [100, 5],
    [0xffffffff, 0xfffffffe],
    [0x80000000, 0x7fffffff],
  ])('grows on a device: %i after %i', async (signCount, before) => {
    const [ours, assertion] = ofDevice(signCount, before)
    expect(ours).toEqual({ signCount, backedUp: false, isCounted: true })
    expect(await device.theirs(assertion, before)).toBe('taken')
  })

  test('may be 0 for good', async () => {
    const [ours, assertion] = ofDevice(0, 0)
    expect(ours).toEqual({ signCount: 0, backedUp: false, isCounted: false })
    expect(await device.theirs(assertion, 0)).toBe('taken')
  })

  test.each([
    [5, 5],
    [4, 5],
    [0, 5],
    [0, 0xffffffff],
  ])('that does not grow betrays a copy: %i after %i', async (signCount, before) => {
    const [ours, assertion] = ofDevice(signCount, before)
    expect(ours).toBe('count')
    expect(await device.theirs(assertion, before)).toBe('refused')
  })

  test.each<[string, Lies['flags'], boolean]>([
    ['is eligible for backup now and was so', { backupEligible: true }, true],
    ['is so now', { backupEligible: true, backedUp: true }, false],
    ['was so at the start', {}, true],
  ])('is not compared where the passkey %s; a second opinion compares it', async (_, flags, wasEligible) => {
    for (const signCount of [0, 4, 5, 6]) {
      const [ours, assertion] = ofDevice(signCount, 5, flags, wasEligible)
      expect(ours).toEqual({ signCount, backedUp: flags?.backedUp ?? false, isCounted: false })
      expect(await device.theirs(assertion, 5)).toBe(signCount > 5 ? 'taken' : 'refused')
    }
  })
})
