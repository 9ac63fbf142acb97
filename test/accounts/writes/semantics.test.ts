import { randomUUID } from 'node:crypto'
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
import { toAccount } from '../../../accounts/account/attributes.ts'
import { writesOf } from '../../../accounts/account/writes.ts'
import { deletionMarks } from '../../../accounts/address/deletion-marks.ts'
import { grantStore } from '../../../accounts/application/writes.ts'
import { setupLinkStore } from '../../../accounts/factor/writes.ts'
import { challengeStore } from '../../../accounts/passkey/writes.ts'
import { tokenAttributes } from '../../../accounts/token/token.ts'
import { counterStore } from '../../../shared/aws/counters.ts'
import { DomainError } from '../../../shared/base/errors.ts'
import { accountKinds } from '../../../shared/base/families.ts'
import { definitionOf, startTables } from '../../support/service/tables.ts'
import { accountOperations, type Operation } from './account-operations.ts'
import { calls } from './calls.ts'
import { challengeOperations } from './challenge-operations.ts'
import { counterOperations, markOperations } from './counter-operations.ts'
import { type Answer, differences } from './differences.ts'
import { type Asked, kindsOf } from './expressions.ts'
import { grantOperations } from './grant-operations.ts'
import { recordedTable, transactions } from './transactions.ts'

/**
 * What each operation of the stores changes in DynamoDB, attribute by attribute, and what it gives (`answers.json`, `operations`).
 * Untouched attributes are absent, and removed ones are null. After a change of what an operation does:
 *
 *     RECORD_ANSWERS=yes npx vitest run --project service test/accounts/writes
 *
 * DynamoDB's own answers, to the calls of `calls.ts` and `transactions.ts` and to each kind of expression in the
 * operations (`kinds`), are those of DynamoDB Local 2.6.1, by AWS. It is needed for a new kind or call: the last test
 * says so, but for the kinds that wait for it (`waitingKinds`), which only dynalite has answered. The calls are made to a
 * table of their own. Start it (Maven: `com.amazonaws:DynamoDBLocal`), and record with `DYNAMODB_ENDPOINT=http://127.0.0.1:8123`
 * as well:
 *
 *     mvn dependency:copy-dependencies -DoutputDirectory=lib    # with a pom.xml that names it
 *     java -Djava.library.path=lib -cp 'lib/*' com.amazonaws.services.dynamodbv2.local.main.ServerRunner -inMemory -port 8123
 *
 * With `DYNAMODB_ENDPOINT` alone, DynamoDB Local is compared with everything recorded.
 */

const endpoint = process.env.DYNAMODB_ENDPOINT
const isRecording = process.env.RECORD_ANSWERS === 'yes'
const file = join(import.meta.dirname, 'answers.json')
/** Values by their paths: `calls 0 error`. */
type Facts = Record<string, unknown>
interface Answers {
  /** The kinds of reads and expressions that DynamoDB Local answered in the same way. */
  kinds: string[]
  /** By operation. */
  operations: Record<string, Facts>
  /** By call of DynamoDB itself. */
  calls: Record<string, Facts>
}
const text = readFileSync(file, 'utf8')
const answers = JSON.parse(text) as Answers
/** Each member on a line of its own, but what fits the width of the code. */
const textOf = (value: unknown, member = '', indent = ''): string => {
  const short = `${indent}${member}${JSON.stringify(value)}`
  const isRecord = typeof value === 'object' && value !== null && indent.length < 6
  if (!isRecord || (indent.length === 4 && short.length < 140)) return short
  const lines = Array.isArray(value)
    ? value.map(each => textOf(each, '', `${indent}  `))
    : Object.entries(value).map(([name, each]) => textOf(each, `${JSON.stringify(name)}: `, `${indent}  `))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${indent}${member}${open}\n${lines.join(',\n')}\n${indent}${close}`
}
const recorded: Answers = { kinds: [], operations: {}, calls: {} }

/**
 * Kinds in the operations that DynamoDB Local has not answered yet: a recording there takes them over. All are of documented
 * expressions ("Condition and filter expressions", "Update expressions" in the developer guide).
 */
const waitingKinds = [
  'ConditionCheckItem Condition: attribute_not_exists(a.a)',
  'DeleteItem Condition: OR',
  'DeleteItem Condition: a = :BOOL',
  'DeleteItem Condition: attribute_exists(a)',
  'UpdateItem Condition: a <> :S',
  'UpdateItem Condition: a.a.a = :BOOL',
  'UpdateItem Update: SET a = a',
]

let tables: Awaited<ReturnType<typeof startTables>>
let db: DynamoDBDocumentClient
/** The calls of the current operation, with requests and answers. */
let made: { call: string; asked: Asked; answer: object }[] = []

beforeAll(async () => {
  const { hash: attribute, index } = tokenAttributes.reset
  tables = await startTables(endpoint, [definitionOf(recordedTable, keyOf[recordedTable], [{ index, attribute }])])
  db = tables.db
  db.middlewareStack.add(
    (next, context) => async args => {
      const call = String(context.commandName).replace('Command', '')
      const asked = args.input as Asked
      // As the SDK draws one, so that the test can repeat the call.
      if (asked.TransactItems) asked.ClientRequestToken ??= randomUUID()
      try {
        const result = await next(args)
        // DynamoDB Local reports the cost of some calls unasked.
        const { $metadata, ConsumedCapacity, ...answer } = result.output as Record<string, unknown>
        made.push({ call, asked, answer: { answer } })
        return result
      } catch (error) {
        // The item of a failed condition is among an error's members.
        const { name, message, Item, CancellationReasons } = error as Error & {
          Item?: object
          CancellationReasons?: object
        }
        const more = { ...(Item && { item: Item }), ...(CancellationReasons && { reasons: CancellationReasons }) }
        made.push({ call, asked, answer: { error: name, message, ...more } })
        throw error
      }
    },
    { step: 'initialize', priority: 'high' },
  )
})
afterAll(() => {
  tables.close()
  if (!isRecording) return
  const kinds = endpoint === undefined ? answers.kinds : [...new Set(recorded.kinds)].sort()
  writeFileSync(file, `${textOf({ kinds, operations: recorded.operations, calls: recorded.calls })}\n`)
})

type Item = Record<string, unknown>
/** The key's name in each table. */
const keyOf = { Accounts: 'key', RateLimits: 'key', [recordedTable]: 'email' } as const
type TableName = keyof typeof keyOf
/** The table of an item of the service. */
const tableOf = ({ key }: Item): TableName =>
  Object.values(accountKinds).some(kind => String(key).startsWith(kind)) ? 'Accounts' : 'RateLimits'

async function items(table: string): Promise<Item[]> {
  const { Items = [] } = await db.send(new ScanCommand({ TableName: table, ConsistentRead: true }))
  return Items
}

/** The items of some tables, by key. */
async function allItems(names: readonly TableName[]): Promise<Map<string, Item>> {
  const all = new Map<string, Item>()
  for (const name of names) for (const item of await items(name)) all.set(String(item[keyOf[name]]), item)
  return all
}

/** Runs an operation on tables with its items. @returns its result, and the items after it */
async function run<Store>(names: readonly TableName[], store: Store, operation: Operation<Store>) {
  for (const name of names) {
    for (const { [keyOf[name]]: key } of await items(name))
      await db.send(new DeleteCommand({ TableName: name, Key: { [keyOf[name]]: key } }))
  }
  for (const item of operation.before as Item[]) {
    await db.send(new PutCommand({ TableName: names.length > 1 ? tableOf(item) : names[0], Item: item }))
  }
  const before = await allItems(names)
  made = []
  const result = await operation.run(store).catch((error: unknown) => {
    if (error instanceof DomainError) return `throws ${error.code}`
    return `throws ${(error as Error).name}`
  })
  const calls = [...made]
  return { result, calls, before, after: await allItems(names) }
}

const isNested = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** What is new or other in a value, by its path; null where it is gone. */
function differing(before: unknown, after: unknown, path: readonly string[] = []): Facts {
  if (isDeepStrictEqual(before, after)) return {}
  if (!isNested(after)) return { [path.join(' ')]: after ?? null }
  const old: Item = isNested(before) ? before : {}
  const names = [...new Set([...Object.keys(old), ...Object.keys(after)])]
  return Object.assign({}, ...names.map(name => differing(old[name], after[name], [...path, name])))
}

/** What is new or other in some items, by their keys. */
function itemChanges(before: Map<string, Item>, after: Map<string, Item>): Facts {
  const members = (all: Map<string, Item>) =>
    plain(Object.fromEntries([...all].map(([name, { key, ...item }]) => [name, item])))
  return differing(members(before), members(after))
}

/** An account that an operation gives as its item is by then, by the item's key: what it says is among the changes. */
function shortened(result: unknown, after: Map<string, Item>): unknown {
  const accounts = [...after].filter(([key]) => key.startsWith(accountKinds.Accounts))
  const same = accounts.find(([, item]) => isDeepStrictEqual(plain(toAccount(item as never)), plain(result)))
  return same ? `${same[0]}, as it is now` : result
}

/** What an operation changes, attributes of items that stay, and what it gives. */
async function touched<Store>(names: readonly TableName[], store: Store, operation: Operation<Store>): Promise<Facts> {
  const { result, calls, before, after } = await run(names, store, operation)
  recorded.kinds.push(...calls.flatMap(({ call, asked }) => kindsOf(call, asked)))
  return { ...itemChanges(before, after), gives: plain(shortened(result, after)) }
}

const factsOf = ({ result, calls = [], changed }: Answer): Facts => {
  const answers = calls.map(({ call, ...answer }, i) => [`${i + 1} ${call}`, answer])
  return plain({ result, ...Object.fromEntries(answers), ...changed }) as Facts
}
/** The member of an answer of which a fact is. */
const memberOf = (fact: string): keyof Answer =>
  fact === 'result' ? 'result' : /^\d+ /.test(fact) ? 'calls' : 'changed'

async function answered(call: Operation<DynamoDBDocumentClient>): Promise<Facts> {
  const { result, calls, before, after } = await run([recordedTable], db, call)
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    key => !isDeepStrictEqual(before.get(key), after.get(key)),
  )
  return factsOf({
    result,
    calls: calls.map(({ call, answer }) => ({ call, ...answer })),
    changed: Object.fromEntries(changed.map(key => [key, after.get(key) ?? null])),
  })
}

/** What dynalite answers to a call. */
function hereOf(name: string): Facts {
  const difference = differences[name] ?? {}
  const same = Object.entries(answers.calls[name] ?? {}).filter(([fact]) => !(memberOf(fact) in difference))
  return { ...Object.fromEntries(same), ...factsOf(difference) }
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

function check(of: 'operations' | 'calls', name: string, got: Facts): void {
  const isHere = of === 'calls' && endpoint === undefined
  if (!isRecording) expect.soft(got, name).toEqual(isHere ? hereOf(name) : answers[of][name])
  // Answers to calls are recorded from DynamoDB alone.
  else recorded[of][name] = isHere ? (answers.calls[name] ?? {}) : got
}

/** No transaction here conflicts with another. */
const waiting = { pause: async () => {}, randomBytes: () => new Uint8Array(1) }

const both: readonly TableName[] = ['Accounts', 'RateLimits']
const accounts = () => writesOf(db, { accounts: 'Accounts', rateLimits: 'RateLimits' }, waiting)

/** The operations of each module's writes: what breaks one fails one test, which names it. */
const byModule = <Store>(operations: readonly Operation<Store>[]) => [
  ...Map.groupBy(operations, ({ name }) => name.split(/[.:]/, 1)[0]),
]

describe('the store of accounts changes what is recorded', () => {
  test.each(byModule(accountOperations))('%s', async (_, operations) => {
    for (const each of operations) check('operations', each.name, await touched(both, accounts(), each))
  })

  test('and a transaction repeated with its token is answered alike, and changes nothing', async () => {
    let count = 0
    for (const operation of accountOperations) {
      const { calls, after } = await run(both, accounts(), operation)
      for (const { asked, answer } of calls.filter(({ call }) => call === 'TransactWriteItems')) {
        count += 1
        made = []
        await db.send(new TransactWriteCommand(asked as TransactWriteCommand['input'])).catch(() => {})
        expect([operation.name, made.map(each => each.answer)]).toEqual([operation.name, [answer]])
      }
      expect([operation.name, await allItems(both)]).toEqual([operation.name, after])
    }
    expect(count).toBeGreaterThan(50)
  })
})

describe('the store of counters changes what is recorded', () => {
  const counters = () => ({ ...counterStore(db, 'RateLimits'), ...setupLinkStore(db, 'RateLimits') })
  test.each(byModule(counterOperations))('%s', async (_, operations) => {
    for (const each of operations) check('operations', each.name, await touched(['RateLimits'], counters(), each))
  })
})

describe('the store of marks of deletions changes what is recorded', () => {
  test.each(byModule(markOperations))('%s', async (_, operations) => {
    const marks = deletionMarks(db, () => 'RateLimits')
    for (const each of operations) check('operations', each.name, await touched(['RateLimits'], marks, each))
  })
})

describe('the store of grants changes what is recorded', () => {
  test.each(byModule(grantOperations))('%s', async (_, operations) => {
    const grants = grantStore(db, 'RateLimits')
    for (const each of operations) check('operations', each.name, await touched(['RateLimits'], grants, each))
  })
})

describe('the store of challenges changes what is recorded', () => {
  test.each(byModule(challengeOperations))('%s', async (_, operations) => {
    const challenges = challengeStore(db, 'RateLimits')
    for (const each of operations) check('operations', each.name, await touched(['RateLimits'], challenges, each))
  })
})

describe('DynamoDB itself', () => {
  test.each([...calls, ...transactions])('$name', async call => {
    check('calls', call.name, await answered(call))
  })
})

test('of fifty transactions that move one item at the same time, one succeeds', async () => {
  const TableName = recordedTable
  await db.send(new PutCommand({ TableName, Item: { email: 'start', id: 'fifty' } }))
  const move = (email: string) =>
    db.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName,
              Item: { email, id: 'fifty' },
              ConditionExpression: 'attribute_not_exists(email)',
            },
          },
          {
            Delete: { TableName, Key: { email: 'start' }, ConditionExpression: 'attribute_exists(email)' },
          },
        ],
      }),
    )
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => move(`end ${i}`)))
  const winners = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [`end ${i}`] : []))
  expect(winners).toHaveLength(1)
  expect((await items(TableName)).flatMap(({ id, email }) => (id === 'fifty' ? [email] : []))).toEqual(winners)
})

test('nothing obsolete is recorded', () => {
  const names = (operations: readonly { name: string }[]) => operations.map(({ name }) => name).sort()
  const all = isRecording ? recorded : answers
  expect(Object.keys(all.operations).sort()).toEqual(
    names([...accountOperations, ...counterOperations, ...markOperations, ...grantOperations, ...challengeOperations]),
  )
  expect(Object.keys(all.calls).sort()).toEqual(names([...calls, ...transactions]))
})

test('the file is as recording writes it: its diff shows what has changed alone', () => {
  expect(text).toBe(`${textOf(answers)}\n`)
})

test('a difference is listed only where there is one', () => {
  for (const [name, difference] of Object.entries(differences)) {
    expect(answers.calls).toHaveProperty([name])
    for (const member of Object.keys(difference)) {
      const factsOfMember = (facts: Facts = {}) => Object.entries(facts).filter(([fact]) => memberOf(fact) === member)
      expect(factsOfMember(hereOf(name))).not.toEqual(factsOfMember(answers.calls[name]))
    }
  }
})

test('DynamoDB Local has answered each kind of expression: record new ones there', () => {
  const known = endpoint === undefined ? answers.kinds : recorded.kinds
  const unknown = [...new Set(recorded.kinds)].filter(kind => !known.includes(kind))
  expect(unknown.sort()).toEqual(endpoint === undefined ? waitingKinds : [])
})
