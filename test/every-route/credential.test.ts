import { isDeepStrictEqual } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../shared/accounts/account.ts'
import { readHint } from '../../shared/accounts/applications/hint.ts'
import { drawToken, hashToken } from '../../shared/accounts/one-time-token.ts'
import { drawLoginOptions } from '../../shared/accounts/passkeys/options.ts'
import { sealProviderToken } from '../../shared/accounts/providers/provider-token.ts'
import { sign } from '../../shared/accounts/tokens/access-token.ts'
import { byPassword, claimsOf, setupAudience } from '../../shared/accounts/tokens/claims.ts'
import { forms } from '../../shared/api/forms.ts'
import { needsOf } from '../../shared/api/needs.ts'
import { type EndpointName, type Route, routes } from '../../shared/api/routes.ts'
import { keyIn } from '../../shared/base/families.ts'
import { goodBody, sessionOf } from '../support/api/requests.ts'
import { bearerNames, endpointNames, membersOf } from '../support/api/rows.ts'
import { clients, shopQuery } from '../support/clients.ts'
import { providers } from '../support/providers.ts'
import { sentWith, stayLoggedIn } from '../support/service/applications.ts'
import { bearer, credential, goodRequest, send } from '../support/service/endpoints.ts'
import { codeForm, enterShop, grantCode, sentForm } from '../support/service/grants.ts'
import { createHarness } from '../support/service/harness.ts'
import type { Sent } from '../support/service/http.ts'
import { connected } from '../support/service/identities.ts'
import { allowPasskeys } from '../support/service/passkeys.ts'
import { ada, find, invite, openSession, register, requestMove, requestToken } from '../support/service/people.ts'
import { expectProblem } from './problem.ts'

const harness = createHarness()
beforeEach(() => allowPasskeys(harness))

const scopesOf = (name: EndpointName) => (routes[name] as Route).scopes ?? []
const refused = 'invalid-access-token'
const takenIf = (isTaken: boolean) => (isTaken ? null : 'insufficient-scope')

/** All that this service gives people and applications, and what a row says to it; null: it is taken. */
const given: [what: string, make: () => Promise<string | undefined>, answer: (name: EndpointName) => string | null][] =
  [
    [
      'the token of a login',
      async () => (await openSession(harness)).tokens.token,
      name => takenIf(!scopesOf(name).includes('openid')),
    ],
    [
      'a token that sets up a second factor',
      async () => {
        const { config, now } = harness.deps
        const seconds = now().getTime() / 1000
        const account = await find(harness)
        const audience = { ...config, tokenAudience: setupAudience(config) }
        return sign(
          harness.deps,
          claimsOf(account, byPassword(harness.deps, account), audience, seconds, seconds + 600),
        )
      },
      name => (['set-up-second-factor', 'confirm-second-factor'].includes(name) ? null : refused),
    ],
    [
      'the token of an application',
      async () => (await enterShop(harness)).accessToken,
      name => takenIf(scopesOf(name).length > 0),
    ],
    [
      'that of one that may know no more than who it is',
      async () => (await enterShop(harness, ['openid'])).accessToken,
      name => takenIf(scopesOf(name).join() === 'openid'),
    ],
    [
      'that of one whose tokens are for userinfo alone',
      async () => {
        const deps = { ...harness.deps, clients: clients.map(client => ({ ...client, api: false })) }
        return (await enterShop({ ...harness, deps })).accessToken
      },
      name => (name === 'userinfo' ? null : refused),
    ],
    ['an id token', async () => (await enterShop(harness)).idToken, () => refused],
    ['the refresh token of an application', async () => (await enterShop(harness)).refreshToken, () => refused],
    ['a refresh token', async () => (await openSession(harness)).refreshToken, () => refused],
    ['a cookie', async () => (await stayLoggedIn(harness)).browser.token ?? undefined, () => refused],
    ['a code', () => grantCode(harness), () => refused],
    [
      'what stands for the confirmation of a provider',
      async () => {
        harness.providers = providers
        return sealProviderToken(harness.deps, (await connected(harness)).confirmed)
      },
      () => refused,
    ],
    ['a challenge', async () => (await drawLoginOptions(harness.deps)).challenge, () => refused],
    [
      'a link that verifies',
      async () => (await register(harness, { ...ada, email: 'bob@example.com' })).token,
      () => refused,
    ],
    ['a link that resets', () => requestToken(harness, 'reset'), () => refused],
    [
      'a link to a new address',
      async () => {
        await harness.operator.verify(await find(harness), harness.deps.now())
        harness.advance(1000)
        return requestMove(harness, 'ada@example.org')
      },
      () => refused,
    ],
    ['an invitation', () => invite(harness, { email: 'eve@example.com' }), () => refused],
    ['a link that undoes', () => stored((hash, account, at) => harness.addUndoable(hash, account, at)), () => refused],
    [
      'a link that sets up a second factor',
      () =>
        stored((hash, { id, tokenVersion }, expiresAt) =>
          harness.deps.counters.storeSetupLink(keyIn('SetupLinks', hash), { id, tokenVersion, expiresAt }),
        ),
      () => refused,
    ],
  ]

/** Draws a token of a link, and has its hash stored. */
async function stored(store: (hash: string, account: Account, expiresAt: Date) => Promise<unknown>): Promise<string> {
  const token = drawToken(harness.deps)
  await store(hashToken(token), await find(harness), new Date(harness.deps.now().getTime() + 3_600_000))
  return token
}

describe.each(bearerNames)('%s', name => {
  test('asks for a credential when there is none', async () => {
    const good = await goodRequest(harness, name)
    for (const [what, headers] of [
      ['no credential', {}],
      ['another scheme', { authorization: 'Basic YWRhOnNlY3JldA==' }],
      ['a scheme that only begins alike', { authorization: 'Bearer-not abc' }],
      ['a token without its scheme', { authorization: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' }],
      ['an empty field', { authorization: '' }],
    ] as [string, Record<string, string>][]) {
      const answer = await send(harness, name, { ...good, headers })
      expectProblem(answer, 'not-authenticated', what)
      expect(answer.headers['www-authenticate'], what).toBe('Bearer realm="auth"')
      expect(answer.body.detail).toBe('Not authenticated')
    }
  })

  test('refuses what is no token', async () => {
    const good = await goodRequest(harness, name)
    const own = good.headers.authorization ?? ''
    for (const [what, authorization] of [
      ['nothing', 'Bearer'],
      ['nonsense', 'Bearer nonsense'],
      ['a token cut by one character', own.slice(0, -1)],
      ['two tokens', `${own}, ${own}`],
      ['two words', `${own} ${own}`],
    ] as [string, string][]) {
      const answer = await send(harness, name, { ...good, headers: { authorization } })
      expectProblem(answer, 'invalid-access-token', what)
      expect(answer.headers['www-authenticate'], what).toMatch(
        /^Bearer realm="auth", error="invalid_token", error_description="[^"]+"$/,
      )
      expect(answer.body.detail).toBe('Invalid or expired token')
    }
  })

  test('takes no token that is for something else, and looks at it before the body', async () => {
    harness.config.rateLimits = null
    await register(harness)
    for (const [what, make, answer] of given) {
      const headers = { authorization: `Bearer ${await make()}` }
      const { body } = await send(harness, name, { headers, body: 'no JSON' })
      const code = ['insufficient-scope', refused].find(each => each === body.code) ?? null
      expect(code, what).toBe(answer(name))
    }
  })

  test.each(['bearer', 'BEARER', 'BeArEr'])('takes the scheme as %s', async scheme => {
    const request = await goodRequest(harness, name)
    const authorization = request.headers?.authorization?.replace('Bearer', scheme) ?? ''
    expect((await send(harness, name, { ...request, headers: { authorization } })).status).toBe(routes[name].reply[0])
  })

  test('refuses the token of an account that is gone', async () => {
    const request = await goodRequest(harness, name)
    const stranger = { ...(await bearer(harness)) }
    harness.deps.accounts.find = async () => null
    expectProblem(await send(harness, name, { ...request, headers: stranger }), 'invalid-access-token')
  })

  test('refuses the token of a locked account, and of one that was locked and is not any more', async () => {
    const request = await goodRequest(harness, name)
    const account = await find(harness)
    await harness.operator.lock(account, harness.deps.now())
    expectProblem(await send(harness, name, request), 'invalid-access-token')
    // With the current version: a lock does not depend on the version alone.
    expectProblem(await send(harness, name, { ...request, headers: await bearer(harness) }), 'invalid-access-token')
    await harness.operator.unlock(account, harness.deps.now())
    expectProblem(await send(harness, name, request), 'invalid-access-token')
    expect((await send(harness, name, { ...request, headers: await credential(harness, name) })).status).toBe(
      routes[name].reply[0],
    )
  })

  test('checks the credential before the body', async () => {
    expectProblem(await send(harness, name, { body: 'no JSON' }), 'not-authenticated')
  })
})

const raises = ['lock', 'signOut', 'revoke'] as const
/** What a raise leaves: mailed links, but for a revocation. An undoing takes away more than any, and a newcomer has no version. */
const outlived: { [N in EndpointName]?: readonly (typeof raises)[number][] } = {
  register: raises,
  'reset-password': ['lock', 'signOut'],
  'accept-invitation': ['lock', 'signOut'],
  'verify-email': ['lock', 'signOut'],
  undo: raises,
}
const changing = endpointNames.filter(name => needsOf(routes[name]).may.Users?.some(action => action !== 'GetItem'))

const meetings = changing.flatMap(name =>
  raises.filter(raise => !outlived[name]?.includes(raise)).map(raise => [name, raise] as const),
)

test.each(meetings)('%s changes nothing when a %s comes first', async (name, raise) => {
  const request = await goodRequest(harness, name)
  let items: unknown
  harness.beforeCall = async (command, table) => {
    if (!/Put|Update|Delete|Transact/.test(command) || table !== 'Users' || items) return
    await harness.operator[raise](await find(harness), harness.deps.now())
    items = await harness.items('Users')
  }
  const answer = await send(harness, name, request)
  expect(items).toBeDefined()
  if (bearerNames.includes(name)) expectProblem(answer, 'invalid-access-token')
  // Only what ends a session has nothing left to do.
  else if (answer.status < 300) expect(name).toMatch(/^(logout|logout-browser|revoke)$/)
  expect(await harness.items('Users')).toEqual(items)
})

/** Where a token or a code of ours can stand but in `Authorization`. What a provider gives goes to the provider. */
const places = endpointNames.flatMap(name => {
  const { form, ownPages }: Route = routes[name]
  const fields = form ? Object.keys(forms[form].entries).filter(field => /^(code|(refresh_)?token)$/.test(field)) : []
  const members = membersOf(name).filter(member => /token$/.test(member))
  return [...members, ...fields, ...(ownPages ? ['cookie'] : [])].map(member => [name, member] as const)
})

const refreshTokens = ['a refresh token', 'the refresh token of an application', 'a cookie']
/** What each takes of all that is given. */
const taken: Record<string, readonly string[]> = {
  'login mail_token': ['a link that sets up a second factor'],
  'verify-email token': ['a link that verifies'],
  'reset-password token': ['a link that resets'],
  'accept-invitation token': ['an invitation'],
  'confirm-email-change token': ['a link to a new address'],
  'undo token': ['a link that undoes'],
  'refresh refresh_token': ['a refresh token'],
  'logout refresh_token': refreshTokens,
  'authorize provider_token': ['what stands for the confirmation of a provider'],
  'authorize cookie': ['a cookie'],
  'authorize-session cookie': ['a cookie'],
  'logout-browser cookie': ['a cookie'],
  'token code': ['a code'],
  'token refresh_token': ['the refresh token of an application'],
  'revoke token': ['the refresh token of an application'],
  'provider-login provider_token': ['what stands for the confirmation of a provider'],
  'provider-login mail_token': ['a link that sets up a second factor'],
}

test('every place of a token is here', () => {
  expect(places.map(place => place.join(' ')).sort()).toEqual(Object.keys(taken).sort())
})

describe.each(places)('%s takes as its %s', (name, member) => {
  const takes = taken[`${name} ${member}`] ?? []
  const inOrder = [...given].sort(([one], [other]) => Number(takes.includes(one)) - Number(takes.includes(other)))

  async function sent(token: string): Promise<Sent> {
    const { form }: Route = routes[name]
    if (form === 'RevocationRequest') return sentForm({ client_id: 'shop', token })
    if (form && member === 'code') return sentForm(codeForm(token))
    if (form) return sentForm({ client_id: 'shop', grant_type: 'refresh_token', refresh_token: token })
    const body = await goodBody(name, {
      ...ada,
      newEmail: 'carol@example.com',
      token: () => 'x',
      session: () => sessionOf('x'),
      request: page => (page === 'logout-browser' ? '' : shopQuery()),
      providerToken: async () => sealProviderToken(harness.deps, (await connected(harness)).confirmed),
    })
    if (member === 'cookie') return { body: { ...body, stay: false }, ...sentWith(token) }
    const proof = name === 'authorize' ? { request: shopQuery() } : body
    return { body: { ...proof, [member]: token }, headers: { 'sec-fetch-site': 'same-origin' } }
  }

  test('what is for it, and refuses all else as it refuses what is nothing', async () => {
    harness.config.rateLimits = null
    harness.providers = providers
    await register(harness)
    await harness.operator.verify(await find(harness), harness.deps.now())
    await connected(harness)
    const after = async (token: string) => {
      // The links that set up a second factor are for who must have one.
      harness.config.secondFactor = member === 'mail_token' ? 'required' : 'optional'
      const before = await harness.items('Users')
      const { status, body, cookies } = await send(harness, name, await sent(token))
      harness.config.secondFactor = 'optional'
      const { provider_token, location, ...told } = body
      const isChanged = !isDeepStrictEqual(await harness.items('Users'), before)
      return { status, ...told, location: location?.replace(/code=[^&]+/, ''), cookies: cookies?.length, isChanged }
    }
    // Whoever logs in first has the client remembered.
    await after('x')
    const nothing = await after('x')
    expect(nothing.isChanged).toBe(false)
    for (const [what, make] of inOrder) {
      const told = await after((await make()) ?? '')
      if (takes.includes(what)) expect(told, what).not.toEqual(nothing)
      else expect(told, what).toEqual(nothing)
    }
  })
})

test('an id token alone is a hint of who logs in', async () => {
  await register(harness)
  for (const [what, make] of given) {
    expect((await readHint(harness.deps, (await make()) ?? '')) !== null, what).toBe(what === 'an id token')
  }
})
