import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, importPKCS8, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { rows } from '../../api/needs.ts'
import { memberExamples } from '../../api/openapi/meanings.ts'
import type { FunctionName } from '../../api/routes.ts'
import { keyIds } from '../../local/aws/key-ids.ts'
import { refusals } from '../../local/aws/kms.ts'
import type { LogLine } from '../../local/observer.ts'
import { type Running, runStack } from '../../local/system.ts'
import { fruitlessBody } from '../support/api/requests.ts'
import { bearerNames, membersOf, requestLine } from '../support/api/rows.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { applications, settingsToRun } from '../support/stack/settings.ts'
import { assembled, environments } from '../support/system/assembled.ts'
import { operate } from '../support/system/operate.ts'
import { openUsers } from '../support/system/operator.ts'
import { listedIn } from '../support/system/providers.ts'

/** Unusable keys in KMS, in every way: what stops, and what goes on. */

const dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-unusable-keys-'))
const faults = Object.keys(refusals) as (keyof typeof refusals)[]
const provider = await startLyingProvider(() => new Date(), { secret: 'the-secret' })
const settings = settingsToRun({
  SIGNING_KEYS: 'next,main',
  OIDC_CLIENTS: applications,
  SIGN_IN_PROVIDERS: await listedIn(dataDirectory, [provider.provider]),
  MAIL_FROM: 'Gatehouse <no-reply@localhost>',
  RATE_LIMITS: 'off',
})
const [next, main] = ['SigningKeyNext', 'SigningKeyMain'] as const
/** The id of a key that encrypts, by its logical id. */
const keyId = keyIds(join(dataDirectory, 'keys'))
const logs: LogLine[] = []
let system: Running

/** A system whose functions have not fetched any key yet: they keep keys for good. */
async function start(): Promise<void> {
  await system?.stop()
  const observer = { logged: (line: LogLine) => void logs.push(line) }
  const places = { port: 0, inboxPort: 0, host: '127.0.0.1', dataDirectory }
  system = await runStack({ settings, assembly: await assembled(settings), environments, observer, ...places })
}
afterAll(async () => {
  await system?.stop()
  await provider[Symbol.asyncDispose]()
})

async function ask(method: string, path: string, body?: object, bearer?: string, isForm = false) {
  const answer = await fetch(new URL(path, system.baseUrl), {
    method,
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    ...(body && method !== 'GET' && { body: isForm ? new URLSearchParams({ ...body }) : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
  return { status: answer.status, body: (await answer.json()) as any }
}
const post = (path: string, body: object, bearer?: string) => ask('POST', `/auth/${path}`, body, bearer)
const askRow = (name: FunctionName, bearer: string) => {
  const { method, path } = requestLine(name)
  return ask(
    method,
    path,
    membersOf(name).length > 0 ? fruitlessBody(name) : undefined,
    bearer,
    rows[name].form !== undefined,
  )
}
const getKeySet = async () => {
  const { status, body } = await ask('GET', '/auth/.well-known/jwks.json')
  return status === 200 ? body.keys.map(({ kid }: { kid: string }) => kid) : status
}
const statusOfMe = async (bearer: string) => (await ask('GET', '/auth/me', undefined, bearer)).status

let registered = 0
/** A new person, logged in with the key that signs. */
async function logInAnew() {
  const person = { email: `person-${registered++}@example.com`, password: 'correct horse' }
  await post('register', person)
  const { body } = await post('login', { ...person, session: {} })
  return { person, token: body.access_token as string, refreshToken: body.refresh_token as string }
}

/** The same token, signed by another key. */
async function signAs(key: string, token: string): Promise<string> {
  const privateKey = await importPKCS8(readFileSync(join(dataDirectory, 'keys', `${key}.pem`), 'utf8'), 'RS256')
  return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key }).sign(privateKey)
}

/** Waits until a function has logged an unusable key. */
const expectLogged = (caller: FunctionName, key: string, reason: string) =>
  vi.waitFor(() =>
    expect(logs.filter(log => log.caller === caller).map(({ line }) => JSON.parse(line).message)).toContainEqual({
      event: 'key-unusable',
      key,
      reason,
    }),
  )

describe.each([
  [next, 'which signs', main],
  [main, 'which signed before', next],
] as const)('of two published keys %s, %s,', (key, _, other) => {
  /** Tokens for each endpoint, by this key and by the other. It may end them. */
  const tokens = new Map<FunctionName, Record<string, string>>()
  let ada: Awaited<ReturnType<typeof logInAnew>>

  beforeAll(async () => {
    await start()
    for (const name of bearerNames) {
      const { token } = await logInAnew()
      tokens.set(name, { [next]: token, [main]: await signAs(main, token) })
    }
    ada = await logInAnew()
  })
  beforeEach(() => void system.keyFaults.clear())

  test('leaves no key set where the other cannot be used either', async () => {
    for (const id of [key, other]) system.keyFaults.set(id, 'Disabled')
    expect(await getKeySet()).toBe(503)
  })

  test.each(faults)('if it is %s, stops its own tokens at every endpoint, and no other', async fault => {
    system.keyFaults.set(key, fault)
    expect(await getKeySet()).toEqual([other])
    await expectLogged('signing-keys', key, 'GetPublicKey')
    for (const name of bearerNames) {
      const { status } = await askRow(name, tokens.get(name)?.[key] ?? '')
      expect([name, status]).toEqual([name, 503])
      await expectLogged(name, key, 'GetPublicKey')
    }
    expect(await statusOfMe(await signAs(other, ada.token))).toBe(200)
    // An expired or a foreign token is refused as ever.
    expect(await statusOfMe(`${ada.token.replace(/[^.]+$/, 'AAAA')}`)).toBe(key === next ? 503 : 401)
  })

  test.each(faults)('if it is %s, stops who gets a token only where it signs', async fault => {
    system.keyFaults.set(key, fault)
    const [signs, status] = [key === next, key === next ? 503 : 200]
    expect((await post('login', ada.person)).status).toBe(status)
    const refreshed = await post('refresh', { refresh_token: ada.refreshToken })
    expect(refreshed.status).toBe(status)
    if (signs) for (const name of ['login', 'refresh'] as const) await expectLogged(name, key, 'Sign')
    expect((await post('forgot-password', { email: ada.person.email })).status).toBe(200)
  })

  test('lets every endpoint go on with tokens of the other', async () => {
    system.keyFaults.set(key, 'Denied')
    for (const name of bearerNames) {
      const { status } = await askRow(name, tokens.get(name)?.[other] ?? '')
      expect([name, [401, 503].includes(status)]).toEqual([name, false])
    }
  })

  test.each(['Disabled', 'PendingDeletion'] as const)('is %s in what the operator sees', async fault => {
    system.keyFaults.set(key, fault)
    const { stdout } = await operate('keys', ['list', '--local', '--json'], { env: { DATA_DIR: dataDirectory } })
    const states = JSON.parse(stdout).map(({ kid, state }: { kid: string; state: string }) => [kid, state])
    expect(Object.fromEntries(states)).toEqual({ [key]: fault, [other]: 'Enabled' })
  })

  test('serves again as soon as it can be used', async () => {
    system.keyFaults.set(key, 'Disabled')
    expect(await statusOfMe(await signAs(key, ada.token))).toBe(503)
    system.keyFaults.clear()
    expect(await statusOfMe(await signAs(key, ada.token))).toBe(200)
    expect(await getKeySet()).toEqual([next, main])
  })
})

describe('of the keys that encrypt,', () => {
  beforeAll(start)
  beforeEach(() => system.keyFaults.clear())

  test.each(faults)('that of second factors, if it is %s, stops who has or sets up one', async fault => {
    const [ada, eve] = [await logInAnew(), await logInAnew()]
    for (const { person } of [ada, eve]) await openUsers(system).change(person.email, { is_verified: true })
    const setup = { password: ada.person.password }
    const { secret } = (await post('second-factor/setup', setup, ada.token)).body
    const code = codeOf(bytesOfBase32(secret), stepOf(new Date()))
    expect((await post('second-factor/confirm', { code }, ada.token)).status).toBe(200)

    const key = keyId('FactorKey')
    system.keyFaults.set(key, fault)
    expect((await post('login', { ...ada.person, code: '000000' })).status).toBe(503)
    await expectLogged('login', key, 'Decrypt')
    expect((await post('second-factor/setup', setup, eve.token)).status).toBe(503)
    await expectLogged('set-up-second-factor', key, 'Encrypt')
    expect((await post('login', eve.person)).status).toBe(200)
    expect(await statusOfMe(eve.token)).toBe(200)
  })

  test.each(faults)('that of secrets at providers, if it is %s, stops who logs in there', async fault => {
    const { person, token } = await logInAnew()
    const { authorization_code, code_verifier } = memberExamples
    const confirmed = { provider: provider.provider.id, authorization_code, code_verifier }
    const key = keyId('ProviderKey')
    system.keyFaults.set(key, fault)
    const { status, body } = await post('provider-login', confirmed)
    expect([status, body.code]).toEqual([503, 'provider-unavailable'])
    await expectLogged('provider-login', key, 'Decrypt')
    expect((await post('login', person)).status).toBe(200)
    expect(await statusOfMe(token)).toBe(200)
  })
})
