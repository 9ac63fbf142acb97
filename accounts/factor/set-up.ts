import type { Configured } from '../../shared/base/config.ts'
import { DomainError, invalidMember } from '../../shared/base/errors.ts'
import { minute } from '../../shared/base/limits/windows.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, Prove } from '../account/account.ts'
import { changeOf, mayUndoSetUp } from '../change/changes.ts'
import { renewTokens } from '../session/renewal.ts'
import type { IssuedToken, IssuerDeps } from '../token/access-token.ts'
import { amrOf } from '../token/claims.ts'
import type { FactorDeps } from './check.ts'
import { countCode } from './code-limits.ts'
import { base32, drawRecoveryCodes, hashRecoveryCode, readCode } from './codes.ts'
import type { FactorKey } from './factor.ts'
import { refuseFactor } from './refusal.ts'
import type { SecondFactorSetupRequest } from './shapes.ts'
import { findStep, secretBytes, totpUri } from './totp.ts'
import type { FactorWrites } from './writes.ts'

/** Milliseconds in which a secret must be confirmed: time to install an app. */
export const setupTime = 15 * minute * 1000

/**
 * Makes a secret that waits to be confirmed, and only then replaces the account's factor. A first factor needs a
 * verified address: anybody can register any address, and a factor would lock its owner out. After a provider's word
 * and a mailed link no password is asked for: there may be none.
 *
 * @param prove null where the caller's token was issued for this alone, on a provider's word
 * @returns the secret in base32, and the URI that a QR code holds
 * @throws {DomainError} `second-factor-off`, those of `prove`, `unavailable`, and `invalid-access-token` when the
 *   account is gone or its token version changed meanwhile
 */
export async function setUpFactor(
  deps: Pick<System, 'now' | 'randomBytes'> &
    Configured<'productName' | 'secondFactor'> & {
      factors: Pick<FactorWrites, 'storePending'>
      factorKey: Pick<FactorKey, 'encrypt'>
    },
  prove: Prove | null,
  account: Account,
): Promise<{ secret: string; uri: string }> {
  requireSwitchedOn(deps)
  const isFirst = account.factor === null
  const proven = prove && (await prove(isFirst))
  const bytes = deps.randomBytes(secretBytes)
  const now = deps.now()
  const pending = {
    secret: await deps.factorKey.encrypt(account.id, bytes),
    expiresAt: new Date(now.getTime() + setupTime),
    byPasskey: proven?.by === 'passkey',
  }
  await proven?.spend()
  if (!(await deps.factors.storePending(account, pending, now))) throw new DomainError('invalid-access-token')
  const secret = base32(bytes)
  return { secret, uri: totpUri(deps.config.productName, account.email, secret) }
}

/** Everybody sends a proof except after a login by a provider. @throws {DomainError} `invalid-body` */
export function requireProof({ password, assertion }: SecondFactorSetupRequest): void {
  if (password !== undefined || assertion !== undefined) return
  throw invalidMember('password', 'is required')
}

/** @throws {DomainError} `second-factor-off` */
function requireSwitchedOn({ config }: Configured<'secondFactor'>): void {
  if (config.secondFactor === 'off') throw new DomainError('second-factor-off')
}

/**
 * Activates the secret that was set up last, given a code of the app, and draws recovery codes. Earlier recovery codes
 * and access tokens are revoked; the caller stays logged in.
 *
 * @param sid the caller's session, if its access token has one
 * @param isByProvider whether the caller's token was issued for this alone, on a provider's word
 * @throws {DomainError} `second-factor-off`, `no-second-factor-setup`, those of `countCode` and `renewTokens`
 */
export async function confirmFactor(
  deps: FactorDeps & Pick<System, 'pause'> & IssuerDeps & { factors: Pick<FactorWrites, 'set'> },
  clientAddress: string,
  account: Account,
  typed: string,
  sid?: string,
  isByProvider = false,
): Promise<{ tokens: IssuedToken; recoveryCodes: readonly string[] }> {
  requireSwitchedOn(deps)
  const { pendingFactor: pending } = account
  if (pending === null || pending.expiresAt <= deps.now()) throw new DomainError('no-second-factor-setup')
  const code = readCode(typed)
  // A recovery code does not prove that the app works. It cannot be guessed, so it is not counted.
  if (code?.is === 'recovery') throw refuseFactor(deps, account, 'wrong-code')
  const event = account.factor === null ? 'factor-set-up' : 'factor-replaced'
  const recoveryCodes = drawRecoveryCodes(deps)
  const confirm = async () => {
    if (code === null) return null
    const secret = await deps.factorKey.decrypt(account.id, pending.secret)
    const step = findStep(secret, code.digits, Number.NEGATIVE_INFINITY, deps.now())
    if (typeof step !== 'number') return null
    const factor = { secret: pending.secret, lastStep: step, recoveryCodes: recoveryCodes.map(hashRecoveryCode) }
    const amr = pending.byPasskey ? ['pop', 'user', 'otp', 'mfa'] : amrOf({ factor }, isByProvider ? 'fed' : 'pwd')
    return renewTokens(
      deps,
      { account, clientAddress, sid, amr, spend: async () => {}, event },
      (present, change, kept) => {
        const now = deps.now()
        const made = { kind: 'factor', hash: change.mark, hasLink: mayUndoSetUp(deps, present) } as const
        const told = present.factor === null ? changeOf(present, made, now) : null
        return deps.factors.set(present, factor, change, told, now, kept)
      },
    )
  }
  // Asks for no password, so that a wrong code does not reveal who knows it.
  const tokens = await countCode(deps, account, confirm, async () => {})
  return { tokens, recoveryCodes }
}
