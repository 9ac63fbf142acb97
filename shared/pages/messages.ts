import type { ErrorCode } from '../base/errors.ts'

/**
 * What pages say when something goes wrong, for people: the API's own texts are for programmers. `{product}`, `{status}`
 * and `{wait}` are filled in.
 */

/** By the API's code. Any other refusal is a fault of the page or of the service: `unexpected`. */
export const refusalWords: Partial<Record<ErrorCode, string>> = {
  'password-too-short': 'Use at least 8 characters.',
  'password-too-common':
    'Choose another password. This one is too easy to guess: it is a common one, your email address (or the part before ' +
    'the @), or the name {product}.',
  'too-many-requests': 'There were too many tries from your network. Try again {wait}.',
  unavailable: 'The service does not work at the moment. Try again {wait}.',
}

/** By the name of a field: what to do if it is empty, and if the API does not take what is in it. */
export const fieldWords: Record<string, { empty: string; invalid: string }> = {
  email: { empty: 'Enter your email address.', invalid: 'Enter an email address, such as ada@example.com.' },
  new_password: { empty: 'Enter a new password.', invalid: 'This cannot be a password. Use at most 256 characters.' },
}

export const unexpected = 'Something went wrong ({status}). Try again {wait}.'

export const unreachable = 'The service cannot be reached. Check your connection and try again.'
