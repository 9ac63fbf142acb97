/** What every function has, whatever its row grants. It imports nothing, so that everything can import it. */
export interface System {
  now(): Date
  /** A UUIDv7 (RFC 9562 §5.7): unique, and ordered by time. */
  newId(): string
  randomBytes(size: number): Uint8Array
  pause(milliseconds: number): Promise<void>
  /** Writes one structured entry. Never an address, a password or a token. */
  log(entry: AuthEvent | Failure): void
}

/** What happens to accounts, and to requests about them. Each event is a metric. */
export const eventNames = [
  'registered',
  'logged-in',
  'login-failed',
  'login-limited',
  'request-limited',
  'reset-requested',
  'verification-requested',
  'password-reset',
  'password-changed',
  'wrong-password',
  'second-factor-required',
  'wrong-code',
  'used-code',
  'codes-disabled',
  'recovery-code-used',
  'factor-set-up',
  'factor-replaced',
  'factor-removed',
  'recovery-codes-renewed',
  'session-opened',
  'session-refreshed',
  'session-shared',
  'session-ended',
  'session-reused',
  'logged-out-everywhere',
  'account-deleted',
  'email-change-requested',
  'email-changed',
  'change-undone',
  'email-verified',
  'mail-sent',
  'mail-dropped',
  'mail-capped',
  'mail-failed',
  'rehash-failed',
] as const

export interface AuthEvent {
  event: (typeof eventNames)[number]
  account_id?: string
  reason?: string
}

/** A bug or a failure of AWS: the error's name, and what else of it may be logged. */
export interface Failure {
  error: string
  message?: string
  stack?: string
  /** The HTTP status that AWS answered with. */
  status?: number
  request?: string
  cause?: Failure
}
