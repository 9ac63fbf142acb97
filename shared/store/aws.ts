import { DomainError } from '../base/errors.ts'

/**
 * In milliseconds. DynamoDB, SQS, SES and KMS answer within tens of them. A call without an answer fails after three
 * tries of one second and the pauses between them, so that its request can still be answered within the 10 s that the
 * function has, even when it hashes a password.
 */
const timeouts = { connectionTimeout: 500, requestTimeout: 1000, throwOnRequestTimeout: true }

/** The configuration of every SDK client. */
export const clientConfig = { maxAttempts: 3, requestHandler: timeouts }

/**
 * Awaits a call to AWS. A single write that meets a transaction on its item (`TransactionConflictException`) fails too: the
 * account is just moving, or its address is being taken, and the caller's next try finds out.
 *
 * @throws {DomainError} `unavailable` when AWS answers with an error, or not at all
 */
export async function callAws<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    throw new DomainError('unavailable', { cause })
  }
}

/**
 * Awaits a conditional write.
 *
 * @returns null when its condition is not met
 * @throws {DomainError} `unavailable`
 */
export const conditionalWrite = <T>(write: Promise<T>): Promise<T | null> => callAws(write.catch(nullWhenRefused))

function nullWhenRefused(error: unknown): null {
  // By name: importing the class would add a DynamoDB client to bundles that need none.
  if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null
  throw error
}
