import {
  constants,
  createHash,
  createHmac,
  createPublicKey,
  createVerify,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  privateEncrypt,
  sign,
} from 'node:crypto' // prettier-ignore
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../shared/endpoints/needs.ts'
import type { EndpointName } from '../../shared/http/endpoint.ts'
import { fruitlessBody } from '../support/api/requests.ts'
import { bearerNames, requestLine } from '../support/api/rows.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { type Person, startTarget } from '../support/attack/target.ts'
import { holds, seed } from '../support/property.ts'

/** Access tokens that the service has not issued, or whose time is over. */

const target = startTarget()
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })

let person: Person
/** A token that works, and its parts. */
let good: string
let header: Record<string, unknown>
let claims: Record<string, unknown>
/** The service's own key, which nobody holds on AWS: with it a test can go wrong in one thing at a time. */
let ownKey: string
let publicJwk: JsonWebKey & { kid: string }

const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url') // prettier-ignore
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())

beforeAll(async () => {
  person = await target.register()
  good = await target.logIn(person)
  const [head, body] = good.split('.')
  header = decode(head)
  claims = decode(body)
  ownKey = readFileSync(join(target.dataDirectory, 'keys', 'SigningKeyMain.pem'), 'utf8')
  target.secrets.add(ownKey)
  publicJwk = (await target.send({ path: '/auth/.well-known/jwks.json' })).body.keys[0]
})

/** RS256 by `key`, whatever the header says. */
function signed(head: unknown, body: unknown, key: KeyObject | string = ownKey): string {
  const input = `${encode(head)}.${encode(body)}`
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

const ask = (token: string, name: EndpointName = 'get-me') =>
  target.send({
    ...requestLine(name),
    headers: { authorization: `Bearer ${token}` },
    ...(rows[name].body && { body: fruitlessBody(name) }),
  })

/** Reads of the users table on behalf of a token. */
const reads = (): number =>
  target.system.calls
    .filter(({ caller, action }) => isBearer(caller) && action === 'dynamodb:GetItem')
    .reduce((sum, { count }) => sum + count, 0)

const isBearer = (name: string): boolean => (bearerNames as string[]).includes(name)

/** Refused on every route, in the same words, and without a read of the table unless the signature was right. */
async function expectRefused(token: string, readsAllowed = false): Promise<void> {
  const before = reads()
  for (const name of bearerNames) {
    const { status, body } = await ask(token, name)
    expect([status, body.code, body.detail], token).toEqual([401, 'invalid-access-token', 'Invalid or expired token'])
  }
  if (!readsAllowed) expect(reads()).toBe(before)
}

test('a good token is accepted, and so is one that this test makes with the service’s own key', async () => {
  expect((await ask(good)).body.email).toBe(person.email)
  expect((await ask(signed(header, claims))).body.email).toBe(person.email)
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
    expect(header.kid).toBe(publicJwk.kid)
  })

  test('whoever verifies RFC 7515’s example (A.2) verifies the service’s tokens with its published key', () => {
    expect(verifies(joe, a2)).toBe(true)
    expect(verifies(good, publicJwk)).toBe(true)
    expect(verifies(good, a2)).toBe(false)
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
  /** By Wycheproof's tests of JSON Web Signature, which take away and change every part in turn. */
  test.each<[what: string, change: (head: string, body: string, signature: string) => string]>([
    ['without its signature', (h, b) => `${h}.${b}.`],
    ['without its signature and separator', (h, b) => `${h}.${b}`],
    ['without its payload', (h, _, s) => `${h}..${s}`],
    ['without its payload and separator', (h, _, s) => `${h}.${s}`],
    ['without its header', (_, b, s) => `.${b}.${s}`],
    ['without its header and separator', (_, b, s) => `${b}.${s}`],
    ['of its payload alone', (_, b) => b],
    ['of separators alone', () => '..'],
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
    ['with padding', (h, b, s) => `${h}.${b}.${s}=`],
    ['with whole padding', (h, b, s) => `${h}.${b}.${s}==`],
    ['with padding in its header', (h, b, s) => `${h}=.${b}.${s}`],
    ['with padding in its payload', (h, b, s) => `${h}.${b}=.${s}`],
    ['behind a tab', (h, b, s) => `\t${h}.${b}.${s}`],
    ['with a tab in it', (h, b, s) => `${h}.\t${b}.${s}`],
    ['with a tab and a blank in it', (h, b, s) => `${h}.${b}.\t ${s}`],
  ])('%s', async (_, change) => {
    const [h = '', b = '', s = ''] = good.split('.')
    await expectRefused(change(h, b, s))
  })

  test('by fifteen of the sixteen last characters that spell its signature (RFC 4648 §3.5)', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const bytes = (token: string) => Buffer.from(token.split('.')[2] ?? '', 'base64url')
    const spellings = [...alphabet]
      .map(last => `${good.slice(0, -1)}${last}`)
      .filter(token => bytes(token).equals(bytes(good)))
    expect(spellings).toHaveLength(16)
    for (const token of spellings) {
      if (token === good) expect((await ask(token)).status).toBe(200)
      else await expectRefused(token)
    }
  })

  test.each<[what: string, head: () => object]>([
    ['a key of its own in jwk', () => ({ jwk: stranger.publicKey.export({ format: 'jwk' }) })],
    [
      'a key of its own in jwk, under the right id',
      () => ({ jwk: { ...stranger.publicKey.export({ format: 'jwk' }), kid: header.kid } }),
    ],
    ['a key set of its own in jku', () => ({ jku: `${target.system.baseUrl}/jwks.json` })],
    ['a certificate of its own in x5u', () => ({ x5u: 'https://attacker.example/x5u.pem' })],
    ['a certificate of its own in x5c', () => ({ x5c: ['MIIB'] })],
    ['no kid', () => ({ kid: undefined })],
    ['a kid that nobody has', () => ({ kid: 'nobody' })],
    ['a kid that is a path', () => ({ kid: '../../../../dev/null' })],
    ['a kid that is a query', () => ({ kid: "x' UNION SELECT 'key" })],
    ['a kid that is no text', () => ({ kid: { $ne: null } })],
    ['a kid from Object.prototype', () => ({ kid: '__proto__' })],
    ['the right kid', () => ({})],
  ])('signed by another key with %s', async (_, head) => {
    await expectRefused(signed({ ...header, ...head() }, claims, stranger.privateKey))
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
    await expectRefused(signed({ ...header, alg }, claims))
    await expectRefused(`${encode({ ...header, alg })}.${encode(claims)}.`)
  })

  test('that is keyed by the public key as if it were a secret, in whatever form', async () => {
    const key = createPublicKey({ key: publicJwk, format: 'jwk' })
    const secrets = [
      key.export({ type: 'spki', format: 'pem' }),
      String(key.export({ type: 'spki', format: 'pem' })).trim(),
      key.export({ type: 'pkcs1', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      key.export({ type: 'pkcs1', format: 'der' }),
      JSON.stringify(publicJwk),
      JSON.stringify({ e: publicJwk.e, kty: 'RSA', n: publicJwk.n }),
      Buffer.from(publicJwk.n ?? '', 'base64url'),
      publicJwk.n ?? '',
      '',
    ]
    for (const secret of secrets) {
      for (const [alg, digest] of [
        ['HS256', 'sha256'],
        ['HS512', 'sha512'],
        ['RS256', 'sha256'],
      ] as const) {
        // prettier-ignore
        const input = `${encode({ ...header, alg })}.${encode(claims)}`
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
  ])('that the service’s own key has signed, with %s in its header', async (_, changes) => {
    await expectRefused(signed({ ...header, ...changes }, claims))
  })

  test.each([
    ['expired a second ago', { exp: Math.floor(Date.now() / 1000) - 1 }],
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
  ])('that the service’s own key has signed, %s', async (_, changes) => {
    await expectRefused(signed(header, { ...claims, ...changes }))
  })

  test.each([
    ['another subject', { sub: '0' }],
    ['no subject', { sub: undefined }],
    ['a subject that is no text', { sub: 1 }],
    ['no address', { email: undefined }],
    ['an address that is an object', { email: { S: 'a' } }],
    ['an address in other letters', { email: 'NOBODY@example.com' }],
    ['an empty address', { email: '' }],
    ['an address that is NUL', { email: '\0' }],
    ['an address of 3 KB', { email: 'a'.repeat(3000) }],
    ['no version', { ver: undefined }],
    ['a version to come', { ver: 1 }],
    ['a version that is text', { ver: '0' }],
  ])('that the service’s own key has signed, with %s', async (_, changes) => {
    await expectRefused(signed(header, { ...claims, ...changes }), true)
  })

  test.each(['[]', 'null', '"x"', '1', '{', '', '{"exp":1e999}', '\ufeff{}'])(
    'that the service’s own key has signed, with the claims %s',
    async body => {
      await expectRefused(signed(header, body))
      await expectRefused(signed(body, claims))
    },
  )
})

/**
 * RSASSA-PKCS1-v1_5 (RFC 8017 §9.2): one encoding of a hash is right, and each of these is not. Wycheproof's
 * `ModifiedPadding`, and Bleichenbacher's forgery of 2006.
 */
describe('a signature is refused when', () => {
  const algorithm = '300d06096086480165030402010500'
  const block = (info: string, fill = 'ff', type = '0001') => {
    const length = 256 - 3 - info.length / 2
    return `${type}${fill.repeat(length).slice(0, 2 * length)}00${info}`
  }
  const sha = (name: string, input: string) => createHash(name).update(input).digest('hex')

  const cases: [what: string, encoded: (hash: string, input: string) => string, status: number][] = [
    ['nothing is wrong (it is taken)', h => block(`3031${algorithm}0420${h}`), 200],
    ['a length is in the long form', h => block(`308131${algorithm}0420${h}`), 401],
    ['a length has a leading zero', h => block(`30820031${algorithm}0420${h}`), 401],
    ['a length is one too many', h => block(`3032${algorithm}0420${h}`), 401],
    ['a length overflows 32 bits', h => block(`30850100000031${algorithm}0420${h}`), 401],
    ['a length is indefinite', h => block(`3080${algorithm}0420${h}0000`), 401],
    ['the parameters are absent', h => block(`302f300b06096086480165030402010420${h}`), 401],
    ['the hash is there without its algorithm', h => block(`0420${h}`), 401],
    ['the hash is there alone', h => block(h), 401],
    ['the hash is SHA-1', (_, i) => block(`3021300906052b0e03021a05000414${sha('sha1', i)}`), 401],
    ['the hash is SHA-512', (_, i) => block(`3051300d060960864801650304020305000440${sha('sha512', i)}`), 401],
    ['the hash is cut off', h => block(`3030${algorithm}041f${h.slice(2)}`), 401],
    ['something follows the hash', h => block(`3031${algorithm}0420${h}0500`), 401],
    ['garbage follows a short padding', h => `0001${'ff'.repeat(8)}003031${algorithm}0420${h}`.padEnd(512, 'a5'), 401],
    ['the padding is of zeros', h => block(`3031${algorithm}0420${h}`, '00'), 401],
    ['the padding has one other byte', h => block(`3031${algorithm}0420${h}`).replace('ffff', 'fffe'), 401],
    ['the block is of the other type', h => block(`3031${algorithm}0420${h}`, 'ff', '0002'), 401],
  ]
  test.each(cases)('%s', async (_, encoded, expected) => {
    const input = `${encode(header)}.${encode(claims)}`
    const key = { key: ownKey, padding: constants.RSA_NO_PADDING }
    const signature = privateEncrypt(key, Buffer.from(encoded(sha('sha256', input), input), 'hex'))
    expect((await ask(`${input}.${signature.toString('base64url')}`)).status).toBe(expected)
  })

  test('it is by RSASSA-PSS', async () => {
    const input = `${encode(header)}.${encode(claims)}`
    const key = { key: ownKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    await expectRefused(`${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`)
  })
})

describe(`at random (seed ${seed})`, () => {
  const character = fc.constantFrom(...'AZaz09-_.=+/%')

  test('a token with a changed, missing or added character is refused', () =>
    holds(
      fc.tuple(fc.nat(), fc.constantFrom(0, 1), fc.oneof(character, fc.constant(''))),
      async ([at, removed, inserted]) => {
        const i = at % good.length
        const token = good.slice(0, i) + inserted + good.slice(i + removed)
        const { status, body } = await ask(token)
        expect([status, body.code]).toEqual(token === good ? [200, undefined] : [401, 'invalid-access-token'])
      },
      200,
    ))

  test('a token cut anywhere is refused', () =>
    holds(fc.nat(), async at => expect((await ask(good.slice(0, 1 + (at % (good.length - 1))))).status).toBe(401), 60))

  test('claims and header members of any kind are refused when another key signed them', () =>
    holds(
      fc.tuple(fc.object({ maxDepth: 2, maxKeys: 4 }), fc.object({ maxDepth: 2, maxKeys: 4 })),
      async ([head, body]) => {
        const token = signed({ ...header, ...head }, { ...claims, ...body }, stranger.privateKey)
        if (token.length < 8000) expect((await ask(token)).status).toBe(401)
      },
      60,
    ))

  test('header and claims of any kind, even signed by the service’s own key, never give access to another account', () =>
    holds(
      fc.tuple(
        fc.constantFrom(...['alg', 'typ', 'kid', 'crit', 'b64', 'sub', 'email', 'ver', 'iss', 'aud', 'exp', 'iat']),
        fc.jsonValue(),
      ), // prettier-ignore
      async ([member, value]) => {
        const token = signed({ ...header, [member]: value }, { ...claims, [member]: value })
        const { status, body } = await ask(token)
        if (status === 200) expect(body.email).toBe(person.email)
        else expect(status).toBe(401)
      },
      100,
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
    await target.post('/auth/forgot-password', { email: forgetful.email })
    const [reset] = await target.mailed(forgetful.email)
    await target.post('/auth/reset-password', { token: reset, new_password: target.person().password })
    await expectRefused(token, true)
  })
})

test('a token counts only in the Authorization field', async () => {
  const elsewhere = { cookie: `access_token=${good}`, 'x-access-token': good, 'x-authorization': `Bearer ${good}` }
  for (const name of bearerNames) {
    const { method, path } = requestLine(name)
    const inQuery = { method, path: `${path}?access_token=${good}&token=${good}`, headers: elsewhere }
    expect((await target.send(inQuery)).body.code).toBe('not-authenticated')
    if (!rows[name].body) continue
    const inBody = { method, path, body: { ...fruitlessBody(name), access_token: good, token: good } }
    expect((await target.send(inBody)).body.code).toBe('not-authenticated')
  }
})

testAfterAttack(target)
