import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { endSession, type SessionDeps } from '../session/ending.ts'
import { findActive } from '../session/session.ts'
import { isListed, parametersOf, withQuery } from './authorization-request.ts'
import { type Browser, endBrowserSession, findBrowserSession, staysLoggedIn } from './browser-session.ts'
import { type Client, findClient } from './client.ts'
import { type Hint, type HintDeps, readHint } from './hint.ts'
import type { ContinueRequest } from './shapes.ts'

/**
 * Logs a browser out (OpenID Connect RP-Initiated Logout). The person is asked, unless an id token of the application
 * names the logged-in person: otherwise any page could log people out (OWASP ASVS 10.6.2).
 *
 * @returns the address to go on to, or null
 * @throws {DomainError} `confirmation-required`, `unavailable`
 */
export async function logOutBrowser(
  deps: SessionDeps & HintDeps & Configured<'sso'>,
  browser: Browser,
  { request: query, confirmed }: ContinueRequest,
): Promise<string | null> {
  const { only } = parametersOf(query)
  const named = only('client_id')
  const hint = await hintOf(deps, only('id_token_hint'), named)
  const found = staysLoggedIn(deps.config) ? await findBrowserSession(deps, browser) : null
  const isOwn = hint !== null && hint.sub === found?.account.id
  if (found === null && browser.token !== null) browser.clear()
  if (!confirmed && !isOwn) throw new DomainError('confirmation-required')
  // The cookie's session ends last: if this fails halfway, a retry still finds the account.
  if (isOwn) await endHinted(deps, hint)
  await endBrowserSession(deps, browser)
  const client = hint?.client ?? findClient(deps.clients, named ?? '')
  return client && leadingTo(client, only('post_logout_redirect_uri'), only('state'))
}

/** A hint, unless it belongs to another client than the named one. */
async function hintOf(deps: HintDeps, token: string | null, named: string | null): Promise<Hint | null> {
  const hint = await readHint(deps, token)
  return named === null || hint?.client.id === named ? hint : null
}

/** Ends the client's own session, as its id token names it. */
const endHinted = (deps: SessionDeps, { sub, sid }: Hint): Promise<void> =>
  endSession(deps, async () => {
    const account = await deps.accounts.find(sub)
    const session = account && sid !== null ? findActive(account, sid, deps.config, deps.now()) : null
    return account && session && { account, session }
  })

function leadingTo(client: Client, address: string | null, state: string | null): string | null {
  if (address === null || !isListed(client, client.logouts, address)) return null
  return state === null ? address : withQuery(address, new URLSearchParams({ state }))
}
