import { families, keyIn } from '../../shared/base/families.ts'
import type { TokenKind } from '../token/token.ts'

/** Facts about the tables that the stack and the stores share. */

/** The attributes of one kind of token, and the sparse index that finds its holder. */
export const tokenAttributes = {
  verification: {
    hash: 'email_verification_token',
    expires: 'email_verification_expires',
    requestedAt: 'email_verification_requested_at',
    index: 'by-verification-token',
  },
  reset: {
    hash: 'password_reset_token',
    expires: 'password_reset_expires',
    requestedAt: 'password_reset_requested_at',
    index: 'by-reset-token',
  },
} as const satisfies Record<TokenKind, Record<string, string>>

/** The address that a verification token proves and moves its account to, where it is not the account's own. */
export const pendingEmailAttribute = 'email_verification_to'

/** When an invitation ends. A token in the attributes of resets is that of an invitation if and only if this one is there. */
export const invitedAttribute = 'invited_until'

/** DynamoDB deletes a counter some time after the time in this attribute, in seconds since the epoch. */
export const ttlAttribute = 'expires'

/** The keys of pointers of identities begin with it. They have no @, which every address has. */
export const pointerPrefix = 'identity#'

/** The keys in the users table, as IAM's patterns: those of accounts, and those of pointers. */
export const usersKeys = { accounts: '*@*', pointers: `${pointerPrefix}*` } as const

/** All that an account has of a second factor and of one that waits to be confirmed. */
export const factorAttributes = [
  'totp_secret',
  'totp_last_step',
  'totp_pending_secret',
  'totp_pending_expires',
  'totp_pending_by_passkey',
  'recovery_codes',
  'wrong_codes',
] as const

/** The sparse index that finds the account of a passkey's handle. */
export const passkeyHandle = { attribute: 'passkey_handle', index: 'by-passkey-handle' } as const

/** The sparse indexes of the users table, which find a candidate by an attribute. */
export const usersIndexes: readonly { index: string; attribute: string }[] = [
  ...Object.values(tokenAttributes).map(({ index, hash }) => ({ index, attribute: hash })),
  passkeyHandle,
]

/** The key of the context that secrets of second factors are encrypted in; its value is the account's id. */
export const factorContextKey = 'account'

/** What the secrets at providers are bound to: their key in the encryption context, whose value is the provider's id. */
export const providerContextKey = 'provider'

/** The keys of the items about changes of addresses, in the table of counters. */
export const emailChangeKeys = {
  moved: (id: string) => `${families.Moves}#${id}` as const,
  /** By the mark of the write: `id`, `from` and `to`. */
  movedBy: (mark: string) => `${families.Moves}-by#${mark}` as const,
  /** By the hash of the link's token. */
  undo: (hash: string) => keyIn('UndoLinks', hash),
}
