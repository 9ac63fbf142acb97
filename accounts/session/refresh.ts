import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { type Account, maxAttempts } from '../account/account.ts'
import { announceReuse } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import type { IssuedToken, IssuerDeps } from '../token/access-token.ts'
import { findSession, type SessionDeps, tryToEnd } from './ending.ts'
import { parseRefreshToken } from './refresh-token.ts'
import { judge } from './rotation.ts'
import { endedIds, type Session } from './session.ts'
import { issueTokens } from './session-tokens.ts'

export type RefreshDeps = SessionDeps & Pick<System, 'randomBytes'> & Configured<'mailFrom'> & { queueMail: MailQueue }

/** Which refresh tokens are exchanged, and for what. */
interface RefreshTerms<T> {
  /** Whether a session is in scope. Tokens of other sessions do not work here, and their sessions are left alone. */
  has(session: Session): boolean
  mustBeVerified: boolean
  /** Makes the answer, before anything is written. @param session after rotation @param secret of its refresh tokens */
  issue(account: Account, session: Session, secret: string): Promise<T>
}

/**
 * Exchanges a login's refresh token for an access token and the session's newest refresh token.
 *
 * @throws {DomainError} `invalid-refresh-token`, `email-not-verified`, `unavailable`
 */
export const refresh = (
  deps: RefreshDeps & IssuerDeps & Configured<'requireEmailVerification'>,
  text: string,
): Promise<IssuedToken> => {
  const { requireEmailVerification: mustBeVerified } = deps.config
  const has = ({ application, isBrowser }: Session) => application === null && !isBrowser
  const issue: RefreshTerms<IssuedToken>['issue'] = (...session) => issueTokens(deps, ...session)
  return exchange(deps, text, { has, mustBeVerified, issue })
}

/**
 * Exchanges a refresh token.
 *
 * The answer is signed before the write: if signing fails, nothing has changed. After a lost race it reads again: the
 * winner may be its own retry.
 *
 * @throws {DomainError} `invalid-refresh-token`, `email-not-verified`, `unavailable`
 */
export async function exchange<T>(
  deps: RefreshDeps,
  text: string,
  { has, mustBeVerified, issue }: RefreshTerms<T>,
): Promise<T> {
  const token = parseRefreshToken(text)
  let isAnnounced = false
  for (let attempt = 0; token !== null && attempt < maxAttempts; attempt++) {
    const found = await findSession(deps, token)
    // A lock ends all sessions by the token version; this check does not rely on that.
    if (found === null || !has(found.session) || found.account.lockedAt !== null) {
      throw new DomainError('invalid-refresh-token')
    }
    const { account, session } = found
    const verdict = judge(session, token.serial, deps.now())
    if (verdict.is === 'reused') {
      // Two parties have used tokens of this session, and the service cannot know which is the owner.
      if (!isAnnounced) await announceReuse(deps, account, session.id)
      isAnnounced = true
      if (!(await tryToEnd(deps, account, session, 'end'))) continue
      deps.log({ event: 'session-reused', account_id: account.id })
      throw new DomainError('invalid-refresh-token')
    }
    if (mustBeVerified && !account.isVerified) throw new DomainError('email-not-verified')
    const isRotated = verdict.is === 'rotated'
    const next = isRotated ? verdict.next : session
    const answer = await issue(account, next, token.secret)
    if (isRotated && !(await save(deps, account, session, next))) continue
    if (verdict.is !== 'same') {
      deps.log({ event: isRotated ? 'session-refreshed' : 'session-shared', account_id: account.id })
    }
    return answer
  }
  throw new DomainError(token === null ? 'invalid-refresh-token' : 'unavailable')
}

/** Replaces a session, and removes all that have ended. */
const save = (deps: SessionDeps, account: Account, before: Session, after: Session): Promise<boolean> =>
  deps.sessions.change(account, { before, after }, endedIds(account, deps.config, deps.now()), null)
