import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { expiringItems } from '../../shared/aws/expiring-items.ts'
import type { Waiting } from '../../shared/aws/transactions.ts'
import { ttlAttribute } from '../../shared/base/families.ts'
import type { EmailChangeTables, EmailHistoryItem, UndoItem } from './address.ts'
import { emailChangeKeys } from './address.ts'
import type { EmailChanges } from './change.ts'
import { emailChangeWrites } from './writes.ts'

/** Reads of what is known of changes of addresses, in DynamoDB. */
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
