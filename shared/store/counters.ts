import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { attempt, reach } from '../aws.ts'
import type { Counters } from '../limits/counters.ts'
import { ttlAttribute } from './tables.ts'

const toSeconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

/**
 * Counters in DynamoDB: one atomic conditional update each, exact under any concurrency. The window is part of the key,
 * so that an item which outlives it counts for nothing.
 */
export function counterStore(db: DynamoDBDocumentClient, table: string): Counters {
  /** Takes back a guess of an item that holds `attribute`. @returns whether it does */
  async function takeBack(key: string, attribute: string, expression: string, pair?: string): Promise<boolean> {
    const taken = await attempt(
      db.send(
        new UpdateCommand({
          TableName: table,
          Key: { key },
          UpdateExpression: expression,
          ConditionExpression: `attribute_exists(${attribute})`,
          ExpressionAttributeNames: { '#n': 'n', ...(pair !== undefined && { '#pair': pair }) },
          ExpressionAttributeValues: { ':minusOne': -1 },
        }),
      ),
    )
    return taken !== null
  }

  return {
    async take(key, { limit, resetsAt }) {
      const counted = await attempt(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: { key },
            UpdateExpression: 'ADD #n :one SET #expires = if_not_exists(#expires, :expires)',
            ConditionExpression: 'attribute_not_exists(#n) OR #n < :limit',
            ExpressionAttributeNames: { '#n': 'n', '#expires': ttlAttribute },
            ExpressionAttributeValues: { ':one': 1, ':limit': limit, ':expires': toSeconds(resetsAt) },
            ReturnValues: 'UPDATED_NEW',
          }),
        ),
      )
      return counted === null ? null : Number(counted.Attributes?.n)
    },

    async takeOnce(key, member, { limit, resetsAt }) {
      const taken = await attempt(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: { key },
            UpdateExpression: 'ADD #members :member SET #expires = if_not_exists(#expires, :expires)',
            ConditionExpression:
              'attribute_not_exists(#members) OR size(#members) < :limit OR contains(#members, :name)',
            ExpressionAttributeNames: { '#members': 'members', '#expires': ttlAttribute },
            ExpressionAttributeValues: {
              ':member': new Set([member]),
              ':name': member,
              ':limit': limit,
              ':expires': toSeconds(resetsAt),
            },
          }),
        ),
      )
      return taken !== null
    },

    async takeGuess(key, pair, now, { perPair, perAddress, resetsAt }) {
      const counted = await attempt(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: { key },
            UpdateExpression:
              'ADD #n :one, #pair :one SET #newest = :now, #expires = if_not_exists(#expires, :expires)',
            ConditionExpression:
              '(attribute_not_exists(#n) OR #n < :address) AND (attribute_not_exists(#pair) OR #pair < :pair)',
            ExpressionAttributeNames: { '#n': 'n', '#pair': pair, '#newest': 'newest', '#expires': ttlAttribute },
            ExpressionAttributeValues: {
              ':one': 1,
              ':now': now.getTime(),
              ':address': perAddress,
              ':pair': perPair,
              ':expires': toSeconds(resetsAt),
            },
          }),
        ),
      )
      if (counted !== null) return null
      const found = await reach(
        db.send(
          new GetCommand({
            TableName: table,
            Key: { key },
            ConsistentRead: true,
            ProjectionExpression: '#n, #newest',
            ExpressionAttributeNames: { '#n': 'n', '#newest': 'newest' },
          }),
        ),
      )
      const { n = 0, newest = 0 } = found.Item ?? {}
      return { by: Number(n) >= perAddress ? 'address' : 'pair', newest: new Date(Number(newest)) }
    },

    async returnGuess(key, pair) {
      // A right guess beside it has cleared the pair; what counts for the address is taken back all the same.
      const isTaken = await takeBack(key, '#pair', 'ADD #n :minusOne, #pair :minusOne', pair)
      if (!isTaken) await takeBack(key, '#n', 'ADD #n :minusOne')
    },

    async forgiveGuess(key, pair) {
      await takeBack(key, '#n', 'ADD #n :minusOne REMOVE #pair', pair)
    },

    async clear(key) {
      await reach(db.send(new DeleteCommand({ TableName: table, Key: { key } })))
    },
  }
}
