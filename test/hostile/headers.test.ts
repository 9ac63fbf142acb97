import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limitEach } from '../support/api/rows.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { canary } from '../support/attack/safe-answer.ts'
import { startTarget } from '../support/attack/target.ts'
import { holds, seed } from '../support/property.ts'

/** Hostile header fields, methods and paths. */

/** One route's limit is low, to see what distinguishes callers. A window of a day rarely ends during a test. */
const limit = 5
const target = startTarget({
  LANGUAGES: 'en,en-XA',
  RATE_LIMITS: limitEach('1000000/minute', { 'verify-email': `${limit}/day` }),
})

const keys = '/auth/.well-known/jwks.json'

test('no header field makes one caller look like many', async () => {
  const claims = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip', 'x-client-ip']
  const statuses: number[] = []
  for (let i = 0; i < limit + claims.length; i++) {
    const name = claims[i % claims.length] ?? ''
    const address = name === 'forwarded' ? `for=198.51.100.${i}` : `198.51.100.${i}`
    const { status, headers } = await target.post('/auth/verify-email', { token: 'x' }, { [name]: address })
    statuses.push(status)
    expect(headers.ratelimit).toMatch(new RegExp(`^"verify-email";r=${Math.max(0, limit - 1 - i)};t=\\d+$`))
  }
  expect(statuses).toEqual([...Array(limit).fill(400), ...Array(claims.length).fill(429)])
})

test('no header field changes where a link leads', async () => {
  const forgeries = [
    { host: 'attacker.example' },
    { 'x-forwarded-host': 'attacker.example', 'x-forwarded-proto': 'attacker', 'x-forwarded-port': '666' },
    { forwarded: 'host=attacker.example;proto=attacker', 'x-original-url': 'https://attacker.example/' },
    { origin: 'https://attacker.example', referer: 'https://attacker.example/' },
  ]
  const people = await Promise.all(
    forgeries.map(async headers => {
      const { email, password } = target.person()
      expect((await target.post('/auth/register', { email, password }, headers)).status).toBe(201)
      return email
    }),
  )
  for (const email of people) {
    await target.mailed(email)
    const mail = target.system.inbox.list().find(({ destination }) => destination.to.includes(email))
    expect(mail?.body.text).toContain(`${target.system.baseUrl}/verify-email?token=`)
    expect(JSON.stringify(mail)).not.toContain('attacker')
  }
})

test.each(['x-http-method-override', 'x-http-method', 'x-method-override', '_method'])(
  '%s changes no method',
  async name => {
    const ask = (method: string, path: string, override: string) =>
      target.send({ method, path, headers: { [name]: override } })
    expect((await ask('GET', '/auth/login', 'POST')).status).toBe(405)
    expect((await ask('POST', '/auth/me', 'GET')).status).toBe(405)
    expect((await ask('GET', '/auth/me', 'PUT')).body.code).toBe('not-authenticated')
    expect((await ask('GET', keys, 'DELETE')).status).toBe(200)
  },
)

describe('what is too long', () => {
  test.each([
    ['one field', { 'x-long': 'x'.repeat(11_000) }],
    ['a credential', { authorization: `Bearer ${'x'.repeat(11_000)}` }],
    ['a thousand fields', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`x-${i}`, 'x']))],
    ['30 KB, more than the parser reads', { 'x-long': 'x'.repeat(30_000) }],
  ])('%s is refused by the gateway', async (_, headers) => {
    expect((await target.send({ path: '/auth/me', headers })).status).toBe(431)
  })

  test('a credential of 9 KB is only a wrong one', async () => {
    const headers = { authorization: `Bearer ${'x'.repeat(9000)}` }
    expect((await target.send({ path: '/auth/me', headers })).body.code).toBe('invalid-access-token')
  })

  test.each([
    ['path', `/${'x'.repeat(9000)}`, 404],
    ['query', `${keys}?${'x'.repeat(9000)}`, 200],
    ['path of the longest kind', `/${'x'.repeat(12_000)}`, 431],
  ])('a %s is answered', async (_, path, expected) => {
    expect((await target.send({ path })).status).toBe(expected)
  })
})

describe('a header that comes twice', () => {
  test('authenticates nobody, even when one of the credentials is good', async () => {
    const good = `Bearer ${await target.logIn(await target.register())}`
    const status = async (...values: string[]) =>
      (await target.send({ path: '/auth/me', headers: values.map(value => ['authorization', value] as const) })).status
    expect(await status(good)).toBe(200)
    expect(await status(good, good)).toBe(401)
    expect(await status('Bearer a.b.c', good)).toBe(401)
    expect(await status(good, 'Basic YTpi')).toBe(401)
  })

  test('names no known media type', async () => {
    const type = ['content-type', 'application/json'] as const
    const { body } = await target.send({ method: 'POST', path: '/auth/login', headers: [type, type], body: '{}' })
    expect(body.code).toBe('unsupported-media-type')
  })
})

/** By their answer's status. */
const oddRequests = {
  204: ['OPTIONS /auth/me'],
  400: ['GET /auth/%ff', 'GET /auth/%', 'GET /%c0%ae%c0%ae/etc/passwd'],
  401: [
    'HEAD /auth/me',
    'GET /auth/%6de',
    'GET /auth%2fme',
    'GET http://attacker.example/auth/me',
    'GET /auth/me?__proto__[a]=b&access_token=x',
  ],
  404: [
    'GET /auth',
    'GET /auth/me/',
    'GET //auth/me',
    'GET /AUTH/ME',
    'GET /auth/../auth/me',
    'GET /auth/me;a=b',
    'GET /auth/me%00',
    'GET /constructor',
    'GET /__proto__',
    `GET /%0d%0aset-cookie:%20a=b/${canary}`,
  ],
  405: ['DELETE /auth/me', 'PATCH /auth/me', 'TRACE /auth/me', 'PROPFIND /auth/login', 'GET /auth/login', 'PURGE /'],
}
const answered = Object.entries(oddRequests).flatMap(([status, requests]) =>
  requests.map(request => [request, Number(status)] as const),
)

test.each(answered)('%s is answered with %i', async (request, expected) => {
  const [method = '', path = ''] = request.split(' ')
  const { status, headers } = await target.send({ method, path })
  expect(status).toBe(expected)
  expect(headers).not.toHaveProperty('set-cookie')
})

/** Fields with a meaning in HTTP or in this API. */
const meaningful = new Set(
  'authorization connection content-encoding content-length content-type expect host keep-alive te trailer transfer-encoding upgrade origin'.split(
    ' ',
  ),
)
const token = fc.string({ unit: fc.constantFrom(..."abcXYZ019!#$%&'*+-.^_`|~"), minLength: 1, maxLength: 20 })
const fieldValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter(code => code !== 0x7f)
    .map(code => String.fromCharCode(code)),
})
const known = fc.constantFrom(
  'accept',
  'accept-encoding',
  'accept-language',
  'cookie',
  'if-none-match',
  'range',
  'user-agent',
  'via',
  'x-amzn-trace-id',
  'x-forwarded-for',
  '__proto__',
  'constructor',
  'prefer',
  'cache-control',
)

test(`no other field changes an answer (seed ${seed})`, async () => {
  const plain = await target.send({ path: '/auth/me' })
  await holds(fc.array(fc.tuple(fc.oneof(known, token), fieldValue), { maxLength: 10 }), async fields => {
    const headers = fields.filter(([name]) => !meaningful.has(name.toLowerCase()))
    const { status, text } = await target.send({ path: '/auth/me', headers })
    expect([status, text]).toEqual([plain.status, plain.text])
  })
})

testAfterAttack(target)
