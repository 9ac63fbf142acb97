import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import { type Change, undoableSetUp } from '../change/change.ts'
import { nameOfIssuer, type Provider } from '../identity/provider.ts'
import type { Logins } from '../mail/templates.ts'
import { needsPasskey, passkeysInForce } from '../passkey/passkey.ts'
import { hashToken } from '../token/token.ts'
import type { TokenHolders } from '../token/writes.ts'
import { isUsable } from './link.ts'
import type { ResetLogin } from './shapes.ts'

type LoginsDeps = Pick<System, 'now'> & Configured<'passkeyRpId' | 'secondFactor'> & { providers: readonly Provider[] }

/** An account's logins beside its password, and an app that may be a thief's. */
export const loginsOf = ({ config, now, providers }: LoginsDeps, account: Account): Logins => ({
  identities: account.identities.map(({ issuer, ...identity }) => ({
    ...identity,
    provider: nameOfIssuer(providers, issuer),
  })),
  passkeys: passkeysInForce(account, config),
  appSince: setUpThere(account, now())?.at ?? null,
})

/** The set-up of the factor in force, while its undo link in the account's mailbox works. */
function setUpThere(account: Account, now: Date): Change | null {
  const setUp = undoableSetUp(account, now)
  return setUp?.email === account.email ? setUp : null
}

/**
 * What a reset asks its owner about, in the order of the mail. Passkeys that it leaves in any case are no question.
 *
 * Days are UTC's, as in the mail: nobody's time zone is known there.
 */
export function askedAtReset(deps: LoginsDeps, account: Account): ResetLogin[] {
  const { identities, passkeys, appSince } = loginsOf(deps, account)
  const dayOf = (time: Date) => time.toISOString().slice(0, 10)
  return [
    ...identities.map(({ provider, email, connectedAt }) => ({
      kind: 'provider' as const,
      label: email === null ? provider : `${provider}, ${email}`,
      day: dayOf(connectedAt),
    })),
    ...(needsPasskey(account, deps.config) ? [] : passkeys).map(({ label, createdAt }) => ({
      kind: 'passkey' as const,
      label,
      day: dayOf(createdAt),
    })),
    ...(appSince === null ? [] : [{ kind: 'app' as const, label: 'Authenticator app', day: dayOf(appSince) }]),
  ]
}

/**
 * Lists what a reset asks the owner about, for the page of its link.
 *
 * @throws {DomainError} `invalid-reset-token`, for an invitation's too
 */
export async function listResetLogins(
  deps: LoginsDeps & { tokens: TokenHolders<'reset'> },
  token: string,
): Promise<ResetLogin[]> {
  const account = await deps.tokens.findHolder('reset', hashToken(token))
  if (!account || !isUsable(deps, account, 'reset')) throw new DomainError('invalid-reset-token')
  return askedAtReset(deps, account)
}
