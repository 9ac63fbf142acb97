/** The second factor of an account: the codes of an authenticator app (`totp.ts`), and recovery codes. */
export interface SecondFactor {
  /** The secret that the app knows too, as `FactorKey` encrypts it. */
  secret: Uint8Array
  /** The newest time step whose code was used: no code works twice (RFC 6238 §5.2). */
  lastStep: number
  /** SHA-256 of each recovery code that was not used, in lower-case hexadecimal. */
  recoveryCodes: readonly string[]
}

/** A secret that waits for the first code of the app. */
export interface PendingFactor {
  secret: Uint8Array
  expiresAt: Date
  /** Whether a passkey was used to set it up, and no password. */
  byPasskey: boolean
}

/** Encrypts secrets for the account with an id: for another one they cannot be decrypted. */
export interface FactorKey {
  encrypt(accountId: string, secret: Uint8Array): Promise<Uint8Array>
  decrypt(accountId: string, encrypted: Uint8Array): Promise<Uint8Array>
}

/** Wrong codes in a row after which codes no longer work for an account (NIST SP 800-63B-4 §3.2.2). */
export const wrongCodesInARow = 100

/** What an account knows of its second factor. */
export interface FactorState {
  factor: SecondFactor | null
  wrongCodes: number
}

/** How a second factor can be shown: by a code of the app, unless there were too many wrong ones, and by a recovery code. */
export function methodsOf({ factor, wrongCodes }: FactorState): ('code' | 'recovery')[] {
  if (factor === null) return []
  return [
    ...(wrongCodes < wrongCodesInARow ? (['code'] as const) : []),
    ...(factor.recoveryCodes.length > 0 ? (['recovery'] as const) : []),
  ]
}

/** All that an account has of a second factor and of one that waits to be confirmed. */
export const factorAttributes = [
  'totp_secret',
  'totp_last_step',
  'totp_pending_secret',
  'totp_pending_expires',
  'totp_pending_by_passkey',
  'recovery_codes',
  'wrong_codes',
] as const
