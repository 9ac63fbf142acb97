import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { SetupLinks } from '../accounts/setup-link.ts'
import type { CountedGuess, Counters } from '../base/limits/counters.ts'
import { ttlAttribute } from './attributes.ts'
import { callAws, conditionalWrite } from './aws.ts'
import { setupLinkStore } from './setup-links.ts'

/** A guess in the sets of an item: its time in milliseconds, and its id. */
const memberOf = ({ at, id }: CountedGuess): string => `${at.getTime()}#${id}`

const newestOf = (members: Set<string>): Date =>
  new Date(Math.max(0, ...[...members].map(member => Number.parseInt(member, 10))))

const toSeconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

/**
 * Counters in DynamoDB: one atomic conditional update each, exact under any concurrency. The window is part of the key,
 * so that an item that outlives its window counts for nothing.
 */
export function counterStore(db: DynamoDBDocumentClient, table: string): Counters & SetupLinks {
  /** Updates an item of guesses, if it still exists. */
  async function updateGuesses(guess: CountedGuess, expression: string): Promise<void> {
    await conditionalWrite(
      db.send(
        new UpdateCommand({
          TableName: table,
          Key: { key: guess.key },
          UpdateExpression: expression,
          ConditionExpression: 'attribute_exists(#all)',
          ExpressionAttributeNames: { '#all': 'guesses', '#pair': guess.pair },
          ExpressionAttributeValues: { ':guess': new Set([memberOf(guess)]) },
        }),
      ),
    )
  }

  return {
    ...setupLinkStore(db, table),

    async take(key, { limit, resetsAt }) {
      const counted = await conditionalWrite(
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

    async giveBack(key) {
      await conditionalWrite(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: { key },
            UpdateExpression: 'ADD #n :less',
            ConditionExpression: '#n > :zero',
            ExpressionAttributeNames: { '#n': 'n' },
            ExpressionAttributeValues: { ':less': -1, ':zero': 0 },
          }),
        ),
      )
    },

    async takeOnce(key, member, { limit, resetsAt }) {
      const taken = await conditionalWrite(
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

    async takeGuess(guess, { perPair, perAddress, resetsAt }) {
      const { key, pair } = guess
      const member = memberOf(guess)
      const counted = await conditionalWrite(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: { key },
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
          }),
        ),
      )
      if (counted !== null) return null
      const found = await callAws(
        db.send(
          new GetCommand({
            TableName: table,
            Key: { key },
            ConsistentRead: true,
            ProjectionExpression: '#all, #pair',
            ExpressionAttributeNames: { '#all': 'guesses', '#pair': pair },
          }),
        ),
      )
      const { guesses = new Set<string>(), [pair]: ofPair = new Set<string>() } = found.Item ?? {}
      if (guesses.size >= perAddress) return { by: 'address', newest: newestOf(guesses) }
      // Below its limit again: a guess that was under way has just been removed.
      return { by: 'pair', newest: ofPair.size >= perPair ? newestOf(ofPair) : guess.at }
    },

    returnGuess: guess => updateGuesses(guess, 'DELETE #all :guess, #pair :guess'),
    forgiveGuess: guess => updateGuesses(guess, 'DELETE #all :guess REMOVE #pair'),

    async mark(key, mark, { limit, resetsAt }) {
      const update = {
        TableName: table,
        Key: { key },
        ExpressionAttributeNames: { '#marks': 'marks', '#expires': ttlAttribute },
      }
      const values = { ':mark': new Set([mark]), ':expires': toSeconds(resetsAt) }
      const added = await conditionalWrite(
        db.send(
          new UpdateCommand({
            ...update,
            UpdateExpression: 'ADD #marks :mark SET #expires = :expires',
            ConditionExpression: 'attribute_not_exists(#marks) OR size(#marks) < :limit',
            ExpressionAttributeValues: { ...values, ':limit': limit },
          }),
        ),
      )
      if (added !== null) return
      await callAws(
        db.send(
          new UpdateCommand({
            ...update,
            UpdateExpression: 'SET #marks = :mark, #expires = :expires',
            ExpressionAttributeValues: values,
          }),
        ),
      )
    },

    async unmark(key, mark) {
      await conditionalWrite(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: { key },
            UpdateExpression: 'DELETE #marks :mark',
            ConditionExpression: 'attribute_exists(#marks)',
            ExpressionAttributeNames: { '#marks': 'marks' },
            ExpressionAttributeValues: { ':mark': new Set([mark]) },
          }),
        ),
      )
    },

    async marks(key) {
      const found = await callAws(db.send(new GetCommand({ TableName: table, Key: { key }, ConsistentRead: true })))
      return [...((found.Item?.marks as Set<string> | undefined) ?? [])]
    },

    async clear(key) {
      await callAws(db.send(new DeleteCommand({ TableName: table, Key: { key } })))
    },
  }
}
