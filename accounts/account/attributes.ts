import type { AccountItems, ItemChange } from '../../shared/aws/items.ts'
import type { Guard } from '../../shared/base/row.ts'
import { toChanges } from '../change/change.ts'
import { toIdentities } from '../identity/identity.ts'
import { passkeyHandle, toPasskeys } from '../passkey/passkey.ts'
import { toSessions } from '../session/session.ts'
import type { OneTimeToken, TokenKind } from '../token/token.ts'
import { tokenAttributes } from '../token/token.ts'
import type { Account, RememberedClient } from './account.ts'
import { noPassword } from './account.ts'
import {
  flag,
  nullableText,
  number,
  optionalBytes,
  optionalFlag,
  optionalNumber,
  optionalSet,
  optionalText,
  optionalTexts,
  optionalTime,
  text,
  time,
  toDate,
} from './forms.ts'

/** What an account has, and how its item stores it. Times are RFC 3339 in UTC with milliseconds: text order is time order. */

const clients = {
  read: (stored: readonly { hash: string; at: string }[] = []): RememberedClient[] =>
    stored.map(({ hash, at }) => ({ hash, at: new Date(at) })),
}
export const toClients = (clients: readonly RememberedClient[]) =>
  clients.map(({ hash, at }) => ({ hash, at: at.toISOString() }))

/**
 * What takes an attribute away, or empties a map. An `undo` also takes what a `move` to another address and the removal of the second
 * `factor` take.
 */
type Taker = 'move' | 'factor' | 'undo'

/** Whether an export has an attribute, so that an import brings it back. */
type Kept = 'always' | 'with hashes' | 'never'

/** What an attribute has beside its form: what takes it away, and its guard, without which no function may write it. */
interface Ways {
  taker?: Taker
  guard?: Guard
}

/**
 * Makes a line of the table: the member that the attribute makes, alone or with others, how it is converted, and its ways. Marked for the
 * build, which drops unused lines.
 */
type Line<K extends Kept> = <Member extends keyof Account | null, F extends { read: (stored: never) => unknown }>(
  member: Member,
  form: F,
  ways?: Ways,
) => { kept: K; member: Member; form: F; taker: Taker | undefined; guard: Guard | undefined }
/** In each export, and in lists. @__NO_SIDE_EFFECTS__ */
const always: Line<'always'> = (member, form, { taker, guard } = {}) => ({ kept: 'always', member, form, taker, guard })
/** What gives access, or guards it. @__NO_SIDE_EFFECTS__ */
const withHashes: Line<'with hashes'> = (member, form, { taker, guard } = {}) => ({
  kept: 'with hashes',
  member,
  form,
  taker,
  guard,
})
/** What ends with the moment: sessions, remote addresses, links, pending changes, marks of writes. @__NO_SIDE_EFFECTS__ */
const never: Line<'never'> = (member, form, { taker, guard } = {}) => ({ kept: 'never', member, form, taker, guard })

/** A form that makes the whole member. */
type Fitting = {
  [M in keyof Account]: {
    member: M
    form: { read: (stored: never) => Account[M]; write?: (value?: Account[M]) => unknown }
  }
}[keyof Account]

/** Attributes that make a member alone, in the order of exports. */
const single = {
  email: always('email', text, { guard: 'links' }),
  name: always('name', nullableText),
  is_admin: always('isAdmin', flag, { guard: 'rights' }),
  is_verified: always('isVerified', flag, { guard: 'links' }),
  created_at: always('createdAt', time),
  id: always('id', text),
  token_version: always('tokenVersion', number),
  locked_at: always('lockedAt', optionalTime, { guard: 'rights' }),
  language: always('language', optionalText),
  /** Sorted, at most ten, different; absent when there are none. */
  roles: always('roles', optionalTexts, { guard: 'rights' }),
  /** The reset token is an invitation's if and only if this is there. */
  invited_until: always('invitedUntil', optionalTime, { guard: 'links' }),
  password_hash: withHashes('passwordHash', text, { guard: 'password' }),
  /** Of a password that was voided, because somebody else may know it. */
  former_password_hash: withHashes('formerPasswordHash', optionalText, { guard: 'password' }),
  /** A password reset proves the address: an operator moved the account there. */
  reset_verifies: withHashes('resetVerifies', optionalFlag, { taker: 'move', guard: 'links' }),
  /** An id of each wrong code in a row. */
  wrong_codes: withHashes(
    'wrongCodes',
    { read: (codes?: Set<string>) => codes?.size ?? 0 },
    { taker: 'factor', guard: 'codes' },
  ),
  // Maps are there from the first write: DynamoDB refuses to set a member of a map that is not.
  /** By `passkeyKey`. */
  passkeys: withHashes('passkeys', { read: toPasskeys }, { taker: 'undo', guard: 'ways in' }),
  passkey_handle: withHashes('passkeyHandle', optionalText, { guard: 'ways in' }),
  passkey_rp_id: withHashes('passkeyRpId', optionalText, { guard: 'ways in' }),
  /** By `identityKey`. */
  identities: withHashes('identities', { read: toIdentities }, { taker: 'undo', guard: 'ways in' }),
  language_before: never('languageBefore', optionalText),
  language_until: never('languageUntil', optionalTime),
  sessions: never('sessions', { read: toSessions }, { taker: 'move', guard: 'sessions' }),
  /** By the SHA-256 of the notice's token. */
  changes: never('changes', { read: toChanges }, { guard: 'changes' }),
  /** The time of the newest change, whatever became of it. */
  changes_at: never('changedAt', optionalTime, { guard: 'changes' }),
  remembered_remotes: never('clients', clients, { taker: 'move' }),
  /** The address that the verification token proves, where it is not the account's own. */
  email_verification_to: never('pendingEmail', optionalText, { taker: 'move', guard: 'links' }),
  /** The changes that the mail with the reset link lists, by the same hashes. */
  password_reset_lists: never('resetLists', optionalSet, { taker: 'move', guard: 'links' }),
  // Marks of writes, as those below.
  password_changed_by: never('passwordChangedBy', optionalText),
  password_changed_at: never('passwordChangedAt', optionalTime, { guard: 'password' }),
  factor_changed_by: never('factorChangedBy', optionalText),
  recovery_code_used_by: never('recoveryCodeUsedBy', optionalText),
  passkey_removed_by: never('passkeyRemovedBy', optionalText),
  identity_changed_by: never('identityChangedBy', optionalText),
} satisfies Record<string, Fitting>

/** Attributes that make a member together. */
const shared = {
  /** Encrypted for the account's id. */
  totp_secret: withHashes('factor', optionalBytes, { taker: 'factor', guard: 'ways in' }),
  totp_last_step: withHashes('factor', optionalNumber, { taker: 'factor', guard: 'codes' }),
  /** SHA-256 in hexadecimal. */
  recovery_codes: withHashes('factor', optionalSet, { taker: 'factor', guard: 'codes' }),
  totp_pending_secret: never('pendingFactor', optionalBytes, { taker: 'factor', guard: 'ways in' }),
  totp_pending_expires: never('pendingFactor', optionalTime, { taker: 'factor', guard: 'ways in' }),
  /** A passkey was used to set the pending one up. */
  totp_pending_by_passkey: never('pendingFactor', optionalFlag, { taker: 'factor', guard: 'ways in' }),
  email_verification_token: never('tokens', optionalText, { taker: 'move', guard: 'links' }),
  email_verification_expires: never('tokens', optionalTime, { taker: 'move', guard: 'links' }),
  email_verification_requested_at: never('tokens', optionalTime, { guard: 'links' }),
  password_reset_token: never('tokens', optionalText, { taker: 'move', guard: 'links' }),
  password_reset_expires: never('tokens', optionalTime, { taker: 'move', guard: 'links' }),
  password_reset_requested_at: never('tokens', optionalTime, { guard: 'links' }),
}

/** Attributes that make no member. Nothing takes them away. */
const unread = {
  updated_at: never(null, text),
  email_verified_by: never(null, optionalText),
  logged_out_by: never(null, optionalText),
  totp_used_by: never(null, optionalText),
  passkey_used_by: never(null, optionalText),
}

/** All attributes of an account. The item, its conversions, exports, imports and undos follow; a member without a line does not compile. */
export const attributes = /* @__PURE__ */ Object.assign({}, single, shared, unread)

/** The attributes that functions may write only with a guard among these. */
export const guardedBy = (guards: readonly Guard[]): AttributeName[] =>
  (Object.keys(attributes) as AttributeName[]).filter(name => guards.some(guard => guard === attributes[name].guard))

/** When an invitation ends. A token in the attributes of resets is that of an invitation if and only if this one is there. */
export const invitedAttribute = 'invited_until'

/** The sparse indexes of the table of accounts, which find a candidate by an attribute. */
export const accountIndexes = /* @__PURE__ */ Object.values(tokenAttributes)
  .map(({ index, hash: attribute }): { index: string; attribute: string } => ({ index, attribute }))
  .concat(passkeyHandle)

type Attributes = typeof attributes
export type AttributeName = keyof Attributes
export type KeptBy<When extends Kept> = {
  [Name in AttributeName]: Attributes[Name]['kept'] extends When ? Name : never
}[AttributeName]

type Stored<Name extends AttributeName> = Parameters<Attributes[Name]['form']['read']>[0]

type Always = { [Name in AttributeName as undefined extends Stored<Name> ? never : Name]: Stored<Name> }
type Sometimes = {
  [Name in AttributeName as undefined extends Stored<Name> ? Name : never]?: Exclude<Stored<Name>, undefined>
}

/** An account in the table. */
export interface AccountItem extends Always, Sometimes {}

/** The members that lines of a table make. */
export type MembersOf<Lines extends Record<string, { member: keyof Account | null }>> = NonNullable<
  Lines[keyof Lines]['member']
>

/** The attributes that are made of a member. */
export type Writable = {
  [Name in keyof typeof single]: (typeof single)[Name]['form'] extends { write: unknown } ? Name : never
}[keyof typeof single]

/** Without the types of the forms: `Fitting` has checked each against its member. */
const singles = /* @__PURE__ */ Object.entries(single) as [
  keyof typeof single,
  { member: keyof Account; form: { read(stored: unknown): unknown; write?(value: unknown): unknown } },
][]

/** Attributes that are maps, empty. */
const noMembers = { sessions: {}, passkeys: {}, identities: {}, changes: {} } as const satisfies Partial<AccountItem>

/** What takes away all that something takes: maps are emptied, the rest is removed. */
export function takenBy(taken: Taker): Required<Pick<AccountChange, 'set' | 'remove'>> {
  const names = Object.entries({ ...single, ...shared }).flatMap(([name, { taker }]) =>
    taker && (taken === 'undo' || taken === taker) ? [name as AttributeName] : [],
  )
  return {
    set: Object.fromEntries(names.filter(name => name in noMembers).map(name => [name, {}])),
    remove: names.filter(name => !(name in noMembers)),
  }
}

/** A new account's item: what people open has an address that `mayOpen` made, operators' commands are not asked. */
export function toItem(
  account: Pick<Account, MembersOf<Pick<Attributes, Exclude<keyof Always, keyof typeof noMembers>>>> &
    Partial<Pick<Account, Attributes[Writable]['member']>>,
  now: Date,
  verification?: OneTimeToken,
): AccountItem {
  const stored = singles.map(
    ([name, { member, form }]) => [name, form.write?.((account as Partial<Account>)[member])] as const,
  )
  const item = Object.fromEntries(stored.filter(([, value]) => value !== undefined))
  return {
    ...(item as Omit<Always, 'updated_at' | keyof typeof noMembers>),
    ...noMembers,
    updated_at: now.toISOString(),
    ...(verification && tokenItem('verification', verification)),
  }
}

export function toAccount(item: AccountItem): Account {
  const { totp_secret: secret, totp_last_step: lastStep = 0, totp_pending_secret: pending } = item
  const alone = singles.map(([name, { member, form }]) => [member, form.read(item[name])])
  const expiresAt = toDate(item.totp_pending_expires)
  return {
    ...(Object.fromEntries(alone) as Pick<Account, MembersOf<typeof single>>),
    factor: secret ? { secret, lastStep, recoveryCodes: optionalSet.read(item.recovery_codes) } : null,
    pendingFactor:
      pending && expiresAt ? { secret: pending, expiresAt, byPasskey: item.totp_pending_by_passkey ?? false } : null,
    tokens: { verification: toToken('verification', item), reset: toToken('reset', item) },
  }
}

function toToken(kind: TokenKind, item: AccountItem): Account['tokens'][TokenKind] {
  const { hash, expires, requestedAt } = tokenAttributes[kind]
  return { hash: item[hash] ?? null, expiresAt: toDate(item[expires]), requestedAt: toDate(item[requestedAt]) }
}

/** The attributes of a token. */
export function tokenItem(kind: TokenKind, token: OneTimeToken): Partial<AccountItem> {
  const { hash, expires, requestedAt } = tokenAttributes[kind]
  return {
    [hash]: token.hash,
    [expires]: token.expiresAt.toISOString(),
    [requestedAt]: token.requestedAt.toISOString(),
  }
}

/**
 * Takes a password away that somebody else may know: the next reset refuses it. Where there is none, what was kept aside stays. The
 * write itself sets the present hash aside, and asks that there still is one, or none.
 */
export const withoutPassword = ({ passwordHash }: Pick<Account, 'passwordHash'>) => {
  const hadNone = passwordHash === noPassword
  return {
    set: { password_hash: noPassword },
    assign: hadNone ? [] : ['former_password_hash = password_hash'],
    conditions: [`password_hash ${hadNone ? '=' : '<>'} :password_hash`],
  } satisfies AccountChange
}

/** The attributes that a write leaves its mark in, and no others, end with `_by`. */
type MarkAttribute = Extract<AttributeName, `${string}_by`>

/** One update of an account. */
export type AccountChange = ItemChange<AccountItem, MarkAttribute>

/** Accounts with their entries, in DynamoDB. */
export type AccountStore = AccountItems<AccountItem, Account, MarkAttribute>

/** The conditions and effects of one update after those of another. */
export const joined = (one: AccountChange, more: AccountChange): AccountChange => ({
  ...one,
  ...more,
  set: { ...one.set, ...more.set },
  assign: [...(one.assign ?? []), ...(more.assign ?? [])],
  remove: [...(one.remove ?? []), ...(more.remove ?? [])].filter(name => !(name in { ...one.set, ...more.set })),
  conditions: [...(one.conditions ?? []), ...(more.conditions ?? [])],
  values: { ...one.values, ...more.values },
  names: { ...one.names, ...more.names },
})
