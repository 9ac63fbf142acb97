import { describe, expect, test } from 'vitest'
import { type RequestFault, requestFaults } from '../../accounts/application/authorization-request.ts'
import type { Client } from '../../accounts/application/client.ts'
import { changes, faultOfConfiguration, faultOfLogin } from '../../api/authorization-faults.ts'
import { clients, type Parameters, shopQuery } from '../support/clients.ts'

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
