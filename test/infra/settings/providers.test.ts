import { describe, expect, test } from 'vitest'
import { statementOf } from '../../../infra/settings/provider-members.ts'
import { readProviders } from '../../../infra/settings/providers.ts'
import { readSettings } from '../../../infra/settings/settings.ts'
import { settingsWarnings } from '../../../infra/settings/warnings.ts'
import { readAllSettings } from '../../../local/local-settings.ts'
import { gitHub, providers } from '../../support/providers.ts'
import { refusalOf } from './refusal.ts'

const [google, work, apple] = providers.map(statementOf) as [object, object, object]
const read = (...entries: object[]) => readProviders(JSON.stringify(entries))
const listed = (...entries: object[]) => ({
  MAIL_FROM: 'no-reply@example.com',
  SIGN_IN_PROVIDERS: JSON.stringify(entries),
})
const { secret } = statementOf(providers[0] as (typeof providers)[0])

test('a provider may state everything, and has the defaults of what it does not', () => {
  expect(read(google, work, apple)).toEqual(providers)
  const { secret: _, redirects: __, ...least } = google as Record<string, unknown>
  const none = { secret: null, auth: 'post', email: 'claim', require: {}, formPost: false, redirects: [] }
  expect(read(least)).toMatchObject([none])
  expect((read(least) as typeof providers).map(statementOf)).toEqual([least])
})

describe('GitHub', () => {
  const stated = statementOf(gitHub)
  test('is stated by a few members: its addresses are fixed', () => {
    const { id, name, clientId: client_id, redirects } = gitHub
    expect(stated).toEqual({ id, name, github: true, client_id, secret, redirects })
    expect(read(google, stated)).toEqual([providers[0], gitHub])
  })

  test.each(['http://127.0.0.1:4000', 'https://localhost:4000'])(
    'is called at the stand-in %s under npm start alone, as the same issuer',
    standIn => {
      const { SIGN_IN_PROVIDERS } = readAllSettings(listed({ ...stated, github: standIn }))
      expect(SIGN_IN_PROVIDERS).toEqual([
        {
          ...gitHub,
          authorizationEndpoint: `${standIn}/login/oauth/authorize`,
          tokenEndpoint: `${standIn}/login/oauth/access_token`,
          userUrl: `${standIn}/user`,
        },
      ])
      expect(SIGN_IN_PROVIDERS.map(statementOf)).toEqual([{ ...stated, github: standIn }])
      expect(read({ ...stated, github: standIn })).toBe('github: github: must be true')
      for (const address of [
        `${standIn}/`,
        `${standIn}/user`,
        'http://localhost.example.com',
        'https://github.com',
        false,
      ])
        expect(() => readAllSettings(listed({ ...stated, github: address }))).toThrow(
          'github: github: must be true, or the address of a stand-in such as http://127.0.0.1:4000',
        )
    },
  )

  test.each(Object.keys({ ...work, form_post: true, email: 'claim' }).filter(name => !(name in stated)))(
    'has no %s of its own',
    name => {
      expect(read({ ...stated, [name]: ({ ...work, form_post: true } as Record<string, unknown>)[name] })).toBe(
        `github: there is no member "${name}", but id, name, github, client_id, secret, redirects`,
      )
    },
  )

  test.each([false, null, 'true', 'https://github.example.com', undefined])('is not %j', value => {
    const { github: _, ...rest } = stated
    expect(readProviders(JSON.stringify([{ ...rest, github: value ?? null }]))).toBe('github: github: must be true')
  })

  test('is listed once, and is nobody else’s issuer', () => {
    expect(read(stated, { ...stated, id: 'other', redirects: [] })).toBe('other: issuer is that of another provider')
    expect(read(stated, { ...google, issuer: gitHub.issuer })).toBe('google: issuer is that of another provider')
  })
})

describe('an address that this service calls, or sends people to,', () => {
  const members = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri']
  const at = (address: unknown) => members.map(member => read({ ...google, [member]: address }))

  test.each([
    'https://login.example.com',
    'https://login.example.com/',
    'https://login.example.com:8443/a?b=c&d=@e',
    'https://xn--bcher-kva.example/%7Bx%7D',
  ])('may be %s', address => {
    for (const taken of at(address)) expect(taken).toMatchObject([{ id: 'google' }])
  })

  const notPrintable = 'must be an address of printable ASCII, 500 characters at most'
  const notSecure = 'must be https, at a host name with a dot'
  test.each([
    [undefined, notPrintable],
    [1, notPrintable],
    [{ toString: 1, valueOf: 1 }, notPrintable],
    ['', notPrintable],
    ['login.example.com', notPrintable],
    ['https://login.example.com/\u00fc', notPrintable],
    ['https://login.example.com/a b', notPrintable],
    ['https://login.example.com\\@attacker.example', notPrintable],
    [`https://login.example.com/${'a'.repeat(500)}`, notPrintable],
    ['https://login.example.com/#', 'has a fragment'],
    ['https://ada@login.example.com/', 'has user information'],
    ['https://:a@login.example.com/', 'has user information'],
    ['http://login.example.com/', notSecure],
    ['https://localhost', notSecure],
    ['https://169.254.169.254/latest', notSecure],
    ['https://0xa9.254.169.254/', notSecure],
    ['https://[::1]/', notSecure],
    ['file:///etc/passwd', notSecure],
    ['javascript:alert(1)', notSecure],
    ['https://Login.example.com/', 'must begin with https://login.example.com'],
    ['https://login.example.com:443/', 'must begin with https://login.example.com'],
    ['https:/login.example.com', 'must begin with https://login.example.com'],
  ])('is never %j, because it %s', (address, reason) => {
    for (const [i, refused] of at(address).entries()) expect(refused).toBe(`google: ${members[i]}: ${reason}`)
  })

  const loopback = ['localhost:3002', '127.0.0.1:3002/a', '[::1]:3002/'].flatMap(rest => [
    `http://${rest}`,
    `https://${rest}`,
  ])
  test('may be on the loopback interface with npm start, and there alone', () => {
    for (const address of loopback) {
      const list = listed({ ...google, issuer: address, token_endpoint: address })
      expect(readAllSettings(list).SIGN_IN_PROVIDERS).toMatchObject([{ issuer: address, tokenEndpoint: address }])
      expect(refusalOf(list)).toContain('google: issuer: must be https')
    }
    for (const address of ['http://localhost.example.com', 'http://127.0.0.2', 'https://127.0.0.2', 'https://internal'])
      expect(() => readAllSettings(listed({ ...google, jwks_uri: address }))).toThrow(
        /google: jwks_uri: must be https, at a host name with a dot, or on the loopback interface$/,
      )
    expect(() => readAllSettings(listed({ ...google, jwks_uri: 'http://a@localhost:3002' }))).toThrow(
      'jwks_uri: has user',
    )
  })
})

describe('a provider', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `https://app.example.com/${i}`)
  const members =
    'id, name, issuer, authorization_endpoint, token_endpoint, jwks_uri, client_id, secret, auth, email, require, form_post, redirects'
  const wrongId = 'id: must be 1 to 20 lower-case letters, digits and hyphens, and begin with a letter'
  const manyIssuers = "issuer: stands for many issuers: name one, such as your tenant's"
  const wrongSecret = 'secret: must be what npm run providers -- secret prints: a ciphertext, never the secret itself'
  const wrongAuth = 'auth: must be "post", "basic" or Apple\'s {"team":"…","key":"…"} of ten capitals and digits each'
  const wrongEmail = 'email: must be "claim" or "always:<domains>", separated by commas'
  const wrongClaim = (name: string) =>
    `require: "${name}" must be a text of at most 500 characters, a number, true or false`
  test.each<[object, string]>([
    [{ id: 'Google' }, `provider 1: ${wrongId}`],
    [{ id: '1google' }, `provider 1: ${wrongId}`],
    [{ id: 'a'.repeat(21) }, `provider 1: ${wrongId}`],
    [{ id: 'a/b' }, `provider 1: ${wrongId}`],
    [{ id: undefined }, `provider 1: ${wrongId}`],
    [{ name: '' }, 'google: name: must be 1 to 30 printable characters'],
    [{ name: 'a'.repeat(31) }, 'google: name: must be 1 to 30 printable characters'],
    [{ name: 'a\u202eb' }, 'google: name: must be 1 to 30 printable characters'],
    [{ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }, `google: ${manyIssuers}`],
    [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, `google: ${manyIssuers}`],
    [{ issuer: 'https://login.microsoftonline.com/organizations/v2.0' }, `google: ${manyIssuers}`],
    [{ issuer: 'https://login.microsoftonline.com/consumers' }, `google: ${manyIssuers}`],
    [{ client_id: '' }, 'google: client_id: must be 1 to 500 visible ASCII characters'],
    [{ client_id: 'a b' }, 'google: client_id: must be 1 to 500 visible ASCII characters'],
    [{ client_id: 1234 }, 'google: client_id: must be 1 to 500 visible ASCII characters'],
    [{ secret: '' }, `google: ${wrongSecret}`],
    [{ secret: null }, `google: ${wrongSecret}`],
    [{ secret: `${secret}A` }, `google: ${wrongSecret}`],
    [{ secret: Buffer.alloc(69, 7).toString('base64') }, `google: ${wrongSecret}`],
    [{ secret: 'A'.repeat(8196) }, `google: ${wrongSecret}`],
    [{ auth: 'none' }, `google: ${wrongAuth}`],
    [{ auth: { team: 'ABCDE12345' } }, `google: ${wrongAuth}`],
    [{ auth: { team: 'abcde12345', key: 'abcde12345' } }, `google: ${wrongAuth}`],
    [{ auth: { team: 'ABCDE12345', key: 'ABCDE12345', more: 1 } }, `google: ${wrongAuth}`],
    [{ email: 'always' }, `google: ${wrongEmail}`],
    [{ email: true }, `google: ${wrongEmail}`],
    [{ email: 'always:example.com' }, 'google: email: must be "claim": everybody can have an account there'],
    [{ require: [] }, 'google: require: must be an object of claims'],
    [{ require: { hd: null, b: null } }, `google: ${wrongClaim('hd')}`],
    [{ require: { hd: ['example.com'] } }, `google: ${wrongClaim('hd')}`],
    [{ require: { hd: 'a'.repeat(501) } }, `google: ${wrongClaim('hd')}`],
    [{ require: { '': 'a' } }, `google: ${wrongClaim('')}`],
    [{ require: Object.fromEntries(many(21).map(name => [name, 1])) }, 'google: require: must have at most 20 claims'],
    [{ form_post: 'true' }, 'google: form_post: must be true or false'],
    [{ form_post: true }, "google: redirects: must be empty with form_post: this service's own page takes the form"],
    [{ form_post: true, redirects: many(21) }, 'google: redirects: must be an array of at most 20'],
    [{ redirects: 'https://app.example.com/' }, 'google: redirects: must be an array of at most 20'],
    [{ redirects: many(21) }, 'google: redirects: must be an array of at most 20'],
    [{ redirects: [...many(1), ...many(1)] }, 'google: redirects: has one twice'],
    [
      { redirects: ['http://app.example.com/'] },
      'google: redirects: "http://app.example.com/" is http, which only http://127.0.0.1, http://[::1] and http://localhost:<port> may be',
    ],
    [{ redirects: ['https://app.example.com/#'] }, 'google: redirects: "https://app.example.com/#" has a fragment'],
    [
      { redirects: ['http://LOCALHOST:8000/'] },
      'google: redirects: "http://LOCALHOST:8000/" must begin with http://localhost:8000',
    ],
    [
      { redirects: ['com.example.app:/callback', 'http://localhost/ü'] },
      'google: redirects: "com.example.app:/callback" has a scheme of an app, which only public clients have, "http://localhost/ü" must be an address of printable ASCII, 500 characters at most',
    ],
    [{ redirects: [1] }, 'google: redirects: must be an address, not 1'],
    [{ clientId: '1234' }, `google: there is no member "clientId", but ${members}`],
    [
      { form_post: 1, name: '' },
      'google: name: must be 1 to 30 printable characters; google: form_post: must be true or false',
    ],
  ])('with %j is refused', (changed, refusal) => {
    expect(read({ ...google, ...changed })).toBe(refusal)
  })

  test.each([
    ['example.com,example.com', 'example.com is repeated'],
    ['Example.com', 'write Example.com as example.com'],
    ['', 'there is none'],
    ['example', 'example is none'],
  ])('whose directory has the domains %j is refused', (domains, reason) => {
    expect(read({ ...work, email: `always:${domains}` })).toBe(`work: email: must name domains after always: ${reason}`)
  })

  test('on the loopback interface has pages of any port, as text', () => {
    const redirects = ['http://127.0.0.1/callback', 'http://[::1]:5173/', 'http://localhost:8000/', 'https://a.example']
    expect(read({ ...google, redirects })).toMatchObject([{ redirects }])
  })

  test('shares neither id, issuer nor page with another: their answers could not be told apart', () => {
    expect(read(work, { ...google, id: 'work' })).toBe('work: id is that of another provider')
    expect(read({ ...google, redirects: many(1) }, { ...google, id: 'other', redirects: many(1) })).toBe(
      `other: issuer is that of another provider; other: redirects: "${many(1)}" is that of another provider`,
    )
    expect(read(google, { ...work, redirects: ['https://app.example.com/google'] })).toBe(
      'work: redirects: "https://app.example.com/google" is that of another provider',
    )
    expect(read({ name: 'a' }, { name: 'b' })).not.toContain('of another')
  })

  test('is one of six at most', () => {
    const six = Array.from({ length: 6 }, (_, i) => ({ ...work, id: `p${i}`, issuer: `https://p${i}.example.com` }))
    expect(read(...six)).toHaveLength(6)
    expect(read(...six, google)).toBe('it has 7 entries, and 6 at most')
  })
})

test('the shortest ciphertext has 72 bytes', () => {
  expect(() => readAllSettings(listed({ ...google, secret: Buffer.alloc(72, 7).toString('base64') }))).not.toThrow()
})

test.each([
  ['of Google', `GOCSPX-${'a'.repeat(28)}`],
  ['in hexadecimal', 'a1'.repeat(64)],
  ['of 256 bits', Buffer.alloc(32, 7).toString('base64')],
  ['that is a key in PEM', `-----BEGIN PRIVATE KEY-----\nMIGT${'A'.repeat(196)}\n-----END PRIVATE KEY-----\n`],
  ['that is the inside of such a key', `MIGT${'A'.repeat(196)}`],
])('a secret in clear %s is refused, and the refusal does not show it', (_, clear) => {
  const refusal = refusalOf(listed({ ...google, secret: clear }))
  expect(refusal).toMatch(/^SIGN_IN_PROVIDERS must be a JSON array of providers: google: secret: must be what/)
  expect(refusal).not.toContain(clear.slice(0, 20))
})

describe('the provider “Example” of npm start', () => {
  test.each<[string, Record<string, string>, number | null]>([
    ['is there by itself, at port 3002', {}, 3002],
    ['has the port that it is given', { PROVIDER_PORT: '0' }, 0],
    ['is there with an empty setting', { SIGN_IN_PROVIDERS: ' ' }, 3002],
    ['is not there beside a list', listed(google), null],
    ['is not there with an empty list', { SIGN_IN_PROVIDERS: '[]' }, null],
    ['is not there without mails', { MAIL_FROM: '' }, null],
    ['is not there where browsers find the API elsewhere', { BASE_URL: 'http://gatehouse:3000' }, null],
    ['is not there in the image', { GATEHOUSE_IMAGE: '1' }, null],
    ['is there in the image with its port', { GATEHOUSE_IMAGE: '1', PROVIDER_PORT: '3002' }, 3002],
    ['is not there in the image with an empty port', { GATEHOUSE_IMAGE: '1', PROVIDER_PORT: '' }, null],
    [
      'is there where browsers find the pages at localhost',
      { BASE_URL: 'http://gatehouse:3000', BROWSER_URL: 'http://localhost:3000' },
      3002,
    ],
    ['is not there where browsers find the pages elsewhere', { BROWSER_URL: 'http://gatehouse:3000' }, null],
  ])('%s', (_, env, port) => {
    expect(readAllSettings(env).PROVIDER_PORT).toBe(port)
  })
})

describe('a list', () => {
  const domain = {
    API_DOMAIN: 'api.example.com',
    API_CERTIFICATE_ARN: 'arn:aws:acm:eu-central-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
  }

  test('without mails is refused: nobody could choose a first password', () => {
    const reason = 'MAIL_FROM is not set but must be, because SIGN_IN_PROVIDERS lists providers'
    expect(refusalOf({ ...listed(google), MAIL_FROM: '' })).toBe(reason)
    expect(readSettings({ SIGN_IN_PROVIDERS: '[]' }).SIGN_IN_PROVIDERS).toEqual([])
    expect(() => readAllSettings({ ...listed(google), MAIL_FROM: '' })).toThrow(reason)
  })

  test('names this service neither as issuer nor as a page: it would confirm itself', () => {
    const own = { ...google, issuer: 'https://api.example.com/auth' }
    const page = { ...google, redirects: ['https://api.example.com/sign-in/apple'] }
    expect(refusalOf({ ...listed(own), ...domain })).toBe(
      'SIGN_IN_PROVIDERS: google: issuer must not be this service itself',
    )
    expect(refusalOf({ ...listed(page), ...domain })).toBe(
      'SIGN_IN_PROVIDERS: google: redirects: "https://api.example.com/sign-in/apple" is a page of this service',
    )
    expect(readSettings({ ...listed(own) }).SIGN_IN_PROVIDERS).toHaveLength(1)
    const local = (port: number) => listed({ ...google, issuer: `http://localhost:${port}/auth` })
    expect(() => readAllSettings(local(3000))).toThrow('google: issuer must not be this service itself')
    expect(() => readAllSettings({ ...local(4000), PORT: '4000' })).toThrow('issuer must not be this service itself')
    expect(readAllSettings(local(4000)).SIGN_IN_PROVIDERS).toHaveLength(1)
  })

  const warningsOf = (env: Record<string, string>) => settingsWarnings(readSettings(env), env)
  const { redirects: _, ...plain } = google as Record<string, unknown>

  test('is warned of a provider without a secret, which is deployed and not offered', () => {
    expect(warningsOf(listed(plain))).toEqual([])
    expect(warningsOf(listed({ ...plain, secret: undefined }))).toEqual([
      'SIGN_IN_PROVIDERS: google has no secret, and is not offered: once its key is there, npm run providers -- secret google makes one (with npm start: --local)',
    ])
  })

  test('is warned of pages that cannot call the API, and of localhost at a deploy', () => {
    expect(warningsOf({ ...listed(google), CORS_ORIGINS: 'https://other.example.com' })).toEqual(
      ['https://app.example.com', 'http://localhost:8000'].map(origin => expect.stringContaining(`of ${origin}, but`)),
    )
    expect(warningsOf({ ...listed(google), STAGE: 'staging' })).toEqual([
      expect.stringContaining('google lists http://localhost:8000/callback, which leads to'),
    ])
    expect(warningsOf({ ...listed({ ...plain, redirects: ['https://a.example/'] }), STAGE: 'staging' })).toEqual([])
  })
})
