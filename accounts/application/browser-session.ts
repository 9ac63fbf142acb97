import type { Config, Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { Account, Proven } from '../account/account.ts'
import { endSession, findSession, type SessionDeps } from '../session/ending.ts'
import { type AddingDeps, addSession, type NotAdded } from '../session/opening.ts'
import { exchange, type RefreshDeps } from '../session/refresh.ts'
import { parseRefreshToken, writeRefreshToken } from '../session/refresh-token.ts'
import { endOf, newSession, type Session } from '../session/session.ts'
import { toSeconds } from '../token/access-token.ts'

/**
 * A browser session: a session of an account whose refresh token is a browser's cookie, so that one login serves all
 * applications. The token works only where that cookie is read.
 */

/** The browser that sends a request, and its session cookie. */
export interface Browser {
  /** The cookie's value; null when there is none, or it must not be read. */
  readonly token: string | null
  /** Sets the cookie. @param seconds until the browser drops it */
  keep(token: string, seconds: number): void
  clear(): void
}

/** Whether browsers can stay logged in here. */
export const staysLoggedIn = ({ sso, sessionDays }: Pick<Config, 'sso' | 'sessionDays'>): boolean =>
  sso && sessionDays > 0

/**
 * Opens a browser session for an owner who logged in just now, and sets its cookie.
 *
 * @param label the browser's name
 * @throws {DomainError} `unavailable`
 */
export async function openBrowserSession(
  deps: AddingDeps,
  browser: Browser,
  { account, login }: Proven,
  label: string | null,
): Promise<Session | NotAdded> {
  const { session, secret } = newSession(deps, account, label, login, { isBrowser: true })
  const added = await addSession(deps, account, session)
  if (added !== 'added') return added
  setCookie(deps, browser, account, session, secret)
  return session
}

/** Sets the cookie of a session for the session's lifetime. @param secret the session's */
function setCookie(
  { now, config }: Pick<AddingDeps, 'now' | 'config'>,
  browser: Browser,
  { id }: Account,
  session: Session,
  secret: string,
): void {
  const seconds = toSeconds(endOf(session, config)) - toSeconds(now())
  browser.keep(writeRefreshToken(id, session, secret), seconds)
}

/** The active browser session of a cookie, and its account; else null. */
export async function findBrowserSession(
  deps: SessionDeps,
  { token: text }: Browser,
): Promise<{ account: Account; session: Session } | null> {
  const token = text === null ? null : parseRefreshToken(text)
  const found = token && (await findSession(deps, token))
  return found?.session.isBrowser ? found : null
}

/**
 * Uses a browser cookie's token by the rules of refresh tokens, and clears a dead cookie.
 *
 * @param check throws refusals before anything is written
 * @throws {DomainError} `login-required`, `unavailable`, and what `check` throws
 */
export async function useBrowserSession(
  deps: RefreshDeps & Configured<'sso'>,
  browser: Browser,
  check: (account: Account, session: Session) => Promise<void>,
): Promise<{ account: Account; session: Session }> {
  if (browser.token === null) throw new DomainError('login-required')
  try {
    if (!staysLoggedIn(deps.config)) throw new DomainError('invalid-refresh-token')
    const { account, session, secret } = await exchange(deps, browser.token, {
      has: ({ isBrowser }) => isBrowser,
      mustBeVerified: false,
      async issue(account, session, secret) {
        await check(account, session)
        return { account, session, secret }
      },
    })
    setCookie(deps, browser, account, session, secret)
    return { account, session }
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid-refresh-token') throw error
    browser.clear()
    throw new DomainError('login-required')
  }
}

/** Ends the session of a browser's cookie, whoever owns it, and clears the cookie. @throws {DomainError} `unavailable` */
export async function endBrowserSession(deps: SessionDeps, browser: Browser): Promise<void> {
  if (browser.token === null) return
  await endSession(deps, () => findBrowserSession(deps, browser))
  browser.clear()
}
