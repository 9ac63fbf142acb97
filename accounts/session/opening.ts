import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import type { AccountReads, Proven } from '../account/account.ts'
import { type Account, isAsRead } from '../account/account.ts'
import type { IssuedToken, IssuerDeps } from '../token/access-token.ts'
import { makeRoom, newSession, type Session, type SessionRules } from './session.ts'
import { issueTokens } from './session-tokens.ts'
import type { SessionWrites } from './writes.ts'

/** Attempts of a login to add its session, when others add theirs at the same time. */
const maxAttempts = 10

/** Milliseconds of the longest backoff: ten devices that log in at once spread out. */
const longestPause = 50

export type AddingDeps = Pick<System, 'now' | 'randomBytes' | 'pause'> &
  Configured<keyof SessionRules> & { accounts: AccountReads; sessions: Pick<SessionWrites, 'add'> }

/**
 * `outdated`: the account is gone, its token version has changed, or the browser session behind it has ended. `busy`:
 * every attempt lost its race.
 */
export type NotAdded = 'outdated' | 'busy'

/**
 * Adds a session to an account, and issues its tokens.
 *
 * @throws {DomainError} `unavailable`, those of `spend`
 */
export async function openSession(
  deps: AddingDeps & IssuerDeps,
  { account, login, spend }: Proven,
  label: string | null,
): Promise<IssuedToken | NotAdded> {
  const { session, secret } = newSession(deps, account, label, login)
  // Signed before the write: if signing fails, there is no session.
  const tokens = await issueTokens(deps, account, session, secret)
  await spend()
  const added = await addSession(deps, account, session)
  return added === 'added' ? tokens : added
}

/**
 * Adds a session to an account. Conditional on the token version: a login with an old password cannot add a session
 * after the password was changed.
 *
 * @throws {DomainError} `unavailable`
 */
export async function addSession(deps: AddingDeps, account: Account, session: Session): Promise<'added' | NotAdded> {
  let present = account
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const removed = makeRoom(present, session, deps.config, deps.now())
    if (await deps.sessions.add(present, session, removed, deps.now())) return 'added'
    const fresh = await deps.accounts.find(account.email)
    // The SDK retries a write whose answer was lost. The retry finds its own session.
    if (fresh?.sessions.some(({ id }) => id === session.id)) return 'added'
    if (!isAsRead(fresh, account)) return 'outdated'
    const { through } = session
    if (through !== null && !fresh.sessions.some(({ id }) => id === through)) return 'outdated'
    present = fresh
    const [share = 0] = deps.randomBytes(1)
    await deps.pause((longestPause * share) / 255)
  }
  return 'busy'
}
