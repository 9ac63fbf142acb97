import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { issueAccessToken, tokenView } from '../../../accounts/token/access-token.ts'
import { authenticate } from '../../../accounts/token/authentication.ts'
import { byPassword, claims } from '../../../accounts/token/claims.ts'
import { lastMessage, newClient } from '../../support/service/people.ts'
import { issueTokens } from './issued-token.ts'

const { harness, expectRefused, issued, resigned, sign } = issueTokens()

describe('an access token', () => {
  test('has the claims of the contract, no `sid` without session and no roles without any', () => {
    const issuedAt = harness.deps.now().getTime() / 1000
    const others = Object.keys(claims).filter(name => !['sid', 'roles'].includes(name))
    expect(Object.keys(decodeJwt(issued.token))).toEqual(others)
    expect(decodeJwt(issued.token)).toMatchObject({
      sub: issued.account.id,
      email: 'ada@example.com',
      email_verified: false,
      ver: 0,
      iss: 'https://api.example.com/auth',
      aud: 'gatehouse',
      auth_time: issuedAt,
      iat: issuedAt,
      exp: issuedAt + 3600,
    })
  })

  test('says whether the address was verified when issued, and holds once it is', async () => {
    await verifyEmail(harness.deps, newClient(), lastMessage(harness).token)
    const { account: verified, claims } = await authenticate(harness.deps, issued.token)
    expect([verified.id, verified.isVerified, claims.email_verified]).toEqual([issued.account.id, true, false])
    expect(
      decodeJwt((await issueAccessToken(harness.deps, verified, byPassword(harness.deps, verified))).token)
        .email_verified,
    ).toBe(true)
  })

  test('names its algorithm, its type and the id of its key in KMS', async () => {
    const [key] = (await harness.deps.publicKeys.listUsable()).keys
    expect(decodeProtectedHeader(issued.token)).toEqual({ alg: 'RS256', typ: 'JWT', kid: harness.deps.signer.keyId })
    expect(key?.kid).toBe(harness.deps.signer.keyId)
  })

  test('is valid for the configured time', async () => {
    harness.config.accessTokenMinutes = 5
    const ofFiveMinutes = await issueAccessToken(harness.deps, issued.account, byPassword(harness.deps, issued.account))
    const { expires_in, access_token, token_type } = tokenView(ofFiveMinutes)
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
    if (works)
      expect(await authenticate(harness.deps, issued.token)).toMatchObject({ account: { id: issued.account.id } })
    else await expectRefused(issued.token)
  })

  test.each([
    ['works if it was issued in that second', 0, true],
    ['is refused if it was issued in the second before', 1, false],
  ])('%s: TOKENS_NOT_BEFORE', async (_, seconds, works) => {
    harness.config.tokensNotBefore = new Date(harness.deps.now().getTime() + seconds * 1000)
    harness.advance(1000)
    const answer = authenticate(harness.deps, issued.token)
    if (works) expect(await answer).toMatchObject({ account: { id: issued.account.id } })
    else await expect(answer).rejects.toMatchObject({ code: 'invalid-access-token' })
  })
})

/** RFC 7515 §2 and RFC 4648 §3.5: a list of revoked tokens that is keyed by their text must not miss one. */
describe('a token has one spelling:', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

  test('the spare bits of its last character are zero', async () => {
    const accepted: string[] = []
    for (const last of alphabet) {
      const other = `${issued.token.slice(0, -1)}${last}`
      await authenticate(harness.deps, other).then(
        () => accepted.push(other),
        error => expect(error).toMatchObject({ code: 'invalid-access-token' }),
      )
    }
    expect(accepted).toEqual([issued.token])
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
      const parts = issued.token.split('.').map((part, i) => (i === at ? respell(part) : part))
      if (parts.join('.') !== issued.token) await expectRefused(parts.join('.'))
    }
  })

  test.each([0, 1])('not even when it is signed that way: part %i has padding', async at => {
    const [head = '', body = ''] = issued.token.split('.')
    const input = [head, body].map((part, i) => (i === at ? `${part}=` : part)).join('.')
    await expectRefused(await sign(input))
  })
})

test.each([
  ['another address', { email: 'nobody@example.com' }],
  ['no address', { email: undefined }],
])('a token leads to the account that it names, with %s in its claims', async (_, changes) => {
  const token = await resigned(decodeProtectedHeader(issued.token), { ...decodeJwt(issued.token), ...changes })
  expect((await authenticate(harness.deps, token)).account.id).toBe(issued.account.id)
})

test('a failure to read the keys is not answered as a bad token', async () => {
  harness.broken = 'KMS'
  await expect(authenticate(harness.deps, issued.token)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a token costs one read, a forged one none, a foreign key id no call', async () => {
  harness.calls.length = 0
  await authenticate(harness.deps, issued.token)
  expect(harness.calls).toEqual(['GetPublicKey', 'GetItem Accounts'])
  harness.calls.length = 0
  await expectRefused(issued.token.replace(/[^.]+$/, 'YQ'))
  expect(harness.calls).toEqual(['GetPublicKey'])
  harness.calls.length = 0
  for (const token of ['YQ.YQ.YQ', 'a.b.c']) await expectRefused(token)
  expect(harness.calls).toEqual([])
})
