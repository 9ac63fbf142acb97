import {
  type DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { callAws, conditionalWrite } from './aws.ts'

/** A time as the attribute of expiry has it: in seconds, rounded up. */
export const toSeconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

/** Reads and updates single items of the table of counters, by their key. All of them expire. */
export function expiringItems(db: DynamoDBDocumentClient, table: string) {
  return {
    async find<T>(key: string, input: Omit<GetCommandInput, 'TableName' | 'Key'> = {}): Promise<T | null> {
      const command = new GetCommand({ TableName: table, Key: { key }, ConsistentRead: true, ...input })
      return ((await callAws(db.send(command))).Item as T | undefined) ?? null
    },

    /** Null when its condition is not met. */
    update: (key: string, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
      conditionalWrite(db.send(new UpdateCommand({ TableName: table, Key: { key }, ...input }))),
  }
}
