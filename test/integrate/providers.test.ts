import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setDefaultCACertificates } from 'node:tls'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type OfferedProvider, redirectUriOf } from '../../accounts/identity/provider.ts'
import { makeCertificate } from '../support/certificate.ts'
import { startGitHub } from '../support/service/github.ts'
import { challengeOf } from '../support/service/lying-provider.ts'
import { freePort, listedIn } from '../support/system/providers.ts'
import { mailedToken, runSystem } from '../support/system/running.ts'
import { until } from '../support/system/small-stack.ts'

/**
 * This service twice: people with an account at one, which speaks TLS, log in to the other with it; and with one at a stand-in for
 * GitHub.
 */

const [onesPort, othersPort] = [await freePort(), await freePort()]
const [onesUrl, othersUrl] = [`https://localhost:${onesPort}`, `http://localhost:${othersPort}`]
const secret = `ghc1_${'s'.repeat(43)}`
const client = {
  id: 'other',
  name: 'The other one',
  redirects: [redirectUriOf(othersUrl, 'one')],
  secrets: [createHash('sha256').update(secret).digest('hex')],
  unverified: true,
}
const entry: OfferedProvider = {
  id: 'one',
  name: 'The one',
  issuer: `${onesUrl}/auth`,
  authorizationEndpoint: `${onesUrl}/authorize`,
  tokenEndpoint: `${onesUrl}/auth/token`,
  jwksUri: `${onesUrl}/auth/.well-known/jwks.json`,
  clientId: client.id,
  secret,
  auth: 'basic',
  email: 'claim',
  require: {},
  formPost: false,
  redirects: [],
}
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-two-'))
const dataDirectory = join(folder, 'data')
const certificate = makeCertificate(folder)
setDefaultCACertificates([certificate.cert])
vi.stubEnv('NODE_EXTRA_CA_CERTS', certificate.file)
afterAll(() => void vi.unstubAllEnvs())
const one = runSystem({ RATE_LIMITS: 'off', OIDC_CLIENTS: JSON.stringify([client]) }, { port: onesPort, certificate })
const gitHub = await startGitHub()
afterAll(() => gitHub[Symbol.asyncDispose]())
const other = runSystem(
  {
    RATE_LIMITS: 'off',
    SIGN_IN_PROVIDERS: await listedIn(dataDirectory, [entry, { ...gitHub.provider, secret: 's3cret' }]),
  },
  { port: othersPort, dataDirectory },
)

const ada = { email: 'ada@example.com', password: 'correct horse' }
let idAtOne: string
beforeAll(async () => {
  idAtOne = (await one.send('POST', '/auth/register', { ...ada, name: 'Ada' })).body.id
})

/** A trip: from one's list, by the other's page, back to the first. @returns the resulting proof */
async function trip(): Promise<Record<string, unknown>> {
  const [listed] = (await other.send('GET', '/auth/providers')).body.providers
  const { id, authorization_endpoint, client_id, redirect_uri, scope } = listed
  const code_verifier = randomBytes(32).toString('base64url')
  const challenge = challengeOf(code_verifier)
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri, scope, state: 'a state' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', nonce: challenge },
  })
  const { origin, pathname } = new URL(authorization_endpoint)
  expect([origin, (await one.send('GET', `${pathname}?${query}`)).status]).toEqual([onesUrl, 200])
  const typed = { request: String(query), ...ada }
  const { status, body } = await one.send('POST', '/auth/authorize', typed, { 'sec-fetch-site': 'same-origin' })
  expect([status, body.code]).toEqual([200, undefined])
  const back = new URL(body.location)
  expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([redirect_uri, 'a state'])
  expect((await other.send('GET', back.pathname + back.search)).status).toBe(200)
  const [authorization_code, iss] = ['code', 'iss'].map(name => back.searchParams.get(name))
  return { provider: id, authorization_code, code_verifier, iss }
}
const logIn = async (proof: object) => other.send('POST', '/auth/provider-login', proof)
const refusal = ({ status, body }: Awaited<ReturnType<typeof logIn>>) => [status, body.code]

test('what the one says of itself is what the other lists', async () => {
  const { body } = await one.send('GET', '/auth/.well-known/openid-configuration')
  expect(body).toMatchObject({
    issuer: entry.issuer,
    authorization_endpoint: entry.authorizationEndpoint,
    token_endpoint: entry.tokenEndpoint,
    jwks_uri: entry.jwksUri,
    token_endpoint_auth_methods_supported: expect.arrayContaining(['client_secret_basic']),
  })
})

test('a verified account at the one opens one at the other, and logs in', async () => {
  expect(refusal(await logIn(await trip()))).toEqual([403, 'provider-email-unverified'])

  const token = await mailedToken(one, { ...ada, newEmail: '' }, 'verification')
  await one.send('POST', '/auth/verify-email', { token })
  const opened = await logIn(await trip())
  expect(refusal(opened)).toEqual([200, undefined])
  const claims = decodeJwt(opened.body.access_token)
  expect(claims).toMatchObject({ iss: `${othersUrl}/auth`, email: ada.email, email_verified: true, amr: ['fed'] })
  expect(claims.sub).not.toBe(idAtOne)

  const { body } = await logIn(await trip())
  expect(decodeJwt(body.access_token).sub).toBe(claims.sub)
  const bearer = { authorization: `Bearer ${body.access_token}` }
  expect((await other.send('GET', '/auth/sign-in-methods', undefined, bearer)).body).toEqual({
    has_password: false,
    password_changed_at: null,
    changes: [{ kind: 'provider', at: expect.any(String), can_be_undone: true }],
    providers: [{ id: expect.any(String), provider: 'one', email: ada.email, connected_at: expect.any(String) }],
  })
})

test('the one is not asked while nobody trusts its certificate', async () => {
  const proof = await trip()
  const endEnvironments = async () => {
    for (const { caller, pid } of other.system.environments) if (caller === 'provider-login') process.kill(pid)
    await until(() => other.system.environments.every(({ caller }) => caller !== 'provider-login'))
  }
  onTestFinished(endEnvironments)
  onTestFinished(() => void vi.stubEnv('NODE_EXTRA_CA_CERTS', certificate.file))
  await endEnvironments()
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '')
  expect(refusal(await logIn(proof))).toEqual([503, 'provider-unavailable'])
})

test('an account at GitHub opens one here, and logs in to it', async () => {
  const { providers } = (await other.send('GET', '/auth/providers')).body
  expect(providers.at(-1)).toEqual({
    ...{ id: 'github', name: 'GitHub', client_id: 'Ov23li', scope: 'user:email', response_mode: 'query' },
    authorization_endpoint: gitHub.provider.authorizationEndpoint,
    redirect_uri: redirectUriOf(othersUrl, 'github'),
  })
  const code_verifier = randomBytes(32).toString('base64url')
  const proof = () => ({ provider: 'github', authorization_code: gitHub.authorize(code_verifier), code_verifier })
  const subjects = []
  for (let login = 0; login < 2; login++) {
    const { status, body } = await logIn(proof())
    expect([status, body.code]).toEqual([200, undefined])
    subjects.push(decodeJwt(body.access_token).sub)
  }
  expect(subjects[1]).toBe(subjects[0])
})
