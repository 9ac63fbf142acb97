import { createHmac, timingSafeEqual } from 'node:crypto'
import bcrypt from 'bcryptjs'
import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import { timed } from '../../shared/base/timing.ts'
import { isPossible, type Password } from './password.ts'

/** bcrypt's salt: 128 bits, written as 22 characters of its own base64 (Provos and Mazières, 1999). */
const saltBytes = 16

type Cost = Configured<'bcryptCost'>

/**
 * Hashes a password like passlib's `bcrypt_sha256` version 2: bcrypt over an HMAC. It lifts bcrypt's limit of 72 bytes,
 * and hashes can be moved to and from other systems.
 *
 * @returns `$bcrypt-sha256$v=2,t=2b,r=<cost>$<22-character salt>$<31-character digest>`
 */
export async function hashPassword(deps: Pick<System, 'randomBytes'> & Cost, password: Password): Promise<string> {
  const salt = bcrypt.encodeBase64(deps.randomBytes(saltBytes), saltBytes)
  return format(deps.config.bcryptCost, salt, await digest(password, deps.config.bcryptCost, salt))
}

/**
 * The accepted costs of stored hashes. 4 is bcrypt's minimum. 15 is the maximum of `BCRYPT_COST`; each step doubles the
 * time, and from 17 on a hash takes longer than a function may run.
 */
export const acceptedCosts = { min: 4, max: 15 } as const

/**
 * Whether `hash` was made from `password`. A wrong password takes the time of one hash of the present cost, or of the
 * stored hash if that costs more. So the time does not reveal which addresses have an account, were imported, or have
 * not logged in since `BCRYPT_COST` was raised.
 *
 * @param hash the service's own form or plain `$2a$`, `$2b$`, `$2y$` (imported accounts), of an accepted cost. No
 *   password matches any other hash, or `null`, which stands for a missing account
 */
export async function verifyPassword(deps: Cost, password: Password, hash: string | null): Promise<boolean> {
  const today = deps.config.bcryptCost
  const noHash: ParsedHash = { prehashed: true, cost: today, salt: anySalt, digest: '' }
  const stored = accepted(hash === null ? null : parseHash(hash)) ?? noHash
  const canBeRight = isPossible(password)
  // Impossible passwords are hashed as an empty text: the same time, of bounded length.
  const input = canBeRight ? password : ''
  const computed = stored.prehashed
    ? await digest(input, stored.cost, stored.salt)
    : await bcryptDigest(input, stored.cost, stored.salt)

  const isRight = equal(computed, stored.digest) && canBeRight
  if (!isRight) await burn(stored.cost, today)
  return isRight
}

/** Takes as long as a hash of cost `to` minus one of cost `from`: 2^from + … + 2^(to - 1) = 2^to - 2^from. */
async function burn(from: number, to: number): Promise<void> {
  for (let cost = from; cost < to; cost++) await digest('', cost, anySalt)
}

/** Whether a new hash should replace one that `password` matches: new hashes have another form or cost. */
export function isOutdated(deps: Cost, hash: string, password: Password): boolean {
  const parsed = parseHash(hash)
  if (parsed?.prehashed) return parsed.cost !== deps.config.bcryptCost
  return isReadToItsEnd(password)
}

/**
 * Whether plain bcrypt tells a password from every longer one. It repeats the password with a closing NUL to 72 bytes:
 * longer passwords may differ after that, and a NUL may begin the repetition.
 */
const isReadToItsEnd = (password: Password): boolean => Buffer.byteLength(password) < 72 && !password.includes('\0')

/** The cost of a hash in a known form, accepted or not; null for any other text. */
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

const accepted = (hash: ParsedHash | null): ParsedHash | null =>
  hash !== null && hash.cost >= acceptedCosts.min && hash.cost <= acceptedCosts.max ? hash : null

/** The salt of hashes that only take time. */
const anySalt = '.'.repeat(22)

const format = (cost: number, salt: string, digest: string): string =>
  `$bcrypt-sha256$v=2,t=2b,r=${cost}$${salt}$${digest}`

const twoDigits = (cost: number): string => String(cost).padStart(2, '0')

/** bcrypt's output is a setting of 29 characters, then the digest. */
const bcryptDigest = async (input: string, cost: number, salt: string): Promise<string> =>
  (await timed('hash', () => bcrypt.hash(input, `$2b$${twoDigits(cost)}$${salt}`))).slice(29)

const digest = (password: string, cost: number, salt: string): Promise<string> =>
  bcryptDigest(createHmac('sha256', salt).update(password).digest('base64'), cost, salt)

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
