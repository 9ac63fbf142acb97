import bcrypt from 'bcryptjs'
import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import { timed } from '../../shared/base/timing.ts'
import { type Account, noPassword } from '../account/account.ts'
import { type Bcrypt, bcryptOver, bounds, brokenBounds, ownForm, prehash, readAs, type StoredHash } from './form.ts'
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
  const { bcryptCost: cost } = deps.config
  const salt = bcrypt.encodeBase64(deps.randomBytes(saltBytes), saltBytes)
  const digest = await timed('hash', () => bcryptDigest(prehash(password, salt), cost, salt))
  return `$bcrypt-sha256$v=2,t=2b,r=${cost}$${salt}$${digest}`
}

/**
 * Whether the hash of an account was made from `password`. A wrong password takes the time of one hash of the present cost,
 * or of the stored hash if that costs more. So the time does not reveal which addresses have an account, were imported, or
 * have not logged in since `BCRYPT_COST` was raised.
 *
 * @param account whose hash has one of the forms in `forms.ts`, within its bounds: no password matches another. Null
 *   stands for a missing account
 */
export async function verifyPassword(
  deps: Cost & Pick<System, 'log'>,
  password: Password,
  account: Pick<Account, 'id' | 'passwordHash'> | null,
): Promise<boolean> {
  const today = deps.config.bcryptCost
  const began = usedCpu()
  const read = account === null ? null : await readHash(account.passwordHash)
  const stored = read !== null && brokenBounds(read).length === 0 ? read : noHash(today)
  // HMAC pads its key with NULs and C ends at one: other forms take several texts for one.
  const canBeRight = isPossible(password) && (stored.name === ownForm.name || !password.includes('\0'))
  // Impossible passwords are hashed as an empty text: the same time, of bounded length.
  const input = canBeRight ? password : ''
  const isRight = await timed('hash', async () => {
    try {
      return (await stored.isFrom(input, bcryptDigest)) && canBeRight
    } catch (error) {
      if (account === null || stored.cost !== undefined) throw error
      // A Node may be built without argon2.
      deps.log({ event: 'hash-unsupported', account_id: account.id })
      return false
    }
  })
  if (!isRight) {
    const { cost } = stored
    await timed('hash', () => (cost === undefined ? burnRest(usedCpu() - began, today) : burn(cost, today)))
  }
  return isRight
}

/** Takes as long as a hash of cost `to` minus one of cost `from`: 2^from + … + 2^(to - 1) = 2^to - 2^from. */
async function burn(from: number, to: number): Promise<void> {
  for (let cost = from; cost < to; cost++) await burnHash(cost)
}

/**
 * Takes what is left of a hash of cost `today` after `used` microseconds of CPU time. How long a step of bcrypt takes here is
 * measured by the largest hash so far: the hashes double from the least cost on, then halve.
 */
async function burnRest(used: number, today: number): Promise<void> {
  const began = usedCpu()
  let step = 0
  for (let cost: number = bounds['a cost'].min, measured = 0; cost >= bounds['a cost'].min; ) {
    const before = usedCpu()
    await burnHash(cost)
    if (cost > measured) {
      step = (usedCpu() - before) / 2 ** cost
      measured = cost
    }
    const left = 2 ** today - (used + usedCpu() - began) / step
    cost = Math.min(measured + 1, Math.floor(Math.log2(left)))
  }
}

const burnHash = (cost: number): Promise<string> => bcryptDigest(prehash('', anySalt), cost, anySalt)

/** Microseconds of CPU time of the process: a clock would count what other processes take on a busy machine. */
function usedCpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/**
 * Whether a new hash should replace one that `password` matches: new hashes have another form or cost. A hash that other
 * texts match too stays: the owner's may be one of those.
 */
export async function isOutdated(deps: Cost, hash: string, password: Password): Promise<boolean> {
  const stored = await readHash(hash)
  if (stored?.name === ownForm.name) return stored.cost !== deps.config.bcryptCost
  return stored !== null && (stored.isOnlyFrom?.(password) ?? true)
}

/** Reads a stored hash. The table of other forms is a file beside the bundle, which few logins need. */
async function readHash(hash: string): Promise<StoredHash | null> {
  const own = readAs(ownForm, hash)
  if (own !== null || hash === noPassword) return own
  return (await import('./forms.ts')).readOtherHash(hash)
}

/** The salt of hashes that only take time. */
const anySalt = '.'.repeat(22)

/** What stands for a hash where there is none. No password matches it. */
const noHash = (cost: number): StoredHash =>
  bcryptOver(password => prehash(password, anySalt), ownForm.name, {
    cost: String(cost),
    salt: anySalt,
    digest: '',
  })

const twoDigits = (cost: number): string => String(cost).padStart(2, '0')

/** bcrypt's output is a setting of 29 characters, then the digest. */
const bcryptDigest: Bcrypt = async (input, cost, salt) =>
  (await bcrypt.hash(input, `$2b$${twoDigits(cost)}$${salt}`)).slice(29)
