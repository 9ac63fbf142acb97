import { expect, test } from 'vitest'
import { type Account, noPassword } from '../../../accounts/account/account.ts'
import { wrongCodesInARow } from '../../../accounts/factor/factor.ts'
import type { Confirmed } from '../../../accounts/identity/exchange.ts'
import { maxIdentities } from '../../../accounts/identity/identity.ts'
import { sealProviderToken } from '../../../accounts/identity/provider-token.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { passkeyAmr } from '../../../accounts/login/proven.ts'
import { maxPasskeys } from '../../../accounts/passkey/passkey.ts'
import { issueAccessToken } from '../../../accounts/token/access-token.ts'
import { bodyExample } from '../../../api/openapi/examples.ts'
import { memberExamples } from '../../../api/openapi/meanings.ts'
import { type Operation, operations } from '../../../api/openapi/operations.ts'
import type { EndpointName } from '../../../api/routes.ts'
import { type Route, routes } from '../../../api/routes.ts'
import { requestExamples, rpcExamples, variableExamples } from '../../../catalogue/meanings.ts'
import notFound from '../../../functions/not-found.ts'
import signingKeys from '../../../functions/signing-keys.ts'
import { type ErrorCode, refusalAmong, refusals } from '../../../shared/base/errors.ts'
import { parseRateLimits } from '../../../shared/base/limits/windows.ts'
import { asserted } from '../../support/api/requests.ts'
import { membersOf, requestLine } from '../../support/api/rows.ts'
import { builtNotFound } from '../../support/built-page.ts'
import { ask } from '../../support/catalogue/served.ts'
import { shopQuery } from '../../support/clients.ts'
import { providers } from '../../support/providers.ts'
import { authenticator } from '../../support/service/authenticator.ts'
import { bearer, credential, goodRequest, headersOf, send } from '../../support/service/endpoints.ts'
import { enterShop } from '../../support/service/grants.ts'
import { createHarness } from '../../support/service/harness.ts'
import { call, type Received, type Sent } from '../../support/service/http.ts'
import { connect, connected } from '../../support/service/identities.ts'
import { encryptedFor } from '../../support/service/lying-provider.ts'
import { addPasskey, assertionOf } from '../../support/service/passkeys.ts'
import { ada, find, type HeldFactor, protect, register, requestToken } from '../../support/service/people.ts'
import { verify } from '../../support/service/provider-logins.ts'

/**
 * Every described answer is caused here, so none is described that cannot occur. That all answers of these and other
 * tests are described is checked where tests receive them.
 */

const harness = createHarness()

const servedBy = (name?: Route['function']) => operations.filter(({ row }) => row.function === name)
const endpoints = servedBy()
const keys = servedBy('signing-keys')
const prebuilt = servedBy('catalogue').filter(({ isPrebuilt }) => isPrebuilt)
const messages = operations.filter(({ row }) => row.rpc)
const asked = operations.flatMap(operation =>
  operation.row.fields ? [{ ...operation, asked: operation.row.fields }] : [],
)

/** GET stands for HEAD too. */
const methodsOf = ({ method }: Operation): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** The member with a new password. */
const chosen = (name: EndpointName): string => (membersOf(name).includes('new_password') ? 'new_password' : 'password')

/** Runs while a dependency throws an unexpected error. */
async function whileBroken<K extends keyof typeof harness.deps, T>(part: K, run: () => Promise<T>): Promise<T> {
  const original = harness.deps[part]
  const fail = () => {
    throw new TypeError('unforeseen')
  }
  Object.assign(harness.deps, { [part]: fail })
  try {
    return await run()
  } finally {
    Object.assign(harness.deps, { [part]: original })
  }
}

type Provoke = (name: EndpointName, good: Sent & { headers: Record<string, string> }) => Promise<Received>

const withBody =
  (changes: (name: EndpointName) => object): Provoke =>
  (name, good) =>
    send(harness, name, { ...good, body: { ...(good.body as object), ...changes(name) } })

const withHeader =
  (name: string, value: string): Provoke =>
  (endpoint, good) =>
    send(harness, endpoint, { ...good, headers: { ...good.headers, [name]: value } })

const withText =
  (body: string): Provoke =>
  (name, good) =>
    send(harness, name, { ...good, body })

/** Sends a request with a code, or without one, and with a present token. */
async function sendWithCode(name: EndpointName, good: Sent, code: string | undefined): Promise<Received> {
  const headers = routes[name].access === 'bearer' ? await bearer(harness) : {}
  return send(harness, name, { ...good, headers, body: { ...(good.body as object), code } })
}

const withFactor =
  (typed: (factor: HeldFactor) => string | undefined): Provoke =>
  async (name, good) => {
    // What is only confirmed has none.
    if (membersOf(name).join() === 'code') return sendWithCode(name, good, 'no code')
    return sendWithCode(name, good, typed(await protect(harness)))
  }

/** A token of Ada's that is valid where a second factor is required. */
async function loggedInByPasskey(): Promise<Record<string, string>> {
  const login = { authTime: harness.deps.now(), amr: passkeyAmr }
  return headersOf(await issueAccessToken(harness.deps, await find(harness), login))
}

/** The request with an assertion, if there is one to send. */
const byPasskey = (name: EndpointName, good: Sent, assertion: unknown): Sent =>
  membersOf(name).includes('assertion') ? { ...good, body: asserted(good.body, assertion) } : good

const takesProvider = (name: EndpointName): boolean => Boolean((routes[name] as Route).takesProvider)

const bob = { email: 'bob@example.com', password: 'correct horse' }

/** The request with a provider's proof in place of typed members. */
const proving = (good: Sent, proof: object): Sent => {
  const { email, password, code, provider_token, ...rest } = good.body as Record<string, unknown>
  return { ...good, body: { ...rest, ...proof } }
}

const byCode =
  (changes: () => object): Provoke =>
  (name, good) => {
    const callback = { authorization_code: 'x', code_verifier: 'v'.repeat(43) }
    return send(harness, name, proving(good, { provider: 'google', ...callback, ...changes() }))
  }

/** A provider's confirmation of Bob, who is new here. @param changes of it @param more of the body */
const byProvider =
  (changes: Partial<Confirmed> = {}, more: object = {}): Provoke =>
  async (name, good) => {
    const bobs = { subject: 'bob', email: bob.email, isEmailProven: true, name: null, authTime: null, claims: {} }
    const at = { provider: 'google', issuer: 'https://accounts.google.com' }
    const provider_token = await sealProviderToken(harness.deps, { ...at, ...bobs, ...changes })
    return send(harness, name, proving(good, { provider_token, ...more }))
  }

/** A newcomer without the thing that the request is about. */
const byNewcomer: Provoke = async (name, good) => {
  await register(harness, bob)
  return send(harness, name, { ...good, headers: await bearer(harness, bob.email) })
}

/** The same request twice, even if the first has revoked the access token. */
const twice: Provoke = async (name, good) => {
  await send(harness, name, good)
  const headers = routes[name].access === 'bearer' ? await credential(harness, name) : good.headers
  return send(harness, name, { ...good, headers })
}

/** Failures of all kinds of requests. */
const mishaps = (name: EndpointName): Provoke[] => [
  ...(routes[name].access === 'bearer' ? [byNewcomer] : []),
  ...membersOf(name).map(member => withBody(() => ({ [member]: 'x' }))),
  twice,
]

/** Tries these failures until one has the code. */
const byMishap =
  (code: ErrorCode): Provoke =>
  async (name, good) => {
    harness.config.rateLimits = null
    for (const mishap of mishaps(name)) {
      const answer = await mishap(name, good)
      if (answer.body?.code === code) return answer
    }
    throw new Error(`nothing causes ${code} here: add a case to \`provoke\`, or take the code out of the row`)
  }

/** How to cause all other refusals, wherever described. */
const provoke: Partial<Record<ErrorCode, Provoke>> = {
  'email-taken': async (name, good) => {
    // Another account has taken the new address.
    if (name === 'confirm-email-change')
      await register(harness, { email: 'bob@example.com', password: 'correct horse' })
    return withBody(() => ({ email: 'ada@example.com' }))(name, good)
  },
  'password-too-short': withBody(name => ({ [chosen(name)]: 'seven77' })),
  'password-too-common': (name, good) => {
    harness.config.passwordBlocklist = 'on'
    return withBody(() => ({ [chosen(name)]: 'sunshine1' }))(name, good)
  },
  'former-password': async (name, good) => {
    await harness.operator.revoke(await find(harness), harness.deps.now())
    harness.advance(1000)
    const token = await requestToken(harness, 'reset')
    return withBody(() => ({ token, new_password: ada.password }))(name, good)
  },
  'no-password': async (name, good) => {
    await harness.setAttributes((await find(harness)).id, { password_hash: noPassword })
    return send(harness, name, good)
  },
  'provider-not-found': byCode(() => ({ provider: 'nosuch' })),
  'provider-unavailable': (name, good) => {
    // Nobody listens there.
    const [endpoint, secret] = ['http://127.0.0.1:1', encryptedFor('google', 's3cret')]
    harness.providers = providers.map(each => ({ ...each, tokenEndpoint: endpoint, jwksUri: endpoint, secret }))
    return byCode(() => ({}))(name, good)
  },
  'provider-refused': byCode(() => ({ iss: 'https://elsewhere.example' })),
  'provider-not-allowed': byProvider({ provider: 'work', issuer: 'https://login.example.org/acme' }),
  'provider-email-unverified': byProvider({ isEmailProven: false }),
  'password-required': byProvider({ email: ada.email }),
  'provider-taken': async (name, good) => {
    if ((await verify(harness)).identities.length === 0) await connected(harness)
    await register(harness, bob)
    await verify(harness, bob.email)
    return byProvider({ subject: 'ada' }, bob)(name, good)
  },
  'provider-limit': async (name, good) => {
    for (let i = 0; (await verify(harness)).identities.length < maxIdentities; i++) await connect(harness, `${i}`)
    return byProvider({}, ada)(name, good)
  },
  'no-second-factor-setup': async (name, { headers, body }) => {
    harness.advance(16 * 60_000)
    return send(harness, name, { body, headers: headers.authorization ? await bearer(harness) : {} })
  },
  'second-factor-required': withFactor(() => undefined),
  'wrong-code': withFactor(({ wrongCode }) => wrongCode()),
  'used-code': async (name, good) => {
    const { code } = await protect(harness)
    await logIn(harness.deps, '203.0.113.9', { ...ada, code: code() })
    return sendWithCode(name, good, code())
  },
  'codes-disabled': async (name, good) => {
    if (membersOf(name).join() !== 'code') await protect(harness)
    const account = await find(harness)
    const ids = Array.from({ length: wrongCodesInARow }, (_, i) => `wrong ${i}`)
    for (const id of ids) await harness.deps.factors.addWrongCode(account, id, harness.deps.now())
    return sendWithCode(name, good, '000000')
  },
  'second-factor-off': (name, good) => {
    harness.config.secondFactor = 'off'
    return send(harness, name, good)
  },
  'second-factor-setup': (name, good) => {
    harness.config.secondFactor = 'required'
    return send(harness, name, good)
  },
  'second-factor-required-here': async (name, good) => {
    if (name === 'remove-passkey') {
      // The last one.
      const { id } = good.body as { id: string }
      await harness.deps.passkeys.remove(await find(harness), id, { mark: 'x', clients: [] }, harness.deps.now())
      const { passkey, device } = await addPasskey(harness)
      harness.config.secondFactor = 'required'
      const assertion = await assertionOf(harness, device, 'passkeys/remove')
      return send(harness, name, { headers: await loggedInByPasskey(), body: { id: passkey.id, assertion } })
    }
    const { code } = await protect(harness)
    harness.config.secondFactor = 'required'
    return sendWithCode(name, good, code())
  },
  'passkeys-off': (name, good) => {
    harness.config.passkeyRpId = null
    return send(harness, name, byPasskey(name, good, memberExamples.assertion))
  },
  'invalid-passkey-challenge': (name, good) => {
    const device = authenticator()
    const credential = device.create({ challenge: 'x', user: { id: 'AA' } })
    const body = { ...(good.body as object), credential }
    const isNew = membersOf(name).includes('credential')
    return send(harness, name, isNew ? { ...good, body } : byPasskey(name, good, device.get({ challenge: 'x' })))
  },
  'wrong-passkey': (name, good) => {
    const body = { ...(good.body as object), credential: memberExamples.credential }
    const isNew = membersOf(name).includes('credential')
    return send(harness, name, isNew ? { ...good, body } : byPasskey(name, good, memberExamples.assertion))
  },
  'too-many-passkeys': async (name, good) => {
    while ((await find(harness)).passkeys.length < maxPasskeys) await addPasskey(harness)
    return send(harness, name, good)
  },
  'passkey-required': async (name, good) => {
    const account = await find(harness)
    if (!account.isVerified) await harness.operator.verify(account, harness.deps.now())
    if (account.passkeys.length === 0) await addPasskey(harness)
    harness.config.secondFactor = 'required'
    const headers = routes[name].access === 'bearer' ? await loggedInByPasskey() : good.headers
    return send(harness, name, { ...good, headers })
  },
  'missing-body': withText(''),
  'malformed-json': withText('no JSON'),
  'bad-credentials': withBody(name => ({
    password: 'wrong horse',
    ...(routes[name].goal === 'providers' && { email: ada.email }),
  })),
  'not-authenticated': (name, { body }) => send(harness, name, { body }),
  'invalid-access-token': withHeader('authorization', 'Bearer nonsense'),
  // A login's token has no scopes, and one for userinfo alone has no others.
  'insufficient-scope': async (name, good) => {
    const isLogins = (routes[name] as Route).scopes?.includes('openid')
    const { accessToken } = await enterShop(harness, ['openid'])
    const headers = isLogins ? await bearer(harness) : { authorization: `Bearer ${accessToken}` }
    return send(harness, name, { ...good, headers })
  },
  'login-required': (name, good) =>
    name === 'authorize'
      ? byProvider({}, { request: shopQuery({ max_age: '60' }) })(name, good)
      : send(harness, name, { body: good.body, headers: good.headers }),
  'confirmation-required': withBody(name => ({
    request: name === 'logout-browser' ? '' : shopQuery({ redirect_uri: 'http://127.0.0.1:8000/callback' }),
    confirmed: false,
  })),
  'account-locked': async (name, good) => {
    await harness.operator.lock(await find(harness), harness.deps.now())
    return send(harness, name, good)
  },
  'email-not-verified': async (name, good) => {
    harness.config.requireEmailVerification = true
    const request = shopQuery({ client_id: 'dashboard', redirect_uri: 'https://dashboard.example.com/callback' })
    if (membersOf(name).includes('request')) return withBody(() => ({ request }))(name, good)
    if (name === 'provider-login') {
      await register(harness, bob)
      return byProvider({ email: 'other@example.com' }, bob)(name, good)
    }
    if (routes[name].goal === 'passkeys' && name !== 'set-up-passkey') {
      // Owners of passkeys are verified, except after an import that says otherwise.
      const { find: read } = harness.deps.accounts
      const { findHolder } = harness.deps.passkeys
      const unverified = (account: Account | null) => account && { ...account, isVerified: false }
      harness.deps.accounts.find = async email => unverified(await read(email))
      harness.deps.passkeys.findHolder = async handle => unverified(await findHolder(handle))
      return send(harness, name, good)
    }
    return routes[name].access === 'anyone' ? send(harness, name, good) : byNewcomer(name, good)
  },
  'origin-not-allowed': (name, good) => {
    harness.config.corsOrigins = ['https://app.example.com']
    const headers = { ...good.headers, origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }
    return send(harness, name, { ...good, headers })
  },
  'sign-up-closed': (name, good) => {
    harness.config.signUp = 'invited'
    return takesProvider(name) ? byProvider()(name, good) : send(harness, name, good)
  },
  'email-domain-not-allowed': (name, good) => {
    harness.config.signUpDomains = ['example.net']
    return takesProvider(name) ? byProvider()(name, good) : send(harness, name, good)
  },
  administrator: async (name, good) => {
    const email = name === 'undo' ? 'bob@example.com' : 'ada@example.com'
    await harness.operator.setAdmin(await find(harness, email), true, harness.deps.now())
    return send(harness, name, { ...good, headers: await bearer(harness, email) })
  },
  'body-too-large': withText('x'.repeat(20_000)),
  'unsupported-media-type': withHeader('content-type', 'text/plain'),
  'unsupported-content-encoding': withHeader('content-encoding', 'gzip'),
  'invalid-body': withText('[]'),
  'too-many-requests': async (name, good) => {
    harness.config.rateLimits = parseRateLimits(`${name}=1/hour`) as typeof harness.config.rateLimits
    await send(harness, name, good)
    return send(harness, name, good)
  },
  'not-found': (name, { method, headers }) => {
    const { path } = requestLine(name)
    const answerUnknown = notFound({
      config: { ...harness.config, hasClients: false, hasProviders: false },
      read: builtNotFound,
    })
    return call(answerUnknown, { ...(method !== undefined && { method }), path, headers })
  },
  internal: (name, good) => whileBroken('now', () => send(harness, name, good)),
  unavailable: async (name, good) => {
    let answer = await send(harness, name, good)
    for (const part of ['Accounts', 'RateLimits', 'queue', 'KMS'] as const) {
      if (answer.status === 503) break
      harness.broken = part
      answer = await send(harness, name, good)
    }
    return answer
  },
}

const described = <T extends Operation>(some: T[]) =>
  some.flatMap(operation =>
    operation.codes.flatMap(code =>
      methodsOf(operation).map(method => [`${method} ${operation.path}`, code, method, operation] as const),
    ),
  )

/** Refusals whose sentence says more of the request. */
const saysMore =
  /^(?:administrator|body-too-large|invalid-authorization-request|invalid-body|missing-body|too-many-requests|unsupported-media-type|query-.*|.*not-found)$/

function expectRefusal(
  method: string,
  code: ErrorCode,
  { status, body }: Pick<Received, 'status' | 'body'>,
  codes: readonly ErrorCode[] = [],
): void {
  expect([status, method === 'HEAD' ? code : body?.code]).toEqual([refusalAmong(codes, code)[0], code])
  if (method !== 'HEAD' && 'detail' in body && !saysMore.test(code)) expect(body.detail).toBe(refusals[code][1])
}

test.each(described(endpoints))('%s does answer %s', async (_, code, method, { rowName, codes }) => {
  const name = rowName as EndpointName
  const good = { ...(await goodRequest(harness, name)), method }
  const cause = provoke[code] ?? byMishap(code)
  expectRefusal(method, code, await cause(name, good), codes)
})

test.each(endpoints.map(operation => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s does answer with success, to the example of its body too',
  async (_, { rowName, row, status }) => {
    const name = rowName as EndpointName
    const good = await goodRequest(harness, name)
    const example = row.body && bodyExample(row.body)
    // New resources must not exist; a token comes by mail or login, a code from an app; applications differ.
    const due = status === 201 ? { email: 'new@example.com' } : {}
    // A provider's part of an example cannot succeed.
    if (name === 'provider-login') return expect((await send(harness, name, good)).status).toBe(status)
    const { token, refresh_token, code, request, id, assertion, credential } = (good.body ?? {}) as Record<
      string,
      string
    >
    const given = Object.fromEntries(
      Object.entries({ token, refresh_token, code, request, id, assertion, credential }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    const body = example && { ...example, ...due, ...given }
    expect((await send(harness, name, { ...good, ...(body && { body }) })).status).toBe(status)
  },
)

const askKeys = (path: string, method: string) => call(signingKeys(harness.deps), { method, path })

test.each(described(keys))('%s does answer %s', async (_, code, method, { path }) => {
  if (code === 'unavailable') harness.broken = 'KMS'
  const isOfKeys = path.endsWith('jwks.json')
  const answer =
    code === 'unavailable'
      ? await askKeys(path, method)
      : isOfKeys
        ? await whileBroken('publicKeys', () => askKeys(path, method))
        : await call(
            signingKeys({
              ...harness.deps,
              get config(): never {
                throw new TypeError('unforeseen')
              },
            }),
            { method, path },
          )
  expectRefusal(method, code, answer)
})

/** An existing address of the catalogue, except for one variable. */
const addressOf = (path: string, variable = ''): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === variable ? 'nosuch' : (variableExamples[name] ?? '')))

const queries: Partial<Record<ErrorCode, string>> = {
  'query-parameter-unknown': 'nosuch=1',
  'query-parameter-repeated': 'group=list&group=list',
  'query-parameter-invalid': 'group=nosuch',
}
const missing: Partial<Record<ErrorCode, string>> = {
  'module-not-found': 'name',
  'parameter-not-found': 'parameter',
  'set-not-found': 'set',
}

test.each(described(prebuilt))('%s does answer %s', async (_, code, method, { path }) => {
  const answer = await ask(addressOf(path, missing[code]), { method, query: queries[code] ?? '' })
  expectRefusal(method, code, { status: answer.statusCode, body: answer.body && JSON.parse(answer.body) })
})

test.each(prebuilt.flatMap(({ path, ...rest }) => methodsOf({ path, ...rest }).map(method => [method, path] as const)))(
  '%s %s does answer with success, and that it has not changed',
  async (method, path) => {
    const { statusCode, headers } = await ask(addressOf(path), { method })
    expect(statusCode).toBe(200)
    const again = await ask(addressOf(path), { method, headers: { 'if-none-match': headers.etag ?? '' } })
    expect(again.statusCode).toBe(304)
  },
)

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const carry = (method: string, fields: string) =>
  method === 'POST' ? { body: fields, headers: form } : { query: fields }
const goodFields = (of: keyof typeof requestExamples) => new URLSearchParams(requestExamples[of]).toString()

/** How to cause each refusal of a path with fields. */
const spoil: Partial<Record<ErrorCode, (method: string, good: string) => Parameters<typeof ask>[1]>> = {
  'query-parameter-missing': method => carry(method, 'limits=any'),
  'query-parameter-unknown': (method, good) => carry(method, `${good}&nosuch=1`),
  'query-parameter-repeated': (method, good) => carry(method, `${good}&${good}`),
  'query-parameter-invalid': (method, good) => carry(method, good.replace('limits=any', 'limits=nosuch')),
  'query-too-long': () => ({ query: `query=${'x'.repeat(9000)}` }),
  'missing-body': () => ({ headers: form }),
  'malformed-json': () => ({ body: 'no JSON' }),
  'body-too-large': () => ({ body: 'x'.repeat(70_000) }),
  'unsupported-media-type': (_, good) => ({ body: good, headers: { 'content-type': 'text/plain' } }),
  'unsupported-content-encoding': (_, good) => ({ body: good, headers: { ...form, 'content-encoding': 'gzip' } }),
}

test.each(described(asked))('%s does answer %s', async (_, code, method, { path, asked }) => {
  const answer = await ask(path, { method, ...spoil[code]?.(method, goodFields(asked)) })
  expectRefusal(method, code, { status: answer.statusCode, body: answer.body && JSON.parse(answer.body) })
})

test.each(asked.flatMap(each => methodsOf(each).map(method => [method, each.path, each.asked] as const)))(
  '%s %s does answer with success, to a body in JSON too',
  async (method, path, asked) => {
    expect((await ask(path, { method, ...carry(method, goodFields(asked)) })).statusCode).toBe(200)
    if (method !== 'POST') return
    const { statusCode, body } = await ask(path, { method, body: JSON.stringify(requestExamples[asked]) })
    expect([statusCode, JSON.parse(body).error]).toEqual([200, undefined])
  },
)

/** A message, sent with other members, or as other text. */
const tell = (path: string, body: object | string, headers = {}) =>
  ask(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })

const spoilMessage: Partial<Record<ErrorCode, (path: string) => ReturnType<typeof ask>>> = {
  'body-too-large': path => tell(path, 'x'.repeat(70_000)),
  'unsupported-media-type': path => tell(path, rpcExamples.request, form),
  'unsupported-content-encoding': path => tell(path, rpcExamples.request, { 'content-encoding': 'gzip' }),
}

test.each(described(messages))('%s does answer %s', async (_, code, method, { path }) => {
  const { statusCode: status, body } = (await spoilMessage[code]?.(path)) ?? { statusCode: 0, body: '{}' }
  expectRefusal(method, code, { status, body: JSON.parse(body) })
})

test.each(messages.map(({ path }) => path))('POST %s does answer with success, and as JSON-RPC does', async path => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const unknown = { ...rpcExamples.request, method: 'nosuch', params: { _meta } }
  const answers = await Promise.all([
    tell(path, rpcExamples.request),
    tell(path, { jsonrpc: '2.0', method: 'notifications/initialized' }),
    tell(path, '[]'),
    tell(path, unknown, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'nosuch' }),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 202, 400, 404])
  expect(JSON.parse(answers[0].body)).toEqual(rpcExamples.answer)
})

test('no operation is left out here', () => {
  const tested = [...endpoints, ...keys, ...prebuilt, ...messages]
  const others = operations.filter(each => !tested.includes(each) && !each.row.fields)
  // It has a test of its own.
  expect(others.map(({ rowName }) => rowName)).toEqual(['get-openapi'])
  const pages = Object.values<Route>(routes).filter(({ reply }) => reply === 'page')
  expect(operations.filter(({ row }) => pages.includes(row))).toEqual([])
})
