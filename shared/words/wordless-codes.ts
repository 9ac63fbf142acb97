import type { ErrorCode } from '../base/errors.ts'
import type { en } from './en.ts'

type Wordless = Exclude<ErrorCode, keyof typeof en.pages.forms.refusals>

const ofPrograms = 'only a faulty program gets it; pages call it `internal`'
const ofLinks = 'the page says that the link no longer works'

/** The codes that nobody meets as a text, and why. Each other code has its words in `en.pages.forms.refusals`. */
export const wordlessCodes: Record<Wordless, string> = {
  'invalid-reset-token': ofLinks,
  'invalid-verification-token': ofLinks,
  'invalid-email-change-token': ofLinks,
  'invalid-undo-token': ofLinks,
  'invalid-refresh-token': 'the account page asks for a login',
  'login-required': 'the page asks for a login',
  'confirmation-required': 'the page asks',
  'insufficient-scope': ofPrograms,
  'unknown-client': 'the page of `/authorize` has words of its own',
  'unknown-redirect': 'the page of `/authorize` has words of its own',
  'invalid-authorization-request': 'the application is told',
  'invalid-access-token': 'the account page asks for a login',
  'second-factor-required': 'the page asks for a code',
  'no-second-factor': 'the account page offers what needs a factor to accounts that have one',
  'invalid-body': 'the page marks the field',
  'missing-body': ofPrograms,
  'malformed-json': ofPrograms,
  'query-parameter-unknown': ofPrograms,
  'query-parameter-repeated': ofPrograms,
  'query-parameter-invalid': ofPrograms,
  'query-parameter-missing': ofPrograms,
  'not-authenticated': ofPrograms,
  'origin-not-allowed': ofPrograms,
  'not-found': ofPrograms,
  'module-not-found': ofPrograms,
  'parameter-not-found': ofPrograms,
  'set-not-found': ofPrograms,
  'method-not-allowed': ofPrograms,
  'body-too-large': ofPrograms,
  'query-too-long': ofPrograms,
  'unsupported-media-type': ofPrograms,
  'unsupported-content-encoding': ofPrograms,
}
