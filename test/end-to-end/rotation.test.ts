import { hash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importPKCS8,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { needsOf, rows } from '../../api/needs.ts'
import { functionNames } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import type { Observer } from '../../local/observer.ts'
import { type Running, runStack } from '../../local/system.ts'
import { shopQuery, shopRequest } from '../support/clients.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { applications, providerList, settingsToRun } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'
import { verifier } from '../support/system/example.ts'
import { listedIn } from '../support/system/providers.ts'

/**
 * Rotation of each key and secret on the running system, while people, applications and other services ask on and on.
 * A deploy of keys is another start with the same data, on the same port; lists change while the system runs.
 */

const dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-rotation-'))
const listsFile = join(dataDirectory, 'lists')
writeFileSync(listsFile, '')
const person = { email: 'ada@example.com', password: 'correct horse' }
const tokens: Record<string, string> = {}
const published: Record<string, JSONWebKeySet> = {}

const provider = await startLyingProvider(() => new Date(), { auth: 'post' })
const listWith = (secret: string) => listedIn(dataDirectory, [{ ...provider.provider, secret }])
/** Secrets of the application. */
const secrets = ['1', '2'].map(digit => `ghc1_${digit.repeat(43)}`)
const [oldSecret = '', newSecret = ''] = secrets
const { client_id, redirect_uri } = shopRequest
const applicationWith = (...secrets: string[]) => {
  const hashes = secrets.map(secret => hash('sha256', secret))
  return JSON.stringify([{ id: client_id, name: 'Shop', redirects: [redirect_uri], unverified: true, secrets: hashes }])
}
const env = {
  SIGNING_KEYS: 'main',
  OIDC_CLIENTS: applicationWith(oldSecret),
  MAIL_FROM: 'Gatehouse <no-reply@localhost>',
  SIGN_IN_PROVIDERS: await listWith('first'),
  RATE_LIMITS: 'off',
}

let system: Running | undefined
let port = 0
const observer: Partial<Observer> = {}
/** Ends with the last deploy. */
let deployed = Promise.resolve()
let isDeploying = false

async function deploy(SIGNING_KEYS: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  deployed = promise
  isDeploying = true
  await system?.stop()
  env.SIGNING_KEYS = SIGNING_KEYS
  const lists = { files: new Map([['lists', listsFile]]), read: () => settingsToRun(env) }
  const places = { port, inboxPort: 0, host: '127.0.0.1', dataDirectory }
  system = await runStack({ settings: lists.read(), ...places, watch: true, lists, observer })
  port = Number(new URL(system.baseUrl).port)
  isDeploying = false
  resolve()
}

/** Deploys another list. */
async function list(changes: Partial<typeof env>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  Object.assign(observer, { reloaded: resolve, outdated: reject, buildFailed: reject })
  Object.assign(env, changes)
  writeFileSync(listsFile, JSON.stringify(env))
  await promise
}

const url = (path: string): string => `http://localhost:${port}/auth${path}`

const post = (path: string, body: object, more: Record<string, string> = {}): Promise<Response> =>
  fetch(url(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  })

async function logIn(): Promise<string> {
  const { access_token } = (await (await post('/login', person)).json()) as { access_token: string }
  return access_token
}

async function keySet(): Promise<JSONWebKeySet> {
  return (await (await fetch(url('/.well-known/jwks.json'))).json()) as JSONWebKeySet
}

/** The answer of /auth/me to a token. */
async function statusOf(token = ''): Promise<number> {
  const { status } = await fetch(url('/me'), { headers: { authorization: `Bearer ${token}` } })
  return status
}

const kidOf = (token = ''): string | undefined => decodeProtectedHeader(token).kid
const kids = ({ keys }: JSONWebKeySet): (string | undefined)[] => keys.map(({ kid }) => kid)

/** Signs a token's claims again, as the key did while it signed. */
async function signAs(key: string, token: string, claims: object): Promise<string> {
  const privateKey = await importPKCS8(readFileSync(join(dataDirectory, 'keys', `${key}.pem`), 'utf8'), 'RS256')
  return new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: kidOf(token) ?? '' })
    .sign(privateKey)
}

/** The key set as other services have it: they may keep one for hours, so it is the one before the last deploy. */
let known: JSONWebKeySet = { keys: [] }
/** The application's secret, as it has it. */
let secret = oldSecret
/** The secrets that the provider takes. */
let taken = ['first']

/** Asks until somebody answers: between a stop and a start nobody does. @returns the body of a success */
async function ask(what: string, request: () => Promise<Response>): Promise<Record<string, string>> {
  const last = deployed
  const answer = await request().catch((error: unknown) => {
    if (!isDeploying && last === deployed) throw error
  })
  await (answer === undefined && deployed)
  if (answer === undefined) return ask(what, request)
  const body = await answer.text()
  expect([what, answer.status, body]).toEqual([what, 200, expect.anything()])
  return JSON.parse(body)
}

/** Everything that a key or secret takes part in. */
async function askAll(): Promise<void> {
  const login = await ask('login', () => post('/login', { ...person, session: {} }))
  const headers = { authorization: `Bearer ${login.access_token}` }
  await ask('me', () => fetch(url('/me'), { headers }))
  await jwtVerify(login.access_token ?? '', createLocalJWKSet(known))
  await ask('refresh', () => post('/refresh', { refresh_token: login.refresh_token }))
  await ask('provider-login', () => {
    const claims = { sub: 'grace', email: 'grace@example.com', email_verified: true }
    const proof = { authorization_code: provider.authorize(verifier, claims), code_verifier: verifier }
    return post('/provider-login', { provider: provider.provider.id, ...proof })
  })
  expect(taken).toContain(provider.exchanges.at(-1)?.form.client_secret)
  const { id_token } = await ask('authorize and token', async () => {
    const request = shopQuery()
    const answer = await post('/authorize', { request, ...person }, { 'sec-fetch-site': 'same-origin' })
    if (answer.status !== 200) return answer
    const { location } = (await answer.json()) as { location: string }
    const code = new URL(location).searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
    const body = new URLSearchParams({ ...form, client_id, client_secret: secret })
    return fetch(url('/token'), { method: 'POST', body })
  })
  await jwtVerify(id_token ?? '', createLocalJWKSet(known))
}

const rounds = new EventEmitter()
let isOver = false
let asking: Promise<unknown>
async function askOn(): Promise<void> {
  while (!isOver) {
    await askAll()
    rounds.emit('round')
  }
}

/** Waits for a round from beginning to end: the first may have begun before. */
async function nextRound(): Promise<void> {
  for (let n = 0; n < 2; n++) await Promise.race([once(rounds, 'round'), asking])
}

beforeAll(async () => {
  await deploy('main')
  await post('/register', person)
  tokens.main = await logIn()
  known = published.main = await keySet()
  asking = askOn()
})

afterAll(async () => {
  isOver = true
  await asking
  await system?.stop()
  await provider[Symbol.asyncDispose]()
})

afterEach(nextRound)

describe('a new key, added last,', () => {
  beforeAll(async () => {
    await deploy('main,next')
    await nextRound()
    known = published.both = await keySet()
  })

  test('is published behind the old one, which stays the same', () => {
    expect(kids(published.both ?? { keys: [] })).toEqual(['SigningKeyMain', 'SigningKeyNext'])
    expect(kidOf(tokens.main)).toBe('SigningKeyMain')
    expect(published.both?.keys[0]).toEqual(published.main?.keys[0])
    expect(published.both?.keys[1]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
  })

  test('does not sign yet, and the tokens there are hold', async () => {
    expect(kidOf(await logIn())).toBe(kidOf(tokens.main))
    expect(await statusOf(tokens.main)).toBe(200)
  })
})

describe('a key that is moved to the front', () => {
  beforeAll(async () => {
    await deploy('next,main')
    tokens.next = await logIn()
  })

  test('signs from now on, and both are published', async () => {
    const keys = await keySet()
    expect(kids(keys)).toEqual([kidOf(tokens.next), kidOf(tokens.main)])
    expect(kids(keys)).toEqual(kids(published.both ?? { keys: [] }).reverse())
  })

  test('is known to verifiers that fetched the key set before it signed', async () => {
    const known = createLocalJWKSet(published.both ?? { keys: [] })
    const { payload } = await jwtVerify(tokens.next ?? '', known, { issuer: url(''), audience: 'gatehouse' })
    expect(payload.email).toBe(person.email)
    await expect(jwtVerify(tokens.next ?? '', createLocalJWKSet(published.main ?? { keys: [] }))).rejects.toThrow()
  })

  test('leaves tokens of the older one valid until they expire, and not a second longer', async () => {
    expect([await statusOf(tokens.main), await statusOf(tokens.next)]).toEqual([200, 200])
    const exp = Math.floor(Date.now() / 1000) + 4
    const shortLived = await signAs('SigningKeyMain', tokens.main ?? '', { exp })
    expect(await statusOf(shortLived)).toBe(200)
    await wait(exp * 1000 - Date.now())
    expect(await statusOf(shortLived)).toBe(401)
    expect(await statusOf(tokens.main)).toBe(200)
  })
})

describe('a key that is dropped', () => {
  beforeAll(() => deploy('next'))

  test('is published no more', async () => {
    expect(kids(await keySet())).toEqual([kidOf(tokens.next)])
  })

  test('takes its tokens with it, and no other', async () => {
    expect(await statusOf(tokens.main)).toBe(401)
    expect(await statusOf(tokens.next)).toBe(200)
    expect(kidOf(await logIn())).toBe(kidOf(tokens.next))
  })

  test('signs nothing any more, even if its former owner names the key that is published', async () => {
    const forged = await new SignJWT(decodeJwt(tokens.next ?? ''))
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: kidOf(tokens.next) ?? '' })
      .sign(await importPKCS8(readFileSync(join(dataDirectory, 'keys', 'SigningKeyMain.pem'), 'utf8'), 'RS256'))
    expect(await statusOf(forged)).toBe(401)
  })
})

describe('the secret of an application', () => {
  test('works beside a second one, until the first is taken out', async () => {
    await list({ OIDC_CLIENTS: applicationWith(...secrets) })
    await nextRound()
    secret = newSecret
    await nextRound()
    await list({ OIDC_CLIENTS: applicationWith(newSecret) })
    await nextRound()
    const form = { grant_type: 'authorization_code', code: 'x'.repeat(43), redirect_uri, code_verifier: verifier }
    const body = new URLSearchParams({ ...form, client_id, client_secret: oldSecret })
    const answer = await fetch(url('/token'), { method: 'POST', body })
    expect(await answer.json()).toMatchObject({ error: 'invalid_client' })
  })
})

describe('the secret at a provider', () => {
  test('is replaced while the provider takes both', async () => {
    taken = ['first', 'second']
    await list({ SIGN_IN_PROVIDERS: await listWith('second') })
    await nextRound()
    taken = ['second']
    await nextRound()
  })
})

const withAllFunctions = {
  MAIL_FROM: 'no-reply@example.com',
  OIDC_CLIENTS: applications,
  SIGN_IN_PROVIDERS: providerList,
}
const readersOf = (...resources: ('SigningKey' | 'SigningKeys')[]) =>
  functionNames.filter(name => resources.some(resource => needsOf(rows[name]).may[resource]))

test.each([
  ['adding a key', 'main', 'main,next', readersOf('SigningKeys')],
  ['having another key sign', 'main,next', 'next,main', readersOf('SigningKey', 'SigningKeys')],
  ['dropping a key', 'next,main', 'next', readersOf('SigningKeys')],
])('%s touches the functions that know keys, and no other', (_, before, after, touched) => {
  const [old, young] = [before, after].map(keys => synthesize({ ...withAllFunctions, SIGNING_KEYS: keys }))
  const isChanged = (name: FunctionName) =>
    JSON.stringify(old?.functionProperties(name)) !== JSON.stringify(young?.functionProperties(name))
  expect(functionNames.filter(isChanged)).toEqual(touched)
  expect(touched).not.toEqual([])
})
