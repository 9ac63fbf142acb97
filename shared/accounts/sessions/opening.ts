import type { System } from '../../base/system.ts'
import type { Account, Accounts } from '../account.ts'
import { makeRoom, newSession } from '../session.ts'
import type { IssuedToken, IssuerDeps } from '../tokens/access-token.ts'
import { amrOf } from '../tokens/claims.ts'
import { issueTokens } from './session-tokens.ts'

/** How often a login tries to add its session, when others add theirs at the same time. */
const maxAttempts = 10

/** Milliseconds of the longest pause between two tries: ten devices that log in at once spread out. */
const longestPause = 50

/**
 * Adds a session to the account that was read, and issues its tokens. A login with an old password cannot add one after
 * the password was changed.
 *
 * @returns `outdated` when the account is gone or its token version has changed; `busy` when others came first each time
 * @throws {DomainError} `unavailable`
 */
export async function openSession(
  deps: Pick<System, 'randomBytes' | 'pause'> & IssuerDeps & { accounts: Pick<Accounts, 'find' | 'addSession'> },
  account: Account,
  label: string | null,
): Promise<IssuedToken | 'outdated' | 'busy'> {
  const { session, secret } = newSession(deps, account, label, amrOf(account))
  // Signed before the write: if signing fails, there is no session.
  const tokens = await issueTokens(deps, account, session, secret)
  let present = account
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const removed = makeRoom(present, deps.config, deps.now())
    if (await deps.accounts.addSession(present, session, removed, deps.now())) return tokens
    const fresh = await deps.accounts.find(account.email)
    // The SDK repeats a write whose answer was lost. The second one finds its own session.
    if (fresh?.sessions.some(({ id }) => id === session.id)) return tokens
    if (fresh?.id !== account.id || fresh.tokenVersion !== account.tokenVersion) return 'outdated'
    present = fresh
    const [share = 0] = deps.randomBytes(1)
    await deps.pause((longestPause * share) / 255)
  }
  return 'busy'
}
