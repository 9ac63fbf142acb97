import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { tokenAttributes } from '../../../accounts/token/token.ts'
import { listed } from './account-operations.ts'
import { nested, recordedTable } from './transactions.ts'

/** Calls of DynamoDB itself: behaviour that the stores rely on, or that must never change unnoticed. */

const TableName = recordedTable
const email = 'ada@example.com'
const Key = { email }
const { hash, index } = tokenAttributes.reset
const ada = { email, id: 'ada', token_version: 3, [hash]: 'reset hash', tags: new Set(['a']), nested: { n: 1 } }

const put = (Item: object, rest = {}) => new PutCommand({ TableName, Item: { ...ada, ...Item }, ...rest })
const update = (UpdateExpression: string, values?: object, rest = {}) =>
  new UpdateCommand({
    TableName,
    Key,
    UpdateExpression,
    ...(values && { ExpressionAttributeValues: { ...values } }),
    ReturnValues: 'ALL_NEW',
    ...rest,
  })
const query = (IndexName: string | undefined, KeyConditionExpression: string, value: unknown, rest = {}) =>
  new QueryCommand({
    TableName,
    ...(IndexName && { IndexName }),
    KeyConditionExpression,
    ExpressionAttributeValues: { ':v': value },
    ...rest,
  })

type Command = BatchGetCommand | DeleteCommand | GetCommand | PutCommand | QueryCommand | UpdateCommand
const of = (cases: Record<string, [before: readonly object[], command: Command]>) =>
  Object.fromEntries(
    Object.entries(cases).map(([name, [before, command]]) => [
      name,
      // The overloads of `send` take one command each; its answer is recorded.
      [before, (db: DynamoDBDocumentClient) => db.send(command as GetCommand).then(() => undefined)],
    ]),
  ) as Record<string, [readonly object[], (db: DynamoDBDocumentClient) => Promise<unknown>]>

export const calls = listed<DynamoDBDocumentClient>({
  PutItem: of({
    'with an empty index key': [[], put({ [hash]: '' })],
    'with an empty index key, over an item whose condition does not hold': [
      [ada],
      put({ [hash]: '' }, { ConditionExpression: 'attribute_not_exists(email)' }),
    ],
    'with an index key that is null': [[], put({ [hash]: null })],
    'with an index key that is a number': [[], put({ [hash]: 7 })],
    'with an empty key': [[], put({ email: '' })],
    'without its key': [[], new PutCommand({ TableName, Item: { id: 'x' } })],
    'with an empty text that is no key': [[], put({ id: '' })],
    'with an empty set': [[], put({ tags: new Set() })],
    'of an item nested 32 levels deep': [[], put({ list: nested(31) })],
    'of an item nested 33 levels deep': [[], put({ list: nested(32) })],
    'whose condition does not hold, asking for the item': [
      [ada],
      put({}, { ConditionExpression: 'attribute_not_exists(email)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ],
  }),
  UpdateItem: of({
    'to an empty index key': [[ada], update(`SET ${hash} = :v`, { ':v': '' })],
    'to an empty index key, of an item that is not there': [[], update(`SET ${hash} = :v`, { ':v': '' })],
    'to an empty index key, under a condition that does not hold': [
      [ada],
      update(`SET ${hash} = :v`, { ':v': '' }, { ConditionExpression: 'attribute_not_exists(email)' }),
    ],
    'to an index key that is null': [[ada], update(`SET ${hash} = :v`, { ':v': null })],
    'without an index key any more': [[ada], update(`REMOVE ${hash}`)],
    'of an item that is not there makes one': [[], update('SET token_version = :v', { ':v': 1 })],
    'of its key': [[ada], update('SET email = :v', { ':v': 'x' })],
    'of one path twice': [[ada], update('SET id = :v REMOVE id', { ':v': 'x' })],
    'that adds to a number which is not there': [[{ email }], update('ADD n :v', { ':v': 1 })],
    'that adds to a text': [[ada], update('ADD id :v', { ':v': 1 })],
    'that adds to a path which is not there': [[ada], update('SET missing = missing + :v', { ':v': 1 })],
    'that reads what the same update changes': [
      [ada],
      update('SET token_version = token_version + :v, before = token_version', { ':v': 1 }),
    ],
    'that takes the last of a set': [[ada], update('DELETE tags :v', { ':v': new Set(['a']) })],
    'that takes what is not in a set': [[ada], update('DELETE tags :v', { ':v': new Set(['b']) })],
    'with a name that it does not use': [
      [ada],
      update('SET id = :v', { ':v': 'x' }, { ExpressionAttributeNames: { '#unused': 'x' } }),
    ],
    'with a reserved word': [[ada], update('SET name = :v', { ':v': 'x' })],
    'whose condition compares a text with a number': [
      [ada],
      update('SET id = :v', { ':v': 'x', ':n': 3 }, { ConditionExpression: 'id < :n' }),
    ],
    'whose condition asks for the size of what is not there': [
      [ada],
      update('SET id = :v', { ':v': 'x', ':n': 3 }, { ConditionExpression: 'size(missing) < :n' }),
    ],
    'whose condition does not hold, asking for the item': [
      [ada],
      update(
        'SET id = :v',
        { ':v': 'x' },
        {
          ConditionExpression: 'attribute_not_exists(email)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      ),
    ],
  }),
  DeleteItem: of({
    'of an item that is not there': [[], new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' })],
    'of an item that is not there, under a condition': [
      [],
      new DeleteCommand({
        TableName,
        Key,
        ConditionExpression: 'id = :v',
        ExpressionAttributeValues: { ':v': 'ada' },
      }),
    ],
  }),
  Query: of({
    'by an index gives keys alone': [[ada], query(index, `${hash} = :v`, 'reset hash')],
    'by an empty index key': [[ada], query(index, `${hash} = :v`, '')],
    'by an index, consistently': [[ada], query(index, `${hash} = :v`, 'reset hash', { ConsistentRead: true })],
    'by an index that is not there': [[ada], query('by-nothing', `${hash} = :v`, 'reset hash')],
  }),
  GetItem: of({
    'by an empty key': [[], new GetCommand({ TableName, Key: { email: '' } })],
    'of some attributes': [[ada], new GetCommand({ TableName, Key, ProjectionExpression: 'id, missing, nested.n' })],
    'of one item twice': [[ada], new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key, Key] } } })],
  }),
})
