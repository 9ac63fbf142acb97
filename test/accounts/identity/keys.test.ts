import { describe, expect, test } from 'vitest'
import { makeKey } from '../../support/service/lying-provider.ts'
import { startExchanging } from './exchanging.ts'

const service = startExchanging()
const { confirm, expectFailed, advance } = service

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Rotates the provider's key: it publishes the new one alone. */
function rotate(kid = 'new'): void {
  service.liar.key = makeKey('ES256', kid)
  service.liar.published = { keys: [service.liar.key.jwk] }
}
const silence = () => {
  service.liar.jwks = (_, response) => response.destroy()
}

test('keys are kept for an hour', async () => {
  await confirm()
  advance(hour - 1)
  await confirm()
  expect(service.liar.fetches).toBe(1)
  advance(1)
  await confirm()
  expect(service.liar.fetches).toBe(2)
})

test('each provider has its own', async () => {
  await confirm()
  const other = { ...service.liar.provider, jwksUri: `${service.liar.provider.jwksUri}?other` }
  service.liar.provider = other
  await expectFailed('provider-unavailable', 'keys')
})

describe('keys of a silent provider', () => {
  test('are kept for a day, and it is asked once a minute', async () => {
    await confirm()
    silence()
    advance(hour)
    await confirm()
    await confirm()
    expect(service.liar.fetches).toBe(2)
    advance(minute)
    await confirm()
    expect(service.liar.fetches).toBe(3)
    advance(day - hour - minute - 1)
    await confirm()
    advance(1)
    await expectFailed('provider-unavailable', 'keys')
  })

  test('are those of its next answer, as soon as it gives one', async () => {
    await confirm()
    silence()
    advance(hour)
    await confirm()
    service.liar.jwks = null
    rotate()
    advance(minute)
    await confirm()
  })

  test('are none, where none are kept; it is asked at each login', async () => {
    silence()
    await expectFailed('provider-unavailable', 'keys')
    service.liar.jwks = null
    await confirm()
  })
})

describe('an unknown kid', () => {
  test('fetches them anew', async () => {
    await confirm()
    advance(minute)
    rotate()
    await confirm()
    expect(service.liar.fetches).toBe(2)
  })

  test('fetches them once a minute', async () => {
    await confirm()
    advance(minute - 1)
    service.liar.lies = { header: { kid: 'nobody' } }
    await expectFailed('provider-refused', 'key')
    expect(service.liar.fetches).toBe(1)
    advance(1)
    await expectFailed('provider-refused', 'key')
    await expectFailed('provider-refused', 'key')
    expect(service.liar.fetches).toBe(2)
    advance(minute)
    await expectFailed('provider-refused', 'key')
    expect(service.liar.fetches).toBe(3)
  })

  test('leaves those that are kept, if the provider does not tell others', async () => {
    await confirm()
    advance(minute)
    silence()
    service.liar.lies = { header: { kid: 'nobody' } }
    await expectFailed('provider-refused', 'key')
    service.liar.lies = {}
    await confirm()
  })

  test('of a token without one fetches them too, where the only key has changed', async () => {
    service.liar.lies = { header: { kid: undefined } }
    await confirm()
    advance(minute)
    rotate('usual')
    await confirm()
    expect(service.liar.fetches).toBe(2)
  })
})

test('a bad signature by a known key fetches nothing', async () => {
  await confirm()
  advance(minute)
  service.liar.lies = { key: makeKey('ES256', 'usual') }
  await expectFailed('provider-refused', 'signature')
  expect(service.liar.fetches).toBe(1)
})

test.each<[string, unknown]>([
  ['no JSON', '<html>'],
  ['null', 'null'],
  ['a text', '"keys"'],
  ['no set', {}],
  ['a set of texts', { keys: ['x'] }],
  ['a set of null', { keys: [null] }],
  ['an object of keys', { keys: { 0: {} } }],
  ['more than 64 KiB', { keys: [], padding: 'x'.repeat(64 * 1024) }],
])('keys that are %s are none', async (_, published) => {
  service.liar.published = published
  await expectFailed('provider-unavailable', 'keys')
})

test.each([301, 404, 500])('keys that come with status %i are none', async status => {
  const { published } = service.liar
  service.liar.jwks = (_, response) => response.writeHead(status, { location: '/keys' }).end(JSON.stringify(published))
  await expectFailed('provider-unavailable', 'keys')
})

test('unusable keys beside a usable one do no harm', async () => {
  const { key } = service.liar
  const odd = [{}, { kty: 'oct', k: 'AA', kid: 'usual' }, { kty: 'RSA', kid: 7 }, { kty: 'EC', crv: 'P-256', kid: 'x' }]
  service.liar.published = { keys: [...odd, key.jwk], more: 1 }
  await confirm()
})

test('a provider that refuses a code does not wait for its keys', async () => {
  service.liar.jwks = () => {}
  await expectFailed('provider-refused', 'code', { code: 'drawn-by-nobody' })
})

test('a provider that does not answer has confirmed nothing', async () => {
  service.liar.token = (_, response) => response.destroy()
  await expectFailed('provider-unavailable', 'silent')
  service.liar.token = (_, response) => response.end('x'.repeat(64 * 1024 + 1))
  await expectFailed('provider-unavailable', 'silent')
  service.liar.token = (_, response) => response.writeHead(307, { location: service.liar.provider.jwksUri }).end()
  await expectFailed('provider-unavailable', 'answer')
})
