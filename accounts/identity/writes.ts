import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { updateOf } from '../../shared/aws/items.ts'
import { type Waiting, writeTogether } from '../../shared/aws/transactions.ts'
import type { Account, IdentifiedAccount, TokenChange } from '../account/account.ts'
import { toAccount, toItem, type UsersTable } from '../account/attributes.ts'
import { pendingEmailAttribute } from '../address/address.ts'
import type { SessionChange } from '../session/session.ts'
import { raiseVersion } from '../session/writes.ts'
import { tokenAttributes } from '../token/token.ts'
import type { Identity, Pointer } from './identity.ts'
import { toIdentityItem, toIdentityItems } from './identity.ts'
import { identitiesAsRead, pathOf } from './pointers.ts'
import type { IdentityRemoval } from './table.ts'
import { type IdentityTable, maxAttempts } from './table.ts'

/** Stored when an identity is connected. */
interface Connection {
  identity: Identity
  /** The identity's index entry, as read. */
  pointer: Pointer | null
  mark: string
}

const { hash, expires } = tokenAttributes.verification

/** Logins by identities, and the writes that connect and disconnect them. */
export function identityWrites(
  db: DynamoDBDocumentClient,
  table: string,
  waiting: Waiting,
  users: UsersTable,
  { pointers, findHolder }: IdentityTable,
) {
  return {
    /**
     * The account that an identity logs in to, and the index entry as read. Without an account the entry is dangling:
     * three reads rule out an account that was just moving.
     */
    async findHolder(key: string): Promise<{ account: Account | null; pointer: Pointer | null }> {
      for (let reads = 1; ; reads++) {
        const pointer = await pointers.find(key)
        if (pointer === null) return { account: null, pointer }
        const account = await findHolder(key, pointer)
        if (account !== null) return { account, pointer }
        // The account may have moved or lost the identity between the two reads.
        if (reads === maxAttempts) return { account: null, pointer }
      }
    },

    /**
     * Opens an account with an identity, in one transaction.
     *
     * @returns `taken` when the address has an account; `lost` when the index entry has changed
     */
    async open(
      account: IdentifiedAccount,
      { identity, pointer, mark }: Connection,
    ): Promise<'opened' | 'taken' | 'lost'> {
      const item = { ...toItem(account, account.createdAt), identities: toIdentityItems([identity]) }
      const refused = await writeTogether(db, waiting, [
        {
          Put: {
            TableName: table,
            Item: { ...item, identity_changed_by: mark },
            ConditionExpression: 'attribute_not_exists(email)',
          },
        },
        pointers.put(identity.key, { id: account.id, address: account.email }, pointer),
      ])
      // The SDK retries a transaction whose answer was lost. The retry finds its own account.
      if (refused === null || (await users.findItem(account.email))?.id === account.id) return 'opened'
      return refused[1] ? 'lost' : 'taken'
    },

    /**
     * Connects an identity that the account does not have, in one transaction.
     *
     * @param verifies whether the identity proves the account's address
     * @returns the account as it is now; null when it is gone, or its token version, its identities or the entry have changed
     */
    async connect(
      account: Account,
      { identity, pointer, mark }: Connection,
      verifies: boolean,
      now: Date,
    ): Promise<Account | null> {
      const held = identitiesAsRead(account.identities)
      // DynamoDB refuses to set a member of a map that is not there.
      const isFirst = account.identities.length === 0
      const change = updateOf(table, account, now, {
        set: {
          ...(verifies && { is_verified: true }),
          ...(isFirst && { identities: toIdentityItems([identity]) }),
        },
        assign: isFirst ? [] : ['identities.#identity = :identity'],
        remove: verifies ? [hash, expires, pendingEmailAttribute] : [],
        version: account.tokenVersion,
        conditions: held.conditions,
        names: { ...held.names, ...(!isFirst && { '#identity': identity.key }) },
        values: { ...held.values, ...(!isFirst && { ':identity': toIdentityItem(identity) }) },
        mark: ['identity_changed_by', mark],
      })
      const refused = await writeTogether(db, waiting, [
        { Update: change },
        pointers.put(identity.key, { id: account.id, address: account.email }, pointer),
      ])
      const item = await users.findItem(account.email)
      const isWritten = refused === null || item?.identity_changed_by === mark
      return isWritten && item?.id === account.id ? toAccount(item) : null
    },

    /**
     * Disconnects an identity and raises the token version, in one transaction. False as for `remove` of a factor, and
     * when the identities have changed.
     */
    async disconnect(
      account: Account,
      key: string,
      change: TokenChange,
      now: Date,
      kept?: SessionChange,
    ): Promise<boolean> {
      const raised = raiseVersion(account, change, kept)
      const held = identitiesAsRead(account.identities)
      const index = account.identities.findIndex(identity => identity.key === key)
      if (index === -1) return false
      const update = updateOf(table, account, now, {
        ...raised,
        remove: [account.identities.length === 1 ? 'identities' : pathOf(index)],
        conditions: [...raised.conditions, ...held.conditions],
        names: { ...raised.names, ...held.names },
        values: { ...raised.values, ...held.values },
        mark: ['identity_changed_by', change.mark],
      })
      const left = await pointers.deleteEntries({ ...account, identities: [{ key }] })
      if ((await writeTogether(db, waiting, [{ Update: update }, ...left])) === null) return true
      const item = await users.findItem(account.email)
      return item?.id === account.id && item.identity_changed_by === change.mark
    },
  }
}

export type IdentityWrites = ReturnType<typeof identityWrites>

/** Which AWS action each call takes, as the row's grants name it. */
export interface IdentityCalls {
  findHolder: 'Users:GetItem' | 'Identities:GetItem'
  open: `Users:${'PutItem' | 'GetItem'}` | 'Identities:PutItem'
  connect: `Users:${'UpdateItem' | 'GetItem'}` | 'Identities:PutItem'
  disconnect: `Users:${'UpdateItem' | 'GetItem'}` | IdentityRemoval
}
