import { type Account, noPassword } from '../../accounts/account/account.ts'
import {
  type AccountItem,
  type AttributeName,
  attributes,
  type KeptBy,
  toItem,
  type Writable,
} from '../../accounts/account/attributes.ts'
import { CommandError } from '../command-line/failures.ts'
import type { Stack } from '../command-line/stack.ts'
import { type AccountRecord, type KeptAttribute, members } from './account-record.ts'
import { readHash } from './hash-record.ts'
import { itemOfIdentities, recordOfIdentities } from './identity-record.ts'
import { itemOfPasskeys, recordOfPasskeys } from './passkey-record.ts'

/** What an export has of an account, by the table of attributes, and what an import makes of it. */

const attributesKept = <When extends 'always' | 'never'>(when: When) =>
  (Object.keys(attributes) as AttributeName[]).filter(name => attributes[name].kept === when) as KeptBy<When>[]

const always = attributesKept('always')

/** The attributes that an import lets go. */
export const neverKept = attributesKept('never')

/** The members that only an export with hashes has. `factor_key` is no attribute: it says under which key a secret is. */
export const withHashes = members.filter(
  name => name === 'factor_key' || (name !== 'second_factor' && attributes[name].kept === 'with hashes'),
)

/** What commands read of an account to print it. `totp_last_step` tells only whether there is a second factor. */
export const readAttributes = [...always, 'totp_last_step'] as const

export type Recorded = Pick<AccountItem, (typeof readAttributes)[number]>

/** An account as import reads it, without what needs hashes; always with the same members. */
export const recordOf = (item: Recorded): Record<string, unknown> => ({
  ...Object.fromEntries(always.map(name => [name, item[name] ?? null])),
  second_factor: item.totp_last_step !== undefined,
})

/** The kept attributes that are not made of a member: records have forms of their own for them. */
type Apart = Exclude<KeptAttribute, Writable>

/**
 * An account with all that opens it. The secret of an app stays encrypted.
 *
 * @throws {CommandError} where the outputs do not say under which key that is
 */
export function recordWithHashes(item: AccountItem, { title, outputs }: Pick<Stack, 'title' | 'outputs'>) {
  const { password_hash, totp_secret, totp_last_step = null, recovery_codes, wrong_codes, passkeys, identities } = item
  const hasFactor = totp_secret !== undefined
  const { FactorKey: factorKey = null } = outputs
  if (hasFactor && factorKey === null) {
    throw new CommandError(
      `the outputs of ${title} have no FactorKey, the ARN of the key of second factors, so that no import could tell whether it has that
key. A deploy of this version writes it`,
    )
  }
  const apart: Record<Apart, unknown> = {
    totp_secret: hasFactor ? Buffer.from(totp_secret).toString('base64') : null,
    totp_last_step,
    recovery_codes: hasFactor ? [...(recovery_codes ?? [])] : null,
    wrong_codes: hasFactor ? [...(wrong_codes ?? [])] : null,
    passkeys: item.passkey_handle === undefined ? null : recordOfPasskeys(passkeys),
    identities: Object.keys(identities).length === 0 ? null : recordOfIdentities(identities),
  }
  const record: Record<string, unknown> = {
    ...item,
    ...apart,
    password_hash: readHash(password_hash) === null ? null : password_hash,
    reset_verifies: item.reset_verifies ?? false,
    factor_key: hasFactor ? factorKey : null,
  }
  return { ...recordOf(item), ...Object.fromEntries(withHashes.map(name => [name, record[name] ?? null])) }
}

/**
 * An account as an import writes it.
 *
 * @param decided what does not follow from the record alone
 * @param updatedAt the time of the import
 */
export function itemOf(
  record: AccountRecord,
  decided: Pick<Account, 'id' | 'createdAt' | 'tokenVersion'>,
  updatedAt: Date,
): AccountItem {
  const { recovery_codes, wrong_codes } = record
  const apart: { [Name in Apart]: AccountItem[Name] | undefined } = {
    totp_secret: record.totp_secret ?? undefined,
    totp_last_step: record.totp_last_step ?? undefined,
    // DynamoDB has no empty sets.
    recovery_codes: recovery_codes?.length ? new Set(recovery_codes) : undefined,
    wrong_codes: wrong_codes?.length ? new Set(wrong_codes) : undefined,
    passkeys: record.passkeys?.length ? itemOfPasskeys(record.passkeys) : undefined,
    identities: record.identities?.length ? itemOfIdentities(record.identities, updatedAt) : undefined,
  }
  const values = members.flatMap(name =>
    name in apart || name === 'second_factor' || name === 'factor_key' ? [] : [[attributes[name].member, record[name]]],
  )
  const account = {
    ...(Object.fromEntries(values) as {
      [Name in Exclude<KeptAttribute, Apart> as (typeof attributes)[Name]['member']]: AccountRecord[Name]
    }),
    ...decided,
    passwordHash: record.password_hash ?? noPassword,
    roles: record.roles ?? [],
  }
  const present = Object.entries(apart).filter(([, value]) => value !== undefined)
  return { ...toItem(account, updatedAt), ...Object.fromEntries(present) }
}
