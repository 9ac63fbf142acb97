import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import signingKeys from '../../functions/signing-keys.ts'
import { bearer } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import { call } from '../support/service/http.ts'
import { openSession, register } from '../support/service/people.ts'

const harness = createHarness()
const get = (path: string) => call(signingKeys(harness.deps), { method: 'GET', path })
const jwks = '/auth/.well-known/jwks.json'
const openid = '/auth/.well-known/openid-configuration'

/** The discovery document for these settings. */
async function discovery(settings: Partial<typeof harness.config>) {
  Object.assign(harness.config, settings)
  return (await get(openid)).body
}

test('the key set is all that verifies a token, without a private member', async () => {
  await register(harness)
  const { authorization = '' } = await bearer(harness)
  const { status, body } = await get(jwks)
  expect(status).toBe(200)
  expect(body.keys).toHaveLength(1)
  expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  const { payload } = await jwtVerify(authorization.replace('Bearer ', ''), createLocalJWKSet(body), {
    issuer: 'https://api.example.com/auth',
    audience: 'gatehouse',
    currentDate: harness.deps.now(),
  })
  expect(payload.email).toBe('ada@example.com')
})

test('without applications the discovery document says what verifiers read, and nothing else', async () => {
  const { claims_supported: _, ...rest } = await discovery({ hasClients: false, languages: ['en'] })
  expect(rest).toEqual({
    issuer: 'https://api.example.com/auth',
    jwks_uri: `https://api.example.com${jwks}`,
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
})

test('with applications it says all that these can do', async () => {
  const { claims_supported, ...rest } = await discovery({ languages: ['en', 'de'] })
  expect(rest).toEqual({
    issuer: 'https://api.example.com/auth',
    authorization_endpoint: 'https://api.example.com/authorize',
    token_endpoint: 'https://api.example.com/auth/token',
    userinfo_endpoint: 'https://api.example.com/auth/userinfo',
    revocation_endpoint: 'https://api.example.com/auth/revoke',
    end_session_endpoint: 'https://api.example.com/logout',
    jwks_uri: `https://api.example.com${jwks}`,
    scopes_supported: ['openid', 'email', 'profile', 'roles', 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    ui_locales_supported: ['en', 'de'],
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
  })
  expect(claims_supported).toEqual(
    expect.arrayContaining(['sub', 'email', 'name', 'preferred_username', 'locale', 'roles', 'nonce', 'at_hash']),
  )
})

test('without sessions it names no refresh token, and without languages none of those', async () => {
  const body = await discovery({ sessionDays: 0 })
  expect(body.scopes_supported).toEqual(['openid', 'email', 'profile', 'roles'])
  expect(body.grant_types_supported).toEqual(['authorization_code'])
  expect(body).not.toHaveProperty('ui_locales_supported')
  expect(body.claims_supported).not.toContain('locale')
})

test('only the two pages are where browsers find them', async () => {
  const usual = await discovery({})
  const moved = await discovery({ browserUrl: 'http://localhost:3000' })
  expect(moved).toEqual({
    ...usual,
    authorization_endpoint: 'http://localhost:3000/authorize',
    end_session_endpoint: 'http://localhost:3000/logout',
  })
})

test('the discovery document names every claim of a session’s token, and no other', async () => {
  await register(harness)
  const { tokens } = await openSession(harness)
  const body = await discovery({ hasClients: false })
  expect(body.claims_supported).toEqual(Object.keys(decodeJwt(tokens.token)))
})

test.each([jwks, openid])('%s may be cached for five minutes', async path => {
  const { headers } = await get(path)
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=300', 'content-type': 'application/json' })
})

test('a key that cannot be read makes the key set unavailable and uncached, not empty', async () => {
  harness.broken = 'KMS'
  const { status, headers } = await get(jwks)
  expect(status).toBe(503)
  expect(headers['cache-control']).toBe('no-store')
})
