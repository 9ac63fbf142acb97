import { DomainError } from '../../shared/base/errors.ts'
import type { AccountReads } from '../account/account.ts'
import { type Account, isAsRead } from '../account/account.ts'
import type { RemovePasskeyRequest } from '../account/schemas.ts'
import { admitOwner, type OwnerDeps } from '../login/proof.ts'
import { renewTokens } from '../session/renewal.ts'
import type { IssuedToken, IssuerDeps } from '../token/access-token.ts'
import { needsPasskey, type Passkey, passkeysInForce } from './passkey.ts'
import type { PasskeyWrites } from './writes.ts'

/** The passkey of an account with an id. Those of another domain can still be renamed and removed. @throws {DomainError} `no-passkey` */
function requirePasskey({ passkeys }: Account, id: string): Passkey {
  const passkey = passkeys.find(one => one.id === id)
  if (passkey === undefined) throw new DomainError('no-passkey')
  return passkey
}

/**
 * Gives a passkey another name.
 *
 * @throws {DomainError} `no-passkey`, `unavailable`, and `invalid-access-token` when the account or its token version changed
 *   meanwhile
 */
export async function renamePasskey(
  deps: { now(): Date; accounts: AccountReads; passkeys: Pick<PasskeyWrites, 'rename'> },
  account: Account,
  { id, label }: { id: string; label: string },
): Promise<Passkey> {
  requirePasskey(account, id)
  const renamed = await deps.passkeys.rename(account, id, label, deps.now())
  if (renamed !== null) return requirePasskey(renamed, id)
  const present = await deps.accounts.find(account.email)
  throw new DomainError(isAsRead(present, account) ? 'no-passkey' : 'invalid-access-token')
}

/**
 * Removes a passkey, and voids the account's access tokens; the caller stays logged in, also if that passkey opened the session.
 *
 * @param sid the caller's session, if its access token has one
 * @throws {DomainError} `no-passkey`, those of `admitOwner`, `second-factor-required-here`, those of `renewTokens`
 */
export async function removePasskey(
  deps: OwnerDeps & IssuerDeps & { passkeys: Pick<PasskeyWrites, 'remove'> },
  clientAddress: string,
  account: Account,
  { id, ...proof }: RemovePasskeyRequest,
  sid?: string,
): Promise<IssuedToken> {
  requirePasskey(account, id)
  const { login, spend } = await admitOwner(deps, clientAddress, account, proof, 'passkeys/remove')
  const inForce = passkeysInForce(account, deps.config)
  const isLast = inForce.length === 1 && inForce[0]?.id === id
  if (isLast && needsPasskey(account, deps.config)) throw new DomainError('second-factor-required-here')
  const renewal = { account, clientAddress, sid, amr: login.amr, spend, event: 'passkey-removed' } as const
  return renewTokens(deps, renewal, (present, change, kept) =>
    deps.passkeys.remove(present, id, change, deps.now(), kept),
  )
}
