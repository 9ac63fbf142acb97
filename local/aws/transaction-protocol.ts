import type { JsonObject } from '../template/template.ts'
import { AwsError } from './service.ts'

/** What IAM and DynamoDB's callers see of TransactWriteItems. */

/** The actions of a transaction as IAM knows them, each with what it does to its item. */
export function actionsOf({ TransactItems }: JsonObject): [action: string, entry: JsonObject][] {
  return objectsOf(TransactItems).flatMap(members =>
    Object.entries(members).map(([kind, entry]): [string, JsonObject] => [`${kind}Item`, objectsOf([entry])[0] ?? {}]),
  )
}

const objectsOf = (list: unknown): JsonObject[] =>
  Array.isArray(list) ? list.filter(member => typeof member === 'object' && member !== null) : []

/** Why DynamoDB did not write one item of a transaction. */
export interface Reason {
  Code: 'None' | 'ConditionalCheckFailed' | 'TransactionConflict'
  Message?: string
  /** The item that the condition refused, if the call asks for it. */
  Item?: JsonObject
}

/** A transaction that wrote nothing. @param reasons in the order of its items */
export const cancellation = (reasons: readonly Reason[]): AwsError =>
  new AwsError(
    400,
    'TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
      `[${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons.map(reason => ({ ...reason })) },
  )

const conflictMessage = 'Transaction is ongoing for the item'

/**
 * What DynamoDB answers to a write that meets a transaction on the same item.
 *
 * @param inConflict for each item of the call, whether another transaction has it
 */
export const conflict = (action: string, inConflict: readonly boolean[]): AwsError =>
  action === 'TransactWriteItems'
    ? cancellation(
        inConflict.map(isHit => (isHit ? { Code: 'TransactionConflict', Message: conflictMessage } : { Code: 'None' })),
      )
    : new AwsError(400, 'TransactionConflictException', conflictMessage)
