import { type Browser, openBrowserSession } from '../../../accounts/application/browser-session.ts'
import type { Session } from '../../../accounts/session/session.ts'
import { sign } from '../../../accounts/token/access-token.ts'
import type { Claims } from '../../../accounts/token/claims.ts'
import type { Harness } from './harness.ts'
import { ada, find } from './people.ts'
import { proven } from './proven.ts'

/** A browser for the domain: it keeps its cookie. */
export class HeldBrowser implements Browser {
  token: string | null
  /** Seconds until the browser drops it; null before it is set, 0 after it is cleared. */
  seconds: number | null = null

  constructor(token: string | null = null) {
    this.token = token
  }

  keep(token: string, seconds: number): void {
    Object.assign(this, { token, seconds })
  }

  clear(): void {
    Object.assign(this, { token: null, seconds: 0 })
  }
}

/** Opens a browser session with the domain's own code. */
export async function stayLoggedIn(
  { deps }: Pick<Harness, 'deps'>,
  email: string = ada.email,
  login: Partial<Pick<Session, 'amr'>> = {},
): Promise<{ browser: HeldBrowser; session: Session }> {
  const browser = new HeldBrowser()
  const account = await find({ deps } as Harness, email)
  const owner = await proven(deps, account)
  const session = await openBrowserSession(deps, browser, { ...owner, login: { ...owner.login, ...login } }, null)
  if (typeof session === 'string') throw new Error(session)
  browser.seconds = null
  return { browser, session }
}

/** A request of our own page with a cookie. */
export const sentWith = (token: string | null) => ({
  headers: { 'sec-fetch-site': 'same-origin' },
  ...(token !== null && { cookies: [`__Host-gatehouse=${token}`] }),
})

/** An id token with the claims of a hint. */
export const idToken = (
  { deps }: Harness,
  { iss = deps.config.issuer, ...claims }: { iss?: string; aud: unknown; sub: unknown; sid?: string; exp?: number },
): Promise<string> => sign(deps, { iss, ...claims } as unknown as Claims)
