import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { AccountReads, Proven } from '../account/account.ts'
import { type IssuedToken, type IssuerDeps, issueAccessToken } from '../token/access-token.ts'
import { type NotAdded, openSession } from './opening.ts'
import type { SessionWrites } from './writes.ts'

/**
 * Issues the tokens of a login, and opens a session if requested.
 *
 * @throws {DomainError} `unavailable`, those of `spend`, and those of `opened`
 */
export async function issueLoginTokens(
  deps: Pick<System, 'randomBytes' | 'pause' | 'log'> &
    IssuerDeps & { accounts: AccountReads; sessions: Pick<SessionWrites, 'add'> },
  proven: Proven,
  session: { label: string | null } | undefined,
): Promise<IssuedToken> {
  if (session && deps.config.sessionDays > 0)
    return requireOpened(deps, proven, await openSession(deps, proven, session.label))
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
