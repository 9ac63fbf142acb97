import type { AccountRecord } from './account-record.ts'
import { factorEntries } from './factor-record.ts'
import { passkeyEntries } from './passkey-record.ts'

/** The stack that an import writes into. */
export interface Target {
  /** The ARN of its key of second factors; null where its outputs name none. */
  factorKey: string | null
  /** The domain of its passkeys; null while they are off. */
  passkeyRpId: string | null
}

/** Whether a record's second factor is encrypted under another key: no code would ever fit. */
export const hasForeignFactor = ({ factor_key }: Pick<AccountRecord, 'factor_key'>, { factorKey }: Target): boolean =>
  factor_key !== null && factor_key !== factorKey

const without = <Name extends string>(entries: Record<Name, unknown>) =>
  Object.fromEntries(Object.keys(entries).map(name => [name, null])) as Record<Name, null>

/**
 * A record with what works in a stack: a second factor of its own key; and for an address that is verified, as whoever adds
 * one has, passkeys of its own domain, and identities.
 *
 * @param isHandleFree whether no other account has the passkeys' handle: it finds one account alone
 */
export function fittedRecord(record: AccountRecord, target: Target, isHandleFree: boolean): AccountRecord {
  const keepsPasskeys = isHandleFree && record.is_verified && record.passkey_rp_id === target.passkeyRpId
  return {
    ...record,
    ...(hasForeignFactor(record, target) && without(factorEntries)),
    ...(!keepsPasskeys && without(passkeyEntries)),
    ...(!record.is_verified && { identities: null }),
  }
}
