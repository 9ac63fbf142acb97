import { DomainError } from '../../shared/errors.ts'
import { CommandError } from './command-error.ts'

/** What an operator can do about failures of AWS, by their names. */
const advice: Record<string, string> = {
  AccessDeniedException: "AWS refuses. The stack's output OperatorPolicy names the policy that allows these commands.",
  CredentialsProviderError: 'There are no AWS credentials. Choose a profile by AWS_PROFILE, or sign in again.',
  ExpiredTokenException: 'The AWS credentials have expired. Sign in again.',
  InvalidClientTokenId: 'AWS does not know these credentials. With --local: was the system started anew meanwhile?',
  NotFoundException: 'There is no such key there. Is AWS_REGION the region of the stack?',
  QueueDoesNotExist: 'There is no such queue there. Is AWS_REGION the region of the stack?',
  ResourceNotFoundException: 'There is no such table there. Is AWS_REGION the region of the stack?',
  UnrecognizedClientException:
    'AWS does not know these credentials. With --local: was the system started anew meanwhile?',
}

/** A failure in words for an operator; null for a bug. */
export function explain(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof CommandError) return error.message
  if (error instanceof DomainError && error.cause !== undefined) return explain(error.cause)
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'Nobody answers there. With --local: does `npm start` run, with the same DATA_DIR?'
  }
  const hint = advice[error.name]
  if (hint) return `${hint} (${error.message})`
  if ('$metadata' in error) return `${error.name}: ${error.message}`
  return 'code' in error && 'syscall' in error ? error.message : null
}
