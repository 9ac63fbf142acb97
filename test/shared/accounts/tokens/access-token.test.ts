import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto'
import { base64url, decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../../../shared/accounts/account.ts'
import { verifyEmail } from '../../../../shared/accounts/email-verification.ts'
import { logIn } from '../../../../shared/accounts/login.ts'
import { requestMail } from '../../../../shared/accounts/mail/queue.ts'
import { deliverMail } from '../../../../shared/accounts/mail/worker.ts'
import { resetPassword } from '../../../../shared/accounts/passwords/password-reset.ts'
import { openAccount } from '../../../../shared/accounts/registration.ts'
import { issueAccessToken } from '../../../../shared/accounts/tokens/access-token.ts'
import { authenticate } from '../../../../shared/accounts/tokens/authentication.ts'
import { tokenResponse } from '../../../../shared/endpoints/replies.ts'
import { createHarness } from '../../../support/service/harness.ts'
import { lastMessage } from '../../../support/service/people.ts'

const harness = createHarness()
const remote = '203.0.113.7'
const credentials = { email: 'ada@example.com', password: 'correct horse' }
let account: Account
let token: string

beforeEach(async () => {
  await openAccount(harness.deps, { ...credentials, name: 'Ada' })
  account = await logIn(harness.deps, '203.0.113.7', credentials)
  token = (await issueAccessToken(harness.deps, account)).token
})

const isRefused = async (candidate: string) =>
  expect(authenticate(harness.deps, candidate)).rejects.toMatchObject({ code: 'invalid-access-token' })

const encode = (part: object | string): string =>
  base64url.encode(typeof part === 'string' ? part : JSON.stringify(part))

/** A token with changed parts, signed by the service's own key. */
async function resigned(header: object, claims: object): Promise<string> {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${base64url.encode(await harness.deps.signer.sign(new TextEncoder().encode(input)))}`
}

describe('an access token', () => {
  test('has the claims that the contract names, and no others', () => {
    const issuedAt = harness.deps.now().getTime() / 1000
    expect(decodeJwt(token)).toEqual({
      sub: account.id,
      email: 'ada@example.com',
      email_verified: false,
      ver: 0,
      iss: 'https://api.example.com/auth',
      aud: 'gatehouse',
      iat: issuedAt,
      exp: issuedAt + 3600,
    })
  })

  test('says whether the address was verified when it was issued, and still holds once it is', async () => {
    await verifyEmail(harness.deps, lastMessage(harness).token)
    const verified = await authenticate(harness.deps, token)
    expect([verified.id, verified.isVerified, decodeJwt(token).email_verified]).toEqual([account.id, true, false])
    expect(decodeJwt((await issueAccessToken(harness.deps, verified)).token).email_verified).toBe(true)
  })

  test('names its algorithm, its type and the id of its key in KMS', async () => {
    const [key] = (await harness.deps.publicKeys()).keys
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'JWT', kid: harness.deps.signer.keyId })
    expect(key?.kid).toBe(harness.deps.signer.keyId)
  })

  test('is valid for the configured time', async () => {
    harness.config.accessTokenMinutes = 5
    const issued = await issueAccessToken(harness.deps, account)
    const { expires_in, access_token, token_type } = tokenResponse(issued)
    expect(expires_in).toBe(300)
    expect(token_type).toBe('bearer')
    const { iat = 0, exp = 0 } = decodeJwt(access_token)
    expect(exp - iat).toBe(300)
  })

  test.each([
    ['works until its last second', 3599, true],
    ['is refused from the second in which it expires', 3600, false],
  ])('%s', async (_, age, works) => {
    harness.advance(age * 1000)
    if (works) expect(await authenticate(harness.deps, token)).toMatchObject({ id: account.id })
    else await isRefused(token)
  })

  test('is void once the password changes', async () => {
    harness.queue.length = 0
    await requestMail(harness.deps, 'reset', account.email)
    const [queued] = harness.queue
    if (!queued) throw new Error('nothing was queued')
    await deliverMail(harness.deps, queued.message, harness.deps.now())
    await resetPassword(harness.deps, remote, { token: queued.message.token, new_password: 'battery staple' })
    await isRefused(token)
  })

  test('of another account by the same address is refused', async () => {
    await isRefused(await resigned(decodeProtectedHeader(token), { ...decodeJwt(token), sub: randomUUID() }))
  })

  test('of an account that is gone is refused', async () => {
    await isRefused(await resigned(decodeProtectedHeader(token), { ...decodeJwt(token), email: 'bob@example.com' }))
  })
})

/** RFC 7515 §2 and RFC 4648 §3.5: a list of revoked tokens that is keyed by their text must not miss one. */
describe('a token has one spelling:', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

  test('the spare bits of its last character are zero', async () => {
    const accepted: string[] = []
    for (const last of alphabet) {
      const other = `${token.slice(0, -1)}${last}`
      await authenticate(harness.deps, other).then(
        () => accepted.push(other),
        error => expect(error).toMatchObject({ code: 'invalid-access-token' }),
      )
    }
    expect(accepted).toEqual([token])
  })

  test.each<[what: string, respell: (part: string) => string]>([
    ['padding', part => `${part}=`],
    ['two characters of padding', part => `${part}==`],
    ['whole padding', part => part.padEnd(Math.ceil(part.length / 4) * 4 + 4, '=')],
    ['a blank behind it', part => `${part} `],
    ['a tab before it', part => `\t${part}`],
    ['a line break within it', part => `${part.slice(0, 4)}\n${part.slice(4)}`],
    ['a character outside the alphabet', part => `${part}*`],
    ['the alphabet of base64', part => part.replaceAll('-', '+').replaceAll('_', '/').concat('+')],
  ])('no part of it has %s', async (_, respell) => {
    for (const at of [0, 1, 2]) {
      const parts = token.split('.').map((part, i) => (i === at ? respell(part) : part))
      if (parts.join('.') !== token) await isRefused(parts.join('.'))
    }
  })

  test.each([0, 1])('not even when it is signed that way: part %i has padding', async at => {
    const [head = '', body = ''] = token.split('.')
    const input = [head, body].map((part, i) => (i === at ? `${part}=` : part)).join('.')
    await isRefused(`${input}.${base64url.encode(await harness.deps.signer.sign(new TextEncoder().encode(input)))}`)
  })
})

describe('a forged token is refused:', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const claims = (changes: JWTPayload = {}): JWTPayload => ({ ...decodeJwt(token), ...changes })
  const header = (changes: object = {}) => ({ ...decodeProtectedHeader(token), ...changes })

  test('with another signature', async () => {
    const [head, body, signature = ''] = token.split('.')
    await isRefused(`${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`)
  })

  test('with no signature', async () => {
    const [head, body] = token.split('.')
    await isRefused(`${head}.${body}.`)
    await isRefused(`${head}.${body}`)
  })

  test.each(['none', 'None', 'NONE'])('with the algorithm %s', async alg => {
    await isRefused(`${encode(header({ alg }))}.${encode(claims())}.`)
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
    await isRefused(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)
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
    await isRefused(forged)
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
    await isRefused(await resigned(header(), claims(changes as JWTPayload)))
  })

  test.each([
    ['another type', { typ: 'at+jwt' }],
    ['no type', { typ: undefined }],
    ['an extension it insists on', { crit: ['exp'] }],
    ['an unencoded payload', { b64: false, crit: ['b64'] }],
    ['RS512', { alg: 'RS512' }],
    ['PS256', { alg: 'PS256' }],
  ])('by the right key, with %s in its header', async (_, changes) => {
    await isRefused(await resigned(header(changes), claims()))
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
    await isRefused(candidate)
  })

  test('by the right key, with claims that are no object', async () => {
    for (const payload of ['[]', 'null', '"text"', '1', '{']) {
      const input = `${encode(header())}.${encode(payload)}`
      await isRefused(`${input}.${base64url.encode(await harness.deps.signer.sign(new TextEncoder().encode(input)))}`)
    }
  })
})

test('a failure to read the keys is not answered as a bad token', async () => {
  harness.broken = 'KMS'
  await expect(authenticate(harness.deps, token)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a failure of the users table is not answered as a bad token', async () => {
  harness.broken = 'Users'
  await expect(authenticate(harness.deps, token)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a token costs one read of the account, a forged one none, and a malformed one no call at all', async () => {
  harness.calls.length = 0
  await authenticate(harness.deps, token)
  expect(harness.calls).toEqual(['GetPublicKey', 'GetItem Users'])
  harness.calls.length = 0
  await isRefused('YQ.YQ.YQ')
  expect(harness.calls).toEqual(['GetPublicKey'])
  harness.calls.length = 0
  await isRefused('a.b.c')
  expect(harness.calls).toEqual([])
})
