import type { ItemChange, ItemTable } from '../../shared/aws/items.ts'
import { type IdentityItem, toIdentities } from '../identity/identity.ts'
import { type PasskeyItem, passkeyHandle, toPasskeys } from '../passkey/passkey.ts'
import { type SessionItem, toSessions } from '../session/session.ts'
import type { OneTimeToken, TokenKind } from '../token/token.ts'
import { tokenAttributes } from '../token/token.ts'
import type { Account, NewAccount, RememberedClient } from './account.ts'
import { noPassword } from './account.ts'

/** What an account has, and how its item stores it. */

/** When an invitation ends. A token in the attributes of resets is that of an invitation if and only if this one is there. */
export const invitedAttribute = 'invited_until'

/** The sparse indexes of the users table, which find a candidate by an attribute. */
export const usersIndexes: readonly { index: string; attribute: string }[] = [
  ...Object.values(tokenAttributes).map(({ index, hash }) => ({ index, attribute: hash })),
  passkeyHandle,
]

/** An item of the users table. Times are RFC 3339 in UTC with milliseconds, so that text order is time order. */
export interface AccountItem {
  email: string
  id: string
  name: string | null
  language?: string
  language_before?: string
  language_until?: string
  password_hash: string
  /** Of a password that was voided, because somebody else may know it. */
  former_password_hash?: string
  is_admin: boolean
  is_verified: boolean
  /** Sorted, at most ten, different; absent when there are none. */
  roles?: readonly string[]
  /** The reset token is an invitation's if and only if this is there. */
  invited_until?: string
  token_version: number
  locked_at?: string
  created_at: string
  updated_at: string
  email_verification_token?: string
  email_verification_expires?: string
  email_verification_requested_at?: string
  /** The address that the verification token proves, where it is not the account's own. */
  email_verification_to?: string
  password_reset_token?: string
  password_reset_expires?: string
  password_reset_requested_at?: string
  password_changed_by?: string
  /** A password reset proves the address: an operator moved the account there. */
  reset_verifies?: true
  remembered_remotes?: { hash: string; at: string }[]
  sessions?: Record<string, SessionItem>
  /** Encrypted for the account's id. */
  totp_secret?: Uint8Array
  totp_last_step?: number
  totp_used_by?: string
  /** An id of each wrong code in a row. */
  wrong_codes?: Set<string>
  totp_pending_secret?: Uint8Array
  totp_pending_expires?: string
  /** A passkey was used to set the pending one up. */
  totp_pending_by_passkey?: true
  /** SHA-256 in hexadecimal. DynamoDB has no empty sets: without codes there is none. */
  recovery_codes?: Set<string>
  recovery_code_used_by?: string
  factor_set_up_by?: string
  factor_changed_by?: string
  /** By `passkeyKey`. */
  passkeys?: Record<string, PasskeyItem>
  passkey_handle?: string
  passkey_rp_id?: string
  passkey_added_by?: string
  passkey_removed_by?: string
  passkey_used_by?: string
  /** By `identityKey`; absent when there are none. */
  identities?: Record<string, IdentityItem>
  identity_changed_by?: string
  email_verified_by?: string
  logged_out_by?: string
}

/** A new account's item: what people open has an address that `mayOpen` made, operators' commands are not asked. */
export const toItem = (
  account: Omit<NewAccount, 'email' | 'verification'> &
    Pick<Account, 'email'> &
    Partial<Pick<Account, 'lockedAt' | 'roles' | 'invitedUntil'>>,
  now: Date,
  verification?: OneTimeToken,
): AccountItem => ({
  email: account.email,
  id: account.id,
  name: account.name,
  password_hash: account.passwordHash,
  is_admin: account.isAdmin,
  is_verified: account.isVerified,
  token_version: account.tokenVersion,
  created_at: account.createdAt.toISOString(),
  updated_at: now.toISOString(),
  ...(account.language && { language: account.language }),
  ...(account.roles && account.roles.length > 0 && { roles: account.roles }),
  ...(account.invitedUntil && { invited_until: account.invitedUntil.toISOString() }),
  ...(account.lockedAt && { locked_at: account.lockedAt.toISOString() }),
  ...(verification && tokenItem('verification', verification)),
})

/** The attributes of a token. */
export function tokenItem(kind: TokenKind, token: OneTimeToken): Partial<AccountItem> {
  const { hash, expires, requestedAt } = tokenAttributes[kind]
  const times = { [expires]: token.expiresAt.toISOString(), [requestedAt]: token.requestedAt.toISOString() }
  return { [hash]: token.hash, ...times }
}

function toToken(kind: TokenKind, item: AccountItem): Account['tokens'][TokenKind] {
  const { hash, expires, requestedAt } = tokenAttributes[kind]
  return { hash: item[hash] ?? null, expiresAt: toDate(item[expires]), requestedAt: toDate(item[requestedAt]) }
}

/**
 * What an account stores in place of a password that somebody else may know: the next reset refuses the former one. Where
 * there is no password, the one that was kept aside stays.
 */
export const withoutPassword = ({ password_hash: former }: Pick<AccountItem, 'password_hash'>) => ({
  password_hash: noPassword,
  ...(former !== noPassword && { former_password_hash: former }),
})

export const toClients = (clients: readonly RememberedClient[]) =>
  clients.map(({ hash, at }) => ({ hash, at: at.toISOString() }))

const toDate = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text))

const toFactor = ({
  totp_secret: secret,
  totp_last_step: lastStep = 0,
  recovery_codes: codes = new Set(),
}: AccountItem) => (secret === undefined ? null : { secret, lastStep, recoveryCodes: [...codes] })

export const toAccount = (item: AccountItem): Account => ({
  id: item.id,
  email: item.email,
  name: item.name,
  language: item.language ?? null,
  languageBefore: item.language_before ?? null,
  languageUntil: toDate(item.language_until),
  passwordHash: item.password_hash,
  formerPasswordHash: item.former_password_hash ?? null,
  isAdmin: item.is_admin,
  isVerified: item.is_verified,
  roles: item.roles ?? [],
  invitedUntil: toDate(item.invited_until),
  lockedAt: toDate(item.locked_at),
  tokenVersion: item.token_version,
  createdAt: new Date(item.created_at),
  passwordChangedBy: item.password_changed_by ?? null,
  clients: (item.remembered_remotes ?? []).map(({ hash, at }) => ({ hash, at: new Date(at) })),
  sessions: toSessions(item.sessions),
  factor: toFactor(item),
  pendingFactor:
    item.totp_pending_secret && item.totp_pending_expires
      ? {
          secret: item.totp_pending_secret,
          expiresAt: new Date(item.totp_pending_expires),
          byPasskey: item.totp_pending_by_passkey ?? false,
        }
      : null,
  wrongCodes: item.wrong_codes?.size ?? 0,
  factorSetUpBy: item.factor_set_up_by ?? null,
  factorChangedBy: item.factor_changed_by ?? null,
  recoveryCodeUsedBy: item.recovery_code_used_by ?? null,
  passkeys: toPasskeys(item.passkeys),
  passkeyHandle: item.passkey_handle ?? null,
  passkeyRpId: item.passkey_rp_id ?? null,
  passkeyAddedBy: item.passkey_added_by ?? null,
  passkeyRemovedBy: item.passkey_removed_by ?? null,
  identities: toIdentities(item.identities),
  identityChangedBy: item.identity_changed_by ?? null,
  pendingEmail: item.email_verification_to ?? null,
  resetVerifies: item.reset_verifies ?? false,
  tokens: { verification: toToken('verification', item), reset: toToken('reset', item) },
})

/** The attributes that a write leaves its mark in. */
type MarkAttribute =
  | 'password_changed_by'
  | 'email_verified_by'
  | 'logged_out_by'
  | 'factor_set_up_by'
  | 'factor_changed_by'
  | 'recovery_code_used_by'
  | 'totp_used_by'
  | 'passkey_added_by'
  | 'passkey_removed_by'
  | 'passkey_used_by'
  | 'identity_changed_by'

/** One update of an account. */
export type AccountChange = ItemChange<AccountItem, MarkAttribute>

/** Reads and updates single accounts. */
export type UsersTable = ItemTable<AccountItem, Account, MarkAttribute>
