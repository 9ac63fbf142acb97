import { describe, expect, test } from 'vitest'
import { type RequestFault, requestFaults } from '../../accounts/application/authorization-request.ts'
import type { Client } from '../../accounts/application/client.ts'
import {
  changes,
  faultOfConfiguration,
  faultOfLogin,
  faultOfPath,
  faultOfRefusal,
} from '../../api/authorization-faults.ts'
import { clients, dashboardSecret, type Parameters, queryWith, shopQuery } from '../support/clients.ts'

const [shop, dashboard] = clients as [Client, Client]
const optional: Client = { ...dashboard, id: 'wiki', pkce: 'optional' }
const listed = [...clients, optional]
const long = 'x'.repeat(2049)
const noPkce = { code_challenge: undefined, code_challenge_method: undefined }

/** A request with each fault. */
const examples: Record<RequestFault, Parameters> = {
  repeated: { scope: ['openid', 'openid'] },
  requestObject: { request: 'x' },
  requestUri: { request_uri: 'https://x' },
  noResponseType: { response_type: undefined },
  responseType: { response_type: 'id_token' },
  responseMode: { response_mode: 'form_post' },
  noPkce,
  methodAlone: { client_id: 'wiki', redirect_uri: optional.redirects[0], code_challenge: undefined },
  challenge: { code_challenge: 'x' },
  challengeMethod: { code_challenge_method: 'plain' },
  noOpenid: { scope: 'email' },
  prompt: { prompt: 'always' },
  promptNone: { prompt: 'none login' },
  maxAge: { max_age: 'day' },
  state: { state: long },
  nonce: { nonce: long },
}

/** Of these an application draws a value at each login: no configuration causes them. */
const drawn = ['state', 'nonce']

const shown = (changed: Parameters, path = '/authorize', among: readonly Client[] = listed) =>
  faultOfConfiguration(path, shopQuery(changed), among)

describe('a request for a login', () => {
  test.each(Object.entries(examples))(
    'with the fault %s says what to change, if a configuration causes it',
    (name, changed) => {
      const fault = name as RequestFault
      const [error, description] = requestFaults[fault]
      const id = changed.client_id ?? 'shop'
      const what = [`${id} is told ${error}: ${description}`]
      expect(faultOfLogin(shopQuery(changed), listed)).toEqual({ what, change: changes[fault] })
      expect(shown(changed)).toEqual(
        drawn.includes(name) ? null : { what, change: expect.stringMatching(/^[A-Z].*\w$/) },
      )
    },
  )

  test.each<[Parameters, RegExp, RegExp]>([
    [{ client_id: undefined }, /^client_id is missing$/, /client id/],
    [{ client_id: 'spoh' }, /'spoh', but shop, dashboard, wiki$/, /OIDC_CLIENTS/],
    [{ redirect_uri: undefined }, /^shop: redirect_uri is missing/, /redirects of shop/],
    [
      { redirect_uri: 'https://x.example/' },
      /^shop does not list https:\/\/x\.example\/ in redirects/,
      /redirects of shop/,
    ],
  ])('that leads nowhere says so too: %j', (changed, what, change) => {
    expect(shown(changed)).toMatchObject({
      what: expect.arrayContaining([expect.stringMatching(what)]),
      change: expect.stringMatching(change),
    })
  })

  test('says nothing where nothing is wrong, at other paths, and where there are no applications', () => {
    expect(shown({})).toBeNull()
    expect(shown({ client_id: 'wiki', redirect_uri: optional.redirects[0], ...noPkce })).toBeNull()
    expect(shown(noPkce, '/account')).toBeNull()
    expect(shown(noPkce, '/authorize', [])).toBeNull()
    expect(shown({}, '/constructor')).toBeNull()
  })
})

test('a request for a logout says which address is not listed', () => {
  const query = (address: string) => `client_id=shop&post_logout_redirect_uri=${encodeURIComponent(address)}`
  expect(faultOfConfiguration('/logout', query(String(shop.logouts[0])), listed)).toBeNull()
  expect(faultOfConfiguration('/logout', query('https://x.example/'), listed)).toEqual({
    what: [
      'shop does not list https://x.example/ in logouts. It is compared as text. Listed are:',
      ...shop.logouts.map(address => `  ${address}`),
    ],
    change: expect.stringContaining('logouts of shop'),
  })
})

describe('a request for tokens that is refused', () => {
  const secrets = { code: 'a-code', code_verifier: 'a-verifier', refresh_token: 'a-refresh-token' }
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const refused = (form: Parameters, authorization?: string, error = 'invalid_client', path = '/auth/token') => {
    const sent = Buffer.from(queryWith({ ...secrets, ...form }))
    const answered = Buffer.from(JSON.stringify({ error, error_description: 'Why' }))
    return faultOfRefusal(path, { authorization, sent, answered }, listed)
  }
  const wrong = `${dashboardSecret}x`

  const unknown = (id: string) => `There is no application '${id}', but shop, dashboard, wiki`
  const unlisted = 'dashboard sends a secret that is not listed'

  test.each<[string, Parameters, string, RegExp, authorization?: string]>([
    ['no id', {}, 'client_id is missing', /client id/],
    ['an unknown id', { client_id: 'spoh' }, unknown('spoh'), /OIDC/],
    ['an unknown id in Basic', {}, unknown('spoh'), /OIDC/, basic('spoh', wrong)],
    ['a secret as the id', { client_id: wrong }, unknown('…'), /OIDC/],
    ['another secret', { client_id: 'dashboard', client_secret: wrong }, unlisted, /-- secret dashboard$/],
    ['another secret in Basic', {}, unlisted, /-- secret dashboard$/, basic('dashboard', wrong)],
    ['no secret', { client_id: 'dashboard' }, 'dashboard sends no secret', /-- secret dashboard$/],
    [
      'a secret of a public one',
      { client_id: 'shop', client_secret: wrong },
      'shop is public, but sends a secret',
      /Take/,
    ],
  ])('for %s says so, and what to change', (_, form, what, change, authorization) => {
    const fault = refused(form, authorization)
    expect(fault).toEqual({ what: [what], change: expect.stringMatching(change) })
    for (const secret of [wrong, ...Object.values(secrets)]) expect(JSON.stringify(fault)).not.toContain(secret)
    expect(refused(form, authorization, 'invalid_client', '/auth/revoke')).toEqual(fault)
  })

  test('for another reason repeats what the application is told', () => {
    expect(refused({ client_id: 'shop' }, undefined, 'invalid_grant')).toEqual({
      what: ['shop is told invalid_grant: Why'],
      change: null,
    })
    expect(refused({ client_id: wrong }, undefined, 'invalid_request')?.what).toEqual([
      'An application is told invalid_request: Why',
    ])
  })

  test('says nothing at other paths, without applications, or of what is no refusal', () => {
    expect(refused({}, undefined, 'invalid_client', '/auth/login')).toBeNull()
    const [sent, answered] = [Buffer.from('%'), Buffer.from('{}')]
    expect(faultOfRefusal('/auth/token', { sent, answered }, [])).toBeNull()
    for (const body of ['{}', 'null', '<'])
      expect(faultOfRefusal('/auth/token', { sent, answered: Buffer.from(body) }, listed)).toBeNull()
  })
})

test('a path with two slashes says how the issuer is written', () => {
  const issuer = 'http://localhost:3000/auth'
  expect(faultOfPath('/auth//.well-known/openid-configuration', issuer)).toEqual({
    what: ['The path has two slashes'],
    change: `The issuer is ${issuer}, without one at its end`,
  })
  expect(faultOfPath('/auth/.well-known/openid-configuration', issuer)).toBeNull()
})
