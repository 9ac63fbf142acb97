import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { AccountReads, Prove } from '../account/account.ts'
import { type Account, isAsRead } from '../account/account.ts'
import { type RenewalDeps, renewTokens } from '../session/renewal.ts'
import type { IssuedToken } from '../token/access-token.ts'
import { needsPasskey, type Passkey, passkeysInForce } from './passkey.ts'
import type { PasskeyWrites } from './writes.ts'

/** A passkey of an account. Passkeys of another domain can still be renamed and removed. @throws {DomainError} `no-passkey` */
function requirePasskey({ passkeys }: Account, id: string): Passkey {
  const passkey = passkeys.find(one => one.id === id)
  if (passkey === undefined) throw new DomainError('no-passkey')
  return passkey
}

/**
 * Renames a passkey.
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
  const present = await deps.accounts.find(account.id)
  throw new DomainError(isAsRead(present, account) ? 'no-passkey' : 'invalid-access-token')
}

/**
 * Removes a passkey, and revokes the account's access tokens; the caller stays logged in, even if that passkey opened the session.
 *
 * @param sid the caller's session, if its access token has one
 * @throws {DomainError} `no-passkey`, those of `prove`, `second-factor-required-here`, those of `renewTokens`
 */
export async function removePasskey(
  deps: RenewalDeps & Configured<'passkeyRpId'> & { passkeys: Pick<PasskeyWrites, 'remove'> },
  prove: Prove,
  clientAddress: string,
  account: Account,
  id: string,
  sid?: string,
): Promise<IssuedToken> {
  requirePasskey(account, id)
  const { login, spend } = await prove()
  const inForce = passkeysInForce(account, deps.config)
  const isLast = inForce.length === 1 && inForce[0]?.id === id
  if (isLast && needsPasskey(account, deps.config)) throw new DomainError('second-factor-required-here')
  const renewal = { account, clientAddress, sid, amr: login.amr, spend, event: 'passkey-removed' } as const
  return renewTokens(deps, renewal, (present, change, kept) =>
    deps.passkeys.remove(present, id, change, deps.now(), kept),
  )
}
