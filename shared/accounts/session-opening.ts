import type { Configured } from '../base/config.ts'
import { DomainError } from '../base/errors.ts'
import type { System } from '../base/system.ts'
import type { Account, Accounts } from './account.ts'
import { makeRoom, newSession } from './sessions/session.ts'
import { type IssuedToken, type IssuerDeps, issueAccessToken, issueTokens } from './tokens/access-token.ts'

/** How often a login tries to add its session, when others add theirs at the same time. */
const rounds = 10

/** Milliseconds of the longest pause between two tries: ten devices that log in at once spread out. */
const longestPause = 50

/**
 * Issues the tokens of a login. With a session, the session is added to the account that was read: a login with an
 * old password cannot add one after the password was changed.
 *
 * @param asked null for a login without a session
 * @throws {DomainError} `unavailable`, and `bad-credentials` when the account is gone or its token version changed
 *   meanwhile
 */
export async function enter(
  deps: Pick<System, 'randomBytes' | 'pause' | 'log'> & IssuerDeps & Configured<'sessionDays'> & { accounts: Accounts },
  account: Account,
  asked: { label: string | null } | null,
): Promise<IssuedToken> {
  if (asked === null || deps.config.sessionDays === 0) return issueAccessToken(deps, account)
  const { session, secret } = newSession(deps, account, asked.label)
  // Signed before the write: if signing fails, there is no session.
  const tokens = await issueTokens(deps, account, session, secret)
  let present = account
  for (let round = 0; round < rounds; round++) {
    const removed = makeRoom(present, deps.config, deps.now())
    const isAdded = await deps.accounts.addSession(present, session, removed, deps.now())
    const fresh = isAdded ? present : await deps.accounts.find(account.email)
    // The SDK repeats a write whose answer was lost. The second one finds its own session.
    if (isAdded || fresh?.sessions.some(({ id }) => id === session.id)) {
      deps.log({ event: 'session-opened', account_id: account.id })
      return tokens
    }
    if (fresh?.id !== account.id || fresh.tokenVersion !== account.tokenVersion) {
      deps.log({ event: 'login-failed', reason: 'outdated', account_id: account.id })
      throw new DomainError('bad-credentials')
    }
    present = fresh
    const [share = 0] = deps.randomBytes(1)
    await deps.pause((longestPause * share) / 255)
  }
  throw new DomainError('unavailable')
}
