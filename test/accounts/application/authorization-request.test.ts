import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Reading, readAuthorizationRequest } from '../../../accounts/application/authorization-request.ts'
import type { Client } from '../../../accounts/application/client.ts'
import { clients, type Parameters, shopQuery, shopRequest } from '../../support/clients.ts'
import { seed } from '../../support/property.ts'

const issuer = 'https://api.example.com/auth'

const read = (changes?: Parameters, among: readonly Client[] = clients): Reading =>
  readAuthorizationRequest(among, shopQuery(changes), issuer)
const requestOf = (reading: Reading) => (reading.is === 'good' ? reading.request : reading)

describe('an authorization request', () => {
  test('is read', () => {
    const reading = read({
      scope: 'openid offline_access unknown email openid',
      nonce: 'n',
      prompt: 'login consent',
      max_age: '300',
      login_hint: 'ada@example.com',
      id_token_hint: 'x.y.z',
      claims: '{}',
      acr_values: '1',
      ui_locales: 'de',
      resource: 'https://api.example.com',
    })
    expect(requestOf(reading)).toEqual({
      client: clients[0],
      redirect: shopRequest.redirect_uri,
      state: shopRequest.state,
      nonce: 'n',
      challenge: shopRequest.code_challenge,
      scope: ['openid', 'offline_access', 'email'],
      prompt: ['login', 'consent'],
      maxAge: 300,
      loginHint: 'ada@example.com',
      idTokenHint: 'x.y.z',
    })
  })

  test('needs few parameters; those without a value count as absent', () => {
    const empty = { state: '', nonce: '', prompt: '', max_age: '', login_hint: '', request: '', response_mode: '' }
    const none = { state: null, nonce: null, prompt: [], maxAge: null, loginHint: null, idTokenHint: null }
    expect(requestOf(read({ ...empty, id_token_hint: '' }))).toMatchObject(none)
    expect(requestOf(read({ state: undefined }))).toMatchObject(none)
    expect(requestOf(read({ response_mode: 'query', state: ['', 'x'] }))).toMatchObject({ state: 'x' })
  })

  test.each<[string, Parameters, string]>([
    ['no client', { client_id: undefined }, 'unknown-client'],
    ['an empty client', { client_id: '' }, 'unknown-client'],
    ['two clients', { client_id: ['shop', 'shop'] }, 'unknown-client'],
    ['an unknown client', { client_id: 'Shop' }, 'unknown-client'],
    ['a client of another name that objects have', { client_id: 'constructor' }, 'unknown-client'],
    ['no address', { redirect_uri: undefined }, 'unknown-redirect'],
    ['two addresses', { redirect_uri: [shopRequest.redirect_uri, shopRequest.redirect_uri] }, 'unknown-redirect'],
    ["another client's address", { redirect_uri: 'https://dashboard.example.com/callback' }, 'unknown-redirect'],
    ['an unknown client and address', { client_id: 'x', redirect_uri: 'x' }, 'unknown-client'],
    ['an unknown address, and all else wrong', { redirect_uri: 'x', scope: 'x', prompt: 'x' }, 'unknown-redirect'],
  ])('of %s leads nowhere', (_, changes, code) => {
    expect(read(changes)).toEqual({ is: 'unknown', code })
  })

  const invalid = 'invalid_request'
  const long = 'x'.repeat(2049)
  /** In the order of the checks: of two faults, the first is reported. */
  const faults: [string, Parameters, string, string][] = [
    ['a parameter twice', { scope: ['openid', 'openid'] }, invalid, 'A parameter is given more than once'],
    ['a request object', { request: 'x' }, 'request_not_supported', 'request is not supported'],
    ['one elsewhere', { request_uri: 'https://x' }, 'request_uri_not_supported', 'request_uri is not supported'],
    ['no response type', { response_type: undefined }, invalid, 'response_type is missing'],
    ['a token', { response_type: 'code token' }, 'unsupported_response_type', 'response_type must be code'],
    ['another mode', { response_mode: 'fragment' }, invalid, 'response_mode must be query'],
    [
      'no challenge',
      { code_challenge: undefined },
      invalid,
      'This service requires PKCE (RFC 7636) with S256: switch it on in the application',
    ],
    ['a broken challenge', { code_challenge: 'x' }, invalid, 'code_challenge must be 43 characters of base64url'],
    ['no method', { code_challenge_method: undefined }, invalid, 'code_challenge_method must be S256'],
    ['no openid', { scope: 'email' }, 'invalid_scope', 'scope must contain openid'],
    ['none with another', { prompt: 'none login' }, invalid, 'prompt must be none alone'],
    ['a broken max_age', { max_age: '1.5' }, invalid, 'max_age must be a whole number of at most 9 digits'],
    ['a long nonce', { nonce: long }, invalid, 'nonce must be at most 2048 characters'],
  ]

  test.each(faults)('with %s goes back to the application', (_, changes, error, description) => {
    const location = new URL((read(changes) as { location: string }).location)
    expect(read(changes)).toMatchObject({ is: 'refused', client: clients[0], error, description })
    expect(location.origin + location.pathname).toBe(shopRequest.redirect_uri)
    expect([...location.searchParams]).toEqual([
      ['error', error],
      ['error_description', description],
      ['state', shopRequest.state],
      ['iss', issuer],
    ])
    // RFC 6749 §4.1.2.1.
    expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  test('tells the first of two faults', () => {
    faults.forEach(([, first], i) => {
      for (const [, second] of faults.slice(i + 1)) {
        const both = { ...second, ...first }
        if (Object.keys(both).length < 2) continue
        expect(read(both), shopQuery(both)).toMatchObject({ description: faults[i]?.[3] })
      }
    })
  })

  test.each<[string, Parameters, string]>([
    ['response_type', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['code_challenge', { code_challenge: 'x'.repeat(42) }, invalid],
    ['code_challenge', { code_challenge: `${'x'.repeat(42)}=` }, invalid],
    ['code_challenge', { code_challenge: `${'x'.repeat(43)}\n` }, invalid],
    ['code_challenge_method', { code_challenge_method: 'plain' }, invalid],
    ['code_challenge_method', { code_challenge_method: 's256' }, invalid],
    ['response_mode', { response_mode: 'form_post' }, invalid],
    ['scope', { scope: undefined }, 'invalid_scope'],
    ['scope', { scope: 'OPENID openid2' }, 'invalid_scope'],
    ['prompt', { prompt: 'x' }, invalid],
    ['max_age', { max_age: '-1' }, invalid],
    ['max_age', { max_age: '1234567890' }, invalid],
    ['max_age', { max_age: '1e3' }, invalid],
  ])('is refused for its %s: %j', (_, changes, error) => {
    expect(read(changes)).toMatchObject({ is: 'refused', error })
  })

  test.each([
    ['repeated', ['a', 'b']],
    ['too long', long],
  ])('gets no state back that is %s', (_, state) => {
    const { location } = read({ state }) as { location: string }
    expect(new URL(location).searchParams.has('state')).toBe(false)
  })

  test('may have a state and a nonce of 2,048 characters', () => {
    const state = 'x'.repeat(2048)
    expect(requestOf(read({ state, nonce: state }))).toMatchObject({ state, nonce: state })
  })

  test.each(['login', 'consent', 'select_account', 'create', 'none', 'login select_account'])(
    'may have the prompt %s',
    prompt => {
      expect(requestOf(read({ prompt }))).toMatchObject({ prompt: prompt.split(' ') })
    },
  )

  describe('of a client that may leave PKCE out', () => {
    const { code_challenge: challenge, code_challenge_method: S256 } = shopRequest
    const optional: Client = { ...(clients[0] as Client), secrets: ['0'.repeat(64)], pkce: 'optional' }
    const of = (code_challenge: string | undefined, code_challenge_method: string | undefined) =>
      read({ redirect_uri: 'https://shop.example.com/callback', code_challenge, code_challenge_method }, [optional])

    test.each([
      [challenge, S256, challenge],
      [undefined, undefined, null],
      ['', '', null],
    ])('is good with the challenge %s of the method %s', (sent, method, kept) => {
      expect(requestOf(of(sent, method))).toMatchObject({ challenge: kept })
    })

    test.each([
      [undefined, S256, 'code_challenge_method needs a code_challenge'],
      [undefined, 'plain', 'code_challenge_method needs a code_challenge'],
      [challenge, undefined, 'code_challenge_method must be S256'],
      [challenge, 'plain', 'code_challenge_method must be S256'],
      ['x', S256, 'code_challenge must be 43 characters of base64url'],
    ])('is refused with the challenge %s of the method %s', (sent, method, description) => {
      expect(of(sent, method)).toMatchObject({ is: 'refused', error: invalid, description })
    })
  })

  test('keeps a query that its address has, and writes blanks as no plus sign', () => {
    const redirect = 'com.example.app:/callback?from=app'
    const app = { ...(clients[0] as Client), redirects: [redirect] }
    const reading = read({ redirect_uri: redirect, scope: 'x' }, [app]) as { location: string }
    expect(reading.location).toBe(
      `${redirect}&error=invalid_scope&error_description=scope%20must%20contain%20openid&state=the%20state&iss=https%3A%2F%2Fapi.example.com%2Fauth`,
    )
  })
})

describe('an address', () => {
  const [shop, dashboard] = clients as [Client, Client]
  const takes = (client: Client, redirect_uri: string) =>
    read({ client_id: client.id, redirect_uri }, [client]).is !== 'unknown'

  test.each(['http://127.0.0.1/callback', 'http://127.0.0.1:1/callback', 'http://127.0.0.1:65535/callback'])(
    'of the loopback interface may have any port, of a public client: %s',
    address => {
      expect(takes(shop, address)).toBe(true)
      expect(takes({ ...dashboard, redirects: shop.redirects }, address)).toBe(address === shop.redirects[0])
    },
  )

  test('of the loopback interface is compared as text in all else', () => {
    const app = { ...shop, redirects: ['http://[::1]/', 'http://127.0.0.1', 'http://127.0.0.1?a'] }
    for (const address of ['http://[::1]:8080/', 'http://127.0.0.1:80', 'http://127.0.0.1:80?a']) {
      expect(takes(app, address), address).toBe(true)
    }
    for (const address of [
      'http://127.0.0.1:/',
      'http://127.0.0.1:80/',
      'http://127.0.0.1:80#x',
      'http://127.0.0.1:80@attacker.example',
      'http://127.0.0.1:80.attacker.example',
      'http://127.0.0.1:80:81',
      'http://127.0.0.1:8a',
      'http://127.0.0.1:-80',
      'http://127.0.0.1:٨٠',
      'http://127.1:80',
      'https://127.0.0.1:80',
      'http://localhost:80',
      'http://[::1]:8080/x',
      'http://[0:0:0:0:0:0:0:1]:8080/',
      'http://attacker.example\\@127.0.0.1:80',
    ]) {
      expect(takes(app, address), address).toBe(false)
    }
  })

  test('of localhost has the port that is listed', () => {
    const app = { ...shop, redirects: ['http://localhost:8000/callback'] }
    expect(takes(app, 'http://localhost:8000/callback')).toBe(true)
    expect(takes(app, 'http://localhost:8001/callback')).toBe(false)
  })

  // Each is an address that a lenient parser takes for the listed one, or for one at its host.
  const tricks = [
    (address: string) => `${address}/`,
    (address: string) => `${address}?next=//attacker.example`,
    (address: string) => `${address}#x`,
    (address: string) => ` ${address}`,
    (address: string) => `${address}\t`,
    (address: string) => `${address}\0`,
    (address: string) => address.toUpperCase(),
    (address: string) => address.replace('https:', 'HTTPS:'),
    (address: string) => address.replace('https://', 'http://'),
    (address: string) => address.replace('https://', '//'),
    (address: string) => address.replace('https://', 'https:'),
    (address: string) => address.replace('https://', 'https:\\\\'),
    (address: string) => address.replace('https://', 'https://attacker.example@'),
    (address: string) => address.replace('.com', '.com@attacker.example'),
    (address: string) => address.replace('.com', '.com.attacker.example'),
    (address: string) => address.replace('.com', '.com:443'),
    (address: string) => address.replace('.com', '.com:8443'),
    (address: string) => address.replace('.com', '.com.'),
    (address: string) => address.replace('.com', '.com\\.attacker.example'),
    (address: string) => address.replace('.com', '。com'),
    (address: string) => address.replace('shop', '%73hop'),
    (address: string) => address.replace('shop', 'ſhop'),
    (address: string) => address.replace('/callback', '/x/../callback'),
    (address: string) => address.replace('/callback', '/./callback'),
    (address: string) => address.replace('/callback', '//callback'),
    (address: string) => address.replace('/callback', '/callback/../../x'),
    (address: string) => address.replace('/callback', '/%63allback'),
    (address: string) => `javascript:alert(1)//${address}`,
    (address: string) => `data:text/html,${address}`,
  ]

  test.each(tricks.map(trick => trick(shopRequest.redirect_uri)))('%j is none that is listed', address => {
    expect(takes(shop, address)).toBe(false)
  })

  test('redirects to listed addresses alone, in any spelling and with any other parameters', () => {
    const pieces = fc.constantFrom(
      'http://',
      'https://',
      '127.0.0.1',
      '[::1]',
      ':',
      '8000',
      '@',
      '/',
      '\\',
      '?',
      '#',
      '.',
      '%2e',
      'shop.example.com',
      'callback',
      'attacker.example',
      ' ',
      '\n',
    )
    const address = fc.oneof(
      fc.array(pieces, { maxLength: 9 }).map(all => all.join('')),
      fc.webUrl(),
      fc.string(),
    )
    const rest = fc.dictionary(fc.constantFrom('state', 'scope', 'prompt', 'request', 'response_mode'), fc.string())
    const loopback = /^http:\/\/127\.0\.0\.1(?::\d{1,5})?\/callback(?=[?&])/
    fc.assert(
      fc.property(address, rest, (redirect_uri, changes) => {
        const reading = read({ ...changes, redirect_uri })
        if (reading.is === 'unknown') return
        const location = reading.is === 'refused' ? reading.location : `${reading.request.redirect}?`
        const isListed = shop.redirects.some(each => location.startsWith(`${each}?`))
        expect(isListed || loopback.test(location), location).toBe(true)
      }),
      { seed, numRuns: 1000 },
    )
  })
})
