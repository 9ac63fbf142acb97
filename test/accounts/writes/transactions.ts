import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb'
import { tokenAttributes } from '../../../accounts/token/token.ts'
import { listed } from './account-operations.ts'

/** Transactions of DynamoDB itself. */

/** The table whose answers are recorded. Its key is an address: the service's table had that when they were taken. */
export const recordedTable = 'Recorded'

type Actions = NonNullable<TransactWriteCommand['input']['TransactItems']>
type Action = Actions[number]

const TableName = recordedTable
const { hash, index } = tokenAttributes.reset
const email = 'ada@example.com'
const ada = { email, id: 'ada', token_version: 3, [hash]: 'reset hash' }
const moved = { ...ada, email: 'lovelace@example.com', token_version: 4 }

const absent = { ConditionExpression: 'attribute_not_exists(email)' }
const present = { ConditionExpression: 'attribute_exists(email)' }
const unmoved = {
  ConditionExpression: 'id = :id AND token_version = :version',
  ExpressionAttributeValues: { ':id': 'ada', ':version': 3 },
}
const askingForItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const

const put = (Item: object, rest = {}): Action => ({ Put: { TableName, Item: Item as never, ...rest } })
const remove = (of: string, rest = {}): Action => ({ Delete: { TableName, Key: { email: of }, ...rest } })
const check = (of: string, rest: { ConditionExpression: string }): Action => ({
  ConditionCheck: { TableName, Key: { email: of }, ...rest },
})
const update = (
  UpdateExpression: string,
  value: unknown,
  { ExpressionAttributeValues = {}, ...rest } = {},
): Action => ({
  Update: {
    ...{ TableName, Key: { email }, UpdateExpression, ...rest },
    ExpressionAttributeValues: { ':v': value, ...ExpressionAttributeValues },
  },
})
const many = (count: number) => Array.from({ length: count }, (_, i) => remove(`${i}@example.com`))
/** A value nested in this many lists, one level below them: DynamoDB allows 32. */
export const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])

const send = (db: DynamoDBDocumentClient, TransactItems: Actions, rest = {}) =>
  db.send(new TransactWriteCommand({ TransactItems, ...rest }))

type Case = [before: readonly object[], run: (db: DynamoDBDocumentClient) => Promise<unknown>]
const of = (cases: Record<string, [before: readonly object[], actions: Actions]>): Record<string, Case> =>
  Object.fromEntries(
    Object.entries(cases).map(([name, [before, actions]]) => [
      name,
      [before, db => send(db, actions).then(() => undefined)],
    ]),
  )

/** Takes the item that a transaction put into the other table. */
const takeOther = async (db: DynamoDBDocumentClient, key: string) => {
  const other = { TableName: 'RateLimits', Key: { key } }
  const { Item } = await db.send(new GetCommand({ ...other, ConsistentRead: true }))
  await db.send(new DeleteCommand(other))
  return Item
}

export const transactions = listed<DynamoDBDocumentClient>({
  TransactWriteItems: {
    ...of({
      'that moves an item': [[ada], [put(moved, absent), remove(email, unmoved)]],
      'that moves an item to a taken key': [
        [ada, moved],
        [put(moved, absent), remove(email, unmoved)],
      ],
      'that moves an item that has changed': [
        [{ ...ada, token_version: 4 }],
        [put(moved, absent), remove(email, unmoved)],
      ],
      'that moves an item that is gone': [[], [put(moved, absent), remove(email, unmoved)]],
      'whose conditions all fail, asking for the items': [
        [{ ...ada, token_version: 4 }, moved],
        [put(moved, { ...absent, ...askingForItem }), remove(email, { ...unmoved, ...askingForItem })],
      ],
      'whose last of three conditions fails, without an item to give': [
        [ada],
        [put(moved, absent), remove(email, unmoved), remove('x', { ...present, ...askingForItem })],
      ],
      'with a check that holds': [[ada], [put(moved), check(email, present)]],
      'with a check that fails': [[ada], [put(moved), check(email, absent)]],
      'of a check alone': [[ada], [check(email, present)]],
      'without conditions, over what is there and what is not': [[moved], [put({ ...moved, id: 'x' }), remove(email)]],
      'that updates': [[ada], [update('ADD token_version :v', 1), put(moved, absent)]],
      'that makes an item void where it is': [
        [ada],
        [update(`SET id = :v, token_version = :version REMOVE ${hash}`, 'x', unmoved), check('x', absent)],
      ],
      'that makes an item void which has changed': [
        [{ ...ada, token_version: 4 }],
        [update(`SET id = :v REMOVE ${hash}`, 'x', unmoved), put(moved)],
      ],
      'that updates to an empty index key': [[ada], [put(moved), update(`SET ${hash} = :v`, '')]],
      'that updates by a path which is not there': [[ada], [put(moved), update('SET total = unknown + :v', 1)]],
      'whose condition compares a text with a number': [
        [ada],
        [remove(email, { ConditionExpression: 'id < :n', ExpressionAttributeValues: { ':n': 3 } })],
      ],
      'that puts and deletes one item': [[ada], [put(ada), remove(email)]],
      'that deletes one item twice': [[ada], [remove(email), put(moved), remove(email)]],
      'that puts and checks one item': [[ada], [put(ada), check(email, present)]],
      'of a hundred items': [[], many(100)],
      'of a hundred and one items': [[], many(101)],
      'of no items': [[], []],
      'of more than 4 MB': [
        [],
        Array.from({ length: 11 }, (_, i) => put({ email: `${i}@example.com`, text: 'x'.repeat(390_000) })),
      ],
      'with an item of more than 400 KB': [[], [put(moved), put({ ...ada, text: 'x'.repeat(410_000) })]],
      'with an empty action': [[], [{}]],
      'with two actions in one': [[ada], [{ ...put(moved), ...remove(email) }]],
      'with an empty index key, over an item whose condition does not hold': [
        [ada],
        [put(ada, absent), put({ ...moved, [hash]: '' })],
      ],
      'with an empty key': [[], [put(moved), put({ ...ada, email: '' })]],
      'without a key': [[], [put(moved), put({ id: 'ada' })]],
      'with a key of another type': [[], [put(moved), put({ ...ada, email: 1 })]],
      'with more than its key': [[], [{ Delete: { TableName, Key: { email, id: 'ada' } } }]],
      'with a check without a condition': [[], [{ ConditionCheck: { TableName, Key: { email } } as never }]],
      'with values that it does not use': [[], [put(ada, { ...absent, ExpressionAttributeValues: { ':v': 1 } })]],
      'with a reserved word': [[], [put(ada, { ConditionExpression: 'attribute_not_exists(name)' })]],
      'with a table that is not there': [[], [put(ada), { Put: { TableName: 'Nothing', Item: ada } }]],
    }),
    'that writes to two tables': [
      [ada],
      async db => {
        const to = moved.email
        await send(db, [
          put(moved, absent),
          remove(email, unmoved),
          { Put: { TableName: 'RateLimits', Item: { key: 'moved#ada', to } } },
        ])
        return takeOther(db, 'moved#ada')
      },
    ],
    'with one key in two tables': [
      [],
      async db => {
        await send(db, [put(ada), { Put: { TableName: 'RateLimits', Item: { key: email, to: email } } }])
        return takeOther(db, email)
      },
    ],
    'that moves an item which an index finds': [
      [ada],
      async db => {
        await send(db, [put(moved, absent), remove(email, unmoved)])
        const found = await db.send(
          new QueryCommand({
            TableName,
            IndexName: index,
            KeyConditionExpression: `${hash} = :v`,
            ExpressionAttributeValues: { ':v': ada[hash] },
          }),
        )
        return found.Items
      },
    ],
    'twice with one token': [
      [],
      async db => {
        const ClientRequestToken = 'token'
        await send(db, [put(ada, absent)], { ClientRequestToken })
        await send(db, [put(ada, absent)], { ClientRequestToken })
      },
    ],
  },
})
