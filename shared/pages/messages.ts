import type { ErrorCode } from '../base/errors.ts'

/**
 * What pages say when something goes wrong, for people: the API's own texts are for programmers. `{product}`, `{status}`
 * and `{wait}` are filled in.
 */

/** By the API's code. Any other refusal is a fault of the page or of the service: `unexpected`. */
const refusalWords: Partial<Record<ErrorCode, string>> = {
  'password-too-short': 'Use at least 8 characters.',
  'password-too-common':
    'Choose another password. This one is too easy to guess: it is a common one, your email address (or the part before ' +
    'the @), or the name {product}.',
  'wrong-password': 'This is not the password of the account. Try again.',
  'email-taken': 'There is an account with this address already. Log in to it, or change to another address.',
  'account-locked': 'This account is locked.',
  administrator: 'The account is an administrator’s: its address cannot be changed here.',
  'too-many-requests': 'There were too many tries from your network. Try again {wait}.',
  unavailable: 'The service does not work at the moment. Try again {wait}.',
}

/** By the name of a field: what to do if it is empty, and if the API does not take what is in it. */
export const fieldWords: Record<string, { empty: string; invalid: string }> = {
  email: { empty: 'Enter your email address.', invalid: 'Enter an email address, such as ada@example.com.' },
  password: { empty: 'Enter the password of the account.', invalid: 'This cannot be the password.' },
  code: { empty: 'Enter a code.', invalid: 'This cannot be a code.' },
  new_password: { empty: 'Enter a new password.', invalid: 'This cannot be a password. Use at most 256 characters.' },
}

const unexpected = 'Something went wrong ({status}). Try again {wait}.'

const unreachable = 'The service cannot be reached. Check your connection and try again.'

/**
 * What went wrong, in words for people.
 *
 * @param response null when none came
 * @param code the API's; a gateway's own answers have none
 */
export function describe(response: Response | null, code: string | undefined, product: string): string {
  if (response === null) return unreachable
  const isLimited = response.status === 429
  const words = refusalWords[(code ?? (isLimited ? 'too-many-requests' : 'internal')) as ErrorCode]
  return (words ?? unexpected)
    .replace('{status}', String(response.status))
    .replace('{wait}', whenToRetry(Number(response.headers.get('retry-after'))))
    .replace('{product}', () => product)
}

const relative = new Intl.RelativeTimeFormat('en')

/** @param seconds 0 or NaN: unknown */
function whenToRetry(seconds: number): string {
  if (!(seconds > 0)) return 'in a moment'
  if (seconds <= 90) return relative.format(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? relative.format(minutes, 'minute') : relative.format(Math.ceil(minutes / 60), 'hour')
}
