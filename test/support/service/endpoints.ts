import { sealProviderToken } from '../../../accounts/identity/provider-token.ts'
import { grace } from '../../../accounts/session/rotation.ts'
import { type IssuedToken, issueAccessToken } from '../../../accounts/token/access-token.ts'
import { byPassword } from '../../../accounts/token/claims.ts'
import type { Endpoint } from '../../../api/endpoint.ts'
import type { EndpointName } from '../../../api/routes.ts'
import { type Route, routes } from '../../../api/routes.ts'
import { goodBody } from '../api/requests.ts'
import { endpointNames, requestLine } from '../api/rows.ts'
import { queryWith, shopQuery } from '../clients.ts'
import { providers } from '../providers.ts'
import { idToken, sentWith, stayLoggedIn } from './applications.ts'
import { authenticator } from './authenticator.ts'
import { allScopes, codeForm, enterShop, grantCode, sentForm } from './grants.ts'
import type { Harness } from './harness.ts'
import { call, type Received, type Sent } from './http.ts'
import { connected } from './identities.ts'
import { setUpPasskey } from './owner.ts'
import { addPasskey, allowPasskeys, assertionOf } from './passkeys.ts'
import {
  ada,
  find,
  home,
  invite,
  move,
  register as openAdasAccount,
  openSession,
  protect,
  requestMove,
  requestToken,
  setUp,
} from './people.ts'

const endpoints = new Map<EndpointName, Endpoint<Harness['deps']>>()
for (const name of endpointNames) {
  const file = (await import(`../../../functions/${name}.ts`)) as { default: Endpoint<Harness['deps']> }
  endpoints.set(name, file.default)
}

/** Sends a request to an endpoint, by the method and the path of its row. */
export function send(harness: Harness, name: EndpointName, sent: Sent = {}): Promise<Received> {
  const endpoint = endpoints.get(name) as Endpoint<Harness['deps']>
  return call(endpoint(harness.deps), { ...requestLine(name), ...sent })
}

export async function bearer(harness: Harness, email: string = ada.email): Promise<Record<string, string>> {
  const account = await find(harness, email)
  return headersOf(await issueAccessToken(harness.deps, account, byPassword(harness.deps, account)))
}

/** A credential of Ada's that an endpoint accepts: a login's token, or an application's. */
export async function credential(harness: Harness, name: EndpointName): Promise<Record<string, string>> {
  if (!isOfApplications(name)) return bearer(harness)
  return { authorization: `Bearer ${(await enterShop(harness)).accessToken}` }
}

const isOfApplications = (name: EndpointName): boolean => (routes[name] as Route).scopes?.includes('openid') ?? false

export const headersOf = ({ token }: IssuedToken): Record<string, string> => ({ authorization: `Bearer ${token}` })

/** Members with Ada's passkey for an endpoint about passkeys. */
async function passkeySender(harness: Harness, name: EndpointName) {
  if ((routes[name] as Route).goal !== 'passkeys') return {}
  await harness.operator.verify(await find(harness), harness.deps.now())
  // The first request draws the handle.
  if (name === 'set-up-passkey') return {}
  const { passkey, device } = await addPasskey(harness)
  return {
    passkey: passkey.id,
    assertion: () => assertionOf(harness, device),
    async credential() {
      const { challenge, rpId, handle } = await setUpPasskey(harness.deps, home, await find(harness), {
        password: ada.password,
      })
      return authenticator().create({ challenge, rp: { id: rpId }, user: { id: handle } })
    },
  }
}

/** Members for an endpoint about another provider, which Ada's account is connected to. */
async function providerSender(harness: Harness, name: EndpointName) {
  harness.providers = providers
  if ((routes[name] as Route).goal !== 'providers') return {}
  await harness.operator.verify(await find(harness), harness.deps.now())
  const { identity, confirmed } = await connected(harness)
  return { identity: identity.key, providerToken: () => sealProviderToken(harness.deps, confirmed) }
}

/** Gives Ada the second factor that an endpoint is about. @returns a code that it then accepts */
async function codeFor(harness: Harness, name: EndpointName, hasFactor: boolean): Promise<string | undefined> {
  const { refuses = [], may, checksPassword }: Route = routes[name]
  // The first one needs a verified address.
  if (may?.FactorKey?.includes('Encrypt')) await harness.operator.verify(await find(harness), harness.deps.now())
  if (refuses.includes('no-second-factor-setup')) return (await setUp(harness)).code()
  const isAsked = refuses.includes('no-second-factor') || (checksPassword && hasFactor)
  return isAsked ? (await protect(harness)).recoveryCodes[0] : undefined
}

/**
 * Opens Ada's account, so that the returned request succeeds.
 *
 * @param hasFactor whether it has a second factor even if the endpoint needs none; then a recovery code is sent
 */
export function goodRequest(
  harness: Harness,
  name: EndpointName,
  { hasFactor = false } = {},
): Promise<Sent & { headers: Record<string, string> }> {
  return harness.prepared(harness.deps, `${name} ${hasFactor}`, () => prepare(harness, name, hasFactor))
}

async function prepare(
  harness: Harness,
  name: EndpointName,
  hasFactor: boolean,
): Promise<Sent & { headers: Record<string, string> }> {
  const { token } = await openAdasAccount(harness)
  allowPasskeys(harness)
  const ofPasskey = await passkeySender(harness, name)
  const code = await codeFor(harness, name, hasFactor)
  harness.advance(1000)
  // Old enough that its refresh token is rotated.
  const before = new Date(harness.deps.now().getTime() - grace)
  const earlier = { ...harness, deps: { ...harness.deps, now: () => before } }
  const session = await openSession(earlier)
  const body = await goodBody(name, {
    ...ada,
    newEmail: 'bob@example.com',
    session: () => session,
    ...ofPasskey,
    ...(await providerSender(harness, name)),
    ...(code !== undefined && { code }),
    async request(page) {
      const hint = { id_token_hint: await idToken(harness, { aud: 'shop', sub: (await find(harness)).id }) }
      return page === 'logout-browser' ? queryWith(hint) : shopQuery(hint)
    },
    async token(kind) {
      if (kind === 'verification') return token
      if (kind === 'reset') return requestToken(harness, kind)
      if (kind === 'invitation') {
        await harness.deps.accounts.delete(await find(harness), harness.deps.now())
        return invite(harness)
      }
      await harness.operator.verify(await find(harness), harness.deps.now())
      return kind === 'undo' ? move(harness, 'bob@example.com') : requestMove(harness, 'bob@example.com')
    },
  })
  const ofClient = await clientRequest(harness, name)
  if (ofClient) {
    harness.calls.length = 0
    return ofClient
  }
  const { access, ownPages }: Route = routes[name]
  const { browser } = ownPages ? await stayLoggedIn(earlier) : {}
  const { headers = {}, ...sent } = browser ? sentWith(browser.token) : {}
  harness.calls.length = 0
  return { ...(body && { body }), ...sent, headers: access === 'bearer' ? headersOf(session.tokens) : headers }
}

/** An application's request, for a person with all claims; null for other endpoints. */
async function clientRequest(
  harness: Harness,
  name: EndpointName,
): Promise<(Sent & { headers: Record<string, string> }) | null> {
  if (!(routes[name] as Route).form && !isOfApplications(name)) return null
  const { accounts, now } = harness.deps
  await accounts.changeProfile(await find(harness), { name: 'Ada', language: 'de' }, now())
  if (name === 'token') return sentForm(codeForm(await grantCode(harness, { scope: allScopes })))
  if (isOfApplications(name)) return { headers: await credential(harness, name) }
  const { refreshToken = '' } = await enterShop(harness)
  return sentForm({ token: refreshToken, client_id: 'shop' })
}
