import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Tables } from '../../../local/aws/tables.ts'

const definition = {
  id: 'Users',
  name: 'Stack-Users',
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

let directory: string
let tables: Tables
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tables-'))
  tables = new Tables(directory, [definition])
  await tables.create()
})
afterEach(async () => {
  await tables.close()
  rmSync(directory, { recursive: true, force: true })
})

function call(action: string, body: string) {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${action}`,
    'x-amz-date': '20260101T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=x, Signature=x',
  }
  return tables.service({ method: 'POST', path: '/', headers, body, action, input: {} })
}

const transact = (...TransactItems: unknown[]) => call('TransactWriteItems', JSON.stringify({ TransactItems }))

const item = { TableName: definition.name, Item: { id: { S: 'ada' } } }
const get = async () => {
  const { status, body } = await call('GetItem', JSON.stringify({ TableName: definition.name, Key: item.Item }))
  return status === 200 ? JSON.parse(body).Item : body
}

test('a call that crashes dynalite is a 500, and no data is lost', async () => {
  await call('PutItem', JSON.stringify(item))
  // The front would refuse such a body. Sent past it, it ends dynalite's thread.
  await expect(call('GetItem', 'null')).rejects.toMatchObject({ status: 500, code: 'InternalServerError' })
  expect(await get()).toEqual(item.Item)
})

test('a directory that another process uses gives one clear error', async () => {
  const second = new Tables(directory, [definition])
  await expect(second.create()).rejects.toThrow(/^the tables in DATA_DIR cannot be opened/)
  await second.close()
  expect(await get()).toBeUndefined()
})

test.each([
  ['PutItem', { ...item, Item: { ...item.Item, token: { S: '' } } }, 'A value specified for a secondary index key'],
  [
    'UpdateItem',
    {
      TableName: definition.name,
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
    { TransactItems: [{ Get: { TableName: definition.name, Key: item.Item } }] },
    'ValidationException',
  ],
  ['no table', { TransactItems: [{ Put: { Item: item.Item } }] }, 'ValidationException'],
  [
    'a key of nothing',
    { TransactItems: [{ Delete: { TableName: definition.name, Key: { id: null } } }] },
    'InternalServerError',
  ],
])('a transaction of %s is refused, and the tables go on', async (_, input, code) => {
  const { status, body } = await call('TransactWriteItems', JSON.stringify(input))
  expect({ isRefused: status >= 400, body: JSON.parse(body) }).toEqual({
    isRefused: true,
    body: expect.objectContaining({ __type: expect.stringMatching(new RegExp(`#${code}$`)) }),
  })
  await transact({ Put: item })
  expect(await get()).toEqual(item.Item)
})

test('a refused transaction lets go of its items, and two that want the same items in other orders both end', async () => {
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
