import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Running } from '../../../local/system.ts'
import { usersTable } from './operator.ts'

/** Dates a session back by an hour, so that its refresh token is replaced when it is used: nobody waits for the grace. */
export async function dateBack(system: Running, email: string, id: string): Promise<void> {
  // The role of `refresh` may write sessions.
  const credentials = system.credential('refresh')
  const client = new DynamoDBClient({ endpoint: system.awsUrl, region: 'us-east-1', credentials })
  await DynamoDBDocumentClient.from(client).send(
    new UpdateCommand({
      TableName: usersTable,
      Key: { email },
      UpdateExpression: 'SET sessions.#id.rotated_at = :then',
      ExpressionAttributeNames: { '#id': id },
      ExpressionAttributeValues: { ':then': new Date(Date.now() - 3_600_000).toISOString() },
    }),
  )
}
