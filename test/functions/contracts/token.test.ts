import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, findClient } from '../../../accounts/application/client.ts'
import { byPassword, claimsOf } from '../../../accounts/token/claims.ts'
import { dashboardSecret } from '../../support/clients.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { allScopes, codeForm, enterShop, grantCode, sentForm } from '../../support/service/grants.ts'
import { createHarness } from '../../support/service/harness.ts'
import type { Sent } from '../../support/service/http.ts'
import { ada, find, register } from '../../support/service/people.ts'

const harness = createHarness()

beforeEach(async () => {
  await register(harness)
})

const ask = (form: Record<string, string>, headers: Record<string, string> = {}) => {
  const sent = sentForm(form)
  return send(harness, 'token', { ...sent, headers: { ...sent.headers, ...headers } })
}
const askRaw = (sent: Sent) =>
  send(harness, 'token', { ...sent, headers: { ...sentForm({}).headers, ...sent.headers } })
const errorOf = async (answer: ReturnType<typeof ask>) => {
  const { status, body } = await answer
  return [status, body.error, body.error_description]
}

describe('refuses, in this order,', () => {
  const app = 'https://app.example.com'
  const formAlone = 'Send the parameters as a form: application/x-www-form-urlencoded'

  const codes = 'grant_type=authorization_code'
  const tokens = 'grant_type=refresh_token'

  test.each<[string, Sent, description: string, error?: string, status?: number]>([
    [
      'a page of another origin',
      { headers: { origin: 'https://attacker.example' } },
      'Not allowed from this origin',
      'invalid_request',
      403,
    ],
    ['nothing', {}, formAlone],
    ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }, formAlone],
    ['no media type', { body: 'a=b', headers: { 'content-type': '' } }, formAlone],
    ['a broken escape', { body: 'grant_type=%zz' }, formAlone],
    ['an escape of no UTF-8', { body: 'grant_type=%ff' }, formAlone],
    ['16 KiB and a byte', { body: `a=${'x'.repeat(16 * 1024 - 1)}` }, 'The body is larger than 16 KiB'],
    [
      'a compressed form',
      { body: 'a=b', headers: { 'content-encoding': 'gzip' } },
      'The body must not be compressed: send it without Content-Encoding',
    ],
    ['a parameter twice', { body: 'a=b&a=b' }, 'A parameter is given more than once'],
    ['no grant type', { body: 'client_id=nobody' }, 'grant_type is missing'],
    ['an empty one', { body: 'grant_type=&client_id=nobody' }, 'grant_type is missing'],
    [
      'another grant type',
      { body: 'grant_type=password&client_id=nobody' },
      'grant_type is neither authorization_code nor refresh_token',
      'unsupported_grant_type',
    ],
    ['an unknown client', { body: `${codes}&client_id=nobody` }, 'Unknown client or wrong secret', 'invalid_client'],
    ['no code', { body: `${codes}&client_id=shop` }, 'code is missing'],
    ['no refresh token', { body: `${tokens}&client_id=shop` }, 'refresh_token is missing'],
    ['a code that is none', sentForm(codeForm('x')), 'Unknown, used or expired code', 'invalid_grant'],
    [
      'a refresh token that is none',
      { body: `${tokens}&client_id=shop&refresh_token=x` },
      'Invalid or expired refresh token',
      'invalid_grant',
    ],
  ])('%s', async (_, sent, description, error = 'invalid_request', status = 400) => {
    harness.config.corsOrigins = [app]
    expect(await errorOf(askRaw(sent))).toEqual([status, error, description])
  })

  test('with texts that OAuth allows (RFC 6749 §5.2), which nobody keeps', async () => {
    const { headers, text, body } = await ask(codeForm('x'))
    expect(Object.keys(body)).toEqual(['error', 'error_description'])
    expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    expect(text).not.toContain('code-')
  })

  test('a bug on our side', async () => {
    const deps = { ...harness.deps, clients: null as never }
    const { status, body } = await send({ ...harness, deps }, 'token', sentForm(codeForm('x')))
    expect([status, body]).toEqual([
      500,
      { error: 'server_error', error_description: 'Something went wrong on our side' },
    ])
  })
})

describe('takes as a client', () => {
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })
  const grant = { grant_type: 'refresh_token', refresh_token: 'x' }
  const taken = [400, 'invalid_grant', 'Invalid or expired refresh token']
  const refused = (status: number) => [status, 'invalid_client', 'Unknown client or wrong secret']
  const invalid = (description: string) => [400, 'invalid_request', description]
  const encoded = dashboardSecret.replaceAll('_', '%5F').replaceAll('s', '%73')
  const wrong = `${dashboardSecret.slice(0, -1)}t`

  test.each<[string, Record<string, string>, Record<string, string>, unknown[]]>([
    ['a public one by its id', { client_id: 'shop' }, {}, taken],
    ['a public one by Basic without a secret', {}, basic('shop', ''), taken],
    ['one that keeps a secret, by Basic', {}, basic('dashboard', dashboardSecret), taken],
    ['one whose Basic is encoded as a form', {}, basic('dashboard', encoded), taken],
    ['one whose id is too', {}, basic('dash%62oard', encoded), taken],
    ['one that states its id beside Basic', { client_id: 'dashboard' }, basic('dashboard', dashboardSecret), taken],
    ['one that posts its secret', { client_id: 'dashboard', client_secret: dashboardSecret }, {}, taken],
    ['one beside a token that means nothing here', { client_id: 'shop' }, { authorization: 'Bearer x' }, taken],
    ['no unknown one', { client_id: 'nobody' }, {}, refused(400)],
    ['no unknown one by Basic', {}, basic('nobody', dashboardSecret), refused(401)],
    ['none without an id', {}, {}, refused(400)],
    ['none without its secret', { client_id: 'dashboard' }, {}, refused(400)],
    ['none by Basic without its secret', {}, basic('dashboard', ''), refused(401)],
    ['no wrong secret', { client_id: 'dashboard', client_secret: wrong }, {}, refused(400)],
    ['no wrong secret by Basic', {}, basic('dashboard', wrong), refused(401)],
    [
      'no hash for a secret',
      { client_id: 'dashboard', client_secret: createHash('sha256').update(dashboardSecret).digest('hex') },
      {},
      refused(400),
    ],
    ['no secret of a public one', { client_id: 'shop', client_secret: dashboardSecret }, {}, refused(400)],
    ['no secret of a public one by Basic', {}, basic('shop', dashboardSecret), refused(401)],
    ['no malformed Basic', { client_id: 'shop' }, { authorization: 'Basic' }, refused(401)],
    ['no Basic with a broken escape', {}, basic('shop%', ''), refused(401)],
    [
      'no Basic without a colon',
      {},
      { authorization: `Basic ${Buffer.from('shop').toString('base64')}` },
      refused(401),
    ],
    [
      'none with two secrets',
      { client_id: 'dashboard', client_secret: dashboardSecret },
      basic('dashboard', dashboardSecret),
      invalid('The client sends two secrets'),
    ],
    [
      'none with two ids',
      { client_id: 'shop' },
      basic('dashboard', dashboardSecret),
      invalid('client_id is another than that of the Authorization header'),
    ],
  ])('%s', async (_, form, headers, expected) => {
    const answer = await ask({ ...grant, ...form }, headers)
    expect([answer.status, answer.body.error, answer.body.error_description]).toEqual(expected)
    expect(answer.headers['www-authenticate']).toBe(expected[0] === 401 ? 'Basic realm="auth"' : undefined)
    const isRefused = expected[1] === 'invalid_client'
    expect(harness.events.filter(({ event }) => event === 'client-refused')).toHaveLength(isRefused ? 1 : 0)
  })

  test('either of two secrets, while one is changed', async () => {
    const other = `ghc1_${randomBytes(32).toString('base64url')}`
    const dashboard = findClient(harness.deps.clients, 'dashboard') as Client
    const secrets = [createHash('sha256').update(other).digest('hex'), ...dashboard.secrets]
    const deps = { ...harness.deps, clients: [{ ...dashboard, secrets }] }
    for (const client_secret of [other, dashboardSecret]) {
      const sent = sentForm({ ...grant, client_id: 'dashboard', client_secret })
      const { body } = await send({ ...harness, deps }, 'token', sent)
      expect(body.error).toBe('invalid_grant')
    }
  })
})

test('answers with the tokens of a code', async () => {
  const account = await find(harness)
  const { status, body } = await ask(codeForm(await grantCode(harness, { nonce: 'the nonce' })))
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid email',
      id_token: expect.any(String),
    },
  ])
  const now = harness.deps.now().getTime() / 1000
  const common = { sub: account.id, email: ada.email, email_verified: false, iss: harness.config.issuer }
  const times = { auth_time: now, amr: ['pwd'], iat: now, exp: now + 3600 }
  const ofLogin = claimsOf(account, byPassword(harness.deps, account), harness.config, now, now + 3600)
  expect(decodeJwt(body.access_token)).toEqual({
    ...{ ...ofLogin, ...common, ...times, ver: 0, aud: 'gatehouse', client_id: 'shop', scope: 'openid email' },
  })
  const half = createHash('sha256').update(body.access_token).digest().subarray(0, 16)
  expect(decodeJwt(body.id_token)).toEqual({
    ...{ ...common, ...times, aud: 'shop', nonce: 'the nonce', at_hash: half.toString('base64url') },
  })
})

test('answers with a refresh token where people stay logged in, and whose session it is', async () => {
  await harness.deps.accounts.changeProfile(await find(harness), { name: 'Ada', language: 'de' }, harness.deps.now())
  harness.config.languages = ['en', 'de']
  const { body } = await ask(codeForm(await grantCode(harness, { scope: allScopes })))
  expect(body).toMatchObject({ scope: allScopes.join(' '), refresh_token: expect.stringMatching(/^ghr2\./) })
  const { sid } = decodeJwt(body.access_token)
  expect(decodeJwt(body.id_token)).toMatchObject({ sid, name: 'Ada', locale: 'de' })
  const listed = await send(harness, 'list-sessions', { headers: await bearer(harness) })
  expect(listed.body.sessions).toMatchObject([{ id: sid, label: 'Shop', application: 'shop', browser: false }])

  harness.advance(61_000)
  const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: 'shop' }
  const again = await ask({ ...form, scope: 'email' })
  expect(again.body).toMatchObject({ scope: 'email', refresh_token: expect.not.stringMatching(body.refresh_token) })
  expect(Object.keys(again.body)).not.toContain('id_token')
  expect((await ask({ ...form, scope: 'email openid email' })).body.scope).toBe('openid email')
  expect(await errorOf(ask({ ...form, scope: 'email groups' }))).toEqual([
    400,
    'invalid_scope',
    'scope names more than was granted',
  ])
})

test('an application’s access token is taken at userinfo, by GET and POST, for its scopes', async () => {
  const account = await find(harness)
  await harness.deps.accounts.changeProfile(account, { name: 'Ada' }, harness.deps.now())
  await harness.operator.verify(account, harness.deps.now())
  const scope = ['openid', 'profile']
  const redirect = 'https://dashboard.example.com/callback'
  const code = await grantCode(harness, { client: 'dashboard', redirect, scope })
  const form = { ...codeForm(code), redirect_uri: redirect, client_id: 'dashboard', client_secret: dashboardSecret }
  for (const token of [(await enterShop(harness, scope)).accessToken, (await ask(form)).body.access_token]) {
    for (const method of ['GET', 'POST']) {
      const headers = { authorization: `Bearer ${token}` }
      const { status, body } = await send(harness, 'userinfo', { method, headers })
      expect([status, Object.keys(body)]).toEqual([200, ['sub', 'name']])
    }
  }
})

describe('revoke', () => {
  const revoke = (token: string, client: Record<string, string> = { client_id: 'shop' }) =>
    send(harness, 'revoke', sentForm({ token, ...client }))

  test('says the same of every text, and ends no session by another client’s refresh token', async () => {
    const { accessToken, refreshToken: token = '' } = await enterShop(harness)
    for (const text of ['x', accessToken]) expect((await revoke(text)).body).toEqual({})
    const dashboard = { client_id: 'dashboard', client_secret: dashboardSecret }
    expect((await revoke(token, dashboard)).body).toEqual({})
    expect((await find(harness)).sessions).toHaveLength(1)
  })

  test('asks for client and token', async () => {
    expect((await revoke('x', { client_id: 'nobody' })).body.error).toBe('invalid_client')
    expect((await revoke('')).body).toEqual({ error: 'invalid_request', error_description: 'token is missing' })
  })
})
