import type { Updating } from '../../shared/base/row.ts'
import type { Account, IdentifiedAccount, TokenChange } from '../account/account.ts'
import { type AccountChange, type AccountStore, joined, toItem } from '../account/attributes.ts'
import { pendingEmailAttribute } from '../address/address.ts'
import type { Change } from '../change/change.ts'
import { firstChange, storeChange } from '../change/changes.ts'
import type { SessionChange } from '../session/session.ts'
import { raiseVersion } from '../session/writes.ts'
import { tokenAttributes } from '../token/token.ts'
import { type FreeingIdentities, freeIdentities, type LeadingIdentity, leadIdentity } from './entries.ts'
import { type Identity, maxIdentities, toIdentityItem } from './identity.ts'

/** Consistent reads that rule out a connection between the read of the entry and that of the account. */
const maxReads = 3

/** Stored when an identity is connected. */
interface Connection {
  identity: Identity
  /** The id in the identity's entry, as read: null, or of an account that counts as none. */
  read: string | null
  change: Change
}

const { hash, expires } = tokenAttributes.verification
const path = 'identities.#identity'
const named = ({ key }: Pick<Identity, 'key'>) => ({ '#identity': key })

/** Logins by identities, and the writes that connect and disconnect them. */
export function identityWrites(table: AccountStore) {
  const { findEntry, read, write, together, add, lead } = table

  return {
    /** The account that an identity logs in to, and the id in its entry as read. Without an account that one counts as none. */
    async findHolder(key: string): Promise<{ account: Account | null; read: string | null }> {
      for (let reads = 1; ; reads++) {
        const id = await findEntry('Identities', key)
        const account = id === null ? null : await read(id)
        const isHeld = account?.identities.some(identity => identity.key === key)
        if (isHeld || id === null || reads === maxReads) return { account: isHeld ? account : null, read: id }
      }
    },

    /**
     * Opens an account with an identity.
     *
     * @returns `taken` when the address has an account; `lost` when the identity's entry has changed
     */
    async open(account: IdentifiedAccount, connection: Connection): Promise<'opened' | 'taken' | 'lost'> {
      const { identity, change } = connection
      const refused = await together([
        add({
          ...toItem(account, account.createdAt),
          identities: { [identity.key]: toIdentityItem(identity) },
          ...firstChange(change),
        }),
        lead('Addresses', account.email, account.id),
        ...leadIdentity(table, account.id, identity.key, connection.read),
      ])
      if (refused === null) return 'opened'
      return refused.slice(2).some(Boolean) ? 'lost' : 'taken'
    },

    /**
     * Connects an identity that the account does not have.
     *
     * @param verifies whether the identity proves the account's address
     * @returns false when the account is gone, its token version has changed, it has the identity or five, or the entry has changed
     */
    async connect(account: Account, connection: Connection, verifies: boolean, now: Date): Promise<boolean> {
      const { identity, change } = connection
      const connects: AccountChange = {
        set: verifies ? { is_verified: true } : {},
        assign: [`${path} = :identity`],
        remove: verifies ? [hash, expires, pendingEmailAttribute] : [],
        version: account.tokenVersion,
        conditions: [`attribute_not_exists(${path})`, 'size(identities) < :most'],
        names: named(identity),
        values: { ':identity': toIdentityItem(identity), ':most': maxIdentities },
      }
      return write(
        account,
        now,
        joined(connects, storeChange(account, change)),
        leadIdentity(table, account.id, identity.key, connection.read),
      )
    },

    /**
     * Disconnects an identity and raises the token version. False as for `remove` of a factor, and when the identity is gone or its
     * entry leads elsewhere.
     */
    async disconnect(
      account: Account,
      key: string,
      change: TokenChange,
      now: Date,
      kept?: SessionChange,
    ): Promise<boolean> {
      const raised = raiseVersion(account, change, kept)
      const disconnects: AccountChange = {
        remove: [path],
        conditions: [`attribute_exists(${path})`],
        names: named({ key }),
        mark: ['identity_changed_by', change.mark],
      }
      return write(
        account,
        now,
        joined(raised, disconnects),
        await freeIdentities(table, { id: account.id, identities: [{ key }] }),
      )
    },
  }
}

export type IdentityWrites = ReturnType<typeof identityWrites>

/** Which AWS action each call takes, as the row's grants name it. */
export interface IdentityCalls {
  findHolder: 'Accounts:GetItem' | 'Identities:GetItem'
  open: `${'Accounts' | 'Addresses'}:PutItem` | LeadingIdentity
  connect: Updating<'ways in' | 'links' | 'changes'> | LeadingIdentity
  disconnect: Updating<'ways in' | 'sessions'> | FreeingIdentities
}
