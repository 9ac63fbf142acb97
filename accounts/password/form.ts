import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Password } from './password.ts'

/** Computes bcrypt. @returns the digest's 31 characters */
export type Bcrypt = (input: string, cost: number, salt: string) => Promise<string>

/** What each parameter of a stored hash must lie within. A hash beyond it verifies nothing: `forms.ts` says why. */
export const bounds = {
  'a cost': { min: 4, max: 15 },
  rounds: { min: 1_000, max: 10_000_000 },
  'rounds of SHA-512': { min: 1_000, max: 5_000_000 },
  'N·r, with N a power of two,': { min: 8_192, max: 2_097_152 },
  N·r·p: { min: 8_192, max: 4_194_304 },
  'm (KiB)': { min: 1_024, max: 262_144 },
  'm·t (KiB)': { min: 1_024, max: 2_097_152 },
  p: { min: 1, max: 16 },
  'n (2ⁿ rounds)': { min: 7, max: 20 },
  'n (2ⁿ rounds of SHA-512)': { min: 7, max: 18 },
  'bytes of salt': { min: 8, max: 64 },
  'bytes of key, of a usual size,': { min: 16, max: 128 },
} as const satisfies Record<string, { min: number; max: number }>

export type BoundName = keyof typeof bounds

/** The bounded parameters of a hash. NaN is beyond any bound. */
export type Bounded = Partial<Record<BoundName, number>>

/** A stored hash, read. */
export interface StoredHash {
  /** What its form is called in reports. */
  name: string
  /** What it costs, in the form's own measure. */
  parameters: Record<string, number>
  bounded: Bounded
  /** About what it costs, in steps of bcrypt: a hash of cost n takes 2^n. */
  steps: number
  /** The cost of the one hash of bcrypt that it takes. Absent in forms whose time must be measured. */
  cost?: number
  /** Whether it was made from a text. @param password without NUL, but for `ownForm` */
  isFrom(password: string, bcrypt: Bcrypt): boolean | Promise<boolean>
  /** Whether it was made from no other text than one that it takes; absent where that is always so. */
  isOnlyFrom?(password: Password): boolean
}

type Part = 'cost' | 'digest' | 'key' | 'm' | 'n' | 'N' | 'p' | 'r' | 'rounds' | 'salt' | 'sk' | 'ss' | 't' | 'type'

export type Parts = Readonly<Record<Part, string>>

/** A form of hashes: a row of the table in `forms.ts`. */
export interface Form {
  /** How such a hash begins, and who writes it. */
  written: string
  by: string
  /** Fits the whole text. */
  pattern: RegExp
  /** @param parts the groups of the pattern */
  read(parts: Parts): StoredHash
}

/** @returns null where a text is of another form */
export function readAs(form: Form, hash: string): StoredHash | null {
  const parts = form.pattern.exec(hash)?.groups
  return parts ? form.read(parts as Parts) : null
}

/** The names of the bounds that a hash is beyond. */
export const brokenBounds = ({ bounded }: StoredHash): BoundName[] =>
  (Object.keys(bounded) as BoundName[]).filter(
    name => !(Number(bounded[name]) >= bounds[name].min && Number(bounded[name]) <= bounds[name].max),
  )

/** Compares in constant time. */
export const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/** A hash of bcrypt over some form of a password. */
export function bcryptOver(
  input: (password: string) => string,
  name: string,
  { cost, salt, digest }: Pick<Parts, 'cost' | 'salt' | 'digest'>,
): StoredHash {
  const parameters = { cost: Number(cost) }
  return {
    name,
    parameters,
    bounded: { 'a cost': parameters.cost },
    steps: 2 ** parameters.cost,
    ...parameters,
    isFrom: async (password, bcrypt) =>
      equal(Buffer.from(await bcrypt(input(password), parameters.cost, salt)), Buffer.from(digest)),
  }
}

/** What bcrypt hashes in the service's own form. */
export const prehash = (password: string, salt: string): string =>
  createHmac('sha256', salt).update(password).digest('base64')

/** The service's own form, which is passlib's `bcrypt_sha256` version 2. */
export const ownForm: Form & { name: string } = {
  name: 'bcrypt-sha256',
  written: '$bcrypt-sha256$v=2,t=2b,…',
  by: "this service; passlib's `bcrypt_sha256` since 1.7.3",
  pattern: /^\$bcrypt-sha256\$v=2,t=2b,r=(?<cost>\d{1,2})\$(?<salt>[./A-Za-z0-9]{22})\$(?<digest>[./A-Za-z0-9]{31})$/,
  read: parts => bcryptOver(password => prehash(password, parts.salt), ownForm.name, parts),
}
