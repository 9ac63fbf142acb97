import { DomainError } from '../../shared/errors.ts'
import { CommandError } from './command-error.ts'

const sameStack = 'Does the stack of these outputs still exist, in the account of these credentials?'

/** What an operator can do about failures of AWS, by their names. */
const advice: Record<string, string> = {
  CredentialsProviderError: 'There are no AWS credentials. Choose a profile by AWS_PROFILE, or sign in again.',
  ExpiredTokenException: 'The AWS credentials have expired. Sign in again.',
  InvalidClientTokenId: 'AWS does not know these credentials. With --local: was the system started anew meanwhile?',
  NotFoundException: `There is no such key there. ${sameStack}`,
  QueueDoesNotExist: `There is no such queue there. ${sameStack}`,
  ResourceNotFoundException: `There is no such table there. ${sameStack}`,
  UnrecognizedClientException:
    'AWS does not know these credentials. With --local: was the system started anew meanwhile?',
}

/** SQS has a second name for it, of its older protocol (Amazon SQS, "AWS JSON protocol FAQs"). */
const denials = ['AccessDeniedException', 'AccessDenied']

/** The stack's outputs that name the policies, by the program that each allows. */
const policies: Record<string, string> = {
  users: 'OperatorUsersPolicy',
  mail: 'OperatorMailPolicy',
  keys: 'OperatorKeysPolicy',
}

/**
 * A failure in words for an operator; null for a bug.
 *
 * @param program as in `npm run <program>`
 */
export function explain(error: unknown, program: string): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof CommandError) return error.message
  if (error instanceof DomainError && error.cause !== undefined) return explain(error.cause, program)
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'Nobody answers there. With --local: does `npm start` run, with the same DATA_DIR?'
  }
  // The SDK throws a bare error.
  if (error.message === 'Region is missing') return 'There is no region. Name the one of the stack by AWS_REGION.'
  const hint = denials.includes(error.name) ? adviceOnPolicy(program) : advice[error.name]
  if (hint) return `${hint} (${error.message})`
  if ('$metadata' in error) return `${error.name}: ${error.message}`
  return 'code' in error && 'syscall' in error ? error.message : null
}

function adviceOnPolicy(program: string): string {
  const output = policies[program]
  return output
    ? `AWS refuses. The stack's output ${output} names the policy that allows \`npm run ${program}\`.`
    : 'AWS refuses.'
}
