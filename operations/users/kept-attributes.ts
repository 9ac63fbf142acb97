import type { AccountItem } from '../../accounts/account/attributes.ts'
import { costOf } from '../../accounts/password/hash.ts'
import { CommandError } from '../command-line/failures.ts'
import type { Stack } from '../command-line/stack.ts'
import { recordOfIdentities } from './identity-record.ts'
import { recordOfPasskeys } from './passkey-record.ts'

/**
 * What an export has of each attribute of an account, so that an import brings it back: always, with hashes alone (what gives
 * access, or guards it), or never (what ends with the moment: sessions, remote addresses, links, pending changes, marks of
 * writes). An attribute without a line does not compile; one that is exported takes a line of `AccountRecord` and `itemOf`.
 */
export const kept = {
  email: 'always',
  name: 'always',
  is_admin: 'always',
  is_verified: 'always',
  created_at: 'always',
  id: 'always',
  token_version: 'always',
  locked_at: 'always',
  language: 'always',
  roles: 'always',
  invited_until: 'always',

  password_hash: 'with hashes',
  former_password_hash: 'with hashes',
  reset_verifies: 'with hashes',
  totp_secret: 'with hashes',
  totp_last_step: 'with hashes',
  recovery_codes: 'with hashes',
  wrong_codes: 'with hashes',
  passkeys: 'with hashes',
  passkey_handle: 'with hashes',
  passkey_rp_id: 'with hashes',
  identities: 'with hashes',

  updated_at: 'never',
  language_before: 'never',
  language_until: 'never',
  sessions: 'never',
  remembered_remotes: 'never',
  email_verification_token: 'never',
  email_verification_expires: 'never',
  email_verification_requested_at: 'never',
  email_verification_to: 'never',
  password_reset_token: 'never',
  password_reset_expires: 'never',
  password_reset_requested_at: 'never',
  totp_pending_secret: 'never',
  totp_pending_expires: 'never',
  totp_pending_by_passkey: 'never',
  passkey_added_by: 'never',
  passkey_removed_by: 'never',
  passkey_used_by: 'never',
  identity_changed_by: 'never',
  password_changed_by: 'never',
  email_verified_by: 'never',
  logged_out_by: 'never',
  totp_used_by: 'never',
  recovery_code_used_by: 'never',
  factor_set_up_by: 'never',
  factor_changed_by: 'never',
} as const satisfies Record<keyof AccountItem, 'always' | 'with hashes' | 'never'>

type AttributesKept<When> = {
  [Name in keyof AccountItem]-?: (typeof kept)[Name] extends When ? Name : never
}[keyof AccountItem]

/** The attributes that an import brings back. */
export type KeptAttribute = AttributesKept<'always' | 'with hashes'>

const attributesKept = <When extends 'always' | 'with hashes' | 'never'>(when: When) =>
  (Object.keys(kept) as (keyof AccountItem)[]).filter(name => kept[name] === when) as AttributesKept<When>[]

const always = attributesKept('always')

/** The members that only an export with hashes has. `factor_key` is no attribute: it says under which key a secret is. */
export const withHashes = [...attributesKept('with hashes'), 'factor_key'] as const

/** The attributes that an import lets go. */
export const neverKept = attributesKept('never')

/** What commands read of an account to print it. `totp_last_step` tells only whether there is a second factor. */
export const readAttributes = [...always, 'totp_last_step'] as const

export type Recorded = Pick<AccountItem, (typeof readAttributes)[number]>

/** An account as import reads it, without what needs hashes; always with the same members. */
export const recordOf = (item: Recorded): Record<string, unknown> => ({
  ...Object.fromEntries(always.map(name => [name, item[name] ?? null])),
  second_factor: item.totp_last_step !== undefined,
})

/**
 * An account with all that opens it. The secret of an app stays encrypted.
 *
 * @throws {CommandError} where the outputs do not say under which key that is
 */
export function recordWithHashes(item: AccountItem, { title, outputs }: Pick<Stack, 'title' | 'outputs'>) {
  const {
    password_hash,
    former_password_hash,
    reset_verifies,
    totp_secret,
    totp_last_step,
    recovery_codes,
    wrong_codes,
    passkeys,
    passkey_handle,
    passkey_rp_id,
    identities,
  } = item
  const hasFactor = totp_secret !== undefined
  const { FactorKey: factorKey = null } = outputs
  if (hasFactor && factorKey === null) {
    throw new CommandError(
      `the outputs of ${title} have no FactorKey, the ARN of the key of second factors, so that no import could tell whether it has that
key. A deploy of this version writes it`,
    )
  }
  const members: Record<(typeof withHashes)[number], unknown> = {
    password_hash: costOf(password_hash) === null ? null : password_hash,
    former_password_hash: former_password_hash ?? null,
    reset_verifies: reset_verifies ?? false,
    totp_secret: hasFactor ? Buffer.from(totp_secret).toString('base64') : null,
    totp_last_step: totp_last_step ?? null,
    recovery_codes: hasFactor ? [...(recovery_codes ?? [])] : null,
    wrong_codes: hasFactor ? [...(wrong_codes ?? [])] : null,
    factor_key: hasFactor ? factorKey : null,
    passkeys: passkey_handle === undefined ? null : recordOfPasskeys(passkeys),
    passkey_handle: passkey_handle ?? null,
    passkey_rp_id: passkey_rp_id ?? null,
    identities: identities === undefined ? null : recordOfIdentities(identities),
  }
  return { ...recordOf(item), ...members }
}
