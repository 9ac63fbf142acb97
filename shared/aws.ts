import { DomainError } from './errors.ts'

/**
 * Bounds on waiting, in milliseconds. DynamoDB, SQS, SES and KMS answer within tens of them. A call that does not answer
 * is given up after 3 s and its pauses, so that a request of which one part fails is told so within the 10 s that its
 * function has, a password's hash included.
 */
const timeouts = { connectionTimeout: 500, requestTimeout: 1000, throwOnRequestTimeout: true }

/** What every client of the SDK is made with. */
export const clientConfig = { maxAttempts: 3, requestHandler: timeouts }

/** Awaits an answer of AWS. @throws {DomainError} `unavailable` when there is none, or an error */
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
 * @returns null when its condition did not hold
 * @throws {DomainError} `unavailable`
 */
export const conditionalWrite = <T>(write: Promise<T>): Promise<T | null> => callAws(write.catch(nullWhenRefused))

function nullWhenRefused(error: unknown): null {
  // By name: importing the class would put a DynamoDB client into bundles that need none.
  if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null
  throw error
}
