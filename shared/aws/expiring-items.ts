import {
  type DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { ttlAttribute } from '../base/families.ts'
import { callAws, conditionalWrite } from './aws.ts'
import type { Write } from './transactions.ts'

/** A time for the TTL attribute: in seconds, rounded up. */
export const toSeconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

type Change = Omit<UpdateCommandInput, 'TableName' | 'Key'>

/** An update in a transaction. */
export const changeOf = (table: string, key: string, input: Change & { UpdateExpression: string }): Write => ({
  Update: { TableName: table, Key: { key }, ...input },
})

/** Adds, reads and updates single items of the table of counters, by key. All of them expire. */
export function expiringItems(db: DynamoDBDocumentClient, table: string) {
  /** Null when the condition fails. */
  const update = (key: string, input: Change) =>
    conditionalWrite(db.send(new UpdateCommand({ TableName: table, Key: { key }, ...input })))

  return {
    update,

    /**
     * Adds an item that works once. Its retried write may arrive after it was spent, and must not make it valid again.
     *
     * @param attribute present on every such item
     * @param expires in seconds since the epoch
     */
    async add<T extends object>(key: string, item: T, attribute: keyof T & string, expires: number): Promise<void> {
      const Item = { key, ...item, [ttlAttribute]: expires }
      const ConditionExpression = `attribute_not_exists(${attribute})`
      await conditionalWrite(db.send(new PutCommand({ TableName: table, Item, ConditionExpression })))
    },

    async find<T>(key: string, input: Omit<GetCommandInput, 'TableName' | 'Key'> = {}): Promise<T | null> {
      const command = new GetCommand({ TableName: table, Key: { key }, ConsistentRead: true, ...input })
      return ((await callAws(db.send(command))).Item as T | undefined) ?? null
    },

    /**
     * Spends an item that works once, for one of several requests. Only the SDK's retry of a write has the same idempotency token.
     *
     * @param attribute present on every such item
     * @returns false when there is none, or another request has used it
     */
    async spend(key: string, attribute: string, mark: string): Promise<boolean> {
      const spent = await update(key, {
        UpdateExpression: 'SET spent_by = :mark',
        ConditionExpression: `attribute_exists(${attribute}) AND (attribute_not_exists(spent_by) OR spent_by = :mark)`,
        ExpressionAttributeValues: { ':mark': mark },
      })
      return spent !== null
    },
  }
}
