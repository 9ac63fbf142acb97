import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose'
import { describe, test } from 'vitest'
import { encode, issueTokens } from './issued-token.ts'

const { harness, expectRefused, issued, resigned, sign } = issueTokens()

describe('a forged token is refused:', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const claims = (changes: JWTPayload = {}): JWTPayload => ({ ...decodeJwt(issued.token), ...changes })
  const header = (changes: object = {}) => ({ ...decodeProtectedHeader(issued.token), ...changes })

  test('with another signature', async () => {
    const [head, body, signature = ''] = issued.token.split('.')
    await expectRefused(`${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`)
  })

  test('with no signature', async () => {
    const [head, body] = issued.token.split('.')
    await expectRefused(`${head}.${body}.`)
    await expectRefused(`${head}.${body}`)
  })

  test.each(['none', 'None', 'NONE'])('with the algorithm %s', async alg => {
    await expectRefused(`${encode(header({ alg }))}.${encode(claims())}.`)
  })

  test.each(['pem', 'der', 'jwk'])('with HS256 keyed by the public key as %s', async form => {
    const [jwk] = (await harness.deps.publicKeys()).keys
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    const secret = {
      pem: key.export({ type: 'spki', format: 'pem' }),
      der: key.export({ type: 'spki', format: 'der' }),
      jwk: JSON.stringify(jwk),
    }[form] as string
    const input = `${encode(header({ alg: 'HS256' }))}.${encode(claims())}`
    await expectRefused(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)
  })

  test.each([
    ['a key of its own', {}],
    ['a key of its own in jwk', { jwk: other.publicKey.export({ format: 'jwk' }) }],
    ['a key set of its own in jku', { jku: 'https://attacker.example/jwks.json' }],
    ['a certificate of its own in x5u', { x5u: 'https://attacker.example/x5u.pem' }],
    ['an unknown kid', { kid: 'unknown' }],
    ['a kid that is a path', { kid: '../../../../../dev/null' }],
    ['no kid', { kid: undefined }],
  ])('signed by another key, with %s', async (_, changes) => {
    const forged = await new SignJWT(claims())
      .setProtectedHeader({ ...header(changes), alg: 'RS256' })
      .sign(other.privateKey)
    await expectRefused(forged)
  })

  test.each([
    ['another issuer', { iss: 'https://attacker.example/auth' }],
    ['another audience', { aud: 'another' }],
    ['no audience', { aud: undefined }],
    ['no subject', { sub: undefined }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is text', { exp: '9999999999' }],
    ['no issue time', { iat: undefined }],
    ['a version that is text', { ver: '0' }],
    ['an older version', { ver: -1 }],
    ['an e-mail address that is an object', { email: { S: 'ada@example.com' } }],
    ['an e-mail address that is empty', { email: '' }],
    ['an e-mail address longer than a key of the table', { email: `${'a'.repeat(3000)}@example.com` }],
    ['a start in the future', { nbf: 9_999_999_999 }],
  ])('by the right key, with %s', async (_, changes) => {
    await expectRefused(await resigned(header(), claims(changes as JWTPayload)))
  })

  test.each([
    ['another type', { typ: 'at+jwt' }],
    ['no type', { typ: undefined }],
    ['an extension it insists on', { crit: ['exp'] }],
    ['an unencoded payload', { b64: false, crit: ['b64'] }],
    ['RS512', { alg: 'RS512' }],
    ['PS256', { alg: 'PS256' }],
  ])('by the right key, with %s in its header', async (_, changes) => {
    await expectRefused(await resigned(header(changes), claims()))
  })

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

  test('by the right key, with claims that are no object', async () => {
    for (const payload of ['[]', 'null', '"text"', '1', '{']) {
      const input = `${encode(header())}.${encode(payload)}`
      await expectRefused(await sign(input))
    }
  })
})
