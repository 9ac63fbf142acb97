import type { Configured } from '../../shared/base/config.ts'
import { DomainError, refusals } from '../../shared/base/errors.ts'
import type { CountWhileDeps } from '../../shared/base/limits/request-limit.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, Proven } from '../account/account.ts'
import type { Caller } from '../account/opening-by-provider.ts'
import { canonicalEmail } from '../address/address.ts'
import { mailSetupLink } from '../factor/enrolment.ts'
import { admitByProvider, type ProviderDeps } from '../login/by-provider.ts'
import { proveHolder } from '../login/login.ts'
import { type PasskeyDeps, provePasskeyHolder } from '../login/passkey-proof.ts'
import type { ProofDeps } from '../login/proof.ts'
import { finishProof } from '../login/proven.ts'
import type { PasskeyWrites } from '../passkey/writes.ts'
import type { PasswordWrites } from '../password/writes.ts'
import type { SessionDeps } from '../session/ending.ts'
import { type AddingDeps, requireOpened } from '../session/opening.ts'
import type { RefreshDeps } from '../session/refresh.ts'
import type { Session } from '../session/session.ts'
import type { SessionWrites } from '../session/writes.ts'
import { toSeconds } from '../token/access-token.ts'
import { type AuthorizationRequest, answerLocation, readAuthorizationRequest } from './authorization-request.ts'
import {
  type Browser,
  endBrowserSession,
  openBrowserSession,
  staysLoggedIn,
  useBrowserSession,
} from './browser-session.ts'
import { type Grants, makeCode } from './grant.ts'
import { type HintDeps, readHint } from './hint.ts'
import type { AuthorizeRequest, ContinueRequest } from './shapes.ts'

type AnswerDeps = Pick<System, 'now' | 'randomBytes' | 'log'> &
  HintDeps &
  Configured<'sessionDays' | 'sso'> & { grants: Pick<Grants, 'store'> }

/**
 * Logs a person in to an application: by a password or a passkey, which satisfies every request, or by a provider,
 * whose session may be old.
 *
 * Success ends the browser's old session, whoever owned it.
 *
 * @returns the address to go on to: with a code, or with an error if an `id_token_hint` names somebody else
 * @throws {DomainError} `invalid-authorization-request`, `login-required`, those of `proveHolder`, those of `admitByProvider`,
 *   `unavailable`
 */
export async function authorize(
  deps: AnswerDeps &
    ProofDeps &
    PasskeyDeps &
    AddingDeps &
    SessionDeps &
    CountWhileDeps &
    System &
    ProviderDeps &
    Pick<RefreshDeps, 'queueMail'> & {
      passkeys: Pick<PasskeyWrites, 'findHolder'>
      passwords: Pick<PasswordWrites, 'replaceHash'>
      sessions: Pick<SessionWrites, 'remember'>
    },
  caller: Caller,
  browser: Browser,
  { request: query, stay, label = null, ...proof }: AuthorizeRequest,
): Promise<string> {
  const request = requireGood(deps, query)
  const mustBeVerified = !request.client.unverified
  const enrol = (account: Account) => mailSetupLink(deps, account, caller.clientAddress)
  const terms = { mustBeVerified, enrol }
  const goOn = (proven: Proven) =>
    enter(deps, browser, request, stay && staysLoggedIn(deps.config) ? { label } : null, proven)
  if (proof.provider !== undefined || proof.provider_token !== undefined) {
    // A session at a provider may be old, and open to anybody at that machine.
    if (request.maxAge !== null || request.prompt.includes('login')) throw new DomainError('login-required')
    return admitByProvider(deps, caller, proof, terms, goOn)
  }
  return goOn(
    proof.assertion === undefined
      ? await proveHolder(deps, caller.clientAddress, proof, terms)
      : await finishProof(deps, await provePasskeyHolder(deps, proof.assertion), mustBeVerified),
  )
}

/** @param kept the name of the browser's session; null where it does not stay logged in */
async function enter(
  deps: AnswerDeps & AddingDeps & SessionDeps,
  browser: Browser,
  request: AuthorizationRequest,
  kept: { label: string | null } | null,
  proven: Proven,
): Promise<string> {
  const { account } = proven
  const isForAnother = await isMeantForAnother(deps, request, account)
  await proven.spend()
  if (isForAnother) return loginRequired(deps, request)
  await endBrowserSession(deps, browser)
  const session =
    kept === null
      ? proven.login
      : requireOpened(deps, proven, await openBrowserSession(deps, browser, proven, kept.label))
  return allow(deps, request, account, session)
}

/**
 * Logs a person in to an application by the cookie of a browser session. Every refusal comes before the session is written.
 *
 * @returns the address to go on to: with a code, or with an error if an `id_token_hint` names somebody else. With
 *   `prompt=none` every refusal is such an error.
 * @throws {DomainError} `invalid-authorization-request`, `login-required`, `email-not-verified`,
 *   `confirmation-required`, `unavailable`
 */
export async function continueSession(
  deps: AnswerDeps & RefreshDeps,
  browser: Browser,
  { request: query, confirmed }: ContinueRequest,
): Promise<string> {
  const request = requireGood(deps, query)
  const isSilent = request.prompt.includes('none')
  let isForAnother = false
  try {
    const { account, session } = await useBrowserSession(deps, browser, async (account, session) => {
      const members = { email: account.email }
      if (!suffices(deps, request, account, session)) throw new DomainError('login-required', { members })
      isForAnother = await isMeantForAnother(deps, request, account)
      if (isForAnother) throw new DomainError('login-required')
      if (!request.client.unverified && !account.isVerified) throw new DomainError('email-not-verified')
      // Any program of the machine can ask in the name of an app, and listen there (RFC 8252 §8.6).
      const isConfirmed = request.redirect.startsWith('https://') || (confirmed && !isSilent)
      if (!isConfirmed) throw new DomainError('confirmation-required', { members })
    })
    return await allow(deps, request, account, session)
  } catch (error) {
    const isRefusal = error instanceof DomainError && error.code !== 'unavailable'
    if (isForAnother || (isSilent && isRefusal)) return loginRequired(deps, request)
    throw error
  }
}

/** @throws {DomainError} `invalid-authorization-request` */
function requireGood({ clients, config }: AnswerDeps, query: string): AuthorizationRequest {
  const reading = readAuthorizationRequest(clients, query, config.issuer)
  if (reading.is === 'good') return reading.request
  const detail = reading.is === 'unknown' ? refusals[reading.code][1] : reading.description
  throw new DomainError('invalid-authorization-request', { detail })
}

/** Whether a session's login satisfies a request. */
function suffices(
  { now }: AnswerDeps,
  { prompt, maxAge, loginHint }: AuthorizationRequest,
  { email }: Account,
  { authTime, amr }: Session,
): boolean {
  if (prompt.some(each => each !== 'none' && each !== 'consent')) return false
  // In whole seconds, as clients read them. A `max_age` of 0 always asks for a login now.
  if (maxAge === 0 || (maxAge !== null && toSeconds(now()) - toSeconds(authTime) > maxAge)) return false
  // A provider's session may be older than the login by it.
  if (maxAge !== null && amr.includes('fed')) return false
  const hinted = loginHint === null ? null : canonicalEmail(loginHint)
  return hinted === null || hinted === email
}

async function isMeantForAnother(
  deps: AnswerDeps,
  { idTokenHint }: AuthorizationRequest,
  { id }: Account,
): Promise<boolean> {
  const hint = await readHint(deps, idTokenHint)
  return hint !== null && hint.sub !== id
}

/** The address that a logged-in person goes on to. @param login just now, or the browser session, if there is one */
async function allow(
  deps: AnswerDeps,
  request: AuthorizationRequest,
  account: Account,
  login: Session | Proven['login'],
): Promise<string> {
  const code = await makeCode(deps, {
    client: request.client.id,
    redirect: request.redirect,
    challenge: request.challenge,
    nonce: request.nonce,
    scope: request.scope,
    id: account.id,
    version: account.tokenVersion,
    authTime: login.authTime,
    amr: login.amr,
    browserSession: 'id' in login ? login.id : null,
  })
  deps.log({ event: 'authorized', account_id: account.id })
  return answerLocation(deps.config.issuer, request, { code })
}

/** The address that tells an application that nobody, or somebody else, is logged in (OpenID Connect Core §3.1.2.6). */
const loginRequired = ({ config }: AnswerDeps, request: AuthorizationRequest): string =>
  answerLocation(config.issuer, request, { error: 'login_required', error_description: 'Log in to go on' })
