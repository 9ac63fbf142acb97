import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** Public keys of passkeys: from authenticators (COSE, RFC 9052 §7), and stored (SPKI, RFC 5280 §4.1). */

interface Algorithm {
  /** In IANA's registry of COSE algorithms. */
  id: number
  type: string
  hash: 'sha256' | null
  /** The required members of the COSE key: label and value. */
  cose: readonly (readonly [label: number, value: number])[]
  /** The same key as a JWK: its fixed members, and the labels of the others. */
  jwk: { kty: string; crv?: string }
  members: Readonly<Record<string, number>>
  /** Whether a key that Node accepts is safe. */
  isSafe(key: KeyObject): boolean
}

const algorithms: readonly Algorithm[] = [
  {
    // ES256 (RFC 9053 §2.1, §7.1.1), on P-256 alone (WebAuthn Level 3 §5.8.5).
    id: -7,
    type: 'ec',
    hash: 'sha256',
    cose: [
      [1, 2],
      [-1, 1],
    ],
    jwk: { kty: 'EC', crv: 'P-256' },
    members: { x: -2, y: -3 },
    isSafe: key => key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
  },
  {
    // EdDSA (RFC 9053 §2.2, §7.2), with Ed25519 alone.
    id: -8,
    type: 'ed25519',
    hash: null,
    cose: [
      [1, 1],
      [-1, 6],
    ],
    jwk: { kty: 'OKP', crv: 'Ed25519' },
    members: { x: -2 },
    isSafe: key => !isOfSmallOrder(Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')),
  },
  {
    // RS256 (RFC 8812 §2, RFC 8230 §4).
    id: -257,
    type: 'rsa',
    hash: 'sha256',
    cose: [[1, 3]],
    jwk: { kty: 'RSA' },
    members: { n: -1, e: -2 },
    isSafe: ({ asymmetricKeyDetails: { modulusLength = 0, publicExponent } = {} }) =>
      modulusLength >= 2048 && modulusLength <= 4096 && publicExponent === 65537n,
  },
]

/** The algorithms that a registration offers, most preferred first. */
export const offeredAlgorithms: readonly number[] = algorithms.map(({ id }) => id)

const prime = 2n ** 255n - 19n

/** The y of two points of order eight, found by doubling: y² = -x². The other two have its negative. */
const orderEight = 2707385501144840649318225287225658788936804267575313519463743609750303402022n

/**
 * The y of the points of order 1, 4, 2 and 8. Under such a key one signature fits every message, or a fraction of them:
 * OpenSSL accepted them until 3.5.
 */
const smallOrder: ReadonlySet<bigint> = new Set([0n, 1n, prime - 1n, orderEight, prime - orderEight])

/** @param point encoded by RFC 8032 §5.1.2: y, the lowest byte first, and a bit that selects one of two x. */
function isOfSmallOrder(point: Buffer): boolean {
  const encoded = BigInt(`0x${Buffer.from(point).reverse().toString('hex')}`)
  return smallOrder.has(BigInt.asUintN(255, encoded) % prime)
}

/**
 * Makes the stored form of a COSE key.
 *
 * @returns null for an algorithm that is not offered, another type or curve, another spelling than the standard's, or an unsafe key
 */
export function spkiOf(cose: ReadonlyMap<unknown, unknown>): Uint8Array | null {
  const algorithm = algorithms.find(({ id }) => id === cose.get(3))
  if (!algorithm?.cose.every(([label, value]) => cose.get(label) === value)) return null
  const members = Object.entries(algorithm.members).map(([name, label]) => [name, base64url(cose.get(label))] as const)
  const jwk = { ...algorithm.jwk, ...Object.fromEntries(members) }
  const key = attempt(() => createPublicKey({ key: jwk, format: 'jwk' }))
  const exported: Record<string, unknown> = key?.export({ format: 'jwk' }) ?? {}
  if (!key || members.some(([name, value]) => exported[name] !== value)) return null
  const spki = key.export({ format: 'der', type: 'spki' })
  return readKey(spki) && spki
}

const base64url = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : ''

/** A key of an algorithm that is offered. */
interface PasskeyKey {
  key: KeyObject
  hash: Algorithm['hash']
}

/** Reads a stored key. @returns null for bytes that `spkiOf` did not make */
export const readKey = (spki: Uint8Array): PasskeyKey | null =>
  attempt(() => {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
    const algorithm = algorithms.find(({ type }) => type === key.asymmetricKeyType)
    return algorithm?.isSafe(key) && isCanonical(key, spki) ? { key, hash: algorithm.hash } : null
  })

/** Node keeps compressed points, and curves with explicit parameters; a JWK has neither. */
function isCanonical(key: KeyObject, spki: Uint8Array): boolean {
  const anew = createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' })
  return anew.export({ format: 'der', type: 'spki' }).equals(spki)
}

/** Whether a signature is the key's. P-256 signatures are in DER (WebAuthn Level 3 §6.5.5). */
export const isSigned = ({ key, hash }: PasskeyKey, data: Uint8Array, signature: Uint8Array): boolean =>
  attempt(() => verify(hash, data, key, signature)) ?? false

/** OpenSSL throws at unreadable input. */
function attempt<T>(make: () => T): T | null {
  try {
    return make()
  } catch {
    return null
  }
}
