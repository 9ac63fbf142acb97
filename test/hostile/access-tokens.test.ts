import { createPublicKey, createVerify, type JsonWebKey } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rows } from '../../api/needs.ts'
import { fruitlessBody } from '../support/api/requests.ts'
import { bearerNames, requestLine } from '../support/api/rows.ts'
import { decode, encode, issueToken } from '../support/attack/access-token.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { startTarget } from '../support/attack/target.ts'
import { holds, seed } from '../support/property.ts'

/** Foreign or expired access tokens, on every route. Rules for their header, claims and spelling are in `test/accounts/token/`. */

const target = startTarget()
const { issued, signed, ask, expectRefused } = issueToken(target)

test('a good token is accepted, and so is one that this test makes with the service’s own key', async () => {
  expect((await ask(issued.good)).body.email).toBe(issued.person.email)
  expect((await ask(signed(issued.header, issued.claims))).body.email).toBe(issued.person.email)
})

describe('by the standards’ own examples', () => {
  /** RFC 7515 appendix A.2. */
  const a2 = {
    n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
    e: 'AQAB',
    payload: 'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ',
    signature:
      'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw',
  }
  const verifies = (token: string, { n, e }: JsonWebKey): boolean => {
    const [head, body, signature = ''] = token.split('.')
    const key = createPublicKey({ key: { kty: 'RSA', n, e } as JsonWebKey, format: 'jwk' })
    return createVerify('sha256').update(`${head}.${body}`).verify(key, signature, 'base64url')
  }
  const joe = `eyJhbGciOiJSUzI1NiJ9.${a2.payload}.${a2.signature}`

  test('a token names the key that verifies it as the key set does (RFC 7515 §4.1.4)', () => {
    expect(issued.header.kid).toBe(issued.publicJwk.kid)
  })

  test('a verifier that accepts RFC 7515’s example (A.2) accepts the service’s tokens by its published key', () => {
    expect(verifies(joe, a2)).toBe(true)
    expect(verifies(issued.good, issued.publicJwk)).toBe(true)
    expect(verifies(issued.good, a2)).toBe(false)
  })

  test.each([
    [
      'HS256 (A.1)',
      `eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.${a2.payload}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`,
    ],
    ['RS256 (A.2)', joe],
    [
      'ES256 (A.3)',
      `eyJhbGciOiJFUzI1NiJ9.${a2.payload}.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q`,
    ],
    ['no algorithm (A.5)', `eyJhbGciOiJub25lIn0.${a2.payload}.`],
  ])('RFC 7515’s own token of %s is refused', async (_, token) => {
    await expectRefused(token)
  })
})

describe('a token is refused', () => {
  /** By Wycheproof's tests of JSON Web Signature, which remove and change every part in turn. */
  test.each<[what: string, change: (head: string, body: string, signature: string) => string]>([
    ['without its signature', (h, b) => `${h}.${b}.`],
    ['without its signature and separator', (h, b) => `${h}.${b}`],
    ['without its payload', (h, _, s) => `${h}..${s}`],
    ['without its payload and separator', (h, _, s) => `${h}.${s}`],
    ['without its header', (_, b, s) => `.${b}.${s}`],
    ['without its header and separator', (_, b, s) => `${b}.${s}`],
    ['of its payload alone', (_, b) => b],
    ['with an empty part more', (h, b, s) => `${h}.${b}.${s}.`],
    ['with a part more', (h, b, s) => `${h}.${b}.${s}.foo`],
    ['in JSON', (h, b, s) => encode({ payload: b, signatures: [{ protected: h, signature: s }] })],
    ['with a changed header', (h, b, s) => `${encode({ ...decode(h), kid: 'x' })}.${b}.${s}`],
    ['with a changed payload', (h, b, s) => `${h}.${encode({ ...decode(b), ver: 1 })}.${s}`],
    ['with a changed signature', (h, b, s) => `${h}.${b}.${s[0] === 'A' ? 'B' : 'A'}${s.slice(1)}`],
    ['with a signature of zeros', (h, b, s) => `${h}.${b}.${'A'.repeat(s.length)}`],
    ['with a signature that is one', (h, b) => `${h}.${b}.AQ`],
    [
      'with a byte before its signature',
      (h, b, s) =>
        `${h}.${b}.${Buffer.from(`00${Buffer.from(s, 'base64url').toString('hex')}`, 'hex').toString('base64url')}`,
    ],
    ['with its parts in another order', (h, b, s) => `${b}.${h}.${s}`],
    ['cut off by one character', (h, b, s) => `${h}.${b}.${s.slice(0, -1)}`],
    ['followed by a character', (h, b, s) => `${h}.${b}.${s}A`],
    ['twice', (h, b, s) => `${h}.${b}.${s}${h}.${b}.${s}`],
    ['behind a tab', (h, b, s) => `\t${h}.${b}.${s}`],
    ['with a tab in it', (h, b, s) => `${h}.\t${b}.${s}`],
    ['with a tab and a blank in it', (h, b, s) => `${h}.${b}.\t ${s}`],
  ])('%s', async (_, change) => {
    const [h = '', b = '', s = ''] = issued.good.split('.')
    await expectRefused(change(h, b, s))
  })
})

describe(`at random (seed ${seed})`, () => {
  const character = fc.constantFrom(...'AZaz09-_.=+/%')

  test('a token with a changed, missing or added character is refused', () =>
    holds(
      fc.tuple(fc.nat(), fc.constantFrom(0, 1), fc.oneof(character, fc.constant(''))),
      async ([at, removed, inserted]) => {
        const i = at % issued.good.length
        const token = issued.good.slice(0, i) + inserted + issued.good.slice(i + removed)
        const { status, body } = await ask(token)
        expect([status, body.code]).toEqual(token === issued.good ? [200, undefined] : [401, 'invalid-access-token'])
      },
      200,
    ))

  test('header and claims of any kind, even signed by the service’s own key, never give access to another account', () =>
    holds(
      fc.tuple(
        fc.constantFrom(...['alg', 'typ', 'kid', 'crit', 'b64', 'sub', 'email', 'ver', 'iss', 'aud', 'exp', 'iat']),
        fc.jsonValue(),
      ),
      async ([member, value]) => {
        const token = signed({ ...issued.header, [member]: value }, { ...issued.claims, [member]: value })
        const { status, body } = await ask(token)
        if (status === 200) expect(body.email).toBe(issued.person.email)
        else expect(status).toBe(401)
      },
      100,
    ))

  test('a token cut anywhere is refused', () =>
    holds(
      fc.nat(),
      async at => expect((await ask(issued.good.slice(0, 1 + (at % (issued.good.length - 1))))).status).toBe(401),
      60,
    ))
})

describe('a token stops working', () => {
  test('with its account, and stays dead when the address is registered again', async () => {
    const gone = await target.register()
    const token = await target.logIn(gone)
    await target.users.remove(gone.email)
    await expectRefused(token, true)
    await target.register(gone)
    await expectRefused(token, true)
  })

  test('with its password', async () => {
    const forgetful = await target.register()
    const token = await target.logIn(forgetful)
    // The mail of the registration comes first, with a token of its own.
    await target.mailed(forgetful.email)
    await target.post('/auth/forgot-password', { email: forgetful.email })
    const [, reset] = await target.mailed(forgetful.email, 2)
    const { status } = await target.post('/auth/reset-password', {
      token: reset,
      new_password: target.person().password,
    })
    expect(status).toBe(200)
    await expectRefused(token, true)
  })
})

test('a token counts only in the Authorization field', async () => {
  const elsewhere = {
    cookie: `access_token=${issued.good}`,
    'x-access-token': issued.good,
    'x-authorization': `Bearer ${issued.good}`,
  }
  for (const name of bearerNames) {
    const { method, path } = requestLine(name)
    const hasBody = rows[name].body !== undefined
    const inQuery = { method, path: `${path}?access_token=${issued.good}&token=${issued.good}`, headers: elsewhere }
    const answer = await target.send({ ...inQuery, ...(hasBody && { body: fruitlessBody(name) }) })
    expect(answer.body.code).toBe('not-authenticated')
    if (!hasBody) continue
    const inBody = { method, path, body: { ...fruitlessBody(name), access_token: issued.good, token: issued.good } }
    expect((await target.send(inBody)).body.code).toBe('not-authenticated')
  }
})

testAfterAttack(target)
