import type { RecoveryCodes, SecondFactor as SecondFactorAnswer } from './shapes.ts'

/** The second factor of an account: the codes of an authenticator app (`totp.ts`), and recovery codes. */
export interface SecondFactor {
  /** The app's secret, encrypted by `FactorKey`. */
  secret: Uint8Array
  /** The newest time step whose code was used: a code works once (RFC 6238 §5.2). */
  lastStep: number
  /** SHA-256 of each recovery code that was not used, in lower-case hexadecimal. */
  recoveryCodes: readonly string[]
}

/** A secret that waits for the first code of the app. */
export interface PendingFactor {
  secret: Uint8Array
  expiresAt: Date
  /** Whether it was set up with a passkey instead of a password. */
  byPasskey: boolean
}

/** Encrypts secrets for an account's id: for another id they cannot be decrypted. */
export interface FactorKey {
  encrypt(accountId: string, secret: Uint8Array): Promise<Uint8Array>
  decrypt(accountId: string, encrypted: Uint8Array): Promise<Uint8Array>
}

/** Wrong codes in a row after which codes no longer work for an account (NIST SP 800-63B-4 §3.2.2). */
export const wrongCodesInARow = 100

/** An account's second factor, and its wrong codes. */
interface FactorState {
  factor: SecondFactor | null
  wrongCodes: number
}

/** The ways to show a second factor: a code of the app, unless too many were wrong, and a recovery code. */
export function methodsOf({ factor, wrongCodes }: FactorState): ('code' | 'recovery')[] {
  if (factor === null) return []
  return [
    ...(wrongCodes < wrongCodesInARow ? (['code'] as const) : []),
    ...(factor.recoveryCodes.length > 0 ? (['recovery'] as const) : []),
  ]
}

export const factorView = (account: FactorState): SecondFactorAnswer => ({
  methods: methodsOf(account),
  recovery_codes_left: account.factor?.recoveryCodes.length ?? 0,
})

export const recoveryCodesView = (codes: readonly string[]): RecoveryCodes => ({ recovery_codes: [...codes] })
