import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { expiringItems, toSeconds } from '../../shared/aws/expiring-items.ts'
import { itemTable, updateOf } from '../../shared/aws/items.ts'
import { type Waiting, type Writes, writeTogether } from '../../shared/aws/transactions.ts'
import { ttlAttribute } from '../../shared/base/families.ts'
import { day } from '../../shared/base/limits/windows.ts'
import type { Account } from '../account/account.ts'
import {
  type AccountItem,
  listTakenBy,
  toAccount,
  toClients,
  type UsersTable,
  withoutPassword,
} from '../account/attributes.ts'
import { pointerTable } from '../identity/pointers.ts'
import { holderOf, type IdentityRemoval, removeIdentities } from '../identity/table.ts'
import { lifetimes, tokenAttributes } from '../token/token.ts'
import {
  type EmailChangeTables,
  type EmailHistoryItem,
  emailChangeKeys,
  pendingEmailAttribute,
  type UndoItem,
} from './address.ts'
import type { EmailChanges, Takeback, Undoing, UndoneSpan } from './change.ts'
import {
  isAsRead,
  keepPasskeys,
  languageChangeAttributes,
  raiseItem,
  revokeInPlace,
  setResetLink,
  withoutAttributes,
} from './moving-account.ts'

/**
 * Milliseconds: eight days. A message about a change stays in the queue for a day and among the dead letters for four; an
 * undo link works for seven.
 */
export const keptFor = 8 * day * 1000

/** The transactions that move accounts to other addresses, and back. */
function emailChangeWrites(
  db: DynamoDBDocumentClient,
  { users, rateLimits }: EmailChangeTables,
  waiting: Waiting,
  { find, isDone }: Pick<EmailChanges, 'find' | 'isDone'>,
): Pick<EmailChanges, 'move' | 'undo' | 'revokeAccess' | 'moveByOperator'> {
  const { verification, reset } = tokenAttributes
  const table: UsersTable = itemTable(db, users, toAccount)
  const pointers = pointerTable(db, users)

  /** The item of the account, or null when its id or token version has changed. */
  async function findItem({ email, id, tokenVersion }: Account): Promise<AccountItem | null> {
    const item = await table.findItem(email)
    return item?.id === id && item.token_version === tokenVersion ? item : null
  }

  const put = (key: string, item: object, expiresAt: Date) => ({
    Put: {
      TableName: rateLimits,
      Item: { key, ...item, [ttlAttribute]: toSeconds(expiresAt) },
    },
  })

  /** The items that record where the account is now, and that this write has happened. */
  const trace = ({ id, email: from }: Account, to: string, undone: readonly UndoneSpan[], mark: string, at: Date) => {
    const spans = undone.map(({ at, since, ...span }) => ({
      ...span,
      at: at.toISOString(),
      ...(since && { since: since.toISOString() }),
    }))
    const expiresAt = new Date(at.getTime() + keptFor)
    return [
      put(emailChangeKeys.moved(id), { email: to, undone: spans } satisfies EmailHistoryItem, expiresAt),
      put(emailChangeKeys.movedBy(mark), { id, from, to }, expiresAt),
    ]
  }

  /** The SDK retries a transaction whose answer was lost: the first one has stored its idempotency token. */
  async function commit(mark: string, writes: Writes) {
    const refused = await writeTogether(db, waiting, writes)
    if (refused === null || (await isDone(mark))) return 'done'
    // A move begins with the put of the account. At its own address an account cannot block itself.
    return refused[0] && writes[0]?.Put ? 'taken' : 'lost'
  }

  /** Moves an account without its former access. @param others further writes */
  async function takeBack(
    account: Account,
    takeback: Takeback & Partial<Pick<Undoing, 'language'>>,
    verified: Pick<AccountItem, 'is_verified' | 'reset_verifies'>,
    others: Writes,
  ) {
    const { email, reset: link, undone, passkeys = [], mark, at, language = null } = takeback
    const former = language === null ? [] : languageChangeAttributes
    const item = await findItem(account)
    // A newer link has been stored since, so the worker would drop this one.
    const isLate = (item?.[reset.requestedAt] ?? '') > link.requestedAt.toISOString()
    if (item === null || isLate) return (await isDone(mark)) ? 'done' : 'lost'
    return commit(mark, [
      {
        Put: {
          TableName: users,
          Item: {
            ...withoutAttributes(item, [...listTakenBy('undo'), ...former]),
            ...keepPasskeys(passkeys),
            ...(language !== null && { language }),
            ...raiseItem(item, at),
            email,
            ...verified,
            ...withoutPassword(item),
            ...setResetLink(takeback, item[verification.requestedAt]),
          },
          // An account that an operator moved there waits for its owner, so it is not replaced.
          ConditionExpression:
            'attribute_not_exists(email) OR (is_verified = :false AND attribute_not_exists(reset_verifies))',
          ExpressionAttributeValues: { ':false': false },
        },
      },
      ...others,
      ...trace(account, email, undone, mark, at),
      { Delete: { TableName: users, Key: { email: account.email }, ...isAsRead(item) } },
      ...(await pointers.deleteEntries(holderOf(item))),
    ])
  }

  return {
    async move(account, { to, hash, clients, mark, isUndoable, at, language }) {
      const item = await findItem(account)
      if (item?.[verification.hash] !== hash) return (await isDone(mark)) ? 'done' : 'lost'
      const undone = (await find(account.id))?.undone ?? []
      const undo: UndoItem = {
        id: account.id,
        email: account.email,
        token_version: account.tokenVersion,
        at: at.toISOString(),
        ...(language && { language }),
      }
      return commit(mark, [
        {
          Put: {
            TableName: users,
            Item: {
              ...withoutAttributes(item, listTakenBy('move')),
              ...raiseItem(item, at),
              email: to,
              is_verified: true,
              remembered_remotes: toClients(clients),
            },
            ConditionExpression: 'attribute_not_exists(email)',
          },
        },
        { Delete: { TableName: users, Key: { email: account.email }, ...isAsRead(item) } },
        ...trace(account, to, undone, mark, at),
        ...(isUndoable ? [put(emailChangeKeys.undo(mark), undo, new Date(at.getTime() + lifetimes.undo))] : []),
        ...(await pointers.moveEntries(holderOf(item), to)),
      ])
    },

    async undo(account, undoing) {
      const { hash, email, undone, mark, at } = undoing
      const key = { TableName: rateLimits, Key: { key: emailChangeKeys.undo(hash) } }
      const spent = { Delete: { ...key, ConditionExpression: 'attribute_exists(id)' } }
      if (account.email !== email) return takeBack(account, undoing, { is_verified: true }, [spent])
      const change = removeIdentities(revokeInPlace(account, undoing.passkeys, undoing), account.identities)
      const voided = { Update: updateOf(users, account, at, change) }
      const left = await pointers.deleteEntries(account)
      return commit(mark, [voided, spent, ...trace(account, email, undone, mark, at), ...left])
    },

    revokeAccess: (account, now, passkeys) => table.write(account, now, revokeInPlace(account, passkeys)),

    moveByOperator: (account, takeback) =>
      takeBack(account, takeback, { is_verified: false, reset_verifies: true }, []),
  }
}

/** The writes that verify an address where it is. */
export const addressWrites = ({ write }: UsersTable) => ({
  /** Marks the account as verified. False when it is gone, or its token version has changed. */
  verify(account: Account, now: Date): Promise<boolean> {
    const { hash, expires } = tokenAttributes.verification
    const remove = [hash, expires, pendingEmailAttribute]
    return write(account, now, { set: { is_verified: true }, remove, version: account.tokenVersion })
  },

  /**
   * Marks the account as verified and clears the token, if the account still holds it for its own address and it has not
   * expired.
   */
  spendToken(account: Account, tokenHash: string, mark: string, now: Date): Promise<boolean> {
    const { hash, expires } = tokenAttributes.verification
    return write(account, now, {
      set: { is_verified: true },
      remove: [hash, expires],
      conditions: [`${hash} = :hash`, `${expires} > :now`, `attribute_not_exists(${pendingEmailAttribute})`],
      values: { ':hash': tokenHash },
      mark: ['email_verified_by', mark],
    })
  },
})

export type AddressWrites = ReturnType<typeof addressWrites>

/** Which AWS action each call takes, as the row's grants name it. */
export type AddressCalls = Record<keyof AddressWrites, 'Users:UpdateItem'>

/** Which AWS action each call of `EmailChanges` takes. */
export interface EmailChangeCalls {
  find: 'Moves:GetItem'
  isDone: 'Moves:GetItem'
  findUndoable: 'UndoLinks:GetItem'
  move: Move | `Identities:${'GetItem' | 'PutItem'}` | 'UndoLinks:PutItem'
  undo: Move | IdentityRemoval | 'Users:UpdateItem' | 'UndoLinks:DeleteItem'
  revokeAccess: 'Users:UpdateItem'
}
type Move = `Users:${'GetItem' | 'PutItem' | 'DeleteItem'}` | `Moves:${'GetItem' | 'PutItem'}`

/** Reads of changes of addresses, in DynamoDB. */
function emailChangeReads(
  db: DynamoDBDocumentClient,
  table: string,
): Pick<EmailChanges, 'find' | 'isDone' | 'findUndoable'> {
  const { find } = expiringItems(db, table)

  return {
    async find(id) {
      const item = await find<EmailHistoryItem>(emailChangeKeys.moved(id))
      const toSpan = ({ at, since, ...span }: EmailHistoryItem['undone'][number]) => ({
        ...span,
        at: new Date(at),
        ...(since && { since: new Date(since) }),
      })
      return item && { email: item.email, undone: item.undone.map(toSpan) }
    },
    isDone: async mark => (await find(emailChangeKeys.movedBy(mark))) !== null,
    async findUndoable(hash) {
      const item = await find<UndoItem & { [ttlAttribute]: number }>(emailChangeKeys.undo(hash))
      return (
        item && {
          id: item.id,
          email: item.email,
          tokenVersion: item.token_version,
          at: new Date(item.at),
          expiresAt: new Date(item[ttlAttribute] * 1000),
          ...(item.language && { language: item.language }),
          ...(item.passkey && { isPasskey: true }),
        }
      )
    },
  }
}

/** Changes of addresses, in DynamoDB. */
export function emailChangeStore(
  db: DynamoDBDocumentClient,
  tables: EmailChangeTables,
  waiting: Waiting,
): EmailChanges {
  const reads = emailChangeReads(db, tables.rateLimits)
  return {
    ...reads,
    ...emailChangeWrites(db, tables, waiting, reads),
  }
}
