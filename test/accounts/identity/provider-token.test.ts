import { createHmac, generateKeyPairSync, randomBytes, sign as signBy } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Confirmed } from '../../../accounts/identity/exchange.ts'
import type { OfferedProvider, OpenIdProvider, Provider } from '../../../accounts/identity/provider.ts'
import { openProviderToken, sealProviderToken } from '../../../accounts/identity/provider-token.ts'
import { encode, issueTokens } from '../token/issued-token.ts'

const { harness, resigned } = issueTokens()

const entry: OfferedProvider<OpenIdProvider> = {
  id: 'example',
  name: 'Example',
  issuer: 'https://accounts.example',
  authorizationEndpoint: 'https://accounts.example/authorize',
  tokenEndpoint: 'https://accounts.example/token',
  jwksUri: 'https://accounts.example/keys',
  clientId: 'gatehouse',
  secret: 'AA==',
  auth: 'post',
  email: 'claim',
  require: {},
  formPost: false,
  redirects: [],
}
let providers: readonly Provider[]
beforeEach(() => {
  providers = [entry]
})

const confirmed: Confirmed = {
  provider: 'example',
  issuer: 'https://accounts.example',
  subject: '248289761001',
  email: 'ada@example.com',
  isEmailProven: true,
  name: 'Ada ü',
  authTime: new Date('2026-03-01T11:59:00.000Z'),
  claims: { hd: 'example.com' },
}

const seal = (of: Confirmed = confirmed, expiresAt?: Date) =>
  sealProviderToken({ ...harness.deps, providers }, of, expiresAt)
const open = (token: string) => openProviderToken({ ...harness.deps, providers }, token)
const refused = { name: 'DomainError', code: 'invalid-provider-token' }

test.each<[string, Confirmed]>([
  ['all', confirmed],
  [
    'nothing but the subject',
    { ...confirmed, email: null, isEmailProven: false, name: null, authTime: null, claims: {} },
  ],
])('a token has the confirmed values: %s', async (_, of) => {
  expect((await open(await seal(of))).confirmed).toEqual(of)
})

test('no two have one id', async () => {
  const [one, other] = [await open(await seal()), await open(await seal())]
  expect(one.id).toMatch(/^[\w-]{22}$/)
  expect(one.id).not.toBe(other.id)
})

test('it lives for ten minutes, to the second, and its replacement lives no longer', async () => {
  const token = await seal()
  const { expiresAt } = await open(token)
  expect(expiresAt).toEqual(new Date(harness.deps.now().getTime() + 600_000))
  harness.advance(300_000)
  const next = await seal(confirmed, expiresAt)
  harness.advance(299_000)
  expect((await open(next)).expiresAt).toEqual(expiresAt)
  await open(token)
  harness.advance(1000)
  await expect(open(token)).rejects.toMatchObject(refused)
  await expect(open(next)).rejects.toMatchObject(refused)
})

describe('by today’s entry', () => {
  test.each<[string, Partial<OpenIdProvider>]>([
    ['issuer', { issuer: 'https://other.example' }],
    ['client', { clientId: 'other' }],
    ['proof of addresses', { email: { always: ['example.com'] } }],
  ])('it works no more when the %s is another', async (_, changes) => {
    const token = await seal()
    providers = [{ ...entry, ...changes }]
    await expect(open(token)).rejects.toMatchObject(refused)
  })

  test('it still works when other members changed: the caller asks what must equal', async () => {
    const token = await seal()
    providers = [{ ...entry, name: 'Other', secret: 'BB==', require: { hd: 'other.example' } }]
    expect((await open(token)).confirmed).toEqual(confirmed)
  })

  test.each<[string, readonly Provider[]]>([
    ['is not listed', []],
    ['is not offered', [{ ...entry, secret: null }]],
  ])('its provider %s', async (_, today) => {
    const token = await seal()
    providers = today
    await expect(open(token)).rejects.toMatchObject({ code: 'provider-not-found' })
  })
})

test('it says who it is for', async () => {
  const token = await seal()
  const { config } = harness.deps
  expect(decodeJwt(token)).toEqual({
    iss: config.issuer,
    aud: `${config.tokenAudience}:provider`,
    iat: harness.deps.now().getTime() / 1000,
    exp: harness.deps.now().getTime() / 1000 + 600,
    jti: expect.any(String),
    entry: expect.any(String),
    confirmed: expect.any(Object),
  })
})

describe('no other token is taken:', () => {
  test.each<[string, Record<string, unknown>]>([
    ['of another audience', { aud: 'gatehouse' }],
    ['for a setup', { aud: 'gatehouse:second-factor-setup' }],
    ['of no audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://evil.example/auth' }],
    ['that never ends', { exp: undefined }],
    ['without an id', { jti: undefined }],
    ['without a time', { iat: undefined }],
  ])('by the right key, %s', async (_, changes) => {
    const token = await seal()
    const forged = await resigned(decodeProtectedHeader(token), { ...decodeJwt(token), ...changes })
    await expect(open(forged)).rejects.toMatchObject(refused)
  })

  test('by the right key, of another type', async () => {
    const token = await seal()
    const forged = await resigned({ ...decodeProtectedHeader(token), typ: 'logout+jwt' }, decodeJwt(token))
    await expect(open(forged)).rejects.toMatchObject(refused)
  })

  test('by another key, by a public key as a secret, or by none', async () => {
    const [header = '', claims = ''] = (await seal()).split('.')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signed = `${header}.${claims}`
    const [jwk = {}] = (await harness.deps.publicKeys.listUsable()).keys
    const forged = [
      `${signed}.${signBy('sha256', Buffer.from(signed), privateKey).toString('base64url')}`,
      `${signed}.`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      ...['HS256', 'RS256'].map(alg => {
        const input = `${encode({ ...decodeProtectedHeader(`${header}.${claims}.x`), alg })}.${claims}`
        return `${input}.${createHmac('sha256', JSON.stringify(jwk)).update(input).digest('base64url')}`
      }),
    ]
    for (const token of forged) await expect(open(token)).rejects.toMatchObject(refused)
  })

  test.each(['', 'x', '..', 'a.b.c', 'a.b.c.d.e', '\u0000', '💥', 'x'.repeat(16_000)])('%s', async text => {
    await expect(open(text)).rejects.toMatchObject(refused)
  })

  test('changed in any part', async () => {
    const parts = (await seal()).split('.')
    for (const [i, part] of parts.entries()) {
      const at = 3 + ((randomBytes(1)[0] ?? 0) % (part.length - 8))
      const changed = `${part.slice(0, at)}${part[at] === 'A' ? 'B' : 'A'}${part.slice(at + 1)}`
      await expect(open(parts.with(i, changed).join('.'))).rejects.toMatchObject(refused)
    }
  })
})

test('without the key, nothing is made and nothing is taken', async () => {
  const token = await seal()
  harness.broken = 'KMS'
  await expect(seal()).rejects.toMatchObject({ code: 'unavailable' })
  await expect(open(token)).rejects.toMatchObject({ code: 'unavailable' })
})
