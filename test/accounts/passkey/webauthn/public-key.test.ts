import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSigned, offeredAlgorithms, readKey, spkiOf } from '../../../../accounts/passkey/public-key.ts'
import { type AlgorithmId, coseOf } from '../../../support/service/authenticator.ts'

const keys: Record<AlgorithmId, { publicKey: KeyObject; privateKey: KeyObject }> = {
  [-7]: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [-8]: generateKeyPairSync('ed25519'),
  [-257]: generateKeyPairSync('rsa', { modulusLength: 2048 }),
}
const spki = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' })
const cose = (algorithm: AlgorithmId, ...changes: [label: unknown, value: unknown][]): Map<unknown, unknown> =>
  new Map<unknown, unknown>([...coseOf(keys[algorithm].publicKey, algorithm), ...changes])
const ids: AlgorithmId[] = [-7, -8, -257]
const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))
const big = (value: bigint, size: number): Uint8Array => bytes(value.toString(16).padStart(2 * size, '0'))

test('those algorithms are offered that are taken, P-256 first', () => {
  expect(offeredAlgorithms).toEqual([-7, -8, -257])
})

describe.each(ids)('a key of algorithm %i', algorithm => {
  const { publicKey, privateKey } = keys[algorithm]

  test('is stored as any program writes it, and read again', () => {
    expect(spkiOf(cose(algorithm))).toEqual(spki(publicKey))
    expect(readKey(spki(publicKey))?.key.equals(publicKey)).toBe(true)
  })

  test('is known by its own signatures alone', () => {
    const [data, other] = [randomBytes(69), randomBytes(69)]
    const digest = algorithm === -8 ? null : 'sha256'
    const signature = sign(digest, data, privateKey)
    const key = readKey(spki(publicKey))
    expect(key && isSigned(key, data, signature)).toBe(true)
    expect(key && isSigned(key, other, signature)).toBe(false)
    for (let size = 0; size < signature.length; size++)
      expect(key && isSigned(key, data, signature.subarray(0, size))).toBe(false)
    expect(key && isSigned(key, data, Buffer.concat([signature, Buffer.alloc(1)]))).toBe(false)
    if (digest) expect(key && isSigned(key, data, sign('sha1', data, privateKey))).toBe(false)
  })

  test('may say more of itself, which is ignored', () => {
    expect(spkiOf(cose(algorithm, [2, bytes('01')], [4, [2]], ['__proto__', 1]))).toEqual(spki(publicKey))
  })

  test.each<readonly [string, number, unknown]>([
    ['no algorithm', 3, undefined],
    ['the algorithm as a text', 3, String(algorithm)],
    ['the algorithm as a big number', 3, BigInt(algorithm)],
    ['no type', 1, undefined],
    ['a symmetric type', 1, 4],
    ['the type as a text', 1, 'OKP'],
    ...[-35, -36, -37, -38, -39, -47, -258, -65535, -9, -19, 7, ...ids.filter(id => id !== algorithm)].map(
      id => [`algorithm ${id}`, 3, id] as const,
    ),
    ...[1, 2, 3]
      .filter(type => type !== coseOf(publicKey, algorithm).get(1))
      .map(type => [`type ${type}`, 1, type] as const),
  ])('is refused with %s', (_, label, value) => {
    expect(spkiOf(cose(algorithm, [label, value]))).toBeNull()
  })

  test('is refused where a member is missing, empty, no bytes, or too long', () => {
    const members = [...cose(algorithm)].filter(([, value]) => value instanceof Uint8Array)
    expect(members.length).toBe(algorithm === -8 ? 1 : 2)
    for (const [label, value] of members) {
      const padded = Buffer.concat([Buffer.alloc(1), value as Uint8Array])
      const wrong = [undefined, null, 7, true, 'x'.repeat(32), [1], new Map(), new Uint8Array(), new Uint8Array(padded)]
      for (const each of wrong) expect(spkiOf(cose(algorithm, [label, each]))).toBeNull()
      expect(spkiOf(cose(algorithm, [label, (value as Uint8Array).subarray(1)]))).toBeNull()
    }
  })

  test('is refused with a byte more or less, and with other bits of its head', () => {
    const stored = spki(publicKey)
    for (const size of [0, 1, 44, 91, 294]) expect(readKey(randomBytes(size))).toBeNull()
    expect(readKey(stored.subarray(0, -1))).toBeNull()
    expect(readKey(Buffer.concat([stored, Buffer.alloc(1)]))).toBeNull()
    // Type, algorithm and parameters.
    for (let bit = 0; bit < 12 * 8; bit++) {
      const changed = Buffer.from(stored)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(readKey(changed)).toBeNull()
    }
  })
})

describe('a key on P-256 is refused', () => {
  const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
  test.each<[string, bigint, bigint]>([
    ['as the point at infinity', 0n, 0n],
    ['off the curve', 1n, 1n],
    ['whose x is the prime', p, 0n],
    // x = 0 is on the curve: its y is the root of b.
    [
      'whose coordinate is greater than the prime',
      p,
      0x66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4n,
    ],
    ['of greatest numbers', 2n ** 256n - 1n, 2n ** 256n - 1n],
  ])('%s', (_, x, y) => {
    expect(spkiOf(cose(-7, [-2, big(x, 32)], [-3, big(y, 32)]))).toBeNull()
  })

  test('on another curve, or in the short form that names one bit of y', () => {
    for (const curve of [2, 3, 6, 8, 'P-256']) expect(spkiOf(cose(-7, [-1, curve]))).toBeNull()
    for (const sign of [true, false]) expect(spkiOf(cose(-7, [-3, sign]))).toBeNull()
    for (const namedCurve of ['P-384', 'P-521', 'secp256k1'])
      expect(readKey(spki(generateKeyPairSync('ec', { namedCurve }).publicKey))).toBeNull()
  })

  test('that is stored in the short form, or with the numbers of its curve', () => {
    const whole = spki(keys[-7].publicKey)
    const head = bytes('3039301306072a8648ce3d020106082a8648ce3d030107032200')
    const isOdd = whole.readUInt8(whole.length - 1) & 1
    const short = Buffer.concat([head, bytes(isOdd ? '03' : '02'), whole.subarray(-64, -32)])
    expect(createPublicKey({ key: short, format: 'der', type: 'spki' }).equals(keys[-7].publicKey)).toBe(true)
    expect(readKey(short)).toBeNull()
    const explicit = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' })
    expect(readKey(spki(explicit.publicKey))).toBeNull()
  })
})

describe('a key of Ed25519 is refused', () => {
  const ed25519 = (hex: string) => spkiOf(cose(-8, [-2, bytes(hex)]))

  /** All encodings of the eight points, with those that RFC 8032 §5.1.3 does not allow. */
  test.each([
    ['1', '0100000000000000000000000000000000000000000000000000000000000000'],
    ['1, with a sign', '0100000000000000000000000000000000000000000000000000000000000080'],
    ['1, as p + 1', 'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
    ['1, as p + 1, with a sign', 'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'],
    ['2', 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
    ['2, with a sign', 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'],
    ['4', '0000000000000000000000000000000000000000000000000000000000000000'],
    ['4, with a sign', '0000000000000000000000000000000000000000000000000000000000000080'],
    ['4, as p', 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'],
    ['4, as p, with a sign', 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'],
    ['8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
    ['8, with a sign', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'],
    ['8, the other', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
    ['8, the other, with a sign', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'],
  ])('whose point has order %s', (_, point) => {
    expect(ed25519(point)).toBeNull()
    expect(readKey(Buffer.concat([bytes('302a300506032b6570032100'), bytes(point)]))).toBeNull()
  })

  test('of another length or curve', () => {
    for (const size of [0, 1, 31, 33, 57, 64]) expect(ed25519('02'.repeat(size))).toBeNull()
    for (const curve of [1, 4, 5, 7, 'Ed25519']) expect(spkiOf(cose(-8, [-1, curve]))).toBeNull()
    for (const type of ['ed448', 'x25519', 'x448'] as const)
      expect(readKey(spki(generateKeyPairSync(type as 'ed448').publicKey))).toBeNull()
  })
})

describe('a key of RSA', () => {
  const { n = '' } = keys[-257].publicKey.export({ format: 'jwk' })
  const modulus = BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`)
  /** An odd number of this many bits, of unknown factors. */
  const odd = (bits: number): Uint8Array =>
    big((1n << BigInt(bits - 1)) | (modulus >> BigInt(Math.max(0, 2049 - bits))) | 1n, Math.ceil(bits / 8))

  test.each([
    [512, false],
    [1024, false],
    [2047, false],
    [2048, true],
    [2049, true],
    [3072, true],
    [4096, true],
    [4097, false],
    [8192, false],
    [16384, false],
  ])('of %i bits: %j', (bits, isTaken) => {
    expect(spkiOf(cose(-257, [-1, odd(bits)])) !== null).toBe(isTaken)
  })

  test.each([
    '',
    '00',
    '01',
    '02',
    '03',
    '11',
    '010000',
    '010003',
    '00010001',
    '01000100',
    '0100000001',
    'ff'.repeat(256),
  ])('is refused with the exponent 0x%s', exponent => {
    expect(spkiOf(cose(-257, [-2, bytes(exponent)]))).toBeNull()
  })

  test('under which anybody signs, that of exponent 1, is refused where it is stored too', () => {
    const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQ' }, format: 'jwk' })
    expect(readKey(spki(key))).toBeNull()
    // If the key were accepted, the padded message (RFC 8017 §9.2) would be its own signature.
    const data = randomBytes(69)
    const digest = createHash('sha256').update(data).digest()
    const padded = Buffer.concat([
      bytes(`0001${'ff'.repeat(202)}00`),
      bytes('3031300d060960864801650304020105000420'),
      digest,
    ])
    expect(isSigned({ key, hash: 'sha256' }, data, padded)).toBe(true)
  })

  test('of a modulus that is even verifies nothing, and breaks nothing', () => {
    const stored = spkiOf(cose(-257, [-1, big(modulus - 1n, 256)]))
    const key = stored && readKey(stored)
    if (key) expect(isSigned(key, randomBytes(69), randomBytes(256))).toBe(false)
  })

  test('for another padding is refused', () => {
    expect(readKey(spki(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey))).toBeNull()
  })
})
