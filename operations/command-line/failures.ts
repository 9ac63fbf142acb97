import { DomainError } from '../../shared/base/errors.ts'
import type { Shown } from './terminal.ts'

/** Exit codes: 0 success, 1 a printed failure, 2 a wrong call, 130 an interruption (128 and SIGINT's number). */
export type Status = 0 | 1 | 2 | 130

/** Ends a command. Its message is for the operator. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly status: Status
  readonly shown: Shown

  constructor(shown: Shown, status: Status = 1) {
    super(typeof shown === 'string' ? shown : shown.join('\n'))
    this.shown = shown
    this.status = status
  }
}

const sameStack = 'Does the stack in the outputs file still exist, and are these credentials for its account?'

const unknownCredentials =
  'AWS does not know these credentials. With --local: if the system has just restarted, run the command again.'

/** Advice for an operator on errors of AWS, by name. */
const advice: Record<string, string> = {
  CredentialsProviderError:
    'There are no AWS credentials. Set AWS_PROFILE to a profile in ~/.aws/config, or sign in again.',
  ExpiredTokenException: 'The AWS credentials have expired. Sign in again.',
  InvalidClientTokenId: unknownCredentials,
  NotFoundException: `KMS has no such key. ${sameStack}`,
  QueueDoesNotExist: `SQS has no such queue. ${sameStack}`,
  ResourceNotFoundException: `DynamoDB has no such table. ${sameStack}`,
  UnrecognizedClientException: unknownCredentials,
}

/** SQS still uses the name of its older protocol too (Amazon SQS, "AWS JSON protocol FAQs"). */
const denials = ['AccessDeniedException', 'AccessDenied']

/** The stack's outputs that name the policies, by program. */
const policies: Record<string, string> = {
  users: 'OperatorUsersPolicy',
  mail: 'OperatorMailPolicy',
  keys: 'OperatorKeysPolicy',
  stack: 'OperatorStackPolicy',
  providers: 'OperatorKeysPolicy',
}

/**
 * Explains a failure to an operator; null for a bug.
 *
 * @param program of `npm run <program>`
 */
export function explain(error: unknown, program: string): Shown | null {
  if (!(error instanceof Error)) return null
  if (error instanceof CommandError) return error.shown
  if (error instanceof DomainError && error.cause !== undefined) return explain(error.cause, program)
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'Nothing answers at that address. With --local: is `npm start` running, with the same DATA_DIR?'
  }
  if ('code' in error && error.code === 'ENOTFOUND') {
    return `${error.message}. Is this machine online, and is AWS_REGION the region of the stack?`
  }
  // The SDK throws a plain Error.
  if (error.message === 'Region is missing') return 'There is no region. Set AWS_REGION to the region of the stack.'
  const hint = denials.includes(error.name)
    ? adviceOnPolicy(/\bsqs:/i.test(error.message) ? 'mail' : program)
    : advice[error.name]
  if (hint) return `${hint} (${error.message})`
  if ('$metadata' in error) return `${error.name}: ${error.message}`
  return 'code' in error && 'syscall' in error ? error.message : null
}

function adviceOnPolicy(program: string): string {
  const output = policies[program]
  return output
    ? `AWS denies access. The stack's output ${output} names the policy that allows \`npm run ${program}\`.`
    : 'AWS denies access.'
}
