import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Tables } from '../../../local/aws/tables.ts'

/** A table with an index, by the attribute "token". */
const usersTable = {
  id: 'Accounts',
  name: 'Stack-Accounts',
  AttributeDefinitions: [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'token', AttributeType: 'S' },
  ],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-token',
      KeySchema: [{ AttributeName: 'token', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
}

const moves = {
  id: 'Moves',
  name: 'Stack-Moves',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: usersTable.KeySchema,
}

/** The headers of a call, as the SDK sends them. */
const headersOf = (action: string) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `DynamoDB_20120810.${action}`,
  'x-amz-date': '20260101T000000Z',
  authorization: 'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=x, Signature=x',
})

let directory: string
let tables: Tables
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tables-'))
  tables = new Tables(directory)
  await tables.create([usersTable, moves])
})
afterEach(() => tables.close())

/** Calls the tables directly. */
const call = (action: string, body: string) =>
  tables.service({ method: 'POST', path: '/', headers: headersOf(action), body, action, input: {} })

const transact = (...TransactItems: unknown[]) => call('TransactWriteItems', JSON.stringify({ TransactItems }))

const item = { TableName: usersTable.name, Item: { id: { S: 'ada' } } }
const key = { TableName: usersTable.name, Key: item.Item }
const get = async () => {
  const { status, body } = await call('GetItem', JSON.stringify({ TableName: usersTable.name, Key: item.Item }))
  return status === 200 ? JSON.parse(body).Item : body
}

test('a call that crashes dynalite is a 500, and no data is lost', async () => {
  await call('PutItem', JSON.stringify(item))
  // The front would refuse such a body. Directly, it ends dynalite's thread.
  await expect(call('GetItem', 'null')).rejects.toMatchObject({ status: 500, code: 'InternalServerError' })
  expect(await get()).toEqual(item.Item)
})

test('a directory that another process uses gives one clear error', async () => {
  const second = new Tables(directory)
  await expect(second.create([usersTable])).rejects.toThrow(/^the tables in DATA_DIR cannot be opened/)
  await second.close()
  expect(await get()).toBeUndefined()
})

test.each([
  ['PutItem', { ...item, Item: { ...item.Item, token: { S: '' } } }, 'A value specified for a secondary index key'],
  [
    'UpdateItem',
    {
      TableName: usersTable.name,
      Key: item.Item,
      UpdateExpression: 'SET #token = :token',
      ExpressionAttributeNames: { '#token': 'token' },
      ExpressionAttributeValues: { ':token': { S: '' } },
    },
    'The update expression attempted to update a secondary index key',
  ],
])('%s refuses an empty text as the key of an index, as DynamoDB does', async (action, input, message) => {
  const { status, body } = await call(action, JSON.stringify(input))
  expect(status).toBe(400)
  expect(JSON.parse(body)).toEqual({
    __type: expect.stringMatching(/#ValidationException$/),
    message: expect.stringContaining(message),
  })
  expect(await get()).toBeUndefined()
})

test.each([
  ['no list', { TransactItems: 'text' }, 'SerializationException'],
  ['a list of nothing', { TransactItems: [null, null] }, 'ValidationException'],
  [
    'another action',
    { TransactItems: [{ Get: { TableName: usersTable.name, Key: item.Item } }] },
    'ValidationException',
  ],
  ['no table', { TransactItems: [{ Put: { Item: item.Item } }] }, 'ValidationException'],
  [
    'a key of nothing',
    { TransactItems: [{ Delete: { TableName: usersTable.name, Key: { id: null } } }] },
    'InternalServerError',
  ],
])('a transaction of %s is refused, and the tables go on', async (_, input, code) => {
  const { status, body } = await call('TransactWriteItems', JSON.stringify(input))
  expect({ isRefused: status >= 400, body: JSON.parse(body) }).toEqual({
    isRefused: true,
    body: expect.objectContaining({
      __type: expect.stringMatching(new RegExp(`#${code}$`)),
      message: code === 'SerializationException' ? '' : expect.stringMatching(/./),
    }),
  })
  await transact({ Put: item })
  expect(await get()).toEqual(item.Item)
})

/** Puts of new items of so many bytes each. */
const puts = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, i) => ({
    Put: { ...item, Item: { id: { S: String(100 + i) }, x: { S: 'x'.repeat(bytes - 'idxNNN'.length) } } },
  }))

test.each([
  ['100 actions', puts(100, 10), 200],
  ['101 actions', puts(101, 10), 400],
  ['4 MiB', puts(16, 256 * 1024), 200],
  ['some bytes more', puts(16, 256 * 1024 + 1), 400],
])('of a transaction’s limits: %s', async (_, actions, status) => {
  expect((await transact(...actions)).status).toBe(status)
})

test('a refused transaction lets go of its items; two in opposite orders end', async () => {
  const [a, b] = ['a', 'b'].map(id => ({ Put: { ...item, Item: { id: { S: id } } } }))
  const refused = { Put: { ...item, ConditionExpression: 'attribute_exists(id)' } }
  const replies = await Promise.all([
    transact(a, refused),
    transact(a, b),
    transact(b, a),
    transact(b, refused),
    transact(b, a),
  ])
  expect(replies.map(({ status }) => status)).toEqual([400, 200, 200, 400, 200])
})

test('a request token writes once: its repeat succeeds, other items are refused', async () => {
  const send = async (ClientRequestToken: string, ...TransactItems: unknown[]) => {
    const { status, body } = await call('TransactWriteItems', JSON.stringify({ TransactItems, ClientRequestToken }))
    return status === 200 ? 'written' : JSON.parse(body).__type.replace(/^.*#/, '')
  }
  const added = { Put: { ...item, ConditionExpression: 'attribute_not_exists(id)' } }
  const other = { Put: { ...item, Item: { id: { S: 'bob' } } } }
  const here = { ConditionCheck: { ...key, ConditionExpression: 'attribute_exists(id)' } }
  expect(await send('first', here)).toBe('TransactionCanceledException')
  expect(await send('second', added)).toBe('written')
  expect(await send('second', added)).toBe('written')
  expect(await send('second', other)).toBe('IdempotentParameterMismatchException')
  expect(await send('third', added)).toBe('TransactionCanceledException')
  expect(await send('first', here)).toBe('written')
  expect(await send('x'.repeat(37), other)).toBe('ValidationException')
  const same = await Promise.all(Array.from({ length: 9 }, () => send('fourth', other)))
  expect(same[0]).toBe('written')
  expect(same.filter(each => each !== 'written' && each !== 'TransactionInProgressException')).toEqual([])
})

const people = ['ada', 'bob', 'eve', 'kim', 'lou', 'max', 'tom', 'zoe']

/** Moves items between keys, many in parallel, until it is killed. It prints acknowledged moves. */
const mover = `
  import { Tables } from ${JSON.stringify(new URL('../../../local/aws/tables.ts', import.meta.url).href)}
  const { path, users, moves, headers, people } = JSON.parse(process.argv[2])
  const tables = new Tables(path)
  await tables.create([users, moves])
  const call = async (action, input) => {
    const { status, body } = await tables.service({ headers: headers[action], body: JSON.stringify(input) })
    if (status !== 200) throw new Error(body)
    return JSON.parse(body)
  }
  const { Items } = await call('Scan', { TableName: moves.name })
  for (const who of people) move(who, Number(Items.find(({ id }) => id.S === who)?.at.N ?? 0))
  async function move(who, start) {
    for (let at = start; ; at++) {
      const [from, to] = [{ S: who + at }, { S: who + (at + 1) }]
      const TransactItems = [
        {
          Put: {
            TableName: users.name,
            Item: { id: to, token: { S: who } },
            ConditionExpression: 'attribute_not_exists(id)',
          },
        },
        {
          Delete: {
            TableName: users.name,
            Key: { id: from },
            ...(at > 0 && { ConditionExpression: 'attribute_exists(id)' }),
          },
        },
        { Put: { TableName: moves.name, Item: { id: { S: who }, at: { N: String(at + 1) } } } },
        // Transactions of different length fall out of step, so that a kill meets some in the middle.
        ...people.slice(people.indexOf(who)).map(other => ({
          ConditionCheck: {
            TableName: moves.name,
            Key: { id: { S: who + ' and ' + other } },
            ConditionExpression: 'attribute_not_exists(id)',
          },
        })),
      ]
      await call('TransactWriteItems', { TransactItems })
      process.stdout.write(JSON.stringify([who, at + 1]) + '\\n')
    }
  }
`

test('kill -9 in the middle of transactions loses no item and doubles none', async () => {
  const [path, script] = [join(directory, 'moved'), join(directory, 'mover.mjs')]
  writeFileSync(script, mover)
  const headers = { Scan: headersOf('Scan'), TransactWriteItems: headersOf('TransactWriteItems') }
  const acknowledged: Record<string, number> = {}
  for (let kill = 1; kill <= 3; kill++) {
    const input = { path, users: usersTable, moves, headers, people }
    const child = spawn(process.execPath, [script, JSON.stringify(input)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    let seen = 0
    for await (const line of createInterface(child.stdout)) {
      const [who, at] = JSON.parse(line)
      acknowledged[who] = at
      if (++seen === 50) child.kill('SIGKILL')
    }
    expect(await exited).toEqual([null, 'SIGKILL'])
  }

  await tables.close()
  tables = new Tables(path)
  await tables.create([usersTable, moves])
  const items = await itemsOf(usersTable.name)
  expect(items.map(({ token }) => token.S).sort()).toEqual(people)
  const moved = new Map((await itemsOf(moves.name)).map(({ id, at }) => [id.S, Number(at.N)]))
  for (const item of items) {
    const who = item.token.S
    expect(item.id.S).toBe(`${who}${moved.get(who)}`)
    // The last move may have happened without being acknowledged.
    expect([0, 1]).toContain((moved.get(who) ?? Number.NaN) - (acknowledged[who] ?? 0))
    expect(await foundBy(who)).toEqual([item])
  }
})

const itemsOf = async (TableName: string) =>
  JSON.parse((await call('Scan', JSON.stringify({ TableName }))).body).Items as Record<
    'id' | 'token' | 'at',
    { S: string; N?: string }
  >[]

const foundBy = async (token: string) => {
  const query = {
    TableName: usersTable.name,
    IndexName: 'by-token',
    KeyConditionExpression: '#token = :token',
    ExpressionAttributeNames: { '#token': 'token' },
    ExpressionAttributeValues: { ':token': { S: token } },
  }
  return JSON.parse((await call('Query', JSON.stringify(query))).body).Items
}
