import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { DomainError } from '../base/errors.ts'
import type { System } from '../base/system.ts'

export type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>

/** How the tries of a transaction keep apart. */
export type Waiting = Pick<System, 'pause' | 'randomBytes'>

/**
 * Milliseconds before each further try of a transaction that met another one, at most: DynamoDB holds items for a few of
 * them. Each pause is random, from half of that on, so that two that met do not meet again.
 */
const pauses = [20, 60, 180]

/**
 * Writes several items, all or none. The SDK repeats a transaction whose answer was lost: then a condition refuses what the
 * first one wrote, which the caller recognises by its mark.
 *
 * @returns null when it is written; else, for each write in order, whether its condition refused it
 * @throws {DomainError} `unavailable` also when it meets other transactions at every try
 */
export async function writeTogether(
  db: DynamoDBDocumentClient,
  { pause: waitFor, randomBytes }: Waiting,
  writes: Writes,
): Promise<boolean[] | null> {
  for (const pause of [...pauses, null]) {
    try {
      await db.send(new TransactWriteCommand({ TransactItems: writes }))
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

/** The reasons of a cancelled transaction; none of another error. */
function codesOf(error: unknown): (string | undefined)[] {
  // By name: importing the class would add a DynamoDB client to bundles that need none.
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return []
  const { CancellationReasons = [] } = error as Error & { CancellationReasons?: { Code?: string }[] }
  return CancellationReasons.map(({ Code }) => Code)
}
