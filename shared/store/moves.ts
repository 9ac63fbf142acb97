import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Moves } from '../accounts/whereabouts.ts'
import { moveKeys, ttlAttribute } from './attributes.ts'
import { callAws } from './aws.ts'
import type { MovedItem, MoveTables, UndoItem } from './move-items.ts'
import { moveWrites } from './move-writes.ts'
import type { Waiting } from './transactions.ts'

/** What is known of moves, in DynamoDB. */
export function moveReads(db: DynamoDBDocumentClient, table: string): Pick<Moves, 'find' | 'isDone' | 'findUndoable'> {
  async function findItem<T>(key: string): Promise<(T & { [ttlAttribute]: number }) | null> {
    const found = await callAws(db.send(new GetCommand({ TableName: table, Key: { key }, ConsistentRead: true })))
    return (found.Item as (T & { [ttlAttribute]: number }) | undefined) ?? null
  }

  return {
    async find(id) {
      const item = await findItem<MovedItem>(moveKeys.moved(id))
      return (
        item && { email: item.email, undone: item.undone.map(({ at, ...span }) => ({ ...span, at: new Date(at) })) }
      )
    },
    isDone: async mark => (await findItem(moveKeys.movedBy(mark))) !== null,
    async findUndoable(hash) {
      const item = await findItem<UndoItem>(moveKeys.undo(hash))
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

/** Moves, in DynamoDB. */
export function moveStore(db: DynamoDBDocumentClient, tables: MoveTables, waiting: Waiting): Moves {
  const reads = moveReads(db, tables.rateLimits)
  return {
    ...reads,
    ...moveWrites(db, tables, waiting, reads),
    async allowUndo(hash, { id, email, tokenVersion, at, expiresAt }) {
      const item: UndoItem = { id, email, token_version: tokenVersion, at: at.toISOString() }
      const expires = { [ttlAttribute]: Math.ceil(expiresAt.getTime() / 1000) }
      const Item = { key: moveKeys.undo(hash), ...item, ...expires }
      await callAws(db.send(new PutCommand({ TableName: tables.rateLimits, Item })))
    },
  }
}
