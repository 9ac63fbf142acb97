import type { Configured } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import type { Counters } from '../../base/limits/counters.ts'
import type { System } from '../../base/system.ts'
import type { Account, Accounts } from '../account.ts'
import { admitOwner } from '../admission.ts'
import { announce } from '../mail/notices.ts'
import type { MailQueue } from '../mail/queue.ts'
import { onlyClient } from '../remembered-clients.ts'
import type { ChangePasswordRequest } from '../schemas.ts'
import { rounds } from '../sessions/ending.ts'
import { findGood, renewed, type Session, type SessionRules } from '../sessions/session.ts'
import { type IssuedToken, type IssuerDeps, issueAccessToken } from '../tokens/access-token.ts'
import { issueTokens } from '../tokens/session-tokens.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './common-passwords.ts'
import { requireLongEnough } from './password.ts'
import { hashPassword } from './password-hash.ts'

/**
 * Replaces an account's password, and voids its access tokens and reset links. Returns new tokens, so that the caller
 * stays logged in: its own session goes on with another secret, and all others end. The access token is signed before
 * the write: if signing fails, nothing has changed.
 *
 * @param sid the caller's session, if its access token has one
 * @throws {DomainError} `password-too-short`, `password-too-common`, `too-many-requests`, `wrong-password`,
 *   `unavailable`, and `invalid-access-token` when the account or the session is gone or its token version changed
 *   meanwhile
 */
export async function changePassword(
  deps: System &
    IssuerDeps &
    Configured<'bcryptCost' | 'mailFrom' | 'passwordBlocklist' | 'productName' | 'rateLimits'> & {
      accounts: Accounts
      counters: Counters
      queueMail: MailQueue
      isCommonPassword: CommonPasswords
    },
  clientAddress: string,
  account: Account,
  { current_password, new_password }: ChangePasswordRequest,
  sid?: string,
): Promise<IssuedToken> {
  requireLongEnough(new_password)
  requireUncommon(deps, new_password)
  requireUnlikeAddress(deps, new_password, account.email)
  await admitOwner(deps, clientAddress, account, current_password)
  const passwordHash = await hashPassword(deps, new_password)
  const clients = onlyClient(account, clientAddress)
  let mark: string | undefined
  for (let present = account, round = 0; round < rounds; round++) {
    const kept = keep(deps, present, sid)
    const tokens = await issueAnew(deps, present, kept)
    mark ??= await announce(deps, 'password-changed', account)
    const change = { passwordHash, mark, clients }
    if (await deps.accounts.changePassword(present, change, deps.now(), kept?.change)) {
      deps.log({ event: 'password-changed', account_id: account.id })
      return tokens
    }
    // The session may have been refreshed meanwhile. Without one, whoever else wrote has voided the caller's token.
    const fresh = kept && (await deps.accounts.find(account.email))
    if (fresh?.id !== account.id || fresh.tokenVersion !== account.tokenVersion) {
      throw new DomainError('invalid-access-token')
    }
    present = fresh
  }
  throw new DomainError('unavailable')
}

interface Kept {
  change: { before: Session; after: Session }
  secret: string
}

/** The caller's session as it is to be; null without one. @throws {DomainError} `invalid-access-token` if it has ended */
function keep(
  deps: Pick<System, 'now' | 'randomBytes'> & Configured<keyof SessionRules>,
  account: Account,
  sid: string | undefined,
): Kept | null {
  if (sid === undefined) return null
  const before = findGood(account, sid, deps.config, deps.now())
  if (before === null) throw new DomainError('invalid-access-token')
  const { session: after, secret } = renewed(deps, before)
  return { change: { before, after }, secret }
}

/** Tokens of the version that the write makes. */
function issueAnew(deps: IssuerDeps, account: Account, kept: Kept | null): Promise<IssuedToken> {
  const raised = { ...account, tokenVersion: account.tokenVersion + 1 }
  return kept ? issueTokens(deps, raised, kept.change.after, kept.secret) : issueAccessToken(deps, raised)
}
