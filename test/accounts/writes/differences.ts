import { nested } from './transactions.ts'

/**
 * Calls that dynalite answers differently from DynamoDB, with the difference. No store relies on any of them: keys and
 * hashes are never empty, index keys are texts, items are a few levels deep, and no write asks for the item that failed its
 * condition.
 */

const refused = (call: string, error: string, message: string) => ({ calls: [{ call, error, message }] })
const invalid = (call: string, message: string) => refused(call, 'ValidationException', message)
const conditionFailed = (call: string) =>
  refused(call, 'ConditionalCheckFailedException', 'The conditional request failed')

/** It begins the text with other words. */
const emptyKey = invalid(
  'GetItem',
  'One or more parameter values were invalid: ' +
    'The AttributeValue for a key attribute cannot contain an empty string value. Key: email',
)
/** Its error says more about the mismatch than DynamoDB Local's. */
const mismatch = (call: string, actual: string) =>
  invalid(
    call,
    'One or more parameter values were invalid: ' +
      `Type mismatch for Index Key password_reset_token Expected: S Actual: ${actual} IndexName: by-reset-token`,
  )
const invalidTransaction = (message: string) => invalid('TransactWriteItems', message)
const cancelled = (...codes: string[]) => ({
  call: 'TransactWriteItems',
  error: 'TransactionCanceledException',
  message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
  reasons: codes.map(Code => (Code === 'None' ? { Code } : { Code, Message: 'The conditional request failed' })),
})

/** It finds nothing, where DynamoDB refuses the call. */
const nothingFound = { calls: [{ call: 'Query', answer: { Count: 0, Items: [], ScannedCount: 0 } }] }

/** What a call gives, what DynamoDB answers to each of its requests, and the whole items that it changes. */
export interface Answer {
  result?: unknown
  calls?: readonly { call: string; [member: string]: unknown }[]
  changed?: Record<string, unknown>
}

export const differences: Record<string, Answer> = {
  'GetItem: by an empty key': emptyKey,
  'Query: by an empty index key': { ...nothingFound, result: undefined },
  'PutItem: with an index key that is null': mismatch('PutItem', 'NULL'),
  'PutItem: with an index key that is a number': mismatch('PutItem', 'N'),
  'UpdateItem: to an index key that is null': mismatch('UpdateItem', 'NULL'),
  'PutItem: without its key': invalid(
    'PutItem',
    'One or more parameter values were invalid: Missing the key email in the item',
  ),
  'Query: by an index, consistently': invalid(
    'Query',
    'Consistent reads are not supported on global secondary indexes',
  ),
  // It ignores ReturnValuesOnConditionCheckFailure.
  'PutItem: whose condition does not hold, asking for the item': conditionFailed('PutItem'),
  'UpdateItem: whose condition does not hold, asking for the item': conditionFailed('UpdateItem'),
  // It has no limit.
  'PutItem: of an item nested 33 levels deep': {
    calls: [{ call: 'PutItem', answer: {} }],
    changed: {
      'ada@example.com': {
        email: 'ada@example.com',
        id: 'ada',
        token_version: 3,
        password_reset_token: 'reset hash',
        tags: { set: ['a'] },
        nested: { n: 1 },
        list: nested(32),
      },
    },
    result: undefined,
  },
  // TransactWriteItems is this repository's, made of dynalite's actions, with their words.
  'TransactWriteItems: of no items': invalidTransaction(
    "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: " +
      'Member must have length greater than or equal to 1',
  ),
  'TransactWriteItems: without a key': invalidTransaction(
    'One or more parameter values were invalid: Missing the key email in the item',
  ),
  // DynamoDB gives it as the reason of a cancellation.
  'TransactWriteItems: with a key of another type': {
    ...invalidTransaction(
      'One or more parameter values were invalid: Type mismatch for key email expected: S actual: N',
    ),
    result: 'throws ValidationException',
  },
  'TransactWriteItems: with more than its key': invalidTransaction(
    'The provided key element does not match the schema',
  ),
  'TransactWriteItems: with a check without a condition': invalidTransaction(
    "1 validation error detected: Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to " +
      'satisfy constraint: Member must not be null',
  ),
  'TransactWriteItems: with a table that is not there': refused(
    'TransactWriteItems',
    'ResourceNotFoundException',
    'Requested resource not found',
  ),
  // DynamoDB Local ends the message of a check alone with a full stop.
  'TransactWriteItems: with a check that fails': { calls: [cancelled('None', 'ConditionalCheckFailed')] },
}
