import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { ttlAttribute } from '../base/families.ts'
import type { CountedGuess, Counters } from '../base/limits/counters.ts'
import { callAws } from './aws.ts'
import { expiringItems, toSeconds } from './expiring-items.ts'

/** A guess in an item's sets: its time in milliseconds, and its id. */
const memberOf = ({ at, id }: CountedGuess): string => `${at.getTime()}#${id}`

const newestOf = (members: Set<string>): Date =>
  new Date(Math.max(0, ...[...members].map(member => Number.parseInt(member, 10))))

/**
 * Counters in DynamoDB: one atomic conditional update each, exact under concurrency. The window is part of the key, so
 * an item that outlives its window does not count.
 */
export function counterStore(db: DynamoDBDocumentClient, table: string): Counters {
  const { find, update } = expiringItems(db, table)

  /** Updates an item of guesses, if it still exists. */
  const updateGuesses = (guess: CountedGuess, UpdateExpression: string) =>
    update(guess.key, {
      UpdateExpression,
      ConditionExpression: 'attribute_exists(#all)',
      ExpressionAttributeNames: { '#all': 'guesses', '#pair': guess.pair },
      ExpressionAttributeValues: { ':guess': new Set([memberOf(guess)]) },
    })

  return {
    async take(key, { limit, resetsAt }) {
      const counted = await update(key, {
        UpdateExpression: 'ADD #n :one SET #expires = if_not_exists(#expires, :expires)',
        ConditionExpression: 'attribute_not_exists(#n) OR #n < :limit',
        ExpressionAttributeNames: { '#n': 'n', '#expires': ttlAttribute },
        ExpressionAttributeValues: { ':one': 1, ':limit': limit, ':expires': toSeconds(resetsAt) },
        ReturnValues: 'UPDATED_NEW',
      })
      return counted === null ? null : Number(counted.Attributes?.n)
    },

    async giveBack(key) {
      await update(key, {
        UpdateExpression: 'ADD #n :less',
        ConditionExpression: '#n > :zero',
        ExpressionAttributeNames: { '#n': 'n' },
        ExpressionAttributeValues: { ':less': -1, ':zero': 0 },
      })
    },

    async takeOnce(key, member, { limit, resetsAt }) {
      const taken = await update(key, {
        UpdateExpression: 'ADD #members :member SET #expires = if_not_exists(#expires, :expires)',
        ConditionExpression: 'attribute_not_exists(#members) OR size(#members) < :limit OR contains(#members, :name)',
        ExpressionAttributeNames: { '#members': 'members', '#expires': ttlAttribute },
        ExpressionAttributeValues: {
          ':member': new Set([member]),
          ':name': member,
          ':limit': limit,
          ':expires': toSeconds(resetsAt),
        },
      })
      return taken !== null
    },

    members: async key => [...((await find<{ members?: Set<string> }>(key))?.members ?? [])],

    async takeGuess(guess, { perPair, perAddress, resetsAt }) {
      const { key, pair } = guess
      const member = memberOf(guess)
      const counted = await update(key, {
        UpdateExpression: 'ADD #all :guess, #pair :guess SET #expires = if_not_exists(#expires, :expires)',
        ConditionExpression:
          '((attribute_not_exists(#all) OR size(#all) < :address) AND (attribute_not_exists(#pair) OR size(#pair) < :pair)) OR contains(#pair, :member)',
        ExpressionAttributeNames: { '#all': 'guesses', '#pair': pair, '#expires': ttlAttribute },
        ExpressionAttributeValues: {
          ':guess': new Set([member]),
          ':member': member,
          ':address': perAddress,
          ':pair': perPair,
          ':expires': toSeconds(resetsAt),
        },
      })
      if (counted !== null) return null
      const found = await find<Record<string, Set<string>>>(key, {
        ProjectionExpression: '#all, #pair',
        ExpressionAttributeNames: { '#all': 'guesses', '#pair': pair },
      })
      const { guesses = new Set<string>(), [pair]: ofPair = new Set<string>() } = found ?? {}
      if (guesses.size >= perAddress) return { by: 'address', newest: newestOf(guesses) }
      // Below the limit again: a guess in progress has just been removed.
      return { by: 'pair', newest: ofPair.size >= perPair ? newestOf(ofPair) : guess.at }
    },

    returnGuess: async guess => void (await updateGuesses(guess, 'DELETE #all :guess, #pair :guess')),
    forgiveGuess: async guess => void (await updateGuesses(guess, 'DELETE #all :guess REMOVE #pair')),

    async clear(key) {
      await callAws(db.send(new DeleteCommand({ TableName: table, Key: { key } })))
    },
  }
}
