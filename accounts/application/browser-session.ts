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
 * A browser session: one of an account's sessions, whose refresh token a browser has as a cookie, so that a person who logs
 * in to one application is logged in to the others. Its token works where that cookie is read and nowhere else.
 */

/** The browser that sends a request, and the cookie by which it stays logged in. */
export interface Browser {
  /** The cookie's value; null when there is none that may be read. */
  readonly token: string | null
  /** Sets the cookie. @param seconds for which the browser keeps it */
  keep(token: string, seconds: number): void
  clear(): void
}

/** Whether browsers can stay logged in here. */
export const staysLoggedIn = ({ sso, sessionDays }: Pick<Config, 'sso' | 'sessionDays'>): boolean =>
  sso && sessionDays > 0

/**
 * Opens a browser session for the owner of an account, who logged in just now, and sets its cookie.
 *
 * @throws {DomainError} `unavailable`
 */
export async function openBrowserSession(
  deps: AddingDeps,
  browser: Browser,
  { account, login }: Proven,
): Promise<Session | NotAdded> {
  const { session, secret } = newSession(deps, account, null, login, { isBrowser: true })
  const added = await addSession(deps, account, session)
  if (added !== 'added') return added
  setCookie(deps, browser, account, session, secret)
  return session
}

/** Sets the cookie of a session, for as long as that lives. @param secret the session's */
function setCookie(
  { now, config }: Pick<AddingDeps, 'now' | 'config'>,
  browser: Browser,
  { email }: Account,
  session: Session,
  secret: string,
): void {
  const seconds = toSeconds(endOf(session, config)) - toSeconds(now())
  browser.keep(writeRefreshToken(email, session, secret), seconds)
}

/** The browser session of a cookie, and its account; null for none, and for one that has ended. */
export async function findBrowserSession(
  deps: SessionDeps,
  { token: text }: Browser,
): Promise<{ account: Account; session: Session } | null> {
  const token = text === null ? null : parseRefreshToken(text)
  const found = token && (await findSession(deps, token))
  return found?.session.isBrowser ? found : null
}

/**
 * Uses the token of a browser's cookie by the rules of refresh tokens, and clears a cookie that is dead.
 *
 * @param check refuses before anything is written
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

/** Ends the session of a browser's cookie, whoever's it is, and clears the cookie. @throws {DomainError} `unavailable` */
export async function endBrowserSession(deps: SessionDeps, browser: Browser): Promise<void> {
  if (browser.token === null) return
  await endSession(deps, () => findBrowserSession(deps, browser))
  browser.clear()
}
