import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { DomainError } from '../base/errors.ts'
import type { System } from '../base/system.ts'

/** A write of one item in a transaction. */
export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Dependencies of a backoff. */
export type Waiting = Pick<System, 'pause' | 'randomBytes'>

/**
 * Maximum milliseconds before each retry of a transaction after a conflict: DynamoDB holds items for a few of them.
 * Each pause is random, from half of that on, so that two transactions do not conflict again.
 */
const pauses = [20, 60, 180]

/**
 * Writes several items, all or none. The SDK draws a `ClientRequestToken` for each transaction and sends it with every retry: one
 * whose answer was lost is answered as the first was, for ten minutes.
 *
 * @returns null when written; else, for each write in order, whether its condition failed
 * @throws {DomainError} `unavailable` also when every attempt conflicts with other transactions
 */
export async function writeTogether(
  db: DynamoDBDocumentClient,
  { pause: waitFor, randomBytes }: Waiting,
  writes: readonly Write[],
): Promise<boolean[] | null> {
  for (const pause of [...pauses, null]) {
    try {
      await db.send(new TransactWriteCommand({ TransactItems: [...writes] }))
      return null
    } catch (cause) {
      const codes = codesOf(cause)
      if (codes.every(code => code === 'None' || code === 'ConditionalCheckFailed') && codes.length > 0) {
        return codes.map(code => code === 'ConditionalCheckFailed')
      }
      if (pause === null || !codes.includes('TransactionConflict')) throw new DomainError('unavailable', { cause })
      const [random = 0] = randomBytes(1)
      await waitFor(pause * (0.5 + random / 512))
    }
  }
  throw new DomainError('unavailable')
}

/** The reasons of a cancelled transaction; empty for another error. */
function codesOf(error: unknown): (string | undefined)[] {
  // By name: importing the class would add a DynamoDB client to bundles that do not need one.
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return []
  const { CancellationReasons = [] } = error as Error & { CancellationReasons?: { Code?: string }[] }
  return CancellationReasons.map(({ Code }) => Code)
}
