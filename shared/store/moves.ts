import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Moves } from '../accounts/whereabouts.ts'
import { ttlAttribute } from './attributes.ts'
import { callAws } from './aws.ts'
import { type MovedItem, type MoveTables, moveKeys, type UndoItem } from './move-items.ts'

/** What is known of moves, in DynamoDB. Most who ask only read: the others load how it is written. */
export function moveStore(db: DynamoDBDocumentClient, tables: MoveTables): Moves {
  async function findItem<T>(key: string): Promise<(T & { [ttlAttribute]: number }) | null> {
    const found = await callAws(
      db.send(new GetCommand({ TableName: tables.rateLimits, Key: { key }, ConsistentRead: true })),
    )
    return (found.Item as (T & { [ttlAttribute]: number }) | undefined) ?? null
  }
  const reads: Pick<Moves, 'find' | 'isDone'> = {
    async find(id) {
      const item = await findItem<MovedItem>(moveKeys.moved(id))
      return (
        item && { email: item.email, undone: item.undone.map(({ at, ...span }) => ({ ...span, at: new Date(at) })) }
      )
    },
    isDone: async mark => (await findItem(moveKeys.movedBy(mark))) !== null,
  }
  const writes = async () => (await import('./move-writes.ts')).moveWrites(db, tables, reads)

  return {
    ...reads,
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
    async allowUndo(hash, { id, email, tokenVersion, at, expiresAt }) {
      const item: UndoItem = { id, email, token_version: tokenVersion, at: at.toISOString() }
      const expires = { [ttlAttribute]: Math.ceil(expiresAt.getTime() / 1000) }
      const Item = { key: moveKeys.undo(hash), ...item, ...expires }
      await callAws(db.send(new PutCommand({ TableName: tables.rateLimits, Item })))
    },
    move: async (...change) => (await writes()).move(...change),
    undo: async (...change) => (await writes()).undo(...change),
  }
}
