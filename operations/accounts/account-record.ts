import * as v from 'valibot'
import { bearableCosts, costOf, noPassword } from '../../shared/accounts/password-hash.ts'
import { Email, Name } from '../../shared/schemas.ts'

const noHash =
  'must be a bcrypt hash ($2a$, $2b$, $2y$) or a bcrypt-sha256 one of version 2 ($bcrypt-sha256$v=2,t=2b,…)'

const Hash = v.pipe(
  v.string(noHash),
  v.check(hash => costOf(hash) !== null, noHash),
  v.check(hash => {
    const cost = costOf(hash) ?? 0
    return cost >= bearableCosts.min && cost <= bearableCosts.max
  }, `must have a cost from ${bearableCosts.min} to ${bearableCosts.max}: no login could verify another in time`),
)

const Flag = v.optional(v.boolean('must be true or false'), false)

const noTime = 'must be a time such as 2026-03-01T12:00:00Z or 2026-03-01 12:00:00+00'

/**
 * RFC 3339, or as PostgreSQL writes it (its manual, §8.5.2): a space before the hour, an offset without minutes. UTC
 * where the offset is missing. PostgreSQL's `infinity` is none.
 */
const timeForm = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d(?::\d\d)?)?$/

const Time = v.pipe(
  v.string(noTime),
  v.regex(timeForm, noTime),
  v.transform(text => {
    const [, day, hour, offset = 'Z'] = timeForm.exec(text) ?? []
    return new Date(`${day}T${hour}${/^.\d\d$/.test(offset) ? `${offset}:00` : offset}`)
  }),
  v.date(noTime),
  v.check(time => time.getTime() >= 0 && time.getTime() <= Date.now(), 'must be a time from 1970 to now'),
)

const noId = 'must be 1 to 128 letters, digits and characters of _ . : | -'

/** Compared as it is written: it is the subject of access tokens, and other tables know it. */
const Id = v.pipe(v.string(noId), v.regex(/^[\w.:|-]{1,128}$/, noId))

/** An account as it comes from elsewhere. A member of another name is refused: it may be a misspelt one. */
export const AccountRecord = v.strictObject({
  email: Email,
  name: v.optional(v.nullable(Name), null),
  is_admin: Flag,
  is_verified: Flag,
  created_at: v.optional(v.nullable(Time), null),
  id: v.optional(v.nullable(Id), null),
  token_version: v.optional(
    v.pipe(
      v.number('must be a whole number'),
      v.integer('must be a whole number'),
      v.minValue(0, 'must be a whole number'),
      // Far above what raising it by one comes to, far below where a number loses its last digit.
      v.maxValue(2 ** 31, 'must be at most 2147483648'),
    ),
    0,
  ),
  locked_at: v.optional(v.nullable(Time), null),
  password_hash: v.optional(v.nullable(Hash), null),
})
export type AccountRecord = v.InferOutput<typeof AccountRecord>

/** One whose hash may be of any form: what no login could verify becomes `noPassword`. */
export const RecordWithAnyHash = v.strictObject({
  ...AccountRecord.entries,
  password_hash: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(hash => (v.is(v.nullable(Hash), hash) ? hash : noPassword)),
    ),
    null,
  ),
})

/** What an account may be given: the names of columns too. */
export const members = Object.keys(AccountRecord.entries)
