import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTables } from '../../support/service/tables.ts'

let tables: Awaited<ReturnType<typeof startTables>>
beforeAll(async () => {
  tables = await startTables()
})
afterAll(() => tables.close())

const Key = { key: { S: 'k' } }

async function call(action: string, input: object): Promise<{ status: number; body: string }> {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${action}` }
  const body = JSON.stringify({ TableName: 'RateLimits', ...input })
  const { response } = await tables.send({ method: 'POST', path: '/', headers, body })
  return { status: response.statusCode, body: new TextDecoder().decode(response.body) }
}

/** Names and values of an expression, without the signs before them. */
type Given = [names: Record<string, string>, values: Record<string, object>]
const one = { N: '1' }

/** Each expression first occurs with valid input, so that dynalite need not parse it again. */
const again: Record<string, [expressions: object, first: Given, then: Given, outcome: unknown]> = {
  'has the names and values of its own call': [
    { UpdateExpression: 'SET a.#n = if_not_exists(a.#n, :v), #m = :w' },
    [
      { n: 'x', m: 'y' },
      { v: { S: '1' }, w: one },
    ],
    [
      { n: 'z', m: 'x' },
      { v: { S: '2' }, w: { N: '2' } },
    ],
    { a: { M: { x: { S: '1' }, z: { S: '2' } } }, y: one, x: { N: '2' } },
  ],
  'adds to what it has added to': [
    { UpdateExpression: 'ADD #n :v' },
    [{ n: 'x' }, { v: one }],
    [{ n: 'x' }, { v: { N: '2' } }],
    { a: { M: {} }, x: { N: '6' } },
  ],
  'has a condition on its own values': [
    { UpdateExpression: 'SET x = :v', ConditionExpression: '(attribute_not_exists(#n) OR (#n = :old))' },
    [{ n: 'x' }, { v: one, old: one }],
    [{ n: 'x' }, { v: one, old: { N: '2' } }],
    'The conditional request failed',
  ],
  'is refused when two names are the same': [
    { UpdateExpression: 'SET #n = :v, #m = :v' },
    [{ n: 'x', m: 'y' }, { v: one }],
    [{ n: 'x', m: 'x' }, { v: one }],
    'Two document paths overlap',
  ],
  'is refused when a name is one of its text': [
    { UpdateExpression: 'SET #n = :v, x = :v' },
    [{ n: 'y' }, { v: one }],
    [{ n: 'x' }, { v: one }],
    'Two document paths overlap',
  ],
  'is refused when the name in a filter is that of the key': [
    { TableName: 'Accounts', KeyConditionExpression: '#k = :k', FilterExpression: '#n = :v' },
    [
      { k: 'key', n: 'x' },
      { k: { S: 'a' }, v: one },
    ],
    [
      { k: 'key', n: 'key' },
      { k: { S: 'a' }, v: one },
    ],
    'Filter Expression can only contain non-primary key attributes',
  ],
  'is refused when a name is empty': [
    { UpdateExpression: 'SET #n = :v' },
    [{ n: 'x' }, { v: one }],
    [{ n: '' }, { v: one }],
    'An expression attribute name used in the document path is not defined',
  ],
  'is refused when a value has another type': [
    { UpdateExpression: 'ADD x :v' },
    [{}, { v: one }],
    [{}, { v: { S: '1' } }],
    'Incorrect operand type',
  ],
  'is refused when a value is missing': [
    { UpdateExpression: 'SET #n = :v' },
    [{ n: 'x' }, { v: one }],
    [{ n: 'x' }, { w: one }],
    'An expression attribute value used in expression is not defined',
  ],
  'is refused when a value is not used': [
    { UpdateExpression: 'SET #n = :v' },
    [{ n: 'x' }, { v: one }],
    [{ n: 'x' }, { v: one, w: one }],
    'Value provided in ExpressionAttributeValues unused',
  ],
  'is refused when a name is not used': [
    { UpdateExpression: 'SET #n = :v' },
    [{ n: 'x' }, { v: one }],
    [{ n: 'x', m: 'y' }, { v: one }],
    'Value provided in ExpressionAttributeNames unused',
  ],
  'is refused when a value is less than the other': [
    { UpdateExpression: 'SET y = :v', ConditionExpression: 'NOT x BETWEEN :v AND :w' },
    [{}, { v: one, w: { N: '2' } }],
    [{}, { v: one, w: { N: '0' } }],
    'The BETWEEN operator requires upper bound',
  ],
  'is refused when a value is no type': [
    { UpdateExpression: 'SET y = :v', ConditionExpression: 'NOT attribute_type(x, :v)' },
    [{}, { v: { S: 'N' } }],
    [{}, { v: { S: 'number' } }],
    'Invalid attribute type name found',
  ],
}

test.each(Object.entries(again))(
  'an expression that comes again %s',
  async (_, [expressions, first, then, outcome]) => {
    await tables.clear()
    await call('PutItem', { Item: { ...Key, a: { M: {} } } })
    const signed = (sign: string, members: object) => {
      const all = Object.entries(members).map(([name, member]) => [`${sign}${name}`, member])
      return all.length > 0 ? Object.fromEntries(all) : undefined
    }
    const answers = []
    for (const [names, values] of [first, first, then, then]) {
      const input = {
        ...expressions,
        ExpressionAttributeNames: signed('#', names),
        ExpressionAttributeValues: signed(':', values),
      }
      const isQuery = 'KeyConditionExpression' in expressions
      answers.push(isQuery ? await call('Query', input) : await call('UpdateItem', { Key, ...input }))
    }
    const message = typeof outcome === 'string' ? outcome : null
    expect(answers.map(({ status }) => status)).toEqual([200, 200, ...(message ? [400, 400] : [200, 200])])
    if (message) expect(answers[2]?.body).toContain(message)
    else expect(JSON.parse((await call('GetItem', { Key })).body).Item).toEqual({ ...Key, ...Object(outcome) })
  },
)
