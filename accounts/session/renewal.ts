import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { AccountReads, Proven, TokenChange } from '../account/account.ts'
import { type Account, isAsRead, maxAttempts } from '../account/account.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { type IssuedToken, type IssuerDeps, issueAccessToken } from '../token/access-token.ts'
import { onlyClient } from './remembered-clients.ts'
import type { SessionChange } from './session.ts'
import { findActive, renewSession, type SessionRules } from './session.ts'
import { issueTokens } from './session-tokens.ts'

interface Renewal {
  account: Account
  clientAddress: string
  /** The caller's session, if its access token has one. */
  sid: string | undefined
  /** The methods of the caller's proof (RFC 8176). */
  amr: readonly string[]
  /** Spends the proof, if it works once. */
  spend: Proven['spend']
  /** The name of the provider, if the event is about one. */
  provider?: string
  /** The event to log, and to tell the owner of. */
  event:
    | 'password-changed'
    | 'factor-set-up'
    | 'factor-replaced'
    | 'factor-removed'
    | 'passkey-removed'
    | 'provider-disconnected'
}

export type RenewalDeps = Pick<System, 'randomBytes' | 'log'> &
  IssuerDeps &
  Configured<'mailFrom'> & { accounts: AccountReads; queueMail: MailQueue }

/**
 * Makes a write that revokes all of an account's access tokens and keeps its caller logged in: the caller gets new
 * tokens, the caller's session gets a new secret, and all others end. The owner is told. The access token is signed
 * before the write: if signing fails, nothing has changed.
 *
 * @param write raises the token version; false when the account or the session has changed meanwhile
 * @throws {DomainError} `unavailable`, those of `spend`, and `invalid-access-token` when the account or the session is gone or its token
 *   version changed meanwhile
 */
export async function renewTokens(
  deps: RenewalDeps,
  { account, clientAddress, sid, amr, spend, event, provider }: Renewal,
  write: (present: Account, change: TokenChange, kept: SessionChange | undefined) => Promise<boolean>,
): Promise<IssuedToken> {
  const clients = onlyClient(account, clientAddress)
  let mark: string | undefined
  for (let present = account, attempt = 0; attempt < maxAttempts; attempt++) {
    const raised = { ...present, tokenVersion: present.tokenVersion + 1 }
    const kept = sid === undefined ? null : keep(deps, present, sid, amr)
    const tokens = kept
      ? await issueTokens(deps, raised, kept.change.after, kept.secret)
      : await issueAccessToken(deps, raised, { authTime: deps.now(), amr })
    if (attempt === 0) await spend()
    mark ??= await announce(deps, event, account, provider)
    if (await write(present, { mark, clients }, kept?.change)) {
      deps.log({ event, account_id: account.id })
      return tokens
    }
    // The session may have been refreshed meanwhile, or a provider connected.
    const fresh = await deps.accounts.find(account.id)
    if (!isAsRead(fresh, account)) throw new DomainError('invalid-access-token')
    present = fresh
  }
  throw new DomainError('unavailable')
}

/** The caller's session after the renewal. @throws {DomainError} `invalid-access-token` if it has ended */
function keep(
  deps: Pick<System, 'now' | 'randomBytes'> & Configured<keyof SessionRules>,
  account: Account,
  sid: string,
  amr: readonly string[],
) {
  const before = findActive(account, sid, deps.config, deps.now())
  if (before === null) throw new DomainError('invalid-access-token')
  const { session: after, secret } = renewSession(deps, before, amr)
  return { change: { before, after }, secret }
}
