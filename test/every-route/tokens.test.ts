import { expect, test } from 'vitest'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import { codeLimit } from '../../accounts/factor/code-limits.ts'
import { wrongCodesInARow } from '../../accounts/factor/factor.ts'
import { sealProviderToken } from '../../accounts/identity/provider-token.ts'
import { drawChallenge } from '../../accounts/passkey/challenge.ts'
import { proofPurposes } from '../../accounts/passkey/shapes.ts'
import { guessing } from '../../accounts/password/guesses.ts'
import { authenticateForSetup } from '../../accounts/token/authentication.ts'
import { discoveryResponse } from '../../api/make-replies.ts'
import { needsOf } from '../../api/needs.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { DomainError, type ErrorCode, refusals, refusedAtLogin } from '../../shared/base/errors.ts'
import { accountKinds, families } from '../../shared/base/families.ts'
import { asserted, goodBody, sessionOf } from '../support/api/requests.ts'
import { endpointNames, membersOf, requestLine } from '../support/api/rows.ts'
import { clients, shopQuery } from '../support/clients.ts'
import { sentWith } from '../support/service/applications.ts'
import { send } from '../support/service/endpoints.ts'
import { codeForm, sentForm } from '../support/service/grants.ts'
import { createHarness } from '../support/service/harness.ts'
import { devices, type Guard, type Holdings, openHoldings } from '../support/service/holdings.ts'
import type { Received, Sent } from '../support/service/http.ts'
import { ada, find, setUp } from '../support/service/people.ts'

/** Each way to a token, a code or a session × each reason to refuse it: the answer, and that nothing is written or spent. */

const harness = createHarness()
const { deps } = harness

/** What opens an account, and the lists and tokens that a way looks at before. */
const credentials = [
  ...['access token', 'setup token', 'page of an application', 'exchange of an application'],
  ...['password', 'password and setup link', 'passkey', 'provider', 'provider and setup link', 'password and provider'],
  ...['app to confirm', 'refresh token', 'cookie', 'code', 'refresh token of an application'],
] as const
type Credential = (typeof credentials)[number]

/** The credentials in the members of bodies and forms; null: is none, or comes with another one. */
const byMember: Record<string, Credential | null> = {
  password: 'password',
  current_password: 'password',
  assertion: 'passkey',
  provider_token: 'provider',
  refresh_token: 'refresh token',
  ...{ mail_token: null, provider: null, authorization_code: null, code_verifier: null, redirect_uri: null, iss: null },
  ...{ email: null, code: null, session: null, new_password: null, id: null, language: null },
  ...{ request: null, stay: null, label: null, confirmed: null },
}
const byGrant: Record<string, Credential> = {
  authorization_code: 'code',
  refresh_token: 'refresh token of an application',
}

const known = <T>(table: Record<string, T>, name: string): T => {
  if (!(name in table)) throw new Error(`${name} is in no table of this test`)
  return table[name] as T
}

/** What proves its owner at an endpoint, one at a time. */
function proofsOf(name: EndpointName): Credential[] {
  const { form, ownPages, access, takesProvider }: Route = routes[name]
  if (form) return (discoveryResponse(deps).grant_types_supported ?? []).map(type => known(byGrant, type))
  const found = membersOf(name).flatMap(member => known(byMember, member) ?? [])
  const isLinked = membersOf(name).includes('mail_token')
  if (found.length === 0) return [ownPages ? 'cookie' : 'app to confirm']
  return [
    // With the password it connects the provider.
    ...found.filter(each => access === 'bearer' || each !== 'password' || name !== 'provider-login'),
    ...(takesProvider ? (['password and provider'] as const) : []),
    ...(isLinked ? [takesProvider ? ('provider and setup link' as const) : ('password and setup link' as const)] : []),
  ]
}

type Way = readonly [EndpointName, readonly Credential[]]
const bearers = ['access token', 'setup token'] as const

/** The ways: whatever may sign, or store a code, with each of its proofs. The credentials are in the order of their checks. */
const issuing = endpointNames.filter(name => {
  const { may } = needsOf(routes[name])
  return may.SigningKey || may.Grants?.includes('PutItem')
})
const ways = issuing.flatMap((name): Way[] => {
  const { access, withClients, form }: Route = routes[name]
  const application = form ? ('exchange of an application' as const) : ('page of an application' as const)
  const firstOf = (proof: Credential): Credential[][] => {
    if (withClients) return [[application]]
    if (access !== 'bearer') return [[]]
    return proof === 'app to confirm' ? bearers.map(token => [token]) : [['access token']]
  }
  return proofsOf(name).flatMap(proof => firstOf(proof).map((first): Way => [name, [...first, proof]]))
})

type Code = ErrorCode | 'invalid_grant' | 'invalid_client'
interface Reason {
  /** What it does before the request. */
  act?(held: Holdings): unknown
  /** What guards the account, if not an app. */
  guard?: Guard
  /** Who is refused, by the code of the answer. `dead`: what the way gives opens nothing. */
  refuses: { [C in Code | 'dead']?: readonly Credential[] }
  /** Whom it does not concern. */
  leaves: readonly Credential[]
  /** Ways whose own refusal comes first: what they take away is not there, or must stay. */
  own?: Record<string, Code>
}

const signOut = async () => harness.operator.signOut(await find(harness), deps.now())
const typed = ['password', 'password and provider', 'password and setup link'] as const
const confirmed = ['provider', 'provider and setup link'] as const
const applications = ['page of an application', 'exchange of an application'] as const
const asksCode = ['password', 'password and provider', 'provider'] as const
const links = ['password and setup link', 'provider and setup link'] as const
const granted = ['code', 'refresh token of an application'] as const
/** What is bound to the account as it was. */
const ended = {
  'invalid-access-token': bearers,
  'invalid-refresh-token': ['refresh token'],
  'login-required': ['cookie'],
  invalid_grant: granted,
} as const
const locked: Pick<Reason, 'refuses' | 'leaves'> = {
  refuses: { ...ended, 'account-locked': [...typed, ...confirmed, 'passkey'] },
  leaves: [...applications, 'app to confirm'],
}
const issued = ['refresh token', 'cookie', ...granted] as const

const reasons: Record<string, Reason> = {
  none: { refuses: {}, leaves: credentials },
  'a lock': { act: async () => harness.operator.lock(await find(harness), deps.now()), ...locked },
  'a lock that raised no version': {
    act: ({ account }) => harness.setAttributes(account, { locked_at: deps.now().toISOString() }),
    ...locked,
  },
  'a deletion': {
    async act() {
      await deps.accounts.delete(await find(harness), deps.now())
      // Elsewhere a provider opens another account.
      harness.config.signUp = 'invited'
    },
    refuses: {
      ...ended,
      'bad-credentials': typed,
      'wrong-passkey': ['passkey'],
      'sign-up-closed': confirmed,
    },
    leaves: [...applications, 'app to confirm'],
  },
  'a raised version': {
    act: signOut,
    refuses: { ...ended, 'second-factor-setup': links },
    leaves: [...applications, 'password', 'password and provider', 'provider', 'passkey', 'app to confirm'],
  },
  'a version that is raised once the account was read': {
    act() {
      let isRead = false
      harness.beforeCall = async (command, _, input) => {
        const wasRead = isRead
        isRead ||= command === 'GetItem' && JSON.stringify(input).includes(`"${accountKinds.Accounts}`)
        if (!wasRead) return
        harness.beforeCall = beforeCall
        await signOut()
      }
    },
    refuses: {
      ...ended,
      'bad-credentials': ['password', 'password and provider'],
      'invalid-provider-token': ['provider'],
      'invalid-passkey-challenge': ['passkey'],
      dead: links,
    },
    leaves: [...applications, 'app to confirm'],
  },
  'an address that must be verified': {
    act({ account }) {
      harness.config.requireEmailVerification = true
      return harness.setAttributes(account, { is_verified: false })
    },
    refuses: {
      'email-not-verified': [...bearers, 'password', 'provider', ...links, 'passkey', 'cookie', 'refresh token'],
      invalid_grant: granted,
    },
    // The provider proves the same address.
    leaves: [...applications, 'password and provider', 'app to confirm'],
  },
  'a code that is due': {
    refuses: { 'second-factor-required': asksCode },
    leaves: [...applications, ...bearers, ...links, ...issued, 'passkey', 'app to confirm'],
  },
  'a required factor that is not there': {
    guard: 'nothing',
    act: () => Object.assign(harness.config, { secondFactor: 'required' }),
    refuses: {
      ...{ ...ended, 'invalid-access-token': ['access token'] },
      'second-factor-setup': asksCode,
      'wrong-passkey': ['passkey'],
    },
    leaves: [...applications, ...links, 'setup token', 'app to confirm'],
  },
  'a required factor, and passkeys alone': {
    guard: 'passkeys alone',
    act: () => Object.assign(harness.config, { secondFactor: 'required' }),
    own: {
      'remove-second-factor by access token, password': 'no-second-factor',
      'remove-second-factor by access token, passkey': 'no-second-factor',
      'remove-passkey by access token, passkey': 'second-factor-required-here',
    },
    refuses: { 'passkey-required': [...typed, ...confirmed] },
    leaves: [...applications, ...bearers, ...issued, 'passkey', 'app to confirm'],
  },
  'guesses used up': {
    async act() {
      const body = { ...ada, password: 'wrong' }
      for (let n = 0; n < guessing.pair.limit; n++) await send(harness, 'login', { body })
    },
    refuses: { 'too-many-requests': typed },
    leaves: [...applications, ...bearers, ...confirmed, ...issued, 'passkey', 'app to confirm'],
  },
  'codes used up': {
    async act() {
      const body = { ...ada, code: 'wrong' }
      for (let n = 0; n < codeLimit.limit; n++) await send(harness, 'login', { body })
    },
    refuses: { 'too-many-requests': [...asksCode, 'app to confirm'] },
    leaves: [...applications, ...bearers, ...links, ...issued, 'passkey'],
  },
  'codes disabled': {
    act({ account }) {
      const codes = Array.from({ length: wrongCodesInARow }, (_, n) => String(n))
      return harness.setAttributes(account, { wrong_codes: new Set(codes) })
    },
    refuses: { 'codes-disabled': [...asksCode, 'app to confirm'] },
    leaves: [...applications, ...bearers, ...links, ...issued, 'passkey'],
  },
  TOKENS_NOT_BEFORE: {
    act() {
      harness.config.tokensNotBefore = deps.now()
      // A token tells whole seconds.
      harness.advance(1000)
    },
    refuses: ended,
    leaves: [...applications, ...typed, ...confirmed, 'passkey', 'app to confirm'],
  },
  'an application that left its list': {
    refuses: {
      'invalid-authorization-request': ['page of an application'],
      invalid_client: ['exchange of an application'],
    },
    leaves: [...bearers, ...typed, ...confirmed, ...issued, 'passkey', 'app to confirm'],
  },
  'a provider that left its list': {
    act: () => Object.assign(harness, { providers: harness.providers.slice(1) }),
    refuses: { 'provider-not-found': ['password and provider', ...confirmed] },
    leaves: [
      ...applications,
      ...bearers,
      ...issued,
      'password',
      'password and setup link',
      'passkey',
      'app to confirm',
    ],
  },
  'an origin that left its list': {
    act: () => Object.assign(harness.config, { passkeyOrigins: ['https://other.example'] }),
    refuses: { 'wrong-passkey': ['passkey'] },
    leaves: [...applications, ...bearers, ...typed, ...confirmed, ...issued, 'app to confirm'],
  },
}

const titleOf = ([name, held]: Way): string => `${name} by ${held.join(', ')}`

/** The first refusal of a way, or null. */
function refusalOf(way: Way, { refuses, own }: Reason): Code | 'dead' | null {
  const codes = Object.entries(refuses) as [Code | 'dead', readonly Credential[]][]
  const found = way[1].flatMap(each => codes.flatMap(([code, whom]) => (whom.includes(each) ? [code] : [])))
  return own?.[titleOf(way)] ?? found[0] ?? null
}

/** A request by a way, with everything that it needs. */
async function requestBy([name, held]: Way, world: Holdings, guard: Guard, reason: string): Promise<Sent> {
  const proof = held.at(-1)
  const bearer = { 'access token': world.own.token, 'setup token': world.setupToken }[held[0] as string]
  const headers: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : {}
  if (proof === 'code') return sentForm(codeForm(world.code))
  if (proof === 'refresh token of an application') {
    const refresh_token = world.shop.refreshToken ?? ''
    return sentForm({ grant_type: 'refresh_token', client_id: 'shop', refresh_token })
  }
  const code = proof === 'app to confirm' ? (await setUp(harness)).code() : world.recoveryCode
  const isGuessed = reason === 'codes used up' || reason === 'codes disabled'
  const request = shopQuery()
  const confirmedAs = { ...world.confirmed, ...(proof === 'password and provider' && { subject: 'another' }) }
  const provider_token = await sealProviderToken(deps, confirmedAs)
  const { mail_token: _, ...good } = (await goodBody(name, {
    ...ada,
    newEmail: 'bob@example.com',
    token: () => 'x',
    session: () => sessionOf(world.own.refresh?.token),
    request: () => request,
    providerToken: () => provider_token,
    ...(name === 'remove-passkey' && { passkey: world.passkey ?? 'none' }),
    ...(name === 'disconnect-provider' && { identity: world.identity }),
    ...(code !== undefined && { code: isGuessed && proof !== 'app to confirm' ? (world.appCode ?? code) : code }),
  })) as Record<string, unknown>
  if (reason === 'a code that is due' && proof !== 'app to confirm') delete good.code
  const cookie = sentWith(proof === 'cookie' ? world.cookie : null)
  const sent = routes[name as 'authorize'].ownPages ? cookie : {}
  const { email, password, current_password, ...rest } = good
  const byProvider = { ...rest, provider_token, assertion: undefined }
  const mail_token = world.setupLink
  const bodies: { [C in Credential]?: () => unknown } = {
    'password and setup link': () => ({ ...good, mail_token }),
    provider: () => byProvider,
    'provider and setup link': () => ({ ...byProvider, mail_token }),
    'password and provider': () => ({ ...byProvider, ...ada }),
    passkey: async () => {
      const purpose = proofPurposes.find(each => requestLine(name).path === `/auth/${each}`)
      const challenge = await drawChallenge(deps, purpose ?? 'login', purpose ? world.account : null)
      return asserted(good, devices[guard].get({ challenge }))
    },
  }
  const body = await (bodies[proof as Credential] ?? (() => good))()
  return { ...sent, headers: { ...headers, ...(sent as Sent).headers }, body }
}

/** What an answer gives that opens something. */
const givenBy = ({ body, cookies = [] }: Received): string[] => [
  ...[body.access_token, body.id_token, body.refresh_token, body.setup_token].filter(Boolean),
  ...[body.location].filter(location => /[?&]code=/.test(location ?? '')),
  ...cookies.filter(cookie => !/Max-Age=0/.test(cookie)),
]

/** Whether it opens something. */
async function isAlive({ body }: Received): Promise<boolean> {
  const isTaken = ({ status }: Received) => status === 200
  if (body.location) {
    const code = new URL(body.location).searchParams.get('code') ?? ''
    return isTaken(await send(harness, 'token', sentForm(codeForm(code))))
  }
  if (body.setup_token)
    return authenticateForSetup(deps, body.setup_token).then(
      () => true,
      () => false,
    )
  const headers = { authorization: `Bearer ${body.access_token}` }
  return isTaken(await send(harness, 'get-me', { headers }))
}

/** What a refusal leaves alone: accounts but for wrong codes, and all that works once. Counters count. */
const counters = [families.Requests, families.Guesses, families.Codes, families.Mails]
const kept = async () => [
  (await harness.items('Accounts')).map(({ wrong_codes, updated_at, ...item }) => item),
  (await harness.items('RateLimits')).filter(({ key }) => !counters.some(prefix => String(key).startsWith(prefix))),
]

/** The status of a refusal. */
function statusOf({ form, access }: Route, code: Code): number {
  if (code === 'invalid_client' || code === 'invalid_grant' || form) return 400
  const atLogin = access === 'bearer' ? undefined : refusedAtLogin(new DomainError(code)).options.status
  return atLogin ?? refusals[code][0]
}

/** Delivers what was queued, when nothing can happen any more. @returns the number of mails */
async function mailed(): Promise<number> {
  harness.advance(61_000)
  const sentAt = new Date(deps.now().getTime() - 61_000)
  for (const { message } of harness.queue) await deliverMail(deps, message, sentAt)
  return harness.mails.length
}

const usual = { ...harness.config }
const { beforeCall } = harness

test('every reason says of each credential what it does', () => {
  for (const [name, { refuses, leaves }] of Object.entries(reasons)) {
    expect([...Object.values(refuses).flat(), ...leaves].sort(), name).toEqual([...credentials].sort())
  }
})

test.each(ways.map(way => [titleOf(way), way] as const))('%s', async (_, way) => {
  const [name, held] = way
  const row: Route = routes[name]
  const isByLink = links.some(each => held.includes(each))
  const strict = clients.map(client => ({ ...client, unverified: false }))
  for (const [reason, { act, guard = isByLink ? 'nothing' : 'an app', ...rest }] of Object.entries(reasons)) {
    await harness.clear()
    Object.assign(harness, { providers: [] })
    Object.assign(harness.config, usual)
    const world = await openHoldings(harness, guard)
    if (isByLink) harness.config.secondFactor = 'required'
    harness.advance(1000)
    const request = await requestBy(way, world, guard, reason)
    await act?.(world)
    harness.queue.length = 0
    harness.mails.length = 0
    const before = await kept()
    const listed = reason === 'an application that left its list' ? strict.slice(1) : strict
    const answer = await send({ ...harness, deps: { ...deps, clients: listed } }, name, request)
    harness.beforeCall = beforeCall
    const code = refusalOf(way, rest)
    const given = givenBy(answer)
    const said = answer.body.code ?? answer.body.error ?? null
    if (code === null || code === 'dead') {
      const told = isByLink ? 'second-factor-setup' : null
      expect([said, given.length > 0], `${reason}: ${answer.text}`).toEqual([told, true])
      expect(await isAlive(answer), reason).toBe(code === null)
      continue
    }
    expect([said, given], reason).toEqual([code, []])
    expect(answer.status, reason).toBe(statusOf(row, code))
    // A proof that works once is spent before the write that loses.
    if (!reason.endsWith('once the account was read')) expect(await kept(), reason).toEqual(before)
    expect(await mailed(), reason).toBe(Number(code === 'second-factor-setup'))
  }
})
