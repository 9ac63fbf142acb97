export type Refusal = readonly [status: number, detail: string, headers?: Record<string, string>]

/**
 * Every refusal: its stable code, HTTP status, text and header fields. No other file lists them.
 *
 * The texts of the specification's section 7 are exact; the others say what to change.
 */
export const refusals = {
  'email-taken': [400, 'Email already registered'],
  'password-too-short': [400, 'Password must be at least 8 characters'],
  'password-too-common': [400, 'This password is too common'],
  'former-password': [400, 'Choose another password than the one before'],
  'invalid-reset-token': [400, 'Invalid or expired reset token'],
  'invalid-verification-token': [400, 'Invalid or expired verification token'],
  'invalid-email-change-token': [400, 'Invalid or expired email change token'],
  'invalid-undo-token': [400, 'Invalid or expired undo link'],
  'invalid-invitation': [400, 'Invalid or expired invitation'],
  // 400, not 401, as for other one-time tokens (RFC 6749 §5.2, `invalid_grant`): clients answer 401 with a refresh.
  'invalid-refresh-token': [400, 'Invalid or expired refresh token'],
  'wrong-password': [400, 'Incorrect current password'],
  'no-second-factor-setup': [400, 'There is no second factor to confirm'],
  'no-second-factor': [400, 'This account has no second factor'],
  // 400 with an access token, as for a wrong password; 401 at login (`refusalAmong`).
  'second-factor-required': [400, 'A second factor is required'],
  'wrong-code': [400, 'Incorrect code'],
  'used-code': [400, 'This code was used already'],
  'codes-disabled': [400, 'Codes are disabled for this account'],
  'invalid-passkey-challenge': [400, 'Invalid or expired passkey challenge'],
  // 401 at login.
  'wrong-passkey': [400, 'This passkey does not work here'],
  'no-passkey': [400, 'This account has no such passkey'],
  'too-many-passkeys': [400, 'An account has at most ten passkeys'],
  // 403 at login.
  'passkey-required': [400, 'Log in with a passkey'],
  'no-password': [400, 'This account has no password yet; choose one by a mailed link'],
  'provider-refused': [400, 'The provider did not confirm this login; start again'],
  'invalid-provider-token': [400, 'This login took too long; start again'],
  'provider-taken': [400, 'This account at the provider is connected to another account here'],
  'provider-limit': [400, 'Five providers are connected already'],
  'unknown-client': [400, 'There is no such application'],
  'unknown-redirect': [400, 'The application may not send people back to this address'],
  'invalid-authorization-request': [400, 'The application asked for something that it may not have'],
  'confirmation-required': [400, 'Ask whether to go on'],
  'missing-body': [400, 'The request has no body; send a JSON object'],
  'malformed-json': [400, 'The body is not valid JSON in UTF-8'],
  'query-parameter-unknown': [400, 'Unknown query parameter'],
  'query-parameter-repeated': [400, 'A query parameter is given more than once'],
  'query-parameter-invalid': [400, 'A query parameter has an invalid value'],
  'query-parameter-missing': [400, 'A required query parameter is missing'],
  'bad-credentials': [401, 'Incorrect email or password', { 'www-authenticate': 'Bearer' }],
  'password-required': [
    401,
    'There is an account for this address already; enter its password once to connect the provider',
    { 'www-authenticate': 'Bearer' },
  ],
  'login-required': [401, 'Log in to go on', { 'www-authenticate': 'Bearer' }],
  // RFC 6750 §3.1: without a credential, no error code.
  'not-authenticated': [401, 'Not authenticated', { 'www-authenticate': 'Bearer realm="auth"' }],
  'invalid-access-token': [
    401,
    'Invalid or expired token',
    {
      'www-authenticate':
        'Bearer realm="auth", error="invalid_token", error_description="The access token is malformed, expired or revoked"',
    },
  ],
  'insufficient-scope': [
    403,
    'The access token does not allow this',
    { 'www-authenticate': 'Bearer realm="auth", error="insufficient_scope"' },
  ],
  'account-locked': [403, 'This account is locked'],
  'passkeys-off': [403, 'There are no passkeys here'],
  'second-factor-off': [403, 'Second factors are switched off here'],
  'second-factor-setup': [403, 'Set up a second factor first: a link has been mailed to you'],
  'second-factor-required-here': [403, 'A second factor is required here'],
  'email-not-verified': [403, 'Please verify your email address before logging in'],
  'provider-not-allowed': [403, 'This account at the provider cannot be used here'],
  'provider-email-unverified': [
    403,
    'The provider does not confirm your email address; register with a password, then connect it',
  ],
  'sign-up-closed': [403, 'Accounts are opened by invitation here'],
  'email-domain-not-allowed': [403, 'This email domain cannot be used here'],
  'origin-not-allowed': [403, 'Not allowed from this origin'],
  administrator: [403, "An administrator's account cannot be deleted here"],
  'not-found': [404, 'There is nothing at this path'],
  'provider-not-found': [404, 'There is no such provider'],
  'module-not-found': [404, 'There is no such module'],
  'parameter-not-found': [404, 'There is no such parameter'],
  'set-not-found': [404, 'There is no such set'],
  'method-not-allowed': [405, 'This path does not answer this method'],
  'body-too-large': [413, 'The body is larger than 16 KiB'],
  'query-too-long': [414, 'The query string is too long: send a POST'],
  'unsupported-media-type': [415, 'The body must be JSON: send Content-Type: application/json'],
  // RFC 9110 §15.5.16: the field distinguishes a refused coding from a refused media type.
  'unsupported-content-encoding': [
    415,
    'The body must not be compressed: send it without Content-Encoding',
    { 'accept-encoding': 'identity' },
  ],
  'invalid-body': [422, 'The body does not have the expected shape'],
  'too-many-requests': [429, 'Too many requests'],
  internal: [500, 'Something went wrong on our side'],
  'provider-unavailable': [
    503,
    'The provider does not answer; try again, or log in another way',
    { 'retry-after': '5' },
  ],
  // Most failures of AWS are over within seconds.
  unavailable: [503, 'The service is temporarily unavailable; try again', { 'retry-after': '5' }],
} as const satisfies Record<string, Refusal>

export type ErrorCode = keyof typeof refusals

/** The text of a refused change of address, or of its refused undo. */
export const addressRefusals = { administrator: "An administrator's address cannot be changed here" } as const

const unauthorized = { status: 401, headers: refusals['bad-credentials'][2] } as const

/** Refusals that differ at login: a credential is missing or wrong there (RFC 9110 §15.5.2), or does not help. */
const atLogin: Partial<Record<ErrorCode, { status: number; headers?: Record<string, string> }>> = {
  'second-factor-required': unauthorized,
  'wrong-code': unauthorized,
  'used-code': unauthorized,
  'codes-disabled': unauthorized,
  'wrong-passkey': unauthorized,
  'passkey-required': { status: 403 },
}

/** Refusals of a second factor. */
export type FactorCode = 'second-factor-required' | 'wrong-code' | 'used-code' | 'codes-disabled'

/** A refusal as login answers it. */
export const refusedAtLogin = ({ code, options }: DomainError): DomainError =>
  new DomainError(code, { ...options, ...atLogin[code] })

/** A refusal of a route, given all its codes. A route counts as a login if it takes a password or a passkey without an access token. */
export function refusalAmong(codes: readonly ErrorCode[], code: ErrorCode): Refusal {
  const isLogin =
    codes.includes('bad-credentials') || (codes.includes('wrong-passkey') && !codes.includes('not-authenticated'))
  const answer = isLogin ? atLogin[code] : undefined
  return answer ? [answer.status, refusals[code][1], answer.headers ?? {}] : refusals[code]
}

const textSays = 'A fault of the client: the text says what to send'

/** What clients should do about each code, for the guide. No bundle holds it. */
export const advice: Record<ErrorCode, string> = {
  'email-taken': 'Offer to log in, or to reset the password',
  'password-too-short': 'Ask for a longer one',
  'password-too-common':
    'Ask for another one. Only with `PASSWORD_BLOCKLIST=on` or `online`; there `reason` is `breached` if it is known from a breach',
  'former-password':
    'Ask for another one: somebody else may know the one before, which was voided by an undo or by the operator. The link still works',
  'invalid-reset-token':
    'The link was used, is over an hour old, or a newer one was sent: offer a new one (`forgot-password`)',
  'invalid-verification-token':
    'The link was used, is over a day old, or a newer one was sent: offer a new one (`resend-verification`), and a login for people who have already verified',
  'invalid-email-change-token':
    'The link was used, is over a day old, or a newer one was sent: offer a new one (`change-email`), and a login with the new address for people who have already confirmed',
  'invalid-undo-token':
    'The link was used, is over seven days old, or was voided by an earlier undo: offer to reset the password (`forgot-password`). Or another account has the address: people who have registered again delete that one, and open the link once more',
  'invalid-invitation':
    'The link was used, is over seven days old, or a newer one was sent: offer a new one (`forgot-password`), which comes while the invitation stands, and a login for people who have already accepted it',
  'invalid-refresh-token': 'The session has ended: forget both tokens, and ask people to log in again',
  'wrong-password': 'Ask again. The token is still valid',
  'no-second-factor-setup': 'Set one up (`/auth/second-factor/setup`): what was set up waits 15 minutes',
  'no-second-factor': 'Offer to set one up (`/auth/second-factor/setup`)',
  'second-factor-required':
    'Ask for a code, and send the same again with it as `code`. `methods` says which: `code` from the app, or a `recovery` code. 401 at login',
  'wrong-code': 'Ask again. 401 at login',
  'used-code': 'Wait for the next code, and ask again. 401 at login',
  'codes-disabled':
    'Ask for a recovery code, or offer to reset the password: after a hundred wrong codes only these help. 401 at login',
  'invalid-passkey-challenge':
    'It was used, or is over ten minutes old: ask for a new one, and for the passkey once more',
  'wrong-passkey':
    'Offer the password: the passkey may have been removed. 401 at login. If `reason` is `unknown`, tell the browser (`signalUnknownCredential`)',
  'no-passkey': 'Read the list again (`GET /auth/passkeys`), or ask for the password',
  'too-many-passkeys': 'Offer to remove one',
  'passkey-required':
    'Ask for a passkey: the password alone does not suffice for this account. 403 at login. Only with `SECOND_FACTOR=required`',
  'no-password': 'Offer a link to choose one (`forgot-password`): people have logged in by a provider alone',
  'provider-refused': 'Send people to the provider again: a code works once, in the browser that asked for it',
  'invalid-provider-token': 'Send people to the provider again: it works for ten minutes, and until one success',
  'provider-taken': 'Log in to that account and disconnect the provider there, or use another account at the provider',
  'provider-limit': 'Disconnect one first (`disconnect-provider`)',
  'password-required':
    'Ask for the password of the account at `email`, and send it with that address and `provider_token`. Offer a link to choose another (`forgot-password`)',
  'provider-not-allowed': 'Use another account there: the operator says which (`require` in `SIGN_IN_PROVIDERS`)',
  'provider-email-unverified':
    'Offer to register with a password. Whoever has an account sends its address and password with `provider_token`',
  'provider-not-found': 'Read the list again (`GET /auth/providers`)',
  'provider-unavailable': 'Wait `Retry-After` seconds and send people to the provider again, or offer the password',
  'unknown-client': 'A fault of the application, or its operator has not listed it in `OIDC_CLIENTS`',
  'unknown-redirect': "The operator adds the address to the application's `redirects`, letter for letter",
  'invalid-authorization-request': 'A fault of the application: the text says which parameter',
  'confirmation-required': 'Ask, and send the same again with `confirmed`',
  'login-required': 'Ask for address and password (`/auth/authorize`)',
  'insufficient-scope':
    'A fault of the client: an application asks for the scopes that it needs, and other endpoints take the tokens of a login alone',
  'missing-body': textSays,
  'malformed-json': textSays,
  'query-parameter-unknown': 'A fault of the client: `allowed` lists those that exist',
  'query-parameter-repeated': textSays,
  'query-parameter-invalid': '`allowed` lists its values',
  'query-parameter-missing': 'A fault of the client: `allowed` lists those that are required',
  'bad-credentials': 'Ask again, and offer to reset the password. The API does not say which of the two is wrong',
  'not-authenticated': 'A fault of the client: send the token in `Authorization`',
  'invalid-access-token': 'Forget the token, and ask people to log in again',
  'origin-not-allowed': "The operator adds your app's origin to `CORS_ORIGINS`",
  'account-locked': 'An operator locked it: say whom to contact',
  'passkeys-off': 'Do not offer them: the operator has none (`PASSKEY_RP_ID`)',
  'second-factor-off': 'Do not offer it: the operator switched it off (`SECOND_FACTOR=off`)',
  'second-factor-setup':
    'Say that a mail has been sent: its link leads to a page on which people set one up. Only with `SECOND_FACTOR=required`',
  'second-factor-required-here': 'Do not offer it: everybody has one here (`SECOND_FACTOR=required`)',
  'email-not-verified':
    'Offer a new link (`resend-verification`). Only with `REQUIRE_EMAIL_VERIFICATION=true`, and at applications',
  'sign-up-closed': 'Offer to log in. Only operators open accounts here (`SIGN_UP=invited`)',
  'email-domain-not-allowed':
    'Ask for another address. The operator says at which domains accounts are (`SIGN_UP_DOMAINS`); no answer lists them',
  administrator: 'An operator must first remove the rights (`npm run users -- admin <email or id> off`)',
  'not-found': 'Check the path: `suggestions`, if present, has the nearest',
  'module-not-found': '`suggestions` has the nearest names',
  'parameter-not-found': '`suggestions` has the nearest names',
  'set-not-found': '`suggestions` has the nearest names',
  'method-not-allowed': 'A fault of the client: `Allow` has the methods',
  'body-too-large': 'A fault of the client: no body needs that much. `/catalogue` takes 64 KiB',
  'query-too-long': 'Send the parameters as the body of a POST',
  'unsupported-media-type':
    'A fault of the client: send `Content-Type: application/json`. `/catalogue` takes forms too',
  'unsupported-content-encoding': textSays,
  'invalid-body': 'Show each of `errors` at its field: `pointer` (`/email`) says which, and `detail` what is wrong',
  'too-many-requests': 'Wait `Retry-After` seconds, then send the same again. The text names the limit',
  internal:
    'A bug of the API: tell its operator. The request may or may not have taken effect: check before you send it again',
  unavailable: 'Wait `Retry-After` seconds, then send the same again: nothing is half done',
}

const ofPrograms = 'only a faulty program gets it; pages call it `internal`'
const ofLinks = 'the page says that the link no longer works'

/**
 * Codes without a text on our pages, and why; no bundle holds it. Every other code has its words in `forms.refusals` of
 * `shared/words/en.ts` (`test/types/words.ts`).
 */
export const wordlessCodes = {
  'invalid-reset-token': ofLinks,
  'invalid-verification-token': ofLinks,
  'invalid-email-change-token': ofLinks,
  'invalid-undo-token': ofLinks,
  'invalid-invitation': ofLinks,
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
} as const satisfies Partial<Record<ErrorCode, string>>

/** Titles by status (RFC 9110 §15), for problems of type `about:blank` (RFC 9457 §4.2.1). Every refusal's status has one. */
export const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} satisfies Record<(typeof refusals)[ErrorCode][0], string>

/** Details of a refusal beside its code. */
interface RefusalOptions {
  /** Replaces the code's own status. */
  status?: number
  /** Replaces the code's own text. */
  detail?: string
  headers?: Record<string, string>
  /** Further members of the problem document (RFC 9457 §3.2). */
  members?: Record<string, unknown>
  cause?: unknown
}

/** A refusal that the caller is told. Any other thrown value is a bug. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly options: RefusalOptions

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.detail ?? refusals[code][1], 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'DomainError'
    this.code = code
    this.options = options
  }
}

/** The refusal of a member of a body for what its schema does not know. @param detail what is wrong: `is required` */
export const invalidMember = (name: string, detail: string): DomainError =>
  new DomainError('invalid-body', {
    detail: `'${name}' ${detail}`,
    members: { errors: [{ pointer: `/${name}`, detail }] },
  })
