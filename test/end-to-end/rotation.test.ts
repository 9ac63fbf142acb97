import { mkdtempSync, readFileSync } from 'node:fs'
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needsOf, rows } from '../../api/needs.ts'
import { functionNames } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import { type Running, runStack } from '../../local/system.ts'
import { applications, providerList, settingsToRun } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/** Rotation of signing keys on the running system: each deploy is another start with the same data, on the same port. */

const dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-rotation-'))
const person = { email: 'ada@example.com', password: 'correct horse' }
const tokens: Record<string, string> = {}
const published: Record<string, JSONWebKeySet> = {}
let system: Running | undefined
let port = 0

async function deploy(SIGNING_KEYS: string): Promise<void> {
  await system?.stop()
  const settings = settingsToRun({ SIGNING_KEYS, RATE_LIMITS: 'off' })
  system = await runStack({ settings, port, inboxPort: 0, host: '127.0.0.1', dataDirectory })
  port = Number(new URL(system.baseUrl).port)
}

const url = (path: string): string => `http://localhost:${port}/auth${path}`

const post = (path: string, body: object): Promise<Response> =>
  fetch(url(path), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

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

beforeAll(async () => {
  await deploy('main')
  await post('/register', person)
  tokens.main = await logIn()
  published.main = await keySet()
})

afterAll(() => system?.stop())

describe('a new key, added last,', () => {
  beforeAll(async () => {
    await deploy('main,next')
    published.both = await keySet()
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
