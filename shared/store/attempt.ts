import { DomainError } from '../errors.ts'

/**
 * Awaits a call to AWS.
 *
 * @returns null when the condition of a DynamoDB write did not hold
 * @throws {DomainError} `unavailable` on any other failure
 */
export async function attempt<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    // By name: importing the class would put a DynamoDB client into bundles that need none.
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null
    throw new DomainError('unavailable', { cause: error })
  }
}
