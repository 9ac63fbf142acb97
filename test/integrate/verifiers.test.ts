import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runInNewContext } from 'node:vm'
import { App, type Stack } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { base64url, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claims } from '../../accounts/token/claims.ts'
import { runWithCommands } from '../support/system/local-commands.ts'
import { serve, type WebServer } from '../support/web-server.ts'
import { blocks, folderOf } from './programs.ts'

/** The verifiers in `docs/verify.md`, and a service's cache, unchanged. */

const { running, users } = runWithCommands()
const folder = folderOf('verify.js', 'server.js', 'orders-stack.ts')
afterAll(() => rmSync(folder, { recursive: true }))

const ada = { email: 'ada@example.com', password: 'correct horse' }

/** An access token of the running system, after an operator has set the account's roles. */
async function logIn(roles: string): Promise<string> {
  await users(['roles', ada.email, roles])
  return (await running.send('POST', '/auth/login', { ...ada, session: {} })).body.access_token
}

/** Whether a person with these roles passes a check for the role `editor`. */
const whoEdits: [roles: string, isEditor: boolean][] = [
  ['none', false],
  ['sub-editor', false],
  ['billing,editor', true],
  ['editor', true],
]

describe('with jose', () => {
  /** Whether the server of the keys answers 503. */
  let isOutOfOrder = false
  let verify: (token: string) => Promise<JWTPayload | null>
  let issuer: string
  let keys: Awaited<ReturnType<typeof generateKeyPair>>
  let server: WebServer

  beforeAll(async () => {
    keys = await generateKeyPair('RS256')
    const key = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    // Publishes a key of the tests, as the API does.
    server = await serve((_, response) =>
      response.writeHead(isOutOfOrder ? 503 : 200).end(JSON.stringify({ keys: [key] })),
    )
    issuer = `${server.url}/auth`
    process.env.GATEHOUSE_ISSUER = issuer
    ;({ verify } = await import(join(folder, 'verify.js')))
  })
  afterAll(() => server.close())
  afterEach(() => {
    isOutOfOrder = false
  })

  const now = () => Math.floor(Date.now() / 1000)
  const usual = () => ({ sub: '1', iss: issuer, aud: 'gatehouse', iat: now(), exp: now() + 60 })
  const signed = (
    changed: JWTPayload = {},
    header: { alg?: string; kid?: string } = {},
    key: CryptoKey | Uint8Array = keys.privateKey,
  ) => new SignJWT({ ...usual(), ...changed }).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key)

  test('keys that cannot be fetched are no fault of the token', async () => {
    isOutOfOrder = true
    await expect(verify(await signed())).rejects.toThrow('200 OK')
  })

  test('a good token is taken', async () => {
    expect(await verify(await signed())).toMatchObject({ sub: '1' })
  })

  test.each<[string, () => Promise<string> | string]>([
    ['no token', () => 'token'],
    ['one that has expired', () => signed({ exp: now() - 1 })],
    ['one for another audience', () => signed({ aud: 'other' })],
    ['one of another issuer', () => signed({ iss: 'https://example.com/auth' })],
    ['one by another key of the same name', async () => signed({}, {}, (await generateKeyPair('RS256')).privateKey)],
    ['one by a key that is not published', () => signed({}, { kid: 'two' })],
    ['one by another algorithm', () => signed({}, { alg: 'HS256' }, new Uint8Array(32))],
    ['one that is not signed', () => new UnsecuredJWT(usual()).encode()],
  ])('%s is refused', async (_, token) => {
    expect(await verify(await token())).toBeNull()
  })
})

describe('with Express', () => {
  let token: string
  let id: string
  let url: string
  const servers: ChildProcess[] = []

  /** Starts `server.js`. @returns its address */
  async function start(issuer: string): Promise<string> {
    const env = { ...process.env, PORT: '0', GATEHOUSE_ISSUER: issuer }
    const server = spawn(process.execPath, [join(folder, 'server.js')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    servers.push(server)
    const [line] = await once(server.stdout, 'data')
    return `http://localhost:${/listening on (\d+)/.exec(String(line))?.[1]}/orders`
  }
  const ask = (url: string, authorization = '') => fetch(url, { headers: authorization ? { authorization } : {} })

  beforeAll(async () => {
    id = (await running.send('POST', '/auth/register', ada)).body.id
    token = await logIn('editor')
    url = await start(`${running.system.baseUrl}/auth`)
  })
  afterAll(() => {
    for (const server of servers) server.kill()
  })

  test('an access token of the API opens the service', async () => {
    const answer = await ask(url, `Bearer ${token}`)
    expect([answer.status, await answer.json()]).toEqual([200, { account: id, orders: [] }])
  })

  test.each(whoEdits)('a person with the roles %s reads reports: %s', async (roles, isEditor) => {
    const answer = await ask(url.replace('/orders', '/reports'), `Bearer ${await logIn(roles)}`)
    expect([answer.status, await answer.json()]).toEqual(
      isEditor ? [200, { account: id, reports: [] }] : [403, { detail: 'Not allowed' }],
    )
  })

  test('a token of a session has the claims that the guide lists', () => {
    const [, payload = ''] = token.split('.')
    const carried = JSON.parse(new TextDecoder().decode(base64url.decode(payload)))
    expect(Object.keys(carried)).toEqual(Object.keys(claims))
  })

  test.each([
    ['nothing', () => '', 'Bearer'],
    ['another scheme', () => 'Basic YTpi', 'Bearer'],
    ['no token', () => 'Bearer token', 'Bearer error="invalid_token"'],
    ['a token that was changed', () => `Bearer ${token.slice(0, -8)}AAAAAAAA`, 'Bearer error="invalid_token"'],
  ])('%s is answered with 401', async (_, authorization, challenge) => {
    const answer = await ask(url, authorization())
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge])
  })

  test('without the keys it answers 503, so that nobody is sent to the login', async () => {
    const answer = await ask(await start('http://127.0.0.1:1/auth'), `Bearer ${token}`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  })
})

test('a service keeps one row for an account, as its newest token says', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE accounts (id TEXT PRIMARY KEY, email TEXT, email_verified INTEGER, seen_at INTEGER)')
  const upsert = database.prepare(blocks.find(({ language }) => language === 'sql')?.text ?? '')
  const see = (email: string, email_verified: number, iat: number) =>
    upsert.run({ sub: '1', email, email_verified, iat })
  see('ada@example.com', 0, 10)
  see('ada@example.org', 1, 20)
  see('ada@example.com', 0, 15)
  expect(database.prepare('SELECT * FROM accounts').all()).toEqual([
    { id: '1', email: 'ada@example.org', email_verified: 1, seen_at: 20 },
  ])
})

test("API Gateway's authorizer stands before the route, with the issuer and the audience", async () => {
  const { OrdersStack } = (await import(join(folder, 'orders-stack.ts'))) as {
    OrdersStack: new (scope: App, id: string, issuer: string) => Stack
  }
  const app = new App({ analyticsReporting: false })
  const template = Template.fromStack(new OrdersStack(app, 'Orders', 'https://api.example.com/auth'))
  template.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Audience: ['gatehouse'], Issuer: 'https://api.example.com/auth' },
  })
  for (const path of ['/orders', '/reports']) {
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: `GET ${path}`,
      AuthorizationType: 'JWT',
      AuthorizerId: Match.anyValue(),
    })
  }
  const [code] = Object.values(template.findResources('AWS::Lambda::Function')).map(
    ({ Properties }) => Properties.Code.ZipFile as string,
  )
  const { exports } = runInNewContext(`${code}\n;({ exports })`, { exports: {} })
  const ask = (rawPath: string, roles: object) =>
    exports.handler({ rawPath, requestContext: { authorizer: { jwt: { claims: { sub: '1', ...roles } } } } })
  for (const [roles, isEditor] of whoEdits) {
    // As API Gateway writes a list.
    const claim = roles === 'none' ? {} : { roles: `[${roles.replace(',', ' ')}]` }
    expect(await ask('/orders', claim)).toEqual({ account: '1', orders: [] })
    const answer = isEditor ? { account: '1', reports: [] } : { statusCode: 403, body: 'Not allowed' }
    expect(await ask('/reports', claim)).toEqual(answer)
  }
})
