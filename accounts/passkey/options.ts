import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { type Challenges, drawChallenge } from './challenge.ts'
import { descriptorsView, type Passkey, passkeysInForce } from './passkey.ts'
import { gestureTime, type PasskeyRequestOptions, type ProofPurpose } from './shapes.ts'

export type DrawingDeps = Pick<System, 'now' | 'randomBytes'> &
  Configured<'passkeyRpId'> & { challenges: Pick<Challenges, 'store'> }

/** A browser's request for a passkey (WebAuthn Level 3 §5.5). */
interface RequestOptions {
  challenge: string
  rpId: string
  /** Null where any passkey of the domain may answer. */
  allowed: readonly Passkey[] | null
}

/** @throws {DomainError} `passkeys-off` */
export function requireRpId({ config }: Configured<'passkeyRpId'>): string {
  if (config.passkeyRpId === null) throw new DomainError('passkeys-off')
  return config.passkeyRpId
}

/** The options of a login. @throws {DomainError} `passkeys-off`, `unavailable` */
export async function drawLoginOptions(deps: DrawingDeps): Promise<RequestOptions> {
  const rpId = requireRpId(deps)
  return { challenge: await drawChallenge(deps, 'login', null), rpId, allowed: null }
}

/**
 * The options of an owner's proof in place of a password.
 *
 * @throws {DomainError} `passkeys-off`, `no-passkey` (browsers take an empty list for any), `unavailable`
 */
export async function drawProofOptions(
  deps: DrawingDeps,
  account: Account,
  purpose: ProofPurpose,
): Promise<RequestOptions> {
  const rpId = requireRpId(deps)
  const allowed = passkeysInForce(account, deps.config)
  if (allowed.length === 0) throw new DomainError('no-passkey')
  return { challenge: await drawChallenge(deps, purpose, account.id), rpId, allowed }
}

export const requestOptionsView = ({ challenge, rpId, allowed }: RequestOptions): PasskeyRequestOptions => ({
  challenge,
  rpId,
  timeout: gestureTime,
  userVerification: 'required',
  ...(allowed && { allowCredentials: descriptorsView(allowed) }),
})
