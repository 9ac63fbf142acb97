import type { Account } from '../accounts/account/account.ts'
import { gestureTime, type RequestOptions } from '../accounts/passkey/options.ts'
import type { Passkey } from '../accounts/passkey/passkey.ts'
import { offeredAlgorithms } from '../accounts/passkey/public-key.ts'
import type { CreationOptions } from '../accounts/passkey/set-up.ts'
import type {
  PasskeyCreationOptions,
  PasskeyList,
  PasskeyRequestOptions,
  Passkey as PasskeyView,
} from '../accounts/passkey/shapes.ts'
import type { Configured } from '../shared/base/config.ts'

/** Answers of the passkey endpoints on success. */

const descriptors = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ id, transports }) => ({ type: 'public-key' as const, id, transports: [...transports] }))

export const passkeyRequest = ({ challenge, rpId, allowed }: RequestOptions): PasskeyRequestOptions => ({
  challenge,
  rpId,
  timeout: gestureTime,
  userVerification: 'required',
  ...(allowed && { allowCredentials: descriptors(allowed) }),
})

export const passkeyCreation = (
  { config }: Configured<'productName'>,
  { challenge, rpId, handle, account, excluded }: CreationOptions,
): PasskeyCreationOptions => ({
  rp: { id: rpId, name: config.productName },
  user: { id: handle, name: account.email, displayName: account.name || account.email },
  challenge,
  pubKeyCredParams: offeredAlgorithms.map(alg => ({ type: 'public-key', alg })),
  timeout: gestureTime,
  excludeCredentials: descriptors(excluded),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})

export const passkeyView = ({ id, label, createdAt, lastUsedAt, backedUp }: Passkey): PasskeyView => ({
  id,
  label,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  is_synced: backedUp,
})

export const passkeyList = (
  { config }: Configured<'passkeyRpId'>,
  { passkeys, passkeyHandle }: Account,
): PasskeyList => ({
  rp_id: config.passkeyRpId,
  user_handle: passkeyHandle,
  passkeys: passkeys.map(passkeyView),
})
