import type { Account } from '../account/account.ts'
import type { AccountChange } from '../account/attributes.ts'
import { type AccountItem, listTakenBy, tokenItem, withoutPassword } from '../account/attributes.ts'
import { identitiesAsRead } from '../identity/pointers.ts'
import { holderOf } from '../identity/table.ts'
import type { Passkey } from '../passkey/passkey.ts'
import { toPasskeyItems } from '../passkey/passkey.ts'
import { tokenAttributes } from '../token/token.ts'
import type { Takeback, Undoing } from './change.ts'

/** Attributes dropped or kept on a move, and on a revocation. */

export const languageChangeAttributes = ['language_before', 'language_until'] as const satisfies (keyof AccountItem)[]

/** The reset link that an account gets with another address. @param requestedAt of its last verification link */
export const setResetLink = ({ reset: link, at }: Takeback, requestedAt = ''): Partial<AccountItem> => ({
  ...tokenItem('reset', link),
  // Drops links that are still on the queue. Never moves the time back: another clock may run ahead.
  [tokenAttributes.verification.requestedAt]: at.toISOString() > requestedAt ? at.toISOString() : requestedAt,
})

/**
 * Revokes all access in place and leaves the rest alone: writes that keep the token version cannot conflict with it.
 * The password read belongs to the version, even if its hash was renewed since.
 */
export function revokeInPlace(
  { passwordHash, tokenVersion, tokens }: Account,
  passkeys: readonly Passkey[] = [],
  undoing?: Undoing,
): AccountChange {
  const { verification, reset } = tokenAttributes
  const set = {
    ...keepPasskeys(passkeys),
    ...withoutPassword({ password_hash: passwordHash }),
    ...(undoing && { is_verified: true, ...setResetLink(undoing, tokens.verification.requestedAt?.toISOString()) }),
    ...(undoing && undoing.language !== null && { language: undoing.language }),
  }
  const removed = [
    ...listTakenBy('move'),
    'passkeys',
    ...(undoing && !undoing.keepsFactor ? listTakenBy('factor') : []),
    ...('language' in set ? languageChangeAttributes : []),
  ]
  const dates = undoing ? [verification.requestedAt, reset.requestedAt] : []
  return {
    set,
    raises: true,
    remove: removed.filter(name => !(name in set)),
    version: tokenVersion,
    conditions: dates.map(name => `(attribute_not_exists(${name}) OR ${name} <= :${name})`),
  }
}

/** The passkeys that stay. A passkey that was added since the read is removed. */
export const keepPasskeys = (passkeys: readonly Passkey[]): Pick<AccountItem, 'passkeys'> =>
  passkeys.length > 0 ? { passkeys: toPasskeyItems(passkeys) } : {}

export const raiseItem = (item: AccountItem, at: Date) => ({
  token_version: item.token_version + 1,
  updated_at: at.toISOString(),
})

export const withoutAttributes = (item: AccountItem, attributes: readonly (keyof AccountItem)[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !attributes.includes(name as keyof AccountItem)))

/**
 * The condition that an account is unchanged. A refresh leaves `updated_at` alone, but sessions do not move anyway. Two
 * writes may share a time, so identities are compared as well.
 */
export function isAsRead(item: AccountItem) {
  const { verification } = tokenAttributes
  const token = item[verification.hash]
  const { identities } = holderOf(item)
  const { conditions, names, values } = identitiesAsRead(identities)
  const held = token === undefined ? `attribute_not_exists(${verification.hash})` : `${verification.hash} = :hash`
  return {
    ConditionExpression: ['id = :id', 'token_version = :version', 'updated_at = :updated', held, ...conditions].join(
      ' AND ',
    ),
    ExpressionAttributeValues: {
      ':id': item.id,
      ':version': item.token_version,
      ':updated': item.updated_at,
      ...(token !== undefined && { ':hash': token }),
      ...values,
    },
    ...(identities.length > 0 && { ExpressionAttributeNames: names }),
  }
}
