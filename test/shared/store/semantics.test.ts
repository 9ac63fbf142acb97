import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DomainError } from '../../../shared/base/errors.ts'
import { accountStore } from '../../../shared/store/accounts.ts'
import { counterStore } from '../../../shared/store/counters.ts'
import { startTables } from '../../support/service/tables.ts'
import { accountOperations, type Operation } from './account-operations.ts'
import { calls } from './calls.ts'
import { counterOperations } from './counter-operations.ts'
import { differences } from './differences.ts'
import { transactions } from './transactions.ts'

/**
 * What DynamoDB answers to every kind of call that the stores make, held against what it answers here. The answers in
 * `answers.json` are those of DynamoDB Local 2.6.1, AWS's own (Maven: `com.amazonaws:DynamoDBLocal`):
 *
 *     mvn dependency:copy-dependencies -DoutputDirectory=lib    # with a pom.xml that names it
 *     java -Djava.library.path=lib -cp 'lib/*' com.amazonaws.services.dynamodbv2.local.main.ServerRunner -inMemory -port 8123
 *
 * To compare again: `DYNAMODB_ENDPOINT=http://127.0.0.1:8123 npx vitest run --project service
 * test/shared/store`. With `RECORD_ANSWERS=yes` besides, it writes the answers.
 */

const endpoint = process.env.DYNAMODB_ENDPOINT
const isRecording = endpoint !== undefined && process.env.RECORD_ANSWERS === 'yes'
const file = join(import.meta.dirname, 'answers.json')
const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
const recorded: Record<string, unknown> = {}

let tables: Awaited<ReturnType<typeof startTables>>
let db: DynamoDBDocumentClient
/** The calls of the operation that is under way, each with its answer. */
let made: object[] = []

beforeAll(async () => {
  tables = await startTables(endpoint)
  db = tables.db
  db.middlewareStack.add(
    (next, context) => async args => {
      const call = String(context.commandName).replace('Command', '')
      try {
        const result = await next(args)
        // DynamoDB Local says what some calls cost without being asked.
        const { $metadata, ConsumedCapacity, ...answer } = result.output as Record<string, unknown>
        made.push({ call, answer })
        return result
      } catch (error) {
        // The item of a refused condition is among an error's members.
        const { name, message, Item, CancellationReasons } = error as Error & {
          Item?: object
          CancellationReasons?: object
        }
        made.push({
          call,
          error: name,
          message,
          ...(Item && { item: Item }),
          ...(CancellationReasons && { reasons: CancellationReasons }),
        })
        throw error
      }
    },
    { step: 'initialize', priority: 'high' },
  )
})
afterAll(() => {
  tables.close()
  if (isRecording) writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
})

type Item = Record<string, unknown>

async function items(table: string): Promise<Item[]> {
  const { Items = [] } = await db.send(new ScanCommand({ TableName: table, ConsistentRead: true }))
  return Items
}

/** Puts the items of an operation into an empty table and runs it. @returns the outcome */
async function outcome<Store>(table: string, key: string, store: Store, { before, run }: Operation<Store>) {
  for (const item of await items(table))
    await db.send(new DeleteCommand({ TableName: table, Key: { [key]: item[key] } }))
  for (const Item of before) await db.send(new PutCommand({ TableName: table, Item: Item as Item }))
  made = []
  const result = await run(store).catch((error: unknown) => {
    if (error instanceof DomainError) return `throws ${error.code}`
    return `throws ${(error as Error).name}`
  })
  const calls = [...made]
  return plain({ result, calls, changed: changes(key, before as Item[], await items(table)) })
}

/** The items that are new or other than before, by their keys; null for those that are gone. */
function changes(key: string, before: readonly Item[], after: readonly Item[]): Record<string, Item | null> {
  const byKey = (all: readonly Item[]) => new Map(all.map(item => [String(item[key]), item]))
  const [old, present] = [byKey(before), byKey(after)]
  return Object.fromEntries(
    [...new Set([...old.keys(), ...present.keys()])]
      .filter(name => !isDeepStrictEqual(plain(old.get(name)), plain(present.get(name))))
      .map(name => [name, present.get(name) ?? null]),
  )
}

/** As JSON: sets as sorted lists, times as texts, members in order. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, member) => {
      if (member instanceof Set) return { set: [...member].sort() }
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
      return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
    }) ?? 'null',
  )

function check(name: string, got: unknown): void {
  recorded[name] = got
  if (isRecording) return
  const due = { ...(answers[name] as object), ...(endpoint === undefined && differences[name]) }
  expect(got).toEqual(due)
}

describe('the store of accounts, as DynamoDB answers', () => {
  test.each(accountOperations)('$name', async operation => {
    check(operation.name, await outcome('Users', 'email', accountStore(db, 'Users'), operation))
  })
})

describe('the store of counters, as DynamoDB answers', () => {
  test.each(counterOperations)('$name', async operation => {
    check(operation.name, await outcome('RateLimits', 'key', counterStore(db, 'RateLimits'), operation))
  })
})

describe('DynamoDB itself', () => {
  test.each([...calls, ...transactions])('$name', async call => {
    check(call.name, await outcome('Users', 'email', db, call))
  })
})

test('of fifty transactions that move one item at the same time, one succeeds', async () => {
  await db.send(new PutCommand({ TableName: 'Users', Item: { email: 'start', id: 'fifty' } }))
  const move = (email: string) =>
    db.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName: 'Users',
              Item: { email, id: 'fifty' },
              ConditionExpression: 'attribute_not_exists(email)',
            },
          },
          {
            Delete: { TableName: 'Users', Key: { email: 'start' }, ConditionExpression: 'attribute_exists(email)' },
          },
        ],
      }),
    )
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => move(`end ${i}`)))
  const winners = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [`end ${i}`] : []))
  expect(winners).toHaveLength(1)
  expect((await items('Users')).flatMap(({ id, email }) => (id === 'fifty' ? [email] : []))).toEqual(winners)
})

test('at least seventy operations have a recorded answer', () => {
  const names = [...accountOperations, ...counterOperations, ...calls, ...transactions].map(({ name }) => name)
  expect(accountOperations.length + counterOperations.length).toBeGreaterThanOrEqual(70)
  expect(Object.keys(isRecording ? recorded : answers).sort()).toEqual([...names].sort())
})

test('a difference is listed only where there is one', () => {
  for (const [name, difference] of Object.entries(differences)) {
    expect(answers).toHaveProperty([name])
    for (const [member, value] of Object.entries(difference)) {
      expect(value).not.toEqual((answers[name] as Record<string, unknown>)[member])
    }
  }
})
