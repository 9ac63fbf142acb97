import { createHmac, timingSafeEqual } from 'node:crypto'
import bcrypt from 'bcryptjs'
import type { Configured } from '../config.ts'
import type { System } from '../system.ts'
import { possiblePassword } from './password.ts'

/** bcrypt's salt: 128 bits, written as 22 characters of its own base64 (Provos and Mazières, 1999). */
const saltBytes = 16

type Cost = Configured<'bcryptCost'>

/**
 * Hashes a password as passlib's `bcrypt_sha256` version 2: bcrypt over an HMAC, so that bcrypt's limit of 72 bytes
 * does not exist for users and hashes can move to and from other systems.
 *
 * @param password in its normal form
 * @returns `$bcrypt-sha256$v=2,t=2b,r=<cost>$<22-character salt>$<31-character digest>`
 */
export async function hashPassword(deps: Pick<System, 'randomBytes'> & Cost, password: string): Promise<string> {
  const salt = bcrypt.encodeBase64(deps.randomBytes(saltBytes), saltBytes)
  return format(deps.config.bcryptCost, salt, await digest(password, deps.config.bcryptCost, salt))
}

/**
 * The costs of stored hashes that passwords are held against. 4 is bcrypt's least. 15 is the most that `BCRYPT_COST` may
 * be; each step doubles the time, and from 17 on one hash takes longer than a function has.
 */
export const bearableCosts = { min: 4, max: 15 } as const

/**
 * Whether `password` is the one behind `hash`. A wrong one costs one hash of today's cost, whatever the two are, unless
 * the stored hash costs more than that; `null` stands for an account that does not exist. So the time of a refusal does
 * not tell which addresses have an account that was imported, or that has not logged in since `BCRYPT_COST` was raised.
 *
 * @param password as it was sent
 * @param hash the service's own form or plain `$2a$`, `$2b$`, `$2y$` (imported accounts), of a cost that is bearable;
 *   no password verifies against any other
 */
export async function verifyPassword(deps: Cost, password: string, hash: string | null): Promise<boolean> {
  const today = deps.config.bcryptCost
  const nobody: ParsedHash = { prehashed: true, cost: today, salt: anySalt, digest: '' }
  const stored = bearable(hash === null ? null : parseHash(hash)) ?? nobody
  const candidate = possiblePassword(password)
  // What cannot be anybody's password is hashed all the same, at a bounded length.
  const input = candidate ?? ''
  const computed = stored.prehashed
    ? await digest(input, stored.cost, stored.salt)
    : bcryptDigest(await bcrypt.hash(input, `$2b$${twoDigits(stored.cost)}$${stored.salt}`))

  const isRight = equal(computed, stored.digest) && candidate !== null
  if (!isRight) await burn(stored.cost, today)
  return isRight
}

/** Costs what a hash of the cost `to` does beyond one of the cost `from`: 2^from + … + 2^(to - 1) = 2^to - 2^from. */
async function burn(from: number, to: number): Promise<void> {
  for (let cost = from; cost < to; cost++) await digest('', cost, anySalt)
}

/** Whether a hash is of another form or cost than today's. */
export function isOutdated(deps: Cost, hash: string): boolean {
  const parsed = parseHash(hash)
  return parsed === null || !parsed.prehashed || parsed.cost !== deps.config.bcryptCost
}

/** Stands in place of a hash where nobody has a password, until a reset sets one. No password verifies against it. */
export const noPassword = '*'

/** The cost of a hash of a form that `verifyPassword` knows, bearable or not; null when it is none. */
export const costOf = (hash: string): number | null => parseHash(hash)?.cost ?? null

interface ParsedHash {
  prehashed: boolean
  cost: number
  salt: string
  digest: string
}

const forms = [
  [true, /^\$bcrypt-sha256\$v=2,t=2b,r=(\d{1,2})\$([./A-Za-z0-9]{22})\$([./A-Za-z0-9]{31})$/],
  [false, /^\$2[aby]\$(\d{2})\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/],
] as const

function parseHash(hash: string): ParsedHash | null {
  for (const [prehashed, form] of forms) {
    const [, cost, salt, digest] = form.exec(hash) ?? []
    if (cost && salt && digest) return { prehashed, cost: Number(cost), salt, digest }
  }
  return null
}

const bearable = (hash: ParsedHash | null): ParsedHash | null =>
  hash !== null && hash.cost >= bearableCosts.min && hash.cost <= bearableCosts.max ? hash : null

/** For hashes that nobody compares with anything. */
const anySalt = '.'.repeat(22)

const format = (cost: number, salt: string, digest: string): string =>
  `$bcrypt-sha256$v=2,t=2b,r=${cost}$${salt}$${digest}`

const twoDigits = (cost: number): string => String(cost).padStart(2, '0')

/** bcrypt's output is its 29-character setting and then the digest. */
const bcryptDigest = (output: string): string => output.slice(29)

async function digest(password: string, cost: number, salt: string): Promise<string> {
  const key = createHmac('sha256', salt).update(password).digest('base64')
  return bcryptDigest(await bcrypt.hash(key, `$2b$${twoDigits(cost)}$${salt}`))
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
