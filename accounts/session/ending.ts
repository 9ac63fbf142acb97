import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { type Account, type AccountReads, isAsRead, maxAttempts, type Prove } from '../account/account.ts'
import { isGenuine, parseRefreshToken, type RefreshToken } from './refresh-token.ts'
import { onlyClient } from './remembered-clients.ts'
import { endedIds, findActive, idsThrough, isActive, type Session, type SessionRules } from './session.ts'
import type { SessionWrites } from './writes.ts'

export type SessionDeps = Pick<System, 'now' | 'log'> &
  Configured<keyof SessionRules> & { accounts: AccountReads; sessions: Pick<SessionWrites, 'change'> }

/** Attempts of a write that also loses races to other sessions, which a holder of the browser's cookie can open quickly. */
const maxAttemptsOfAll = 10

/** What happens to the sessions that applications got through an ended browser session: where it may be a thief's, they end. */
type Others = 'stay' | 'end'

/**
 * Ends the session of a refresh token, if the token is genuine and the session active.
 *
 * @throws {DomainError} `unavailable`
 */
export async function logOut(deps: SessionDeps, text: string): Promise<void> {
  const token = parseRefreshToken(text)
  if (token === null) return
  await endSession(deps, () => findSession(deps, token))
}

interface Found {
  account: Account
  session: Session
}

/**
 * Ends the session; retries after a lost race.
 *
 * @param find finds the session; null when there is none to end
 * @throws {DomainError} `unavailable`
 */
export async function endSession(
  deps: SessionDeps,
  find: () => Promise<Found | null>,
  others: Others = 'stay',
): Promise<void> {
  for (let attempt = 0; attempt < (others === 'end' ? maxAttemptsOfAll : maxAttempts); attempt++) {
    const found = await find()
    if (found === null) return
    if (!(await tryToEnd(deps, found.account, found.session, others))) continue
    deps.log({ event: 'session-ended', account_id: found.account.id })
    return
  }
  throw new DomainError('unavailable')
}

/** The active session of a genuine token, or null. */
export async function findSession({ accounts, config, now }: SessionDeps, token: RefreshToken): Promise<Found | null> {
  const account = await accounts.find(token.id)
  const session = account?.sessions.find(({ id }) => id === token.sessionId) ?? null
  const isOfSession = isGenuine(token, session)
  return account && session && isOfSession && isActive(session, account, config, now()) ? { account, session } : null
}

/** Removes a session, and all that have ended. @returns false after a lost race */
export const tryToEnd = (deps: SessionDeps, account: Account, before: Session, others: Others): Promise<boolean> => {
  const opened = others === 'end' ? idsThrough(account, before) : []
  const removed = new Set([...endedIds(account, deps.config, deps.now()), ...opened])
  removed.delete(before.id)
  // No application must get a session between the read and the write.
  const needsAllAsRead = others === 'end' && before.isBrowser
  return deps.sessions.change(account, { before, after: null, needsAllAsRead }, [...removed], deps.now())
}

/**
 * Ends a session of an account, for its owner. With a browser session it ends those that applications got through it:
 * the cookie may be stolen. A missing session counts as ended.
 *
 * @throws {DomainError} those of `prove`, `unavailable`, and `invalid-access-token` when the account
 *   is gone or its token version changed meanwhile
 */
export async function endOwnSession(deps: SessionDeps, prove: Prove, account: Account, id: string): Promise<void> {
  const { spend } = await prove()
  await spend()
  let read: Account | null = account
  const find = async () => {
    const present: Account | null = read ?? (await deps.accounts.find(account.id))
    read = null
    if (!isAsRead(present, account)) throw new DomainError('invalid-access-token')
    const session = findActive(present, id, deps.config, deps.now())
    return session && { account: present, session }
  }
  await endSession(deps, find, 'end')
}

/**
 * Ends all sessions of an account but the caller's, for its owner, and revokes all access tokens: the session that stays gets another
 * with its next refresh. Where that has ended, or there is none, nothing stays.
 *
 * @param id the caller's session
 *
 * @throws {DomainError} those of `prove`, `unavailable`, and `invalid-access-token` when the account
 *   is gone or its token version changed meanwhile
 */
export async function endOtherSessions(
  deps: SessionDeps & Pick<System, 'newId'> & { sessions: Pick<SessionWrites, 'endAll'> },
  prove: Prove,
  clientAddress: string,
  account: Account,
  id: string | undefined,
): Promise<void> {
  const { spend } = await prove()
  await spend()
  const change = { mark: deps.newId(), clients: onlyClient(account, clientAddress) }
  for (let present = account, attempt = 0; attempt < maxAttempts; attempt++) {
    const before = id === undefined ? null : findActive(present, id, deps.config, deps.now())
    const kept = before ? { before, after: { ...before, version: before.version + 1 } } : undefined
    if (await deps.sessions.endAll(present, change, deps.now(), kept)) {
      deps.log({ event: 'logged-out-everywhere', account_id: account.id })
      return
    }
    // The session may have been refreshed meanwhile.
    const fresh = await deps.accounts.find(account.id)
    if (!isAsRead(fresh, account)) throw new DomainError('invalid-access-token')
    present = fresh
  }
  throw new DomainError('unavailable')
}

/**
 * Revokes all access tokens of an account, and ends its sessions. A pending reset link stays valid: the owner may need it.
 *
 * @throws {DomainError} `unavailable`, and `invalid-access-token` when the account is gone or its token version
 *   changed meanwhile
 */
export async function logOutEverywhere(
  deps: Pick<System, 'now' | 'newId' | 'log'> & { sessions: Pick<SessionWrites, 'endAll'> },
  clientAddress: string,
  account: Account,
): Promise<void> {
  const change = { mark: deps.newId(), clients: onlyClient(account, clientAddress) }
  if (!(await deps.sessions.endAll(account, change, deps.now()))) {
    throw new DomainError('invalid-access-token')
  }
  deps.log({ event: 'logged-out-everywhere', account_id: account.id })
}
