import type { Account } from '../../../accounts/account/account.ts'
import * as deletion from '../../../accounts/account/deletion.ts'
import * as confirmation from '../../../accounts/address/confirmation.ts'
import * as factors from '../../../accounts/factor/change.ts'
import * as setUp from '../../../accounts/factor/set-up.ts'
import type { Proof } from '../../../accounts/factor/shapes.ts'
import * as disconnect from '../../../accounts/identity/disconnect.ts'
import { ownerProof, proveByPassword } from '../../../accounts/login/proof.ts'
import * as passkeys from '../../../accounts/passkey/change.ts'
import * as newPasskey from '../../../accounts/passkey/set-up.ts'
import * as change from '../../../accounts/password/change.ts'
import type { Password } from '../../../accounts/password/password.ts'
import type { ChangePasswordRequest } from '../../../accounts/password/shapes.ts'
import * as sessions from '../../../accounts/session/ending.ts'
import type { Deps } from '../../../api/deps.ts'

/** Owners' acts with an access token and a proof, composed as in the functions of these endpoints. */

type ById = Proof & { id: string }

export const deleteAccount = (deps: Deps, from: string, account: Account, proof: Proof) =>
  deletion.deleteAccount(deps, ownerProof(deps, from, account, proof, 'delete-account'), account)

export const endOwnSession = (deps: Deps, from: string, account: Account, { id, ...proof }: ById) =>
  sessions.endOwnSession(deps, ownerProof(deps, from, account, proof, 'end-session'), account, id)

export const changePassword = (
  deps: Deps,
  from: string,
  account: Account,
  { new_password, ...proof }: ChangePasswordRequest,
  sid?: string,
) => {
  const prove = ownerProof(deps, from, account, proof, 'change-password')
  return change.changePassword(deps, prove, from, account, new_password, sid)
}

export const removeFactor = (deps: Deps, from: string, account: Account, proof: Proof, sid?: string) =>
  factors.removeFactor(deps, ownerProof(deps, from, account, proof, 'second-factor/remove'), from, account, sid)

export const renewRecoveryCodes = (deps: Deps, from: string, account: Account, proof: Proof) =>
  factors.renewRecoveryCodes(deps, ownerProof(deps, from, account, proof, 'second-factor/recovery-codes'), account)

export const setUpFactor = (deps: Deps, from: string, account: Account, proof: Proof) =>
  setUp.setUpFactor(deps, ownerProof(deps, from, account, proof, 'second-factor/setup'), account)

export const setUpPasskey = (deps: Deps, from: string, account: Account, proof: Proof) =>
  newPasskey.setUpPasskey(deps, ownerProof(deps, from, account, proof, 'passkeys/setup'), account)

export const removePasskey = (deps: Deps, from: string, account: Account, { id, ...proof }: ById, sid?: string) =>
  passkeys.removePasskey(deps, ownerProof(deps, from, account, proof, 'passkeys/remove'), from, account, id, sid)

export const disconnectProvider = (
  deps: Deps,
  from: string,
  account: Account,
  { id, ...proof }: ById,
  claims: Parameters<typeof disconnect.disconnectProvider>[5],
) =>
  disconnect.disconnectProvider(
    deps,
    ownerProof(deps, from, account, proof, 'disconnect-provider'),
    from,
    account,
    id,
    claims,
  )

export const confirmEmailChange = (
  deps: Deps,
  from: string,
  { token, ...typed }: { token: string; password: Password; code?: string | undefined },
) => confirmation.confirmEmailChange(deps, account => proveByPassword(deps, from, account, typed), from, token)
