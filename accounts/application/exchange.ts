import { createHash } from 'node:crypto'
import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { Key } from '../../shared/base/families.ts'
import { OAuthError } from '../../shared/base/oauth-error.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, AccountReads } from '../account/account.ts'
import { codeVerifierForm } from '../identity/shapes.ts'
import type { MailQueue } from '../mail/queue.ts'
import { endSession, type SessionDeps } from '../session/ending.ts'
import { addSession } from '../session/opening.ts'
import { exchange } from '../session/refresh.ts'
import { findActive, newSession, type Session, type SessionRules } from '../session/session.ts'
import type { SessionWrites } from '../session/writes.ts'
import type { Client } from './client.ts'
import { authenticateClient, type ClientProof } from './client-authentication.ts'
import { codeLifetime, type Grant, type Grants, grantKey } from './grant.ts'
import { type ApplicationIssuerDeps, type ApplicationTokens, issueApplicationTokens } from './tokens.ts'

type ExchangeDeps = ApplicationIssuerDeps &
  SessionDeps &
  Pick<System, 'newId' | 'randomBytes' | 'pause'> &
  Configured<'mailFrom'> & {
    accounts: AccountReads
    sessions: Pick<SessionWrites, 'add' | 'change'>
    grants: Pick<Grants, 'find' | 'spend' | 'markReused'>
    clients: readonly Client[]
    queueMail: MailQueue
  }

type Form = ClientProof['form']

/**
 * Exchanges an application's grant for tokens (RFC 6749 §3.2).
 *
 * @throws {OAuthError}
 * @throws {DomainError} `invalid-refresh-token`, `email-not-verified`, `unavailable`
 */
export async function exchangeGrant(deps: ExchangeDeps, request: ClientProof): Promise<ApplicationTokens> {
  const { form } = request
  const type = requireParameter(form, 'grant_type')
  if (type !== 'authorization_code' && type !== 'refresh_token') {
    throw new OAuthError('unsupported_grant_type', 'grant_type is neither authorization_code nor refresh_token')
  }
  const client = authenticateClient(deps, request)
  return type === 'refresh_token' ? refreshTokens(deps, client, form) : exchangeCode(deps, client, form)
}

/** @throws {OAuthError} `invalid_request` */
export function requireParameter(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}

/** Without SESSION_DAYS there are no sessions, and so no refresh tokens. */
const scopeOf = ({ scope }: Grant, { sessionDays }: SessionRules): readonly string[] =>
  sessionDays > 0 ? scope : scope.filter(name => name !== 'offline_access')

/**
 * Exchanges a code. The tokens are signed before any write: if signing fails, nothing has changed.
 *
 * One conditional write spends the code, and names the session if one is opened. After the session was added the code
 * is read again. A replay first marks the code and then ends that session, so one of the two always notices the other.
 */
async function exchangeCode(deps: ExchangeDeps, client: Client, form: Form): Promise<ApplicationTokens> {
  const [code, redirect] = ['code', 'redirect_uri'].map(name => requireParameter(form, name))
  const verifier =
    client.pkce === 'optional' ? (form.get('code_verifier') ?? null) : requireParameter(form, 'code_verifier')
  const key = grantKey(code ?? '')
  const grant = await deps.grants.find(key)
  if (grant === null) throw unknownCode()
  // A mismatch spends nothing, so that somebody who only found the code cannot take it from the application.
  if (grant.client !== client.id) throw new OAuthError('invalid_grant', 'The code is that of another client')
  if (grant.redirect !== redirect) {
    throw new OAuthError('invalid_grant', 'redirect_uri is another than that of the authorization request')
  }
  const wrong = wrongVerifier(grant, verifier)
  if (wrong !== null) throw new OAuthError('invalid_grant', wrong)
  if (grant.spentBy !== null) return refuseReused(deps, key, grant)
  if (deps.now().getTime() - grant.createdAt.getTime() >= codeLifetime) throw unknownCode()
  const account = await deps.accounts.find(grant.id)
  if (!isStillGranted(deps, grant, client, account)) throw outdated()

  const scope = scopeOf(grant, deps.config)
  const { nonce, amr, authTime } = grant
  if (!scope.includes('offline_access')) {
    const login = { amr, authTime }
    const tokens = await issueApplicationTokens(deps, client, account, { scope, nonce, login, session: null })
    return (await deps.grants.spend(key, deps.newId(), null)) ? tokens : refuseReused(deps, key, grant)
  }
  const special = { application: client.id, scope, through: grant.browserSession }
  const opened = newSession(deps, account, client.name, { authTime, amr }, special)
  const { session } = opened
  const tokens = await issueApplicationTokens(deps, client, account, { scope, nonce, login: session, session: opened })
  if (!(await deps.grants.spend(key, session.id, session.id))) return refuseReused(deps, key, grant)
  const added = await addSession(deps, account, session)
  if (added === 'outdated') throw outdated()
  if (added === 'busy') throw new DomainError('unavailable')
  if ((await deps.grants.find(key))?.isReused !== false) {
    await endSessionOf(deps, account, session.id)
    throw unknownCode()
  }
  deps.log({ event: 'session-opened', account_id: account.id })
  return tokens
}

/**
 * Why a verifier is not the grant's, or null. A grant without a challenge takes none: somebody may have removed the challenge
 * from the request of a client that uses PKCE (RFC 9700 §2.1.1).
 */
function wrongVerifier({ challenge }: Grant, verifier: string | null): string | null {
  if (challenge === null) {
    return verifier === null ? null : 'There is a code_verifier, but the authorization request had no code_challenge'
  }
  if (verifier === null) return 'code_verifier is missing'
  if (!codeVerifierForm.test(verifier)) {
    return 'code_verifier is not 43 to 128 unreserved characters (RFC 7636, section 4.1)'
  }
  return challenge === challengeOf(verifier) ? null : 'code_verifier is not that of the code_challenge'
}

/** RFC 7636 §4.6, of method S256. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

const unknownCode = () => new OAuthError('invalid_grant', 'Unknown, used or expired code')
const outdated = () => new OAuthError('invalid_grant', 'The account has changed since')

/** Whether the grant is still valid. */
function isStillGranted(
  { config, now }: Pick<System, 'now'> & Configured<keyof SessionRules>,
  { version, amr, createdAt, browserSession }: Grant,
  client: Client,
  account: Account | null,
): account is Account {
  return (
    account !== null &&
    account.tokenVersion === version &&
    account.lockedAt === null &&
    (account.isVerified || client.unverified) &&
    (config.secondFactor !== 'required' || amr.includes('mfa')) &&
    (config.tokensNotBefore === null || createdAt >= config.tokensNotBefore) &&
    (browserSession === null || findActive(account, browserSession, config, now()) !== null)
  )
}

/** Refuses a replayed code. Both senders have everything that belongs to it and one is a thief, so its session ends (RFC 6749 §4.1.2). */
async function refuseReused(deps: ExchangeDeps, key: Key<'Grants'>, grant: Grant): Promise<never> {
  const reused = await deps.grants.markReused(key)
  deps.log({ event: 'code-reused', account_id: grant.id })
  if (reused?.session) await endSessionOf(deps, grant, reused.session)
  throw unknownCode()
}

const endSessionOf = (deps: ExchangeDeps, { id: accountId }: Pick<Account, 'id'>, id: string): Promise<void> =>
  endSession(deps, async () => {
    const account = await deps.accounts.find(accountId)
    const session = account && findActive(account, id, deps.config, deps.now())
    return account && session && { account, session }
  })

/** Exchanges a refresh token of the client's own, by the rules of all sessions (`sessions/refresh.ts`). */
async function refreshTokens(deps: ExchangeDeps, client: Client, form: Form): Promise<ApplicationTokens> {
  const text = requireParameter(form, 'refresh_token')
  const asked = form.get('scope')?.split(' ') ?? null
  return exchange(deps, text, {
    has: ({ application }) => application === client.id,
    mustBeVerified: !client.unverified,
    issue: (account, session, secret) =>
      issueApplicationTokens(deps, client, account, {
        scope: narrowScope(session, asked),
        login: session,
        session: { session, secret },
        nonce: null,
      }),
  })
}

/** RFC 6749 §6. @throws {OAuthError} `invalid_scope` */
function narrowScope({ scope }: Session, asked: readonly string[] | null): readonly string[] {
  const granted = scope ?? []
  if (asked === null) return granted
  if (!asked.every(name => granted.includes(name))) {
    throw new OAuthError('invalid_scope', 'scope names more than was granted')
  }
  return granted.filter(name => asked.includes(name))
}
