import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Stack } from '../command-line/stack.ts'
import { clockStep } from './time.ts'

/**
 * Connects to DynamoDB. `now` is the time by its clock, at most a second ahead, as of its last answer. An operator's
 * clock may be minutes off: a revocation dated by it would miss links on the queue, or revoke the owner's next one.
 */
export function connect(client: Stack['client']): { db: DynamoDBDocumentClient; now: () => Date } {
  const dynamodb = new DynamoDBClient(client)
  /** Milliseconds to add to this machine's clock. */
  let offset = 0
  dynamodb.middlewareStack.add(
    next => async args => {
      const answer = await next(args)
      const { headers } = answer.response as { headers?: Record<string, string> }
      const date = Date.parse(headers?.date ?? '')
      if (!Number.isNaN(date)) offset = date + clockStep - Date.now()
      return answer
    },
    { step: 'deserialize', name: 'readDate' },
  )
  return { db: DynamoDBDocumentClient.from(dynamodb), now: () => new Date(Date.now() + offset) }
}
