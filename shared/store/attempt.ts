import { DomainError } from '../errors.ts'

/** Awaits an answer of AWS. @throws {DomainError} `unavailable` when there is none, or an error */
export async function reach<T>(call: Promise<T>): Promise<T> {
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
export const attempt = <T>(write: Promise<T>): Promise<T | null> => reach(write.catch(nullWhenRefused))

function nullWhenRefused(error: unknown): null {
  // By name: importing the class would put a DynamoDB client into bundles that need none.
  if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null
  throw error
}
