import {
  type DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { callAws, conditionalWrite } from './aws.ts'

/** A time for the TTL attribute: in seconds, rounded up. */
export const toSeconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

/** Reads and updates single items of the table of counters, by key. All of them expire. */
export function expiringItems(db: DynamoDBDocumentClient, table: string) {
  /** Null when the condition fails. */
  const update = (key: string, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
    conditionalWrite(db.send(new UpdateCommand({ TableName: table, Key: { key }, ...input })))

  return {
    update,

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
