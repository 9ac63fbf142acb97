import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { type Account, type AccountReads, isAsRead, type Proven } from '../account/account.ts'
import { type IssuedToken, type IssuerDeps, issueAccessToken } from '../token/access-token.ts'
import { makeRoom } from './room.ts'
import { newSession, type Session, type SessionRules } from './session.ts'
import { issueTokens } from './session-tokens.ts'
import type { SessionRequest } from './shapes.ts'
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
  { label, tab: isTab = false }: SessionRequest,
): Promise<IssuedToken | NotAdded> {
  const { session, secret } = newSession(deps, account, label, login, { isTab })
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
    const fresh = await deps.accounts.find(account.id)
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

/**
 * Issues the tokens of a login, and opens a session if requested.
 *
 * @throws {DomainError} `unavailable`, those of `spend`, and those of `requireOpened`
 */
export async function issueLoginTokens(
  deps: Pick<System, 'randomBytes' | 'pause' | 'log'> &
    IssuerDeps & { accounts: AccountReads; sessions: Pick<SessionWrites, 'add'> },
  proven: Proven,
  session: SessionRequest | undefined,
): Promise<IssuedToken> {
  if (session && deps.config.sessionDays > 0)
    return requireOpened(deps, proven, await openSession(deps, proven, session))
  const tokens = await issueAccessToken(deps, proven.account, proven.login)
  await proven.spend()
  return tokens
}

/**
 * Unwraps a login's session.
 *
 * @throws {DomainError} `unavailable`, and when the account is gone or its token version changed meanwhile
 *   `bad-credentials`, or `invalid-passkey-challenge` after a passkey, `invalid-provider-token` after a provider, with
 *   whose successor everything is checked again
 */
export function requireOpened<T>(deps: Pick<System, 'log'>, { account, by }: Proven, session: T | NotAdded): T {
  if (session === 'outdated') {
    deps.log({ event: 'login-failed', reason: 'outdated', account_id: account.id })
    throw new DomainError(outdated[by])
  }
  if (session === 'busy') throw new DomainError('unavailable')
  deps.log({ event: 'session-opened', account_id: account.id })
  return session
}

/** The refusal of a login whose account has changed meanwhile. */
const outdated = {
  password: 'bad-credentials',
  passkey: 'invalid-passkey-challenge',
  provider: 'invalid-provider-token',
} as const
