import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { acceptedCosts, costOf, noPassword } from '../../shared/accounts/password-hash.ts'
import { Email, FormerName, Language } from '../../shared/accounts/schemas.ts'
import { uuidv7 } from '../../shared/base/uuid.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'

/** How an account without a usable hash is imported. */
export const wayOut = '(--no-passwords imports the account without one)'

const noHash = `must be a bcrypt hash ($2a$, $2b$, $2y$) or a bcrypt-sha256 hash of version 2 ($bcrypt-sha256$v=2,t=2b,…) ${wayOut}`

const Hash = v.pipe(
  v.string(noHash),
  v.check(hash => costOf(hash) !== null, noHash),
  v.check(hash => {
    const cost = costOf(hash) ?? 0
    return cost >= acceptedCosts.min && cost <= acceptedCosts.max
  }, `must have a cost from ${acceptedCosts.min} to ${acceptedCosts.max}: no login can verify another in time ${wayOut}`),
)

const Flag = v.optional(v.boolean('must be true or false'), false)

const noTime = 'must be a time such as 2026-03-01T12:00:00Z or 2026-03-01 12:00:00+00'

/**
 * RFC 3339, or PostgreSQL's output (PostgreSQL manual, §8.5.2): a space before the hour, an offset without minutes. A time
 * without an offset is UTC. PostgreSQL's `infinity` is not a time.
 */
const timeForm = /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d(?::\d\d)?)?$/

/** `Date` takes February 30 for March 2. */
const isInCalendar = (day: string): boolean => {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

export const Time = v.pipe(
  v.string(noTime),
  v.regex(timeForm, noTime),
  v.check(text => isInCalendar(text.slice(0, 10)), 'is of a day that is not in the calendar'),
  v.transform(text => {
    const [, day, hour, offset = 'Z'] = timeForm.exec(text) ?? []
    return new Date(`${day}T${hour}${/^.\d\d$/.test(offset) ? `${offset}:00` : offset}`)
  }),
  v.date(noTime),
  v.check(time => time.getTime() >= 0 && time.getTime() <= Date.now(), 'must be a time from 1970 to now'),
)

const noVersion = `must be an integer from 0 to ${2 ** 31}`

const noId = 'must be 1 to 128 letters, digits and characters of _ . : | -'

/** Kept as written: it is the subject of access tokens, and other tables refer to it. */
const Id = v.pipe(v.string(noId), v.regex(/^[\w.:|-]{1,128}$/, noId))

/** An account from another system. An unknown member is an error: it may be a misspelt one. */
export const AccountRecord = v.strictObject({
  email: Email,
  // An export may hold a name that people could no longer choose.
  name: v.optional(v.nullable(FormerName), null),
  // Kept as written, offered or not: settings change.
  language: v.optional(v.nullable(Language), null),
  is_admin: Flag,
  is_verified: Flag,
  created_at: v.optional(v.nullable(Time), null),
  id: v.optional(v.nullable(Id), null),
  token_version: v.optional(
    v.pipe(
      v.number(noVersion),
      v.integer(noVersion),
      v.minValue(0, noVersion),
      // It grows by one at a time and never gets near. JavaScript's integers are exact up to 2^53.
      v.maxValue(2 ** 31, noVersion),
    ),
    0,
  ),
  locked_at: v.optional(v.nullable(Time), null),
  /** Whether the account had a second factor, which no file holds. */
  second_factor: Flag,
  /** Null is an account without a password, as export writes it. Absent, it may have been forgotten. */
  password_hash: v.optional(v.nullable(Hash)),
})
export type AccountRecord = v.InferOutput<typeof AccountRecord>

/** The same with a hash of any form: one that no login can verify becomes `noPassword`. */
export const RecordWithAnyHash = v.strictObject({
  ...AccountRecord.entries,
  password_hash: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(hash => (v.is(v.nullable(Hash), hash) ? hash : noPassword)),
    ),
  ),
})

/** The names of members, and of columns. */
export const members = Object.keys(AccountRecord.entries)

/** What commands write of an account: no hash, no token. */
const recordAttributes = [
  'email',
  'name',
  'is_admin',
  'is_verified',
  'created_at',
  'id',
  'token_version',
  'locked_at',
  'language',
] as const satisfies (keyof AccountItem & keyof AccountRecord)[]

/** What commands read to write that. `totp_last_step` tells only whether there is a second factor. */
export const readAttributes = [...recordAttributes, 'totp_last_step'] as const satisfies (keyof AccountItem)[]

export type Recorded = Pick<AccountItem, (typeof readAttributes)[number]>

/** An account as import reads it, always with the same members. */
export const recordOf = (item: Recorded): Record<string, unknown> => ({
  ...Object.fromEntries(recordAttributes.map(name => [name, item[name] ?? null])),
  second_factor: item.totp_last_step !== undefined,
})

/**
 * The id tells whether an account came from a record, whatever has changed about it since. For a record without an id it
 * is a UUIDv7 whose 74 random bits are a hash of the record: each run computes the same one.
 */
export function idOf({ id, email, password_hash }: AccountRecord, createdAt: Date): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([email, password_hash ?? null]))
    .digest()
  return id ?? uuidv7(createdAt.getTime(), digest)
}

/** Whether an account came from a record. */
export const isOf = (record: AccountRecord, { id, created_at }: Pick<AccountItem, 'id' | 'created_at'>): boolean =>
  id === idOf(record, new Date(created_at))
