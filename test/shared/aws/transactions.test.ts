import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { conditionalWrite } from '../../../shared/aws/aws.ts'
import { writeTogether } from '../../../shared/aws/transactions.ts'
import { startTables } from '../../support/service/tables.ts'

let tables: Awaited<ReturnType<typeof startTables>>
let db: DynamoDBDocumentClient
beforeEach(async () => {
  tables = await startTables()
  db = tables.db
})
afterEach(() => tables.close())

/** Milliseconds of each pause. */
const pauses: number[] = []
const waiting = {
  pause: async (milliseconds: number) => void pauses.push(milliseconds),
  randomBytes: () => Uint8Array.of(255),
}

const put = (key: string, ConditionExpression = 'attribute_not_exists(id)') => ({
  Put: { TableName: 'Accounts', Item: { key, id: key }, ConditionExpression },
})
const isThere = async (key: string) =>
  (await db.send(new GetCommand({ TableName: 'Accounts', Key: { key }, ConsistentRead: true }))).Item !== undefined

/** Makes the next transactions conflict, as no engine on one machine does. @returns how many were sent */
function conflict(times: number, codes: readonly string[]) {
  const sent = { count: 0 }
  db.middlewareStack.add(
    next => async args => {
      if (++sent.count > times) return next(args)
      const CancellationReasons = codes.map(Code => ({ Code }))
      throw new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons })
    },
    { step: 'initialize' },
  )
  return sent
}

test('several writes happen together', async () => {
  expect(await writeTogether(db, waiting, [put('a'), put('b')])).toBeNull()
  expect([await isThere('a'), await isThere('b')]).toEqual([true, true])
})

test('refused conditions are listed in the order of the writes, and nothing is written', async () => {
  expect(await writeTogether(db, waiting, [put('a'), put('b', 'attribute_exists(id)')])).toEqual([false, true])
  expect(await isThere('a')).toBe(false)
})

test('a transaction that conflicts with others is retried, also when a condition failed as well', async () => {
  const sent = conflict(3, ['ConditionalCheckFailed', 'TransactionConflict'])
  expect(await writeTogether(db, waiting, [put('a'), put('b')])).toBeNull()
  expect(sent.count).toBe(4)
})

test.each([
  ['meets others at every try', 9, ['TransactionConflict', 'None'], 4],
  ['is refused for another reason', 9, ['None', 'ThrottlingError'], 1],
])('a transaction that %s is unavailable', async (_, times, codes, tries) => {
  const sent = conflict(times, codes)
  await expect(writeTogether(db, waiting, [put('a'), put('b')])).rejects.toMatchObject({ code: 'unavailable' })
  expect(sent.count).toBe(tries)
})

test('an invalid transaction is unavailable', async () => {
  await expect(writeTogether(db, waiting, [put('a'), put('a')])).rejects.toMatchObject({ code: 'unavailable' })
})

test('a single write that meets a transaction is unavailable, not refused', async () => {
  db.middlewareStack.add(
    () => () => Promise.reject(new TransactionConflictException({ message: 'conflict', $metadata: {} })),
    { step: 'initialize' },
  )
  const write = db.send(new PutCommand({ TableName: 'Accounts', Item: { key: 'a' } }))
  await expect(conditionalWrite(write)).rejects.toMatchObject({ code: 'unavailable' })
})
