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

test('the key set is all that another service needs to verify a token, and has no private member', async () => {
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

test('the discovery document names the issuer and where its keys are', async () => {
  const { body } = await get('/auth/.well-known/openid-configuration')
  expect(body).toMatchObject({
    issuer: 'https://api.example.com/auth',
    jwks_uri: `https://api.example.com${jwks}`,
    id_token_signing_alg_values_supported: ['RS256'],
  })
})

test('the discovery document names every claim that a token of a session has, and no other', async () => {
  await register(harness)
  const { tokens } = await openSession(harness)
  const { body } = await get('/auth/.well-known/openid-configuration')
  expect(body.claims_supported).toEqual(Object.keys(decodeJwt(tokens.token)))
})

test.each([jwks, '/auth/.well-known/openid-configuration'])('%s may be cached for five minutes', async path => {
  const { headers } = await get(path)
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=300', 'content-type': 'application/json' })
})

test('a key that cannot be read makes the key set unavailable, not empty, and is not cached', async () => {
  harness.broken = 'KMS'
  const { status, headers } = await get(jwks)
  expect(status).toBe(503)
  expect(headers['cache-control']).toBe('no-store')
})
