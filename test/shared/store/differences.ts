/**
 * The operations that dynalite answers differently from DynamoDB, with the difference. No store relies on any of them:
 * keys and hashes are never empty, index keys are texts, and no write asks for the item that refused it.
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
/** It finds nothing, where DynamoDB refuses the call. */
const nothingFound = { calls: [{ call: 'Query', answer: { Count: 0, Items: [], ScannedCount: 0 } }] }

export const differences: Record<string, Record<string, unknown>> = {
  'find: an empty address': emptyKey,
  'GetItem: by an empty key': emptyKey,
  'findByToken: an empty token': { ...nothingFound, result: null },
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
}
