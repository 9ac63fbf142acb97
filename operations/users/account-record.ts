import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { noPassword } from '../../accounts/account/account.ts'
import type { AccountItem, KeptBy } from '../../accounts/account/attributes.ts'
import { FormerName } from '../../accounts/account/shapes.ts'
import { Email } from '../../accounts/address/shapes.ts'
import { lifetimes } from '../../accounts/token/token.ts'
import { Language } from '../../shared/base/shapes.ts'
import { uuidv7 } from '../../shared/base/uuid.ts'
import { factorEntries } from './factor-record.ts'
import { Hash } from './hash-record.ts'
import { identityEntries } from './identity-record.ts'
import { passkeyEntries } from './passkey-record.ts'
import { AnyTime, Time } from './time.ts'

const names = <Name extends string>(entries: Record<Name, unknown>) => Object.keys(entries) as Name[]

const Flag = v.optional(v.boolean('must be true or false'), false)

/** Imports begin at the time in seconds, which gets there in 33,658 years. JavaScript's integers are exact up to 2^53. */
const maxVersion = 10 ** 12

const noVersion = `must be an integer from 0 to ${maxVersion}`

/** A date further ahead than an invitation lives would be that of a link which works for ever. */
const InvitedUntil = v.pipe(
  AnyTime,
  v.check(
    time => time.getTime() >= 0 && time.getTime() <= Date.now() + lifetimes.invitation,
    'must be a time from 1970 to a week ahead',
  ),
)

/** What is wrong with a list that is no list of roles. */
export const noRoles =
  "must be at most ten different roles of a-z, 0-9 and : _ . -, each at most 32 long, none of them 'none'"

/** Sorted, as they are stored. */
export const Roles = v.pipe(
  v.array(v.pipe(v.string(noRoles), v.regex(/^(?!none$)[a-z0-9][a-z0-9:_.-]{0,31}$/, noRoles)), noRoles),
  v.maxLength(10, noRoles),
  v.check(roles => new Set(roles).size === roles.length, noRoles),
  v.transform(roles => [...roles].sort()),
)

const noId = 'must be 1 to 128 letters, digits and characters of _ . : | -'

/** Kept as written: it is the subject of access tokens, and other tables refer to it. */
const Id = v.pipe(v.string(noId), v.regex(/^[\w.:|-]{1,128}$/, noId))

/** The attributes that an import brings back. */
export type KeptAttribute = KeptBy<'always' | 'with hashes'>

/** An account from another system. An unknown member is an error: it may be a misspelt one. */
export const AccountRecord = v.strictObject({
  email: Email,
  // An export may hold a name that people could no longer choose.
  name: v.optional(v.nullable(FormerName), null),
  // Kept as written, offered or not: settings change.
  language: v.optional(v.nullable(Language), null),
  roles: v.optional(v.nullable(Roles), null),
  invited_until: v.optional(v.nullable(InvitedUntil), null),
  is_admin: Flag,
  is_verified: Flag,
  created_at: v.optional(v.nullable(Time), null),
  id: v.optional(v.nullable(Id), null),
  token_version: v.optional(
    v.pipe(v.number(noVersion), v.integer(noVersion), v.minValue(0, noVersion), v.maxValue(maxVersion, noVersion)),
    0,
  ),
  locked_at: v.optional(v.nullable(Time), null),
  /** Whether the account had a second factor, which only an export with hashes holds. */
  second_factor: Flag,
  /** Null is an account without a password, as export writes it. Absent, it may have been forgotten. */
  password_hash: v.optional(v.nullable(Hash)),
  former_password_hash: v.optional(v.nullable(Hash), null),
  reset_verifies: Flag,
  ...factorEntries,
  ...passkeyEntries,
  ...identityEntries,
} satisfies Record<KeptAttribute | 'second_factor' | 'factor_key', v.GenericSchema>)
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
export const members = names(AccountRecord.entries)

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

/** What keeps a record from being an account, for itself alone. @returns null where nothing does */
export function conflictIn(record: AccountRecord): string | null {
  // An invited account has no password until it accepts.
  if (record.invited_until !== null && record.password_hash != null)
    return 'invited_until does not go with a password_hash'
  // Accepting verifies the address, and no invitation makes an administrator.
  if (record.invited_until !== null && (record.is_verified || record.is_admin))
    return 'invited_until does not go with is_verified or is_admin'
  return incompletely(factorMembers, record) ?? incompletely(passkeyMembers, record)
}

/**
 * A second factor: without the steps and codes that were used, they would work again. Its ciphertext opens for the account's
 * id alone.
 */
const factorMembers = [...names(factorEntries), 'id'] as const

/** Passkeys, of which there may be none left: the handle is for good. */
const passkeyMembers = names(passkeyEntries)

/** Says what is missing of members that go together. @returns null where there are none of them, or all */
function incompletely(members: readonly (keyof AccountRecord)[], record: AccountRecord): string | null {
  const [present] = members.filter(name => name !== 'id' && record[name] !== null)
  const missing = members.filter(name => record[name] === null)
  if (present === undefined || missing.length === 0) return null
  return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing beside ${present}`
}
