import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenIdProvider, Provider } from '../../accounts/identity/provider.ts'
import { statementOf } from '../../infra/settings/provider-members.ts'
import { readProviders } from '../../infra/settings/providers.ts'
import { gitHub, providers } from '../support/providers.ts'
import { operate } from '../support/system/operate.ts'
import { runSystem } from '../support/system/running.ts'
import { configOf } from '../support/system/small-stack.ts'
import { serve } from '../support/web-server.ts'

/** A provider of each kind. */
const kinds: readonly Provider[] = [...providers, gitHub]

const listOf = (...entries: readonly Provider[]) => JSON.stringify(entries.map(statementOf))

describe('secret', () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-providers-'))
  const list = listOf(...kinds.map(kind => ({ ...kind, secret: null })))
  const running = runSystem({ SIGN_IN_PROVIDERS: list }, { dataDirectory })
  const encrypt = (id: string, input: string) =>
    operate('providers', ['secret', id, '--local'], { input, env: { DATA_DIR: dataDirectory } })

  async function decrypt(caller: string, provider: string, ciphertext: string): Promise<string> {
    const { outputs } = JSON.parse(readFileSync(join(dataDirectory, 'operator.json'), 'utf8'))
    const kms = new KMSClient(configOf(running.system, caller))
    const { Plaintext } = await kms.send(
      new DecryptCommand({
        KeyId: outputs.Gatehouse.ProviderKey,
        CiphertextBlob: Buffer.from(ciphertext, 'base64'),
        EncryptionContext: { provider },
      }),
    )
    return Buffer.from(Plaintext ?? []).toString()
  }

  const pemOf = (namedCurve: string) =>
    generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const key = pemOf('P-256')

  test.each([
    ['google', 'GOCSPX-a b~c', 'GOCSPX-a b~c'],
    ['work', 's\r\n', 's'],
    ['github', 'a1'.repeat(20), 'a1'.repeat(20)],
    ['apple', key, key.trim()],
  ])('of %s is a ciphertext, alone on stdout, which its provider’s setting takes', async (id, typed, kept) => {
    const { status, stdout, stderr } = await encrypt(id, typed)
    expect([status, stderr]).toEqual([0, ''])
    const secret = stdout.trim()
    const of = kinds.find(kind => kind.id === id) as Provider
    expect(readProviders(listOf({ ...of, secret }))).toMatchObject([{ secret }])
    expect(await decrypt('provider-login', id, secret)).toBe(kept)
    await expect(decrypt('provider-login', 'other', secret)).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    })
    await expect(decrypt('operator', id, secret)).rejects.toMatchObject({ name: 'AccessDeniedException' })
  })

  test.each([
    ['google', 'stdin is empty', ''],
    ['google', 'stdin is empty', '\n'],
    ['google', 'must be one line of printable ASCII', 'a\nb'],
    ['google', 'must be one line of printable ASCII', 'ü'],
    ['google', 'has more than 4096 bytes', 'a'.repeat(4097)],
    ['apple', 'this is no private key of the curve P-256', key.slice(0, 100)],
    ['apple', 'this is no private key of the curve P-256', pemOf('P-384')],
    ['gogle', "There is no provider 'gogle' in the local system, but google, work, apple, github", 'a'],
  ])('of %s is refused where it %s, and is not shown', async (id, reason, typed) => {
    const { status, stdout, stderr } = await encrypt(id, typed)
    expect([status > 0, stdout, stderr]).toEqual([true, '', expect.stringContaining(reason)])
    if (typed.length > 10) expect(stderr).not.toContain(typed.slice(0, 40))
  })
})

describe('what a provider says of itself', () => {
  let issuer = ''
  let document: Record<string, unknown> = {}
  let keys: unknown
  beforeAll(async () => {
    const server = await serve((request, response) => {
      const answer = { '/.well-known/openid-configuration': document, '/jwks': keys }[request.url ?? '']
      response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer))
    })
    issuer = server.url
    return () => server.close()
  })
  beforeEach(() => {
    keys = { keys: [{ kty: 'EC' }] }
    document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: ['sub', 'email', 'email_verified'],
    }
  })

  const [google, work] = providers as [OpenIdProvider, OpenIdProvider]
  const make = (...more: string[]) =>
    operate('providers', ['new', issuer, '--id', 'new', '--client-id', 'gatehouse', ...more], {
      env: { SIGN_IN_PROVIDERS: listOf(google), PORT: '4000' },
    })
  const madeIn = (stdout: string) => {
    const read = readProviders(/^SIGN_IN_PROVIDERS='([^'\n]*)'$/m.exec(stdout)?.[1] ?? '', true)
    if (typeof read === 'string') throw new Error(read)
    return read
  }

  test('new prints the setting with a new entry, and the address to register', async () => {
    const more = ['--name', "Ada's", '--redirect', 'https://app.example.com/new', '--directory', 'example.com']
    const { status, stdout } = await make(...more)
    expect([status, stdout.split('\n').slice(2, 4)]).toEqual([
      0,
      ['  http://localhost:4000/sign-in/new', '  https://app.example.com/new'],
    ])
    expect(madeIn(stdout)).toEqual([
      google,
      {
        ...{ id: 'new', name: "Ada's", issuer, clientId: 'gatehouse', secret: null, auth: 'post' },
        authorizationEndpoint: `${issuer}/authorize`,
        tokenEndpoint: `${issuer}/token`,
        jwksUri: `${issuer}/jwks`,
        ...{ email: { always: ['example.com'] }, require: {}, formPost: false },
        redirects: ['https://app.example.com/new'],
      },
    ])
    const own = await make('--redirect', 'http://localhost:4000/sign-in/google')
    expect([own.status, own.stdout, own.stderr]).toEqual([2, '', expect.stringContaining('is a page of this service')])
    const elsewhere = await operate('providers', ['new', issuer, '--id', 'a', '--client-id', 'b', '--stage', 'prod'])
    expect([elsewhere.status, elsewhere.stderr]).toEqual([2, expect.stringContaining('a: issuer: must be https')])
  })

  test('new --to writes the entry into a file beside others, and prints no setting', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'providers-'))
    const file = join(folder, 'providers.json')
    const first = await make('--to', file)
    expect([first.status, first.stdout]).toEqual([0, expect.not.stringContaining('SIGN_IN_PROVIDERS=')])
    expect(first.stdout).toContain('  http://localhost:4000/sign-in/new\n\nDeploy it, or start with it: ')
    const [made] = JSON.parse(readFileSync(file, 'utf8'))
    expect(made).toMatchObject({ id: 'new', issuer, client_id: 'gatehouse' })
    const again = await make('--to', file)
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('new: id is that of another provider')])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([made])
    writeFileSync(file, listOf(google))
    expect((await make('--to', file)).status).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([...JSON.parse(listOf(google)), made])
  })

  test.each<[string, object, RegExp]>([
    ['takes no secret in the form', { token_endpoint_auth_methods_supported: undefined }, /"auth":"basic"/],
    [
      'takes no secret',
      { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      /takes no secret, but private_key/,
    ],
    ['knows no code', { response_types_supported: ['id_token'] }, /knows no authorization code: nobody can log in/],
    [
      'signs by its secret alone',
      { id_token_signing_alg_values_supported: ['HS256'] },
      /signs id tokens by HS256, none of/,
    ],
    ['says nothing of addresses', { claims_supported: ['sub'] }, /no claim email: .*opens no accounts/],
    ['proves no addresses', { claims_supported: ['email'] }, /no claim email_verified: .*--directory vouches/],
  ])('new tells of one that %s', async (_, changed, told) => {
    Object.assign(document, changed)
    const { status, stdout, stderr } = await make()
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringMatching(told)])
  })

  test('new always says that an address at the userinfo endpoint does not count', async () => {
    const { stderr } = await make()
    expect(stderr).toBe(
      'Only the id token is read. A provider that gives the address at its userinfo endpoint alone opens no accounts.\n',
    )
  })

  test.each<[string, object, string]>([
    ['another issuer', { issuer: 'https://attacker.example' }, 'is of the issuer "https://attacker.example", not of'],
    ['addresses without TLS', { token_endpoint: 'http://example.com/' }, 'new: token_endpoint: must be https'],
    ['no keys', { jwks_uri: undefined }, 'new: jwks_uri: must be an address'],
  ])('new refuses a document with %s', async (_, changed, reason) => {
    Object.assign(document, changed)
    const { status, stdout, stderr } = await make()
    expect([status > 0, stdout, stderr]).toEqual([true, '', expect.stringContaining(reason)])
  })

  test('new and check say why they get no document', async () => {
    const none = await operate('providers', ['new', `${issuer}/none`, '--id', 'a', '--client-id', 'b'])
    expect(none.stderr).toContain(`${issuer}/none/.well-known/openid-configuration answers 404`)
    const apple = await operate('providers', ['new', 'https://appleid.apple.com', '--id', 'a', '--client-id', 'b'])
    expect(apple.stderr).toContain('with Apple give --team and --key')
  })

  test('new and check know GitHub, which says nothing of itself', async () => {
    const env = { SIGN_IN_PROVIDERS: listOf(google), PORT: '4000' }
    const without = await operate('providers', ['new', 'github'], { env })
    expect([without.status, without.stdout, without.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('\n  http://localhost:4000/sign-in/github\n'),
    ])
    const page = ['--redirect', 'https://app.example.com/github']
    const made = await operate('providers', ['new', 'github', '--client-id', gitHub.clientId, ...page], { env })
    expect([made.status, made.stderr, made.stdout.split('\n').slice(2, 4)]).toEqual([
      0,
      '',
      ['  http://localhost:4000/sign-in/github', '  https://app.example.com/github'],
    ])
    expect(madeIn(made.stdout)).toEqual([google, { ...gitHub, secret: null }])
    const vouching = ['new', 'github', '--client-id', 'a', '--directory', 'example.com']
    expect((await operate('providers', vouching, { env })).stderr).toContain('github: there is no member "email"')
    const check = await operate('providers', ['check'], { env: { SIGN_IN_PROVIDERS: listOf(gitHub) } })
    expect(check).toEqual({ status: 0, stdout: 'github: as listed\n', stderr: '' })
  })

  test('check says of each provider what has changed since', async () => {
    const listed: Provider = {
      ...{ ...work, issuer, clientId: 'gatehouse', auth: 'post', email: 'claim' },
      authorizationEndpoint: `${issuer}/authorize`,
      tokenEndpoint: `${issuer}/token`,
      jwksUri: `${issuer}/jwks`,
    }
    const check = (entry: Provider, ...args: string[]) =>
      operate('providers', ['check', ...args], { env: { SIGN_IN_PROVIDERS: listOf(entry) } })
    expect(await check(listed)).toEqual({ status: 0, stdout: 'work: as listed\n', stderr: '' })
    const { stdout } = await check({ ...listed, secret: null }, 'work')
    expect(stdout).toBe('work: It has no secret, and is not offered\n')
    Object.assign(document, {
      token_endpoint: `${issuer}/t`,
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
    })
    keys = { keys: [] }
    const changed = await check(listed)
    expect([changed.status, changed.stdout.trim().split('\n')]).toEqual([
      1,
      [
        `work: token_endpoint is "${issuer}/t" there, and "${issuer}/token" here`,
        'work: It takes no secret by auth "post" any more',
        `work: ${issuer}/jwks has no keys`,
        'work: It takes no secret, but private_key_jwt: no code can be exchanged',
      ],
    ])
    expect((await check(listed, 'wrok')).stderr).toContain("There is no provider 'wrok', but work")
    const none = await operate('providers', ['check'])
    expect(none).toEqual({ status: 0, stdout: 'There are no providers.\n', stderr: '' })
  })
})
