import { isAsRead } from '../account/account.ts'
import type { Accounts } from '../account/accounts.ts'
import type { UsersTable } from '../account/attributes.ts'
import { raising } from '../session/writes.ts'
import { maxPasskeys, passkeyKey, toPasskeyItem } from './passkey.ts'

type PasskeyWrites = Pick<
  Accounts,
  'storePasskeyHandle' | 'addPasskey' | 'renamePasskey' | 'removePasskey' | 'notePasskeyUse'
>

/** The path of a passkey in an expression, its name, and the condition that it is there. */
const pathOf = (id: string) => ({
  names: { '#passkey': passkeyKey(id) },
  conditions: ['attribute_exists(passkeys.#passkey)'],
})

/** The writes of passkeys. */
export const passkeyWrites = ({ read, update, write }: UsersTable): PasskeyWrites => ({
  async storePasskeyHandle(account, handle, rpId, now) {
    const stored = await update(account, now, {
      set: { passkey_handle: handle, passkey_rp_id: rpId },
      // Passkeys of another domain never log in again.
      remove: account.passkeyRpId === null || account.passkeyRpId === rpId ? [] : ['passkeys'],
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
    // Another request has drawn one.
    const present = await read(account.email)
    return isAsRead(present, account) && present.passkeyRpId === rpId ? present : null
  },

  addPasskey(account, passkey, mark, now) {
    const item = toPasskeyItem(passkey)
    // DynamoDB refuses to set a member of a map that is not there.
    const isFirst = account.passkeys.length === 0
    return update(account, now, {
      ...(isFirst
        ? { set: { passkeys: { [passkeyKey(passkey.id)]: item } } }
        : { assign: ['passkeys.#passkey = :passkey'], names: { '#passkey': passkeyKey(passkey.id) } }),
      version: account.tokenVersion,
      conditions: isFirst
        ? ['(attribute_not_exists(passkeys) OR size(passkeys) = :none)']
        : ['attribute_not_exists(passkeys.#passkey)', 'size(passkeys) < :most'],
      values: isFirst ? { ':none': 0 } : { ':passkey': item, ':most': maxPasskeys },
      mark: ['passkey_added_by', mark],
    })
  },

  renamePasskey: (account, id, label, now) =>
    update(account, now, {
      ...pathOf(id),
      assign: ['passkeys.#passkey.#label = :label'],
      names: { ...pathOf(id).names, '#label': 'label' },
      values: { ':label': label },
      version: account.tokenVersion,
    }),

  removePasskey(account, id, change, now, kept) {
    const raised = raising(account, change, kept)
    const { names, conditions } = pathOf(id)
    return write(account, now, {
      ...raised,
      names: { ...raised.names, ...names },
      remove: ['passkeys.#passkey'],
      conditions: [...raised.conditions, ...conditions],
      mark: ['passkey_removed_by', change.mark],
    })
  },

  notePasskeyUse(account, id, { signCount, backedUp, isCounted, lastUsedAt }, mark, now) {
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
      // Its repeat finds the count that it has written.
      ...(isCounted && { mark: ['passkey_used_by', mark] }),
    })
  },
})
