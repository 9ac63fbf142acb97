import { describe, expect, test } from 'vitest'
import { readClients } from '../../../infra/settings/clients.ts'
import { readSettings } from '../../../infra/settings/settings.ts'
import { refusalOf } from './refusal.ts'

const secrets = ['0'.repeat(64)]
const app = { id: 'app', name: 'App', redirects: ['https://app.example.com/callback'] }
const read = (...entries: object[]) => readClients(JSON.stringify(entries))

/** The complaint about an address of a client. */
const wrongIn = (address: unknown, others: object = {}) => read({ ...app, redirects: [address], ...others })

describe('an address', () => {
  test.each([
    'https://app.example.com',
    'https://app.example.com/callback?tenant=1&next=@me',
    'https://app.example.com:8443/Callback/a%20b',
    'https://app.example.com:443/',
    'https://[2001:db8::1]/',
    'http://localhost:8000/callback',
    'http://localhost:80',
  ])('%s is taken, of whomever', address => {
    expect(wrongIn(address)).toMatchObject([{ redirects: [address] }])
    expect(wrongIn(address, { secrets })).toMatchObject([{ redirects: [address] }])
  })

  test.each([
    ['http://127.0.0.1/callback', 'is for public clients: use http://localhost:<port>'],
    ['http://127.0.0.1', 'is for public clients: use http://localhost:<port>'],
    ['http://[::1]/callback', 'is for public clients: use http://localhost:<port>'],
    ['com.example.app:/callback', 'has a scheme of an app, which only public clients have'],
  ])('%s is taken of public clients alone', (address, reason) => {
    expect(wrongIn(address)).toMatchObject([{ redirects: [address] }])
    expect(wrongIn(address, { secrets })).toBe(`app: redirects: "${address}" ${reason}`)
  })

  test('a port of the loopback interface, with a secret, is told what to do', () => {
    expect(wrongIn('http://127.0.0.1:8000/callback', { secrets })).toMatch(
      /public clients: use http:\/\/localhost:<port>$/,
    )
  })

  const notLoopback = 'is http, which only http://127.0.0.1, http://[::1] and http://localhost:<port> may be'

  test.each([
    ['https://app.example.com/#', 'has a fragment'],
    ['https://*.example.com/', 'has a *: each address is listed'],
    ['https://app.example.com\\@attacker.example/', 'has a backslash'],
    ['https://ada@app.example.com/', 'has user information'],
    ['https://app.example.com/\u00fc', 'has a character that is not printable ASCII'],
    ['https://app.example.com/\n', 'has a character that is not printable ASCII'],
    ['https://App.example.com/', 'has capitals in its scheme or host'],
    ['com.Example.app:/callback', 'has capitals in its scheme or host'],
    ['https:///callback', 'has no valid host'],
    ['https://0x7f.1/', 'has no valid host'],
    ['https://app.example.com:99999/', 'has no valid host'],
    ['https:app.example.com', 'has no valid host'],
    ['http://localhost/callback', 'needs a port: http://localhost:<port>'],
    ['http://localhost:/callback', 'has no valid port'],
    ['http://localhost:0x50/', 'has no valid port'],
    ['http://127.0.0.1:8000/callback', 'has a port: it is listed without one, and good with any'],
    ['http://[::1]:8000/callback', 'has a port: it is listed without one, and good with any'],
    ['http://app.example.com/', notLoopback],
    ['http://127.0.0.1.example.com/', notLoopback],
    ['http://localhost.example.com:80/', notLoopback],
    ['app:/callback', 'is neither https nor has a scheme with a dot'],
    ['chrome-extension://abcdefgh/callback.html', 'is neither https nor has a scheme with a dot'],
    ['javascript:alert(1)', 'is neither https nor has a scheme with a dot'],
    ['com.example.app', 'is not an address with a scheme'],
    ['com.example.app:callback', 'must begin with com.example.app:/'],
    ['//app.example.com/', 'is not an address with a scheme'],
    ['', 'is not an address with a scheme'],
  ])('%j is refused, because it %s', (address, reason) => {
    expect(wrongIn(address)).toBe(`app: redirects: ${JSON.stringify(address)} ${reason}`)
    expect(read({ ...app, logouts: [address] })).toContain(reason)
    expect(read({ ...app, home: address })).toContain(reason)
  })
})

describe('a client', () => {
  test('may state everything, and has the defaults of what it does not', () => {
    const whole = {
      ...app,
      logouts: ['https://a.example/'],
      home: 'https://a.example/',
      secrets,
      api: true,
      unverified: true,
      pkce: 'optional',
    }
    const none = { logouts: [], home: null, secrets: [], api: false, unverified: false, pkce: 'required' }
    expect(read(whole, { ...app, id: 'b' })).toEqual([whole, { ...app, id: 'b', ...none }])
  })

  const twentyOne = Array.from({ length: 21 }, (_, i) => `https://app.example.com/${i}`)
  const members = 'id, name, redirects, logouts, home, secrets, api, unverified, pkce'
  const wrongId = 'id: must be 1 to 64 lower-case letters, digits and hyphens, and begin with no hyphen'
  const wrongHash = 'must be the SHA-256 of a secret in hexadecimal, as npm run clients -- new prints it'
  test.each<[object, string]>([
    [{ id: 'App' }, `App: ${wrongId}`],
    [{ id: '-app' }, `-app: ${wrongId}`],
    [{ id: 'a'.repeat(65) }, `${'a'.repeat(65)}: ${wrongId}`],
    [{ id: undefined }, `client 1: ${wrongId}`],
    [{ id: 1 }, `client 1: ${wrongId}`],
    [{ name: '' }, 'app: name: must be 1 to 60 printable characters'],
    [{ name: 'a\u202eb' }, 'app: name: must be 1 to 60 printable characters'],
    [{ redirects: undefined }, 'app: redirects: must be an array of 1 to 20'],
    [{ redirects: [] }, 'app: redirects: must be an array of 1 to 20'],
    [{ redirects: twentyOne }, 'app: redirects: must be an array of 1 to 20'],
    [{ redirects: ['https://a.example/', 'https://a.example/'] }, 'app: redirects: has one twice'],
    [{ redirects: [1] }, 'app: redirects: must be an address, not 1'],
    [
      { redirects: [1, 'app:/'] },
      'app: redirects: must be an address, not 1, "app:/" is neither https nor has a scheme with a dot',
    ],
    [{ logouts: twentyOne }, 'app: logouts: must be an array of 0 to 20'],
    [{ home: null }, 'app: home: must be an address, not null'],
    [{ secrets: [] }, 'app: secrets: must be an array of 1 to 2'],
    [{ secrets: [...secrets, '1'.repeat(64), '2'.repeat(64)] }, 'app: secrets: must be an array of 1 to 2'],
    [{ secrets: [...secrets, ...secrets] }, 'app: secrets: has one twice'],
    [{ secrets: ['A'.repeat(64)] }, `app: secrets: ${wrongHash}`],
    [{ api: 'true' }, 'app: api: must be true or false'],
    [{ unverified: 1 }, 'app: unverified: must be true or false'],
    [{ pkce: 'optional' }, 'app: pkce: is for applications with a secret'],
    [{ secrets, pkce: 'off' }, 'app: pkce: must be "required" or "optional"'],
    [{ secrets, pkce: true }, 'app: pkce: must be "required" or "optional"'],
    [{ redirect: 'https://a.example/' }, `app: there is no member "redirect", but ${members}`],
    [
      { b: 1, api: 1, a: 1, name: '' },
      `app: there is no member "b", but ${members}; app: there is no member "a", but ${members}; app: name: must be 1 to 60 printable characters; app: api: must be true or false`,
    ],
  ])('with %j is refused', (changed, refusal) => {
    expect(read({ ...app, ...changed })).toBe(refusal)
  })

  test('has no id of another', () => {
    expect(read(app, { ...app, name: 'Other' })).toBe('app: id is that of another client')
    expect(read(app, { ...app, name: '' })).toBe(
      'app: name: must be 1 to 60 printable characters; app: id is that of another client',
    )
  })

  test('is no JSON of another shape', () => {
    expect(readClients('{}')).toBe('it is not a JSON array')
    expect(readClients("[{'id':'app'}]")).toBe('it is not a JSON array')
    expect(readClients('[null, 1, []]')).toBe(
      'client 1 must be an object; client 2 must be an object; client 3 must be an object',
    )
  })
})

const withApp = (changed: object) => JSON.stringify([{ ...app, ...changed }])

test('a refusal names client and member, and shows no secret in a hash’s place', () => {
  const secret = `ghc1_${'s'.repeat(43)}`
  const refusal = refusalOf({ OIDC_CLIENTS: withApp({ secrets: [secret] }) })
  expect(refusal).toMatch(/^OIDC_CLIENTS must be a JSON array of applications: app: secrets: must be the SHA-256/)
  expect(refusal).not.toContain('ghc1_')
})

test('an id that is the audience of access tokens is refused: id tokens would pass', () => {
  expect(refusalOf({ OIDC_CLIENTS: withApp({}), TOKEN_AUDIENCE: 'app' })).toBe(
    "OIDC_CLIENTS: app: id must not be that of access tokens, because TOKEN_AUDIENCE is 'app'",
  )
  expect(refusalOf({ OIDC_CLIENTS: withApp({ id: 'gatehouse' }) })).toContain('OIDC_CLIENTS: gatehouse: id must not be')
  expect(readSettings({ OIDC_CLIENTS: withApp({}), TOKEN_AUDIENCE: 'apps' }).OIDC_CLIENTS).toHaveLength(1)
})
