import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Tables } from '../../../local/aws/tables.ts'
import { callTables, usersTable } from '../../support/system/raw-tables.ts'

let directory: string
let tables: Tables
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tables-'))
  tables = new Tables(directory, [usersTable])
  await tables.create()
})
afterEach(() => tables.close())

const call = (action: string, body: string) => callTables(tables, action, body)

const item = { TableName: usersTable.name, Item: { id: { S: 'ada' } } }
const get = async () => {
  const { status, body } = await call('GetItem', JSON.stringify({ TableName: usersTable.name, Key: item.Item }))
  return status === 200 ? JSON.parse(body).Item : body
}

test('a call that crashes dynalite is a 500, and no data is lost', async () => {
  await call('PutItem', JSON.stringify(item))
  // The front would refuse such a body. Sent past it, it ends dynalite's thread.
  await expect(call('GetItem', 'null')).rejects.toMatchObject({ status: 500, code: 'InternalServerError' })
  expect(await get()).toEqual(item.Item)
})

test('a directory that another process uses gives one clear error', async () => {
  const second = new Tables(directory, [usersTable])
  await expect(second.create()).rejects.toThrow(/^the tables in DATA_DIR cannot be opened/)
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
