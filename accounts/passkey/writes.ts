import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { expiringItems, toSeconds } from '../../shared/aws/expiring-items.ts'
import type { Updating } from '../../shared/base/row.ts'
import { type Account, isAsRead, type TokenChange } from '../account/account.ts'
import { type AccountChange, type AccountStore, joined } from '../account/attributes.ts'
import type { Change } from '../change/change.ts'
import { storeChange } from '../change/changes.ts'
import type { SessionChange } from '../session/session.ts'
import { raiseVersion } from '../session/writes.ts'
import type { ChallengePurpose, Challenges } from './challenge.ts'
import { maxPasskeys, type Passkey, type PasskeyUse, passkeyHandle, passkeyKey, toPasskeyItem } from './passkey.ts'

/** The path of a passkey in an expression, its name, and the condition that it exists. */
const pathOf = (id: string) => ({
  names: { '#passkey': passkeyKey(id) },
  conditions: ['attribute_exists(passkeys.#passkey)'],
})

/** The writes of passkeys. */
export const passkeyWrites = ({ findBy, read, update, write }: AccountStore) => ({
  /** The account of a user handle, by a consistent read: an index may lag behind. */
  findHolder: (handle: string): Promise<Account | null> =>
    findBy(passkeyHandle.index, passkeyHandle.attribute, handle, account => account.passkeyHandle === handle),

  /**
   * Stores the user handle and the domain if there is none. Passkeys of another domain are removed.
   *
   * @returns the account with its present handle; null when it is gone or its token version has changed
   */
  async storeHandle(account: Account, handle: string, rpId: string, now: Date): Promise<Account | null> {
    const stored = await update(account, now, {
      set: {
        passkey_handle: handle,
        passkey_rp_id: rpId,
        // Passkeys of another domain never log in again.
        ...(account.passkeyRpId !== null && account.passkeyRpId !== rpId && { passkeys: {} }),
      },
      version: account.tokenVersion,
      ...(account.passkeyHandle === null
        ? { conditions: ['attribute_not_exists(passkey_handle)'] }
        : // Sent twice, it must not remove what was added since the first one.
          {
            conditions: ['passkey_handle = :passkey_handle', 'passkey_rp_id = :before'],
            values: { ':before': account.passkeyRpId },
          }),
    })
    if (stored !== null) return stored
    // A parallel request has stored a handle.
    const present = await read(account.id)
    return isAsRead(present, account) && present.passkeyRpId === rpId ? present : null
  },

  /**
   * Adds a passkey. An existing one stays as it is.
   *
   * @returns false when the account is gone, its token version has changed, it has the passkey or ten, or another change was dated later
   */
  add(account: Account, passkey: Passkey, change: Change, now: Date): Promise<boolean> {
    const adds: AccountChange = {
      assign: ['passkeys.#passkey = :passkey'],
      version: account.tokenVersion,
      conditions: ['attribute_not_exists(passkeys.#passkey)', 'size(passkeys) < :most'],
      names: { '#passkey': passkeyKey(passkey.id) },
      values: { ':passkey': toPasskeyItem(passkey), ':most': maxPasskeys },
    }
    return write(account, now, joined(adds, storeChange(account, change)))
  },

  /** @returns the account as it is now; null when it or the passkey is gone, or its token version has changed */
  rename: (account: Account, id: string, label: string, now: Date): Promise<Account | null> =>
    update(account, now, {
      ...pathOf(id),
      assign: ['passkeys.#passkey.#label = :label'],
      names: { ...pathOf(id).names, '#label': 'label' },
      values: { ':label': label },
      version: account.tokenVersion,
    }),

  /** Removes a passkey and raises the token version. False as for `remove` of a factor, and when the passkey is gone. */
  remove(account: Account, id: string, change: TokenChange, now: Date, kept?: SessionChange): Promise<boolean> {
    const raised = raiseVersion(account, change, kept)
    const { names, conditions } = pathOf(id)
    return write(account, now, {
      ...raised,
      names: { ...raised.names, ...names },
      remove: ['passkeys.#passkey'],
      conditions: [...raised.conditions, ...conditions],
      mark: ['passkey_removed_by', change.mark],
    })
  },

  /**
   * Records a passkey's use. False when the passkey or the account is gone, the token version has changed, or the
   * stored count, if it counts, is not lower.
   *
   * @param mark idempotency token, unique per write
   */
  noteUse(
    account: Account,
    id: string,
    { signCount, backedUp, isCounted, lastUsedAt }: PasskeyUse,
    mark: string,
    now: Date,
  ): Promise<boolean> {
    const { names, conditions } = pathOf(id)
    return write(account, now, {
      assign: [
        'passkeys.#passkey.sign_count = :count',
        'passkeys.#passkey.backed_up = :backedUp',
        'passkeys.#passkey.last_used_at = :usedAt',
      ],
      names,
      conditions: [...conditions, ...(isCounted ? ['passkeys.#passkey.sign_count < :count'] : [])],
      values: { ':count': signCount, ':backedUp': backedUp, ':usedAt': lastUsedAt.toISOString() },
      version: account.tokenVersion,
      // A retry finds the count that it has written.
      ...(isCounted && { mark: ['passkey_used_by', mark] }),
    })
  },
})

export type PasskeyWrites = ReturnType<typeof passkeyWrites>

/** Which AWS action each call takes, as the row's grants name it. */
export type PasskeyCalls = Record<'storeHandle' | 'rename' | 'noteUse', Updating<'ways in'>> & {
  add: Updating<'ways in' | 'changes'>
  remove: Updating<'ways in' | 'sessions'>
  findHolder: 'AccountsByPasskeyHandle:Query'
}

/** Which AWS action each call of `Challenges` takes. */
export interface ChallengeCalls {
  store: 'Challenges:PutItem'
  find: 'Challenges:GetItem'
  spend: 'Challenges:UpdateItem'
}

interface ChallengeItem {
  purpose: ChallengePurpose
  id: string | null
  expires_at: string
  spent_by?: string
}

/** Challenges of passkeys, in the table of counters. */
export function challengeStore(db: DynamoDBDocumentClient, table: string): Challenges {
  const { add, find, spend } = expiringItems(db, table)
  return {
    store(key, { purpose, accountId, expiresAt }) {
      const item: ChallengeItem = { purpose, id: accountId, expires_at: expiresAt.toISOString() }
      return add(key, item, 'purpose', toSeconds(expiresAt))
    },

    async find(key) {
      const item = await find<ChallengeItem>(key)
      if (!item || item.spent_by !== undefined) return null
      return { purpose: item.purpose, accountId: item.id, expiresAt: new Date(item.expires_at) }
    },

    spend: (key, mark) => spend(key, 'purpose', mark),
  }
}
