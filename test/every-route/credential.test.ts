import { createHash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { undoToken } from '../../accounts/address/undo.ts'
import { readHint } from '../../accounts/application/hint.ts'
import { defineForms } from '../../accounts/application/shapes.ts'
import { changeOf, firstChange } from '../../accounts/change/changes.ts'
import { sealProviderToken } from '../../accounts/identity/provider-token.ts'
import { type ChallengePurpose, drawChallenge } from '../../accounts/passkey/challenge.ts'
import { type ProofPurpose, proofPurposes } from '../../accounts/passkey/shapes.ts'
import { isRemembered } from '../../accounts/session/remembered-clients.ts'
import { drawToken, hashToken } from '../../accounts/token/token.ts'
import { needsOf } from '../../api/needs.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { accountKinds } from '../../shared/base/families.ts'
import { asserted, goodBody, type HeldSession, type MailedToken, sessionOf, tokenOf } from '../support/api/requests.ts'
import { bearerNames, endpointNames, membersOf, requestLine } from '../support/api/rows.ts'
import { clients, shopQuery } from '../support/clients.ts'
import { providers } from '../support/providers.ts'
import { sentWith, stayLoggedIn } from '../support/service/applications.ts'
import { authenticator } from '../support/service/authenticator.ts'
import { bearer, credential, goodRequest, send } from '../support/service/endpoints.ts'
import { codeForm, enterShop, grantCode, sentForm } from '../support/service/grants.ts'
import { createHarness } from '../support/service/harness.ts'
import { setupLink, setupToken } from '../support/service/holdings.ts'
import type { Sent } from '../support/service/http.ts'
import { connected } from '../support/service/identities.ts'
import { addPasskey, allowPasskeys } from '../support/service/passkeys.ts'
import {
  ada,
  find,
  invite,
  openSession,
  protect,
  register,
  requestMove,
  requestToken,
} from '../support/service/people.ts'
import { expectProblem } from './problem.ts'

const harness = createHarness()
beforeEach(() => allowPasskeys(harness))

const scopesOf = (name: EndpointName) => (routes[name] as Route).scopes ?? []
const refused = 'invalid-access-token'
const takenIf = (isTaken: boolean) => (isTaken ? null : 'insufficient-scope')

/** The credentials that differ at each endpoint. */
const owners = 'a challenge for an owner'
const otherPurpose = 'a challenge for an owner, for another purpose'
const otherOwner = 'a challenge for another owner'
const ofOwners = [owners, otherPurpose, otherOwner]

/** All credentials that this service issues, and a row's answer to each; null: accepted. */
const given: [
  what: string,
  make: (name: EndpointName) => Promise<string | undefined>,
  answer: (name: EndpointName) => string | null,
][] = [
  [
    'the token of a login',
    async () => (await openSession(harness)).tokens.token,
    name => takenIf(!scopesOf(name).includes('openid')),
  ],
  [
    'a token that sets up a second factor',
    () => setupToken(harness),
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
  ['a challenge', () => drawChallenge(harness.deps, 'login', null), () => refused],
  [
    'what is stored of a challenge',
    async () => hashOf(await drawChallenge(harness.deps, 'login', null)),
    () => refused,
  ],
  [owners, async name => ownChallenge(purposeOf(name) ?? 'delete-account'), () => refused],
  [
    otherPurpose,
    async name => ownChallenge(proofPurposes.find(purpose => purpose !== purposeOf(name)) ?? 'delete-account'),
    () => refused,
  ],
  [
    otherOwner,
    async name => drawChallenge(harness.deps, purposeOf(name) ?? 'delete-account', randomUUID()),
    () => refused,
  ],
  ['a challenge for a new passkey', () => ownChallenge('passkeys/confirm'), () => refused],
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
  [
    'a link that undoes',
    async () => {
      const { deps } = harness
      const account = await find(harness)
      const token = drawToken(deps)
      const change = changeOf(account, { kind: 'passkey', hash: hashToken(token), hasLink: true }, deps.now())
      await harness.setAttributes(account.id, firstChange(change))
      return undoToken(token, account.id)
    },
    () => refused,
  ],
  ['a link that sets up a second factor', () => setupLink(harness), () => refused],
]

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The purpose of a passkey's challenge at an endpoint, if it accepts one in place of a password. */
const purposeOf = (name: EndpointName): ProofPurpose | undefined =>
  proofPurposes.find(purpose => requestLine(name).path === `/auth/${purpose}`)

const ownChallenge = async (purpose: ChallengePurpose): Promise<string> =>
  drawChallenge(harness.deps, purpose, (await find(harness)).id)

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

  test('refuses anything but a token', async () => {
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
    for (const [what, make, answer] of given) {
      await harness.clear()
      harness.providers = []
      const world = `${what} ${ofOwners.includes(what) ? name : ''}`
      const token = await harness.prepared(harness.deps, world, async () => {
        await register(harness)
        return make(name)
      })
      const { body } = await send(harness, name, { headers: { authorization: `Bearer ${token}` }, body: 'no JSON' })
      const code = ['insufficient-scope', refused].find(each => each === body.code) ?? null
      expect(code, what).toBe(answer(name))
    }
  })

  test.each(['bearer', 'BEARER', 'BeArEr'])('takes the scheme as %s', async scheme => {
    const request = await goodRequest(harness, name)
    const authorization = request.headers?.authorization?.replace('Bearer', scheme) ?? ''
    expect((await send(harness, name, { ...request, headers: { authorization } })).status).toBe(routes[name].reply[0])
  })

  test('refuses the token of a deleted account', async () => {
    const request = await goodRequest(harness, name)
    const stranger = { ...(await bearer(harness)) }
    harness.deps.accounts.find = async () => null
    expectProblem(await send(harness, name, { ...request, headers: stranger }), 'invalid-access-token')
  })

  test('refuses the token of a locked account, and a former one of an unlocked account', async () => {
    const request = await goodRequest(harness, name)
    const account = await find(harness)
    await harness.operator.lock(account, harness.deps.now())
    expectProblem(await send(harness, name, request), 'invalid-access-token')
    // With the current version: a lock does not rely on the version alone.
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

const raises = ['lock', 'signOut', 'revoke', 'remove'] as const
type Raise = (typeof raises)[number]
const byLink = endpointNames.filter(name => membersOf(name).includes('token'))
/** Raises that a link survives: all but a revocation. An undo removes more than any, and a newcomer has no version. */
function outlived(name: EndpointName): readonly Raise[] {
  if (name === 'register' || name === 'undo') return raises
  // A provider opens another account.
  if (name === 'provider-login') return ['remove']
  return byLink.includes(name) && tokenOf(name) !== 'email-change' ? ['lock', 'signOut'] : []
}
const changing = endpointNames.filter(name => needsOf(routes[name]).may.Accounts?.some(action => action !== 'GetItem'))

const meetings = changing.flatMap(name =>
  raises.filter(raise => !outlived(name).includes(raise)).map(raise => [name, raise] as const),
)

/** Everything except the count of wrong codes, where an unchecked code is uncounted. */
const known = async () => (await harness.items('Accounts')).map(({ wrong_codes, ...item }) => item)

test.each(meetings)('%s changes nothing after a %s, before whichever call that comes', async (name, raise) => {
  const isBearer = bearerNames.includes(name)
  for (let at = 1, isRaised = true; isRaised; at++) {
    await harness.clear()
    const request = await goodRequest(harness, name)
    let items: unknown
    let calls = 0
    // A request that has begun has read the account, or has an access token.
    let isBegun = isBearer
    let isWritten = false
    harness.beforeCall = async (command, table, input) => {
      if (isBegun) calls += 1
      if (calls === at && items === undefined) {
        const account = await find(harness)
        if (raise === 'remove') await harness.deps.accounts.delete(account, harness.deps.now())
        else await harness.operator[raise](account, harness.deps.now())
        items = await known()
      }
      if (items !== undefined || table !== 'Accounts') return
      isBegun ||= command === 'GetItem' && JSON.stringify(input).includes(`"${accountKinds.Accounts}`)
      isWritten ||= /Put|Update|Delete|Transact/.test(command)
    }
    const { status, body } = await send(harness, name, request)
    harness.beforeCall = () => {}
    isRaised = items !== undefined
    if (!isRaised) continue
    expect(await known(), `call ${at}`).toEqual(items)
    if (isBearer && !isWritten) expect(body.code, `call ${at}`).toBe(refused)
    if (status >= 300) continue
    // A request that ends a session has nothing left to do. All others wrote before, and their results have ended.
    if (!isWritten) expect(name, `call ${at}`).toMatch(/^(logout|logout-browser|revoke)$/)
    const headers = { authorization: `Bearer ${body?.access_token}` }
    if (body?.access_token) expectProblem(await send(harness, 'get-me', { headers }), refused, `call ${at}`)
  }
})

/** The places of our tokens, codes and challenges other than `Authorization`. A provider's go to the provider. */
const places = endpointNames.flatMap(name => {
  const { form, ownPages }: Route = routes[name]
  const fields = form
    ? Object.keys(defineForms()[form].entries).filter(field => /^(code|(refresh_)?token)$/.test(field))
    : []
  const members = membersOf(name).filter(member => /token$|^(assertion|credential)$/.test(member))
  return [...members, ...fields, ...(ownPages ? ['cookie'] : [])].map(member => [name, member] as const)
})

const byPasskey = endpointNames.flatMap(name => (purposeOf(name) ? [`${name} assertion`] : []))
/** The links among what is given. */
const mailed: Record<MailedToken, string> = {
  verification: 'a link that verifies',
  reset: 'a link that resets',
  'email-change': 'a link to a new address',
  invitation: 'an invitation',
  undo: 'a link that undoes',
}
const refreshTokens = ['a refresh token', 'the refresh token of an application', 'a cookie']
/** The credentials that each place accepts. */
const taken: Record<string, readonly string[]> = {
  ...Object.fromEntries(byPasskey.map(place => [place, [owners]])),
  ...Object.fromEntries(byLink.map(name => [`${name} token`, [mailed[tokenOf(name)]]])),
  'passkey-login assertion': ['a challenge'],
  'authorize assertion': ['a challenge'],
  'confirm-passkey credential': ['a challenge for a new passkey'],
  'login mail_token': ['a link that sets up a second factor'],
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

const device = authenticator()
/** Its worlds have no other device. */
const own = randomUUID()

/** Gives Ada everything that tokens are about. @returns the session that ends and her access token */
const prepareAll = (isSigned: boolean) =>
  harness.prepared(harness.deps, `places ${isSigned} ${own}`, async () => {
    harness.providers = providers
    await register(harness)
    await harness.operator.verify(await find(harness), harness.deps.now())
    await connected(harness)
    let held: HeldSession | null = null
    if (isSigned) {
      await addPasskey(harness, {}, device)
      await protect(harness)
      held = await openSession(harness)
    }
    return { held, headers: await bearer(harness) }
  })

describe.each(places)('%s takes as its %s', (name, member) => {
  const takes = taken[`${name} ${member}`] ?? []
  const isSigned = member === 'assertion' || member === 'credential'
  let held: HeldSession = sessionOf('x')
  const inOrder = [...given].sort(([one], [other]) => Number(takes.includes(one)) - Number(takes.includes(other)))

  async function sent(token: string): Promise<Sent> {
    const { form }: Route = routes[name]
    if (form === 'RevocationRequest') return sentForm({ client_id: 'shop', token })
    if (form && member === 'code') return sentForm(codeForm(token))
    if (form) return sentForm({ client_id: 'shop', grant_type: 'refresh_token', refresh_token: token })
    const { passkeys, passkeyHandle: handle, identities } = await find(harness)
    const body = await goodBody(name, {
      ...ada,
      ...(name === 'remove-passkey' && { passkey: passkeys[0]?.id ?? '' }),
      ...(name === 'disconnect-provider' && { identity: identities[0]?.key ?? '' }),
      newEmail: 'carol@example.com',
      token: () => 'x',
      session: () => held,
      request: page => (page === 'logout-browser' ? '' : shopQuery()),
      providerToken: async () => sealProviderToken(harness.deps, (await connected(harness)).confirmed),
    })
    if (member === 'cookie') return { body: { ...body, stay: false }, ...sentWith(token) }
    if (member === 'credential')
      return { body: { ...body, credential: authenticator().create({ challenge: token, user: { id: handle ?? '' } }) } }
    if (isSigned) return { body: asserted(body, device.get({ challenge: token })), ...sentWith(null) }
    const proof = name === 'authorize' ? { request: shopQuery() } : body
    return { body: { ...proof, [member]: token }, headers: { 'sec-fetch-site': 'same-origin' } }
  }

  test('what is for it, and refuses all else as it refuses what is nothing', async () => {
    harness.config.rateLimits = null
    const world = await prepareAll(isSigned)
    held = world.held ?? held
    const headers = routes[name].access === 'bearer' ? world.headers : {}
    const after = async (token: string) => {
      // Links that set up a second factor are for people who must have one.
      harness.config.secondFactor = member === 'mail_token' ? 'required' : 'optional'
      const before = await harness.items('Accounts')
      const request = await sent(token)
      const { status, body, cookies } = await send(harness, name, {
        ...request,
        headers: { ...request.headers, ...headers },
      })
      harness.config.secondFactor = 'optional'
      const { provider_token, location, ...told } = body
      const isChanged = !isDeepStrictEqual(await harness.items('Accounts'), before)
      return { status, ...told, location: location?.replace(/code=[^&]+/, ''), cookies: cookies?.length, isChanged }
    }
    // The client of the first login is remembered.
    await after('x')
    const nothing = await after('x')
    expect(nothing.isChanged).toBe(false)
    for (const [what, make] of inOrder) {
      const told = await after((await make(name)) ?? '')
      if (takes.includes(what)) expect(told, what).not.toEqual(nothing)
      else expect(told, what).toEqual(nothing)
    }
  })
})

/** The others only look at what a link is about. */
const spending = byLink.filter(name => changing.includes(name))

/** The links after which somebody can log in. After an undo there is no password: the link of its mail is one of these. */
const leading = spending.filter(name => name !== 'undo')

describe.each(leading)('a person who uses the link of %s', name => {
  test.each([
    ['on', {}],
    ['off', { rateLimits: null }],
  ])('is remembered from there, with limits %s, and of others whom the write leaves', async (_, limits) => {
    const good = await goodRequest(harness, name)
    const [{ email } = ada] = await harness.accountItems()
    const former = { hash: 'f'.repeat(43), at: harness.deps.now() }
    const before = await harness.deps.sessions.remember(await find(harness, email), [former], former.at)
    Object.assign(harness.config, limits)
    const clientAddress = '192.0.2.7'
    expect((await send(harness, name, { ...good, clientAddress })).status).toBe(200)
    const [present = ada] = await harness.accountItems()
    const account = await find(harness, present.email)
    expect(isRemembered(account, clientAddress, harness.deps.now())).toBe(true)
    expect(isRemembered(account, '192.0.2.8', harness.deps.now())).toBe(false)
    const others = account.tokenVersion === before?.tokenVersion ? [former] : []
    expect(account.clients.slice(1)).toEqual(others)
  })
})

test('an id token alone is a hint of who logs in', async () => {
  await register(harness)
  for (const [what, make] of given) {
    expect((await readHint(harness.deps, (await make('get-me')) ?? '')) !== null, what).toBe(what === 'an id token')
  }
})
