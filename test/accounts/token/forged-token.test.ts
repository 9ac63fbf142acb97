import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign as signBy } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, test } from 'vitest'
import { encode, issueTokens } from './issued-token.ts'

/** Access tokens that the service did not issue: refused in the same words, mostly without reading an account. */

const { harness, expectRefused, issued, resigned, sign } = issueTokens()
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })

const claims = (changes: object = {}) => ({ ...decodeJwt(issued.token), ...changes })
const header = (changes: object = {}) => ({ ...decodeProtectedHeader(issued.token), ...changes })

describe('a forged token is refused:', () => {
  test('with another signature, an empty one, or none', async () => {
    const [head, body, signature = ''] = issued.token.split('.')
    await expectRefused(`${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`)
    await expectRefused(`${head}.${body}.`)
    await expectRefused(`${head}.${body}`)
  })

  test.each([
    ['nothing else', () => ({})],
    ['a key of its own in jwk', () => ({ jwk: stranger.publicKey.export({ format: 'jwk' }) })],
    [
      'a key of its own in jwk, under the right id',
      () => ({ jwk: { ...stranger.publicKey.export({ format: 'jwk' }), kid: header().kid } }),
    ],
    ['a key set of its own in jku', () => ({ jku: 'https://attacker.example/jwks.json' })],
    ['a certificate of its own in x5u', () => ({ x5u: 'https://attacker.example/x5u.pem' })],
    ['a certificate of its own in x5c', () => ({ x5c: ['MIIB'] })],
    ['no kid', () => ({ kid: undefined })],
    ['a kid that nobody has', () => ({ kid: 'nobody' })],
    ['a kid that is a path', () => ({ kid: '../../../../dev/null' })],
    ['a kid that is a query', () => ({ kid: "x' UNION SELECT 'key" })],
    ['a kid that is no text', () => ({ kid: { $ne: null } })],
    ['a kid from Object.prototype', () => ({ kid: '__proto__' })],
  ])('signed by another key, with %s', async (_, changes) => {
    const input = `${encode(header(changes()))}.${encode(claims())}`
    const signature = signBy('sha256', Buffer.from(input), stranger.privateKey)
    await expectRefused(`${input}.${signature.toString('base64url')}`)
  })

  test.each([
    'none',
    'None',
    'nOnE',
    '',
    'HS256',
    'RS1',
    'RS384',
    'RS512',
    'PS256',
    'ES256',
    'EdDSA',
    'dir',
    '__proto__',
  ])('whose header names the algorithm %s', async alg => {
    await expectRefused(await resigned(header({ alg }), claims()))
    await expectRefused(`${encode(header({ alg }))}.${encode(claims())}.`)
  })

  test('keyed by the public key as if it were a secret, in any form', async () => {
    const [jwk = {}] = (await harness.deps.publicKeys.listUsable()).keys
    const { e, n = '' } = jwk
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    const exported = (['spki', 'pkcs1'] as const).flatMap(type => {
      const pem = key.export({ type, format: 'pem' }) as string
      return [pem, pem.trim(), key.export({ type, format: 'der' })]
    })
    const written = [JSON.stringify(jwk), JSON.stringify({ e, kty: 'RSA', n }), Buffer.from(n, 'base64url'), n, '']
    for (const secret of [...exported, ...written]) {
      for (const [alg, digest] of Object.entries({ HS256: 'sha256', HS512: 'sha512', RS256: 'sha256' })) {
        const input = `${encode(header({ alg }))}.${encode(claims())}`
        await expectRefused(`${input}.${createHmac(digest, secret).update(input).digest('base64url')}`)
      }
    }
  })

  test.each([
    ['crit', { crit: ['exp'] }],
    ['crit of its own', { crit: ['x'], x: 1 }],
    ['an empty crit', { crit: [] }],
    ['crit that is no list', { crit: 'b64' }],
    ['an unencoded payload', { b64: false, crit: ['b64'] }],
    ['the type of another token', { typ: 'at+jwt' }],
    ['no type', { typ: undefined }],
    ['a type that is no text', { typ: ['JWT'] }],
    ['an algorithm that is no text', { alg: ['RS256'] }],
    ['another key’s id', { kid: 'x' }],
  ])('by the right key, with %s in its header', async (_, changes) => {
    await expectRefused(await resigned(header(changes), claims()))
  })

  test.each([
    ['expired from the first', { exp: 0 }],
    ['expired before time', { exp: -1 }],
    ['expiring never', { exp: undefined }],
    ['expiring at a text', { exp: '9999999999' }],
    ['expiring at null', { exp: null }],
    ['not begun', { nbf: 9_999_999_999 }],
    ['begun at a text', { nbf: '0' }],
    ['issued at no time', { iat: undefined }],
    ['issued at a text', { iat: '0' }],
    ['of another issuer', { iss: 'https://attacker.example/auth' }],
    ['of several issuers', { iss: ['https://attacker.example/auth'] }],
    ['of an issuer with a slash more', { iss: 'http://localhost/auth/' }],
    ['of no issuer', { iss: undefined }],
    ['for another audience', { aud: 'other' }],
    ['for an audience in other letters', { aud: 'Gatehouse' }],
    ['for no audience', { aud: undefined }],
    ['for nobody', { aud: [] }],
  ])('by the right key, %s', async (_, changes) => {
    await expectRefused(await resigned(header(), claims(changes)))
  })

  test.each([
    ['another subject', { sub: '0' }],
    ['no subject', { sub: undefined }],
    ['a subject that is no text', { sub: 1 }],
    ['a subject that is an object', { sub: { S: '0' } }],
    ['an empty subject', { sub: '' }],
    ['a subject that is NUL', { sub: '\0' }],
    ['the key of an unknown address', { sub: '@nobody@example.com' }],
    ['a subject longer than a key of the table', { sub: 'a'.repeat(3000) }],
    ['no version', { ver: undefined }],
    ['an older version', { ver: -1 }],
    ['a version to come', { ver: 1 }],
    ['a version that is text', { ver: '0' }],
  ])('by the right key, with %s', async (_, changes) => {
    await expectRefused(await resigned(header(), claims(changes)), { mayRead: true })
  })

  test.each(['[]', 'null', '"x"', '1', '{', '', '{"exp":1e999}', '\ufeff{}'])(
    'by the right key, with the claims or the header %s',
    async part => {
      await expectRefused(await sign(`${encode(header())}.${encode(part)}`))
      await expectRefused(await sign(`${encode(part)}.${encode(claims())}`))
    },
  )

  test.each([
    ['', 'nothing'],
    ['a', 'no dots'],
    ['a.b', 'one dot'],
    ['a.b.c', 'no JSON'],
    ['a.b.c.d.e', 'an encrypted token'],
    ['..', 'empty parts'],
    ['.'.repeat(1000), 'only dots'],
  ])('%s (%s)', async candidate => {
    await expectRefused(candidate)
  })
})
