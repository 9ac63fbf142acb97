/** Dependencies of every function, whatever its row grants. It imports nothing, so that everything can import it. */
export interface System<Limit extends string = never> {
  now(): Date
  /** A UUIDv7 (RFC 9562 §5.7): unique, and ordered by time. */
  newId(): string
  randomBytes(size: number): Uint8Array
  pause(milliseconds: number): Promise<void>
  /** Writes one structured entry, which never contains an address, a password or a token. */
  log(entry: AuthEvent<Limit> | Failure): void
}

/** An alarm counts the event: only such events are metrics, which cost 0.30 dollars a month each. */
const counted = true
const uncounted = false

/** Logged events of accounts, and of requests about them. */
export const events = {
  registered: counted,
  'logged-in': uncounted,
  'login-failed': counted,
  'login-limited': counted,
  'request-limited': counted,
  'reset-requested': uncounted,
  'verification-requested': uncounted,
  'password-reset': uncounted,
  'password-changed': uncounted,
  'invitation-accepted': uncounted,
  'wrong-password': counted,
  'second-factor-required': uncounted,
  'wrong-code': counted,
  'used-code': uncounted,
  'codes-disabled': uncounted,
  'recovery-code-used': counted,
  'factor-set-up': uncounted,
  'factor-replaced': uncounted,
  'factor-removed': uncounted,
  'recovery-codes-renewed': uncounted,
  'passkey-added': uncounted,
  'passkey-removed': uncounted,
  'passkey-refused': uncounted,
  'passkey-origin-refused': counted,
  'passkey-copied': counted,
  'provider-login': uncounted,
  'provider-connected': uncounted,
  'provider-disconnected': uncounted,
  'provider-refused': uncounted,
  'provider-unavailable': counted,
  'provider-misconfigured': counted,
  authorized: uncounted,
  'session-opened': uncounted,
  'session-refreshed': uncounted,
  'session-shared': uncounted,
  'session-ended': uncounted,
  'session-reused': counted,
  'code-reused': counted,
  'client-refused': counted,
  'key-unusable': counted,
  'blocklist-unavailable': counted,
  'logged-out-everywhere': uncounted,
  'account-deleted': uncounted,
  'email-change-requested': uncounted,
  'email-changed': counted,
  'change-undone': counted,
  'account-gave-way': uncounted,
  'email-verified': uncounted,
  'mail-sent': uncounted,
  'mail-dropped': uncounted,
  'mail-capped': counted,
  'mail-failed': counted,
  'rehash-failed': uncounted,
  'hash-unsupported': uncounted,
} as const satisfies Record<string, boolean>

type EventName = keyof typeof events

/** The reasons of events that have any: our own words alone, so that no input is logged. */
export const reasons = {
  'logged-in': ['passkey'],
  'account-gave-way': ['unverified', 'invited', 'provider'],
  'login-failed': ['credentials', 'locked', 'unverified', 'outdated', 'no-second-factor'],
  'login-limited': ['pair', 'address', 'codes'],
  // Or the name of a limited endpoint.
  'request-limited': ['register-day'],
  'mail-dropped': [
    'dated-ahead',
    'delivery-off',
    'expired',
    'has-factor',
    'invitation-expired',
    'invited',
    'locked',
    'no-account',
    'not-a-token',
    'not-done',
    'outdated',
    'superseded',
    'told-today',
    'unverified',
    'verified',
  ],
  // The call of KMS, by its own name.
  'key-unusable': ['Sign', 'GetPublicKey', 'Encrypt', 'Decrypt'],
  'mail-failed': ['malformed'],
  // In the order of the checks: an id token's first fault.
  'provider-refused': [
    'code',
    'form',
    'algorithm',
    'key',
    'signature',
    'issuer',
    'audience',
    'expired',
    'age',
    'nonce',
    'subject',
  ],
  'provider-unavailable': ['silent', 'answer', 'keys'],
  'blocklist-unavailable': ['silent', 'answer'],
  'provider-misconfigured': ['secret', 'client'],
  // In the order of the checks: a passkey's first fault.
  'passkey-refused': [
    'form',
    'no-account',
    'unknown',
    'type',
    'origin',
    'rp-id',
    'presence',
    'verification',
    'algorithm',
    'signature',
    'count',
  ],
} as const satisfies { [E in EventName]?: readonly string[] }

export type ReasonOf<E extends EventName> = E extends keyof typeof reasons ? (typeof reasons)[E][number] : never

/** What requests wait for: services, another provider, the list of breached passwords, and password hashes. */
export const waits = ['DynamoDB', 'KMS', 'SQS', 'SES', 'provider', 'blocklist', 'hash'] as const

export type Wait = (typeof waits)[number]

/** A request that took over a second, in milliseconds, and its waits. */
export type SlowRequest = { event: 'slow'; milliseconds: number } & { [W in Wait]?: number }

/** Events whose account is unknown, or not known yet. All others name it. */
type Accountless =
  | 'login-failed'
  | 'login-limited'
  | 'request-limited'
  | `${'reset' | 'verification'}-requested`
  | 'wrong-password'
  | `passkey-${'refused' | 'origin-refused' | 'copied'}`
  | `provider-${'refused' | 'unavailable' | 'misconfigured'}`
  | 'client-refused'
  | 'key-unusable'
  | 'blocklist-unavailable'
  | `mail-${'dropped' | 'failed'}`

/** A logged event. @typeParam Limit the endpoints, whose names are in the route table */
export type AuthEvent<Limit extends string = never> = {
  [E in EventName]: (E extends Accountless ? { account_id?: string } : { account_id: string }) & {
    event: E
    /** The id of a provider, if the event is about one. */
    provider?: string
    /** The id of a key in KMS, if the event is about one. */
    key?: string
    reason?: ReasonOf<E> | (E extends 'request-limited' ? Limit : never)
  }
}[EventName]

export type CountedEvent = { [E in EventName]: (typeof events)[E] extends true ? E : never }[EventName]

/** A bug or a failure of AWS: the error's name, and its loggable details. */
export interface Failure {
  error: string
  message?: string
  stack?: string
  /** The HTTP status of AWS's answer. */
  status?: number
  request?: string
  cause?: Failure
}
