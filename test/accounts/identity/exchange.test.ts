import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { compactVerify, importSPKI } from 'jose'
import { describe, expect, test } from 'vitest'
import { findProvider, offeredIn } from '../../../accounts/identity/provider.ts'
import { type Algorithm, challengeOf, encryptedFor, type Lies, makeKey } from '../../support/service/lying-provider.ts'
import { startExchanging, verifier } from './exchanging.ts'

const service = startExchanging()
const { confirm, confirmed, expectFailed } = service
const now = () => service.deps.now().getTime() / 1000

/** Sets members of the provider's entry. */
const enter = (members: object) => Object.assign(service.liar.provider, members)

test('a code is exchanged for what the provider confirms', async () => {
  const claims = { email: 'Ada@Example.com', email_verified: true, name: 'Ada', auth_time: now() - 60, picture: 'x' }
  expect(await confirmed(claims)).toEqual({
    provider: 'example',
    issuer: service.liar.provider.issuer,
    subject: '248289761001',
    email: 'ada@example.com',
    isEmailProven: true,
    name: 'Ada',
    authTime: new Date((now() - 60) * 1000),
    claims: {},
  })
  expect(service.events).toEqual([])
})

test('one POST, and the keys fetched beside it, are all that the provider hears', async () => {
  const { tokenEndpoint, jwksUri } = service.liar.provider
  await confirm()
  expect(service.called.toSorted()).toEqual([jwksUri, tokenEndpoint].toSorted())
  await confirm()
  expect(service.called.slice(2)).toEqual([tokenEndpoint])
})

test('a callback that names another issuer is refused before anything is sent (RFC 9207)', async () => {
  for (const iss of ['https://evil.example', `${service.liar.provider.issuer}/`, ''])
    await expectFailed('provider-refused', 'issuer', { iss })
  expect(service.called).toEqual([])
  await confirm({ iss: service.liar.provider.issuer })
})

describe('the provider is shown', () => {
  const shown = async () => {
    await confirm({ code: service.liar.authorize(verifier) })
    const [exchange] = service.liar.exchanges.splice(0)
    if (!exchange) throw new Error('nothing was sent')
    return exchange
  }
  const grant = {
    grant_type: 'authorization_code',
    code: 'code-1',
    code_verifier: verifier,
    redirect_uri: 'https://id.example.com/sign-in/example',
  }
  const encrypted = (secret: string) => encryptedFor('example', secret)

  test('the secret in the form', async () => {
    const { method, headers, form } = await shown()
    expect(form).toEqual({ ...grant, client_id: 'gatehouse-at-example', client_secret: 's3cret' })
    expect([method, headers['content-type'], headers.authorization]).toEqual([
      'POST',
      'application/x-www-form-urlencoded',
      undefined,
    ])
  })

  test('the secret by Basic, each part encoded (RFC 6749 §2.3.1)', async () => {
    enter({ auth: 'basic', clientId: 'a:b', secret: encrypted('p:s+w ü%') })
    const { headers, form } = await shown()
    expect(form).toEqual(grant)
    const [scheme, pair = ''] = headers.authorization?.split(' ') ?? []
    expect([scheme, Buffer.from(pair, 'base64').toString()]).toEqual(['Basic', 'a%3Ab:p%3As%2Bw%20%C3%BC%25'])
  })

  test('a JWT of five minutes that the secret signs, as Apple wants it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
    enter({ auth: { team: 'TEAM', key: 'KEY' }, secret: encrypted(pem) })
    const { client_secret = '', ...form } = (await shown()).form
    expect(form).toEqual({ ...grant, client_id: 'gatehouse-at-example' })
    const spki = publicKey.export({ format: 'pem', type: 'spki' }) as string
    const { payload, protectedHeader } = await compactVerify(client_secret, await importSPKI(spki, 'ES256'))
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY' })
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
      iss: 'TEAM',
      sub: 'gatehouse-at-example',
      aud: service.liar.provider.issuer,
      iat: now(),
      exp: now() + 300,
    })
  })

  test.each<[string, () => object]>([
    ['was encrypted for another provider', () => ({ secret: encryptedFor('other', 's3cret') })],
    ['signs nothing', () => ({ auth: { team: 'T', key: 'K' } })],
    [
      'is a key of another curve',
      () => {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
        const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
        return { auth: { team: 'T', key: 'K' }, secret: encrypted(pem) }
      },
    ],
    [
      'is a key of another kind',
      () => {
        const { privateKey } = generateKeyPairSync('ed25519')
        const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
        return { auth: { team: 'T', key: 'K' }, secret: encrypted(pem) }
      },
    ],
  ])('nothing if the secret %s: the operator learns of it', async (_, members) => {
    enter(members())
    await expectFailed('provider-misconfigured', 'secret')
    expect(service.liar.exchanges).toEqual([])
  })
})

describe('an answer without an id token', () => {
  test.each<[string, string, Lies['answer']]>([
    ['provider-refused', 'code', { status: 400, body: { error: 'invalid_grant' } }],
    ['provider-refused', 'code', { status: 401, body: { error: 'invalid_grant' } }],
    ['provider-refused', 'code', { status: 200, body: { error: 'invalid_grant' } }],
    ['provider-misconfigured', 'client', { status: 400, body: { error: 'invalid_client' } }],
    ['provider-misconfigured', 'client', { status: 401, body: { error: 'invalid_client' } }],
    ['provider-misconfigured', 'client', { status: 401, body: '' }],
    ['provider-misconfigured', 'client', { status: 400, body: { error: 'unauthorized_client' } }],
    ['provider-unavailable', 'answer', { status: 400, body: { error: 'invalid_request' } }],
    ['provider-unavailable', 'answer', { status: 400, body: { error: 'redirect_uri_mismatch' } }],
    ['provider-unavailable', 'answer', { status: 500, body: { error: 'invalid_grant' } }],
    ['provider-unavailable', 'answer', { status: 503, body: { error: 'invalid_client' } }],
    ['provider-unavailable', 'answer', { status: 429, body: '' }],
    ['provider-unavailable', 'answer', { status: 404, body: '<html>' }],
    ['provider-unavailable', 'answer', { body: '' }],
    ['provider-unavailable', 'answer', { body: '{"id_token":' }],
    ['provider-unavailable', 'answer', { body: [] }],
    ['provider-unavailable', 'answer', { body: 'null' }],
    ['provider-unavailable', 'answer', { body: '"id_token"' }],
    ['provider-unavailable', 'answer', { body: {} }],
    ['provider-unavailable', 'answer', { body: { access_token: 'x', token_type: 'Bearer' } }],
    ['provider-unavailable', 'answer', { body: { id_token: null } }],
    ['provider-unavailable', 'answer', { body: { id_token: ['a.b.c'] } }],
    ['provider-unavailable', 'answer', { body: '{"__proto__":{"id_token":"a.b.c"}}' }],
  ])('is %s, by its %s: %j', async (event, reason, answer) => {
    service.liar.lies = { answer: answer ?? { body: '' } }
    await expectFailed(event as 'provider-refused', reason)
  })

  test('is none, whatever its status says: an id token comes with 200 (RFC 6749)', async () => {
    const id_token = service.liar.idToken(challengeOf(verifier))
    for (const status of [201, 302, 400, 500]) {
      service.liar.lies = { answer: { status, body: { id_token } } }
      await expectFailed('provider-unavailable', 'answer')
    }
  })
})

test('an answer that begins with a byte order mark is read', async () => {
  const id_token = service.liar.idToken(challengeOf(verifier))
  service.liar.lies = { answer: { body: `\ufeff${JSON.stringify({ id_token })}` } }
  expect(await confirm()).toMatchObject({ subject: '248289761001' })
})

test('a used or unknown code is refused', async () => {
  const code = service.liar.authorize(verifier)
  await confirm({ code })
  await expectFailed('provider-refused', 'code', { code })
  await expectFailed('provider-refused', 'code', { code: 'drawn-by-nobody' })
})

test('a code that another browser got is refused, though the provider ignores PKCE', async () => {
  const injected = service.liar.authorize('w'.repeat(43))
  await expectFailed('provider-refused', 'nonce', { code: injected })
})

describe('an id token is taken', () => {
  test.each<[Algorithm, string]>([
    ['RS256', 'RS256'],
    ['PS256', 'PS256'],
    ['ES256', 'ES256'],
    ['EdDSA', 'EdDSA'],
    ['EdDSA', 'Ed25519'],
  ])('that a key of %s signs, named %s', async (algorithm, alg) => {
    service.liar.key = makeKey(algorithm, 'of-its-own')
    service.liar.published = { keys: [makeKey('ES256', 'other').jwk, service.liar.key.jwk] }
    service.liar.lies = { header: { alg } }
    expect(await confirm()).toMatchObject({ subject: '248289761001' })
  })

  test.each<[string, Lies]>([
    ['without the id of a key, of a provider that has one', { header: { kid: undefined } }],
    ['of any type', { header: { typ: 'JWT' } }],
    ['with addresses of keys in its header, which nobody calls', { header: { jku: 'https://evil.example/keys' } }],
    ['for the client in an array', { claims: { aud: ['gatehouse-at-example'] } }],
    ['that was made for the client', { claims: { azp: 'gatehouse-at-example' } }],
    [
      'for the client beside others, if it was made for it',
      { claims: { aud: ['other', 'gatehouse-at-example'], azp: 'gatehouse-at-example' } },
    ],
    ['for the client twice', { claims: { aud: Array(2).fill('gatehouse-at-example'), azp: 'gatehouse-at-example' } }],
    ['with a subject of 255 characters', { claims: { sub: 's'.repeat(255) } }],
    ['with claims that nobody knows', { claims: { groups: ['a'], 'https://x.example/y': { z: null } } }],
  ])('%s', async (_, lies) => {
    service.liar.lies = lies
    expect(await confirm()).toMatchObject({ provider: 'example' })
  })

  test.each([
    ['exp', -59],
    ['iat', 60],
    ['iat', -600],
    ['nbf', 60],
    ['nbf', -601],
  ])('whose %s is %i s from now', async (claim, seconds) => {
    service.liar.lies = { claims: { [claim]: now() + seconds } }
    await confirm()
  })

  test('without the id of a key, where the others of its provider only encrypt', async () => {
    const { key } = service.liar
    service.liar.published = { keys: [{ ...makeKey('RS256', 'enc').jwk, use: 'enc' }, key.jwk] }
    service.liar.lies = { header: { kid: undefined } }
    await confirm()
  })
})

describe('an id token is refused by its', () => {
  const stranger = makeKey('ES256', 'usual')
  const flipped = (signature: string) => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`

  test.each<[string, string, (() => Lies) | Lies]>([
    ['form', 'no dots', { answer: { body: { id_token: 'x' } } }],
    ['form', 'only dots', { answer: { body: { id_token: '..' } } }],
    ['form', 'an encrypted token', { answer: { body: { id_token: 'a.b.c.d.e' } } }],
    ['form', 'a header that is no JSON', { answer: { body: { id_token: 'e30x.e30.AA' } } }],
    ['form', 'no algorithm', { header: { alg: undefined } }],
    ['form', 'an algorithm that is no text', { header: { alg: ['ES256'] } }],
    ['form', 'a critical extension', { header: { crit: ['x'], x: 1 } }],
    ['form', 'a payload that is not encoded', { header: { crit: ['b64'], b64: false } }],
    ['form', 'claims that are no JSON', { payload: '{' }],
    ['form', 'no claims', { payload: '' }],
    ['form', 'claims that are null', { payload: 'null' }],
    ['form', 'claims that are a list', { payload: '[]' }],
    ['form', 'claims that are a text', { payload: '"sub"' }],
    ['form', 'claims in Latin-1', { payload: Buffer.from('{"sub":"ü"}', 'latin1') }],
    ['algorithm', 'none', { header: { alg: 'none' }, sign: () => '' }],
    ['algorithm', 'None, in other letters', { header: { alg: 'None' }, sign: () => '' }],
    ...['HS256', 'HS512', 'RS1', 'RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES256K', 'ML-DSA-44', 'dir', ''].map(
      (alg): [string, string, Lies] => [alg ? 'algorithm' : 'form', alg, { header: { alg } }],
    ),
    [
      'algorithm',
      'HS256 by the public key, as a secret',
      () => {
        const jwk = service.liar.key.jwk
        const spki = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' })
        const sign = (signed: string) => createHmac('sha256', spki).update(signed).digest('base64url')
        return { header: { alg: 'HS256' }, sign }
      },
    ],
    ['key', 'a kid that nobody has', { header: { kid: 'nobody' } }],
    ['key', 'a kid that is no text', { header: { kid: 7 } }],
    ['key', 'a kid of the prototype', { header: { kid: '__proto__' } }],
    ['key', 'a key of another algorithm', { header: { alg: 'RS256' } }],
    ['signature', 'a stranger, under the id of the key', { key: stranger }],
    ['signature', 'a stranger who is no name of a key', { key: stranger, header: { kid: undefined } }],
    ['signature', 'a stranger, with the key in the header', { key: stranger, header: { jwk: stranger.jwk } }],
    ['signature', 'a stranger, with an address of keys', { key: stranger, header: { jku: 'https://evil.example/k' } }],
    ['signature', 'a stranger, with a certificate', { key: stranger, header: { x5c: ['MIIB'] } }],
    ['signature', 'nothing', { sign: () => '' }],
    ['signature', 'zeros', { sign: () => Buffer.alloc(64).toString('base64url') }],
    ['issuer', 'another', { claims: { iss: 'https://evil.example' } }],
    ['issuer', 'one with a slash more', () => ({ claims: { iss: `${service.liar.provider.issuer}/` } })],
    ['issuer', 'several', () => ({ claims: { iss: [service.liar.provider.issuer] } })],
    ['issuer', 'none', { claims: { iss: undefined } }],
    ['audience', 'another client', { claims: { aud: 'other' } }],
    ['audience', 'another client, made for ours', { claims: { aud: 'other', azp: 'gatehouse-at-example' } }],
    ['audience', 'another client beside ours', { claims: { aud: ['gatehouse-at-example', 'other'] } }],
    [
      'audience',
      'another beside ours, which it is for',
      { claims: { aud: ['gatehouse-at-example', 'other'], azp: 'other' } },
    ],
    ['audience', 'two others, made for ours', { claims: { aud: ['other', 'more'], azp: 'gatehouse-at-example' } }],
    ['audience', 'a number beside ours', { claims: { aud: ['gatehouse-at-example', 7], azp: 'gatehouse-at-example' } }],
    ['audience', 'ours within a list', { claims: { aud: [['gatehouse-at-example']], azp: 'gatehouse-at-example' } }],
    ['audience', 'ours twice', { claims: { aud: ['gatehouse-at-example', 'gatehouse-at-example'] } }],
    ['audience', 'nobody', { claims: { aud: [] } }],
    ['audience', 'none', { claims: { aud: undefined } }],
    ['audience', 'an object', { claims: { aud: { 0: 'gatehouse-at-example', length: 1 } } }],
    ['audience', 'ours, made for another', { claims: { azp: 'other' } }],
    ['audience', 'ours, made for null', { claims: { azp: null } }],
    ['expired', 'its end a minute ago', () => ({ claims: { exp: now() - 60 } })],
    ['expired', 'no end', { claims: { exp: undefined } }],
    ['expired', 'an end that is a text', { claims: { exp: '9999999999' } }],
    ['expired', 'an end beyond all numbers', () => ({ payload: `{"exp":1e999,${common()}}` })],
    ['age', 'over ten minutes ago', () => ({ claims: { iat: now() - 601 } })],
    ['age', 'in over a minute', () => ({ claims: { iat: now() + 61 } })],
    ['age', 'a beginning in over a minute', () => ({ claims: { nbf: now() + 61 } })],
    ['age', 'a beginning that is a text', () => ({ claims: { nbf: String(now()) } })],
    ['age', 'a beginning that is null', { claims: { nbf: null } }],
    ['age', 'no time', { claims: { iat: undefined } }],
    ['age', 'a text', () => ({ claims: { iat: String(now()) } })],
    ['nonce', 'another', { claims: { nonce: challengeOf('w'.repeat(43)) } }],
    ['nonce', 'the verifier itself', { claims: { nonce: verifier } }],
    ['nonce', 'none', { claims: { nonce: undefined } }],
    ['nonce', 'several', { claims: { nonce: [challengeOf(verifier)] } }],
    ['subject', 'none', { claims: { sub: undefined } }],
    ['subject', 'nobody', { claims: { sub: '' } }],
    ['subject', 'a number', { claims: { sub: 248289761001 } }],
    ['subject', '256 characters', { claims: { sub: 's'.repeat(256) } }],
    ['subject', 'half a character', { claims: { sub: 's\ud800' } }],
    ['subject', 'an escape', { claims: { sub: 's\u001b[2K' } }],
    ['subject', 'a control of C1', { claims: { sub: 's\u009b' } }],
  ])('%s: %s', async (reason, _, lies) => {
    service.liar.lies = typeof lies === 'function' ? lies() : lies
    await expectFailed('provider-refused', reason)
  })

  const common = () => {
    const { issuer, clientId } = service.liar.provider
    const { iss, aud, nonce, sub } = { iss: issuer, aud: clientId, nonce: challengeOf(verifier), sub: 's' }
    return JSON.stringify({ iss, aud, nonce, sub, iat: now() }).slice(1, -1)
  }

  test('signature: a bit flipped, or a good one of other claims', async () => {
    const { liar } = service
    const [head, payload, signature = ''] = liar.idToken(challengeOf(verifier)).split('.')
    const [, , other] = liar.idToken(challengeOf(verifier), { sub: 'other' }).split('.')
    for (const changed of [flipped(signature), other, signature.slice(0, -4)]) {
      liar.lies = { answer: { body: { id_token: `${head}.${payload}.${changed}` } } }
      await expectFailed('provider-refused', 'signature')
    }
  })

  test('key: none named, where the provider has several', async () => {
    service.liar.published = { keys: [service.liar.key.jwk, makeKey('RS256', 'other').jwk] }
    service.liar.lies = { header: { kid: undefined } }
    await expectFailed('provider-refused', 'key')
  })

  test.each<[string, (jwk: Record<string, unknown>) => Record<string, unknown>]>([
    ['is for encryption', jwk => ({ ...jwk, use: 'enc' })],
    ['is for something else', jwk => ({ ...jwk, use: undefined, key_ops: ['encrypt'] })],
    ['is for another algorithm', jwk => ({ ...jwk, alg: 'ES384' })],
    ['is broken', jwk => ({ ...jwk, x: 'AA' })],
    ['is of RSA and of 1024 bits', () => shortRsa],
  ])('key: one that %s', async (_, change) => {
    const { key } = service.liar
    service.liar.published = { keys: [change(key.jwk)] }
    const jwk = change(key.jwk)
    if (jwk.kty === 'RSA') service.liar.lies = { header: { alg: 'RS256' } }
    await expectFailed('provider-refused', 'key')
  })
  const shortRsa = {
    ...generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }),
    kid: 'usual',
    use: 'sig',
  }
})

test('an id token swapped for one of another login, client or provider is refused', async () => {
  const { liar } = service
  const swapped: [string, string][] = [
    ['nonce', liar.idToken(challengeOf('w'.repeat(43)))],
    ['audience', liar.idToken(challengeOf(verifier), { aud: 'other-client' })],
    ['issuer', liar.idToken(challengeOf(verifier), { iss: 'https://other.example' })],
  ]
  for (const [reason, id_token] of swapped) {
    liar.lies = { answer: { body: { id_token } } }
    await expectFailed('provider-refused', reason)
  }
})

describe('an address', () => {
  test.each<[unknown, boolean]>([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['TRUE', false],
    [1, false],
    ['1', false],
    [null, false],
    [[true], false],
    [undefined, false],
  ])('whose email_verified is %j is proven: %s', async (email_verified, isEmailProven) => {
    expect(await confirmed({ email: 'ada@example.com', email_verified })).toMatchObject({
      email: 'ada@example.com',
      isEmailProven,
    })
  })

  test.each<[unknown, string | null]>([
    [undefined, null],
    [null, null],
    [7, null],
    [['ada@example.com'], null],
    ['ada@example.com\nbcc: eve@example.com', null],
    [' Ada@EXAMPLE.com ', 'ada@example.com'],
  ])('%j is read as %s', async (email, canonical) => {
    expect(await confirmed({ email, email_verified: true })).toMatchObject({
      email: canonical,
      isEmailProven: canonical !== null,
    })
  })

  test.each<[string, boolean, boolean]>([
    ['ada@corp.example', true, true],
    ['ada@corp.example', false, true],
    ['ADA@Corp.Example', false, true],
    ['ada@other.example', true, false],
    ['ada@sub.corp.example', true, false],
    ['ada@notcorp.example', true, false],
    ['ada@corp.example.evil.example', true, false],
  ])(
    'of a directory that vouches for corp.example, %s (email_verified: %s), is proven: %s',
    async (email, email_verified, isEmailProven) => {
      enter({ email: { always: ['corp.example', 'corp.test'] } })
      expect(await confirmed({ email, email_verified })).toMatchObject({ isEmailProven })
    },
  )
})

test.each<[unknown, string | null]>([
  ['Ada', 'Ada'],
  ['Ada\u202e', null],
  ['', null],
  [7, null],
  [null, null],
  [undefined, null],
])('of the name %j we keep %s', async (name, kept) => {
  expect(await confirmed({ name })).toMatchObject({ name: kept })
})

test.each<[string, (now: number) => unknown, (now: number) => number | null]>([
  ['past', now => now - 5, now => now - 5],
  ['now', now => now, now => now],
  ['of a part of a second', now => now - 0.5, now => now - 1],
  ['to come', now => now + 1, () => null],
  ['before 1970', () => -1, () => null],
  ['beyond all numbers', () => -1e300, () => null],
  ['a text', now => String(now), () => null],
  ['null', () => null, () => null],
  ['absent', () => undefined, () => null],
])('an auth_time that is %s', async (_, stated, taken) => {
  const seconds = taken(now())
  const authTime = seconds === null ? null : new Date(seconds * 1000)
  expect(await confirmed({ auth_time: stated(now()) })).toMatchObject({ authTime })
})

test('the claims that must equal are told as the provider states them, and no others', async () => {
  enter({ require: { hd: 'example.com', level: 2, absent: true, constructor: 'x' } })
  const claims = { hd: 'other.example', level: '2', groups: ['a'] }
  expect((await confirmed(claims)).claims).toEqual({ hd: 'other.example', level: '2' })
})

test('a provider without a secret is not offered', () => {
  const entry = { ...service.liar.provider, id: 'later', secret: null }
  const list = [service.liar.provider, entry]
  expect(offeredIn(list)).toEqual([service.liar.provider])
  expect([findProvider(list, 'example'), findProvider(list, 'later'), findProvider(list, '__proto__')]).toEqual([
    service.liar.provider,
    null,
    null,
  ])
})
