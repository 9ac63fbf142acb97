import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import type { Account } from '../accounts/account.ts'
import type { EmailChanges, UndoneSpan } from '../accounts/email-change.ts'
import { noPassword } from '../accounts/passwords/password-hash.ts'
import { lifetimes } from '../accounts/tokens/one-time-token.ts'
import { day } from '../base/limits/windows.ts'
import type { AccountItem } from './account-item.ts'
import {
  emailChangeKeys,
  factorAttributes,
  pendingEmailAttribute,
  tokenAttributes,
  ttlAttribute,
} from './attributes.ts'
import { callAws } from './aws.ts'
import type { EmailChangeTables, EmailHistoryItem, UndoItem } from './email-change-items.ts'
import { type Waiting, type Writes, writeTogether } from './transactions.ts'

/**
 * Milliseconds: eight days. A message about a change stays in the queue for a day and among the dead letters for four; an
 * undo link works for seven.
 */
const keptFor = 8 * day * 1000

const { verification, reset } = tokenAttributes

/** What no account keeps at another address: all that gives access, and all that was mailed. */
const leftBehind: (keyof AccountItem)[] = [
  verification.hash,
  verification.expires,
  pendingEmailAttribute,
  reset.hash,
  reset.expires,
  'sessions',
  'remembered_remotes',
]

/** The transactions that move accounts to another address, and back. */
export function emailChangeWrites(
  db: DynamoDBDocumentClient,
  { users, rateLimits }: EmailChangeTables,
  waiting: Waiting,
  { find, isDone }: Pick<EmailChanges, 'find' | 'isDone'>,
): Pick<EmailChanges, 'move' | 'undo'> {
  /** The item of the account that was read; null when it is no longer there as it was. */
  async function findItem({ email, id, tokenVersion }: Account): Promise<AccountItem | null> {
    const found = await callAws(db.send(new GetCommand({ TableName: users, Key: { email }, ConsistentRead: true })))
    const item = found.Item as AccountItem | undefined
    return item?.id === id && item.token_version === tokenVersion ? item : null
  }

  const put = (key: string, item: object, expiresAt: Date) => ({
    Put: {
      TableName: rateLimits,
      Item: { key, ...item, [ttlAttribute]: Math.ceil(expiresAt.getTime() / 1000) },
    },
  })

  /** The items that say where the account is now, and that this write has happened. */
  const trace = ({ id, email: from }: Account, to: string, undone: readonly UndoneSpan[], mark: string, at: Date) => {
    const spans = undone.map(({ at, ...span }) => ({ ...span, at: at.toISOString() }))
    const expiresAt = new Date(at.getTime() + keptFor)
    return [
      put(emailChangeKeys.moved(id), { email: to, undone: spans } satisfies EmailHistoryItem, expiresAt),
      put(emailChangeKeys.movedBy(mark), { id, from, to }, expiresAt),
    ]
  }

  /** The SDK repeats a transaction whose answer was lost: the first one has left its mark. */
  async function commit(mark: string, writes: Writes) {
    const refused = await writeTogether(db, waiting, writes)
    if (refused === null || (await isDone(mark))) return 'done'
    // At its own address the account cannot be in its own way.
    return refused[0] && writes.some(({ Delete }) => Delete?.TableName === users) ? 'taken' : 'lost'
  }

  return {
    async move(account, { to, hash, mark, isUndoable, at }) {
      const item = await findItem(account)
      if (item?.[verification.hash] !== hash) return (await isDone(mark)) ? 'done' : 'lost'
      const undone = (await find(account.id))?.undone ?? []
      const undo = { id: account.id, email: account.email, token_version: account.tokenVersion, at: at.toISOString() }
      return commit(mark, [
        {
          Put: {
            TableName: users,
            Item: { ...without(item, leftBehind), ...raised(item, at), email: to, is_verified: true },
            ConditionExpression: 'attribute_not_exists(email)',
          },
        },
        { Delete: { TableName: users, Key: { email: account.email }, ...isAsRead(item) } },
        ...trace(account, to, undone, mark, at),
        ...(isUndoable
          ? [put(emailChangeKeys.undo(mark), undo satisfies UndoItem, new Date(at.getTime() + lifetimes.undo))]
          : []),
      ])
    },

    async undo(account, { hash, email, reset: link, undone, mark, at }) {
      const item = await findItem(account)
      // A newer link has been stored since: the worker would drop this one.
      const isLate = (item?.[reset.requestedAt] ?? '') > link.requestedAt.toISOString()
      if (item === null || isLate) return (await isDone(mark)) ? 'done' : 'lost'
      const isAway = account.email !== email
      const voided = {
        ...without(item, [...leftBehind, ...factorAttributes]),
        ...raised(item, at),
        email,
        is_verified: true,
        password_hash: noPassword,
        [reset.hash]: link.hash,
        [reset.expires]: link.expiresAt.toISOString(),
        [reset.requestedAt]: link.requestedAt.toISOString(),
        // Links that are still on the queue are older, and dropped. Never back, where another clock runs ahead.
        [verification.requestedAt]: [at.toISOString(), item[verification.requestedAt] ?? ''].sort()[1],
      }
      return commit(mark, [
        {
          Put: {
            TableName: users,
            Item: voided,
            ...(isAway
              ? {
                  ConditionExpression: 'attribute_not_exists(email) OR is_verified = :false',
                  ExpressionAttributeValues: { ':false': false },
                }
              : isAsRead(item)),
          },
        },
        {
          Delete: {
            TableName: rateLimits,
            Key: { key: emailChangeKeys.undo(hash) },
            ConditionExpression: 'attribute_exists(id)',
          },
        },
        ...trace(account, email, undone, mark, at),
        ...(isAway ? [{ Delete: { TableName: users, Key: { email: account.email }, ...isAsRead(item) } }] : []),
      ])
    },
  }
}

const raised = (item: AccountItem, at: Date) => ({
  token_version: item.token_version + 1,
  updated_at: at.toISOString(),
})

const without = (item: AccountItem, attributes: readonly (keyof AccountItem)[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !attributes.includes(name as keyof AccountItem)))

/** The condition that an account has not changed. A refresh alone leaves `updated_at`, and no session goes along. */
function isAsRead(item: AccountItem) {
  const token = item[verification.hash]
  const held = token === undefined ? `attribute_not_exists(${verification.hash})` : `${verification.hash} = :hash`
  return {
    ConditionExpression: `id = :id AND token_version = :version AND updated_at = :updated AND ${held}`,
    ExpressionAttributeValues: {
      ':id': item.id,
      ':version': item.token_version,
      ':updated': item.updated_at,
      ...(token !== undefined && { ':hash': token }),
    },
  }
}
