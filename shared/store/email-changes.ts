import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import type { EmailChanges } from '../accounts/email-change.ts'
import { emailChangeKeys, ttlAttribute } from './attributes.ts'
import { callAws } from './aws.ts'
import type { EmailChangeTables, EmailHistoryItem, UndoItem } from './email-change-items.ts'
import { emailChangeWrites } from './email-change-writes.ts'
import type { Waiting } from './transactions.ts'

/** Reads of what is known of changes of addresses, in DynamoDB. */
export function emailChangeReads(
  db: DynamoDBDocumentClient,
  table: string,
): Pick<EmailChanges, 'find' | 'isDone' | 'findUndoable'> {
  async function findItem<T>(key: string): Promise<(T & { [ttlAttribute]: number }) | null> {
    const found = await callAws(db.send(new GetCommand({ TableName: table, Key: { key }, ConsistentRead: true })))
    return (found.Item as (T & { [ttlAttribute]: number }) | undefined) ?? null
  }

  return {
    async find(id) {
      const item = await findItem<EmailHistoryItem>(emailChangeKeys.moved(id))
      return (
        item && { email: item.email, undone: item.undone.map(({ at, ...span }) => ({ ...span, at: new Date(at) })) }
      )
    },
    isDone: async mark => (await findItem(emailChangeKeys.movedBy(mark))) !== null,
    async findUndoable(hash) {
      const item = await findItem<UndoItem>(emailChangeKeys.undo(hash))
      return (
        item && {
          id: item.id,
          email: item.email,
          tokenVersion: item.token_version,
          at: new Date(item.at),
          expiresAt: new Date(item[ttlAttribute] * 1000),
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
