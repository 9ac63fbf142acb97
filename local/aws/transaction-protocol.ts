import type { JsonObject } from '../template/template.ts'
import { AwsError } from './service.ts'

/** TransactWriteItems for IAM, and for DynamoDB's callers. */

/** The actions of a transaction for IAM, each with its entry. */
export function actionsOf({ TransactItems }: JsonObject): [action: string, entry: JsonObject][] {
  return objectsOf(TransactItems).flatMap(members =>
    Object.entries(members).map(([kind, entry]): [string, JsonObject] => [`${kind}Item`, objectsOf([entry])[0] ?? {}]),
  )
}

const objectsOf = (list: unknown): JsonObject[] =>
  Array.isArray(list) ? list.filter(member => typeof member === 'object' && member !== null) : []

/** Why DynamoDB did not write an item of a transaction. */
export interface Reason {
  Code: 'None' | 'ConditionalCheckFailed' | 'TransactionConflict'
  Message?: string
  /** The item at which the condition failed, if the call asks for it. */
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
 * DynamoDB's answer to a write that conflicts with a transaction on the same item.
 *
 * @param inConflict whether another transaction holds each item of the call
 */
export const conflict = (action: string, inConflict: readonly boolean[]): AwsError =>
  action === 'TransactWriteItems'
    ? cancellation(
        inConflict.map(isHit => (isHit ? { Code: 'TransactionConflict', Message: conflictMessage } : { Code: 'None' })),
      )
    : new AwsError(400, 'TransactionConflictException', conflictMessage)

const tokenRefusals = {
  IdempotentParameterMismatchException:
    'DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.',
  TransactionInProgressException: 'The transaction with the given request token is already in progress.',
}

/** A transaction under a token that another one has had (Amazon DynamoDB, "TransactWriteItems", Errors). */
export const tokenRefusal = (code: keyof typeof tokenRefusals): AwsError => new AwsError(400, code, tokenRefusals[code])
