import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Auth } from '@auth/core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runSystem } from '../support/system/running.ts'
import { goModules, needing, versions } from './generators/tools.ts'
import { addressOf, browse, folderOf, leadsTo, visitAs } from './programs.ts'

/** Independent OpenID Connect clients, with the lines in `docs/integrate.md`, and the sample application. */

const secret = `ghc1_${'s'.repeat(43)}`
const redirect = 'http://localhost:8000/auth/callback/gatehouse'
const callback = 'http://localhost:8000/callback'
const springCallback = 'http://localhost:8000/login/oauth2/code/gatehouse'
const clients = [
  {
    id: 'shop',
    name: 'Shop',
    redirects: [redirect, callback, springCallback],
    secrets: [createHash('sha256').update(secret).digest('hex')],
    unverified: true,
  },
  { id: 'native', name: 'Native', redirects: [callback], unverified: true },
  { id: 'sample', name: 'Sample app', redirects: ['http://127.0.0.1/callback'], api: true, unverified: true },
]
const running = runSystem({ RATE_LIMITS: 'off', OIDC_CLIENTS: JSON.stringify(clients) })
const folder = folderOf(
  ...[
    'openid-client.js',
    'oauth4webapi.js',
    'auth.js',
    'sign_in.py',
    'sign-in.go',
    'SignIn.java',
    'application.properties',
  ],
)
afterAll(() => rmSync(folder, { recursive: true }))

const ada = { email: 'ada@example.com', password: 'correct horse' }
let id: string

beforeAll(async () => {
  const { body } = await running.send('POST', '/auth/register', { ...ada, name: 'Ada' })
  id = body.id
  Object.assign(process.env, {
    ISSUER: `${running.system.baseUrl}/auth`,
    CLIENT_ID: 'shop',
    CLIENT_SECRET: secret,
    REDIRECT: redirect,
    AUTH_SECRET: 'a secret of the tests',
  })
})

const visit = visitAs(running, ada)

// biome-ignore lint/suspicious/noExplicitAny: the programs of the guide have no types
const load = (file: string): Promise<any> => import(join(folder, file))

test('openid-client logs in, renews, asks who it is, revokes, and knows where to log out', async () => {
  const client = await load('openid-client.js')
  const { location, kept } = await client.begin()
  const tokens = await client.finish(await visit(location), kept)
  expect(tokens.claims()).toMatchObject({ sub: id, aud: 'shop', email: ada.email, name: 'Ada', amr: ['pwd'] })
  expect(tokens.scope).toBe('openid email profile offline_access')

  const renewed = await client.renew(tokens.refresh_token)
  expect(renewed.claims()).toMatchObject({ sub: id, sid: tokens.claims().sid })
  expect(await client.ask(renewed.access_token, id)).toMatchObject({ sub: id, email: ada.email, email_verified: false })

  await client.forget(renewed.refresh_token)
  await expect(client.renew(renewed.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  await expect(client.ask(renewed.access_token, id)).rejects.toThrow()
  expect(client.logOut(tokens.id_token).pathname).toBe('/logout')
})

test('openid-client is told in words why a code is not taken', async () => {
  const client = await load('openid-client.js')
  const { location, kept } = await client.begin()
  const back = await visit(location)
  await client.finish(back, kept)
  await expect(client.finish(back, kept)).rejects.toMatchObject({
    error: 'invalid_grant',
    error_description: 'Unknown, used or expired code',
  })
})

test('openid-client gets the errors of a request back', async () => {
  const client = await load('openid-client.js')
  const { location, kept } = await client.begin({ scope: 'email' })
  const { status, headers } = await fetch(location, { redirect: 'manual' })
  expect(status).toBe(302)
  await expect(client.finish(headers.get('location'), kept)).rejects.toMatchObject({ error: 'invalid_scope' })
})

test('oauth4webapi logs in', async () => {
  const { logIn } = await load('oauth4webapi.js')
  expect(await logIn(visit)).toMatchObject({ sub: id, email: ada.email, name: 'Ada' })
})

test('Auth.js logs in', async () => {
  const { config } = await load('auth.js')
  const ask = browse(
    redirect,
    async (url, init) => (await Auth(new Request(url, init), { ...config, basePath: '/auth' })) as Response,
  )
  const { csrfToken } = await (await ask('/auth/csrf')).json()
  const begun = await ask('/auth/signin/gatehouse', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrfToken, callbackUrl: new URL('/', redirect).href }),
  })
  const back = await visit(String(begun.headers.get('location')))
  await ask(back)
  expect((await (await ask('/auth/session')).json()).user).toMatchObject({ name: 'Ada', email: ada.email })
})

/** Compiles the program in Go. */
async function buildGo(): Promise<void> {
  for (const args of [
    ['mod', 'init', 'sign-in'],
    ['get', ...goModules],
    ['mod', 'tidy'],
    ['build', '-o', 'sign-in', '.'],
  ]) {
    await promisify(execFile)('go', args, { cwd: folder })
  }
}

/** Compiles the program with Spring. */
async function buildSpring(): Promise<void> {
  const starter = (name: string) =>
    `<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-${name}</artifactId></dependency>`
  const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>${versions.springBoot}</version></parent>
<groupId>signin</groupId><artifactId>sign-in</artifactId><version>1</version>
<dependencies>${starter('webmvc')}${starter('security-oauth2-client')}</dependencies>
<build><finalName>sign-in</finalName><plugins><plugin><groupId>org.springframework.boot</groupId><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build>
</project>`
  writeFileSync(join(folder, 'pom.xml'), project)
  for (const file of ['java/signin/SignIn.java', 'resources/application.properties']) {
    const path = join(folder, 'src/main', file)
    mkdirSync(dirname(path), { recursive: true })
    renameSync(join(folder, basename(path)), path)
  }
  await promisify(execFile)('mvn', ['-q', '-B', 'package'], { cwd: folder })
}

const shop = { CLIENT_ID: 'shop', CLIENT_SECRET: secret }
// x/oauth2 sends Basic with an empty secret.
const native = { CLIENT_ID: 'native', CLIENT_SECRET: '' }

const atSpring = { begin: '/oauth2/authorization/gatehouse', shown: '/me' }

describe.each([
  ['Authlib', needing('authlib'), async () => {}, 'python3 -m flask --app sign_in run --port 0', [shop], {}],
  ['go-oidc', needing('go', 'goModules'), buildGo, './sign-in', [shop, native], {}],
  ['Spring', needing('java', 'maven', 'springBoot'), buildSpring, 'java -jar target/sign-in.jar', [shop], atSpring],
] as const)('an application with %s', (name, missing, prepare, command, clients, paths) => {
  test('logs people in', async ({ skip }) => {
    const absent = await missing()
    if (absent) console.warn(`Not run: the application with ${name}. ${absent}.`)
    if (absent) skip(absent)
    await prepare()
    // `shown`: where it shows who has returned, if not at its redirect address.
    const { begin = '/login', shown = null }: { begin?: string; shown?: string | null } = paths
    for (const client of clients) {
      const env = {
        ...{ ...process.env, ...client, REDIRECT: callback, SESSION_SECRET: 'a secret of the tests', PORT: '0' },
        // By default Spring uses the address of the request.
        SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_GATEHOUSE_REDIRECT_URI: springCallback,
      }
      const [program, ...args] = command.split(' ') as [string, ...string[]]
      const application = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      onTestFinished(() => void application.kill())
      const open = browse(await addressOf(application))
      const { pathname, search } = new URL(await visit(leadsTo(await open(begin))))
      const back = await open(pathname + search)
      const person = { sub: id, email: ada.email, name: 'Ada', amr: ['pwd'] }
      expect(await (shown === null ? back : await open(shown)).json()).toMatchObject(person)
      // It works once.
      expect((await open(pathname + search)).status).not.toBe(200)
    }
  })
})

describe('the sample application', () => {
  let sample: ChildProcess
  let home = ''

  beforeAll(async () => {
    const file = join(import.meta.dirname, '../../docs/examples/sign-in/serve.js')
    const env = { ...process.env, CLIENT_ID: 'sample', PORT: '0' }
    sample = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [printed] = await once(sample.stdout as NonNullable<typeof sample.stdout>, 'data')
    home = /http:\/\/127\.0\.0\.1:\d+/.exec(String(printed))?.[0] ?? ''
  })
  afterAll(() => sample?.kill())

  test('greets who has logged in, until they log out', async () => {
    const open = browse(home)
    expect(await (await open('/')).text()).toContain('Log in')
    const back = await visit(leadsTo(await open('/login')))
    expect(back).toMatch(new RegExp(`^${home}/callback\\?code=`))
    expect(leadsTo(await open(back))).toBe('/')
    expect(await (await open('/')).text()).toMatch(new RegExp(`Hello, <b>Ada</b>.*${id}`))
    await open('/logout')
    expect(await (await open('/')).text()).not.toContain('Ada')
  })

  test('takes no code that another browser has begun with', async () => {
    const [thief, owner] = [browse(home), browse(home)]
    const back = await visit(leadsTo(await thief('/login')))
    await owner('/login')
    expect((await owner(back)).status).toBe(400)
    expect(await (await owner('/')).text()).not.toContain('Ada')
  })
})
