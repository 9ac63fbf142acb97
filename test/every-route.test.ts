import { readdirSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { functionNames, needsOf } from '../shared/endpoints/needs.ts'
import { replies } from '../shared/endpoints/replies.ts'
import { refusals } from '../shared/errors.ts'
import { parseRateLimits } from '../shared/limits/setting.ts'
import { type Route, routes } from '../shared/routes.ts'
import { bearerNames, endpointNames, isRequired, membersOf, requestLine } from './support/api/rows.ts'
import { bearer, goodRequest, send } from './support/service/endpoints.ts'
import { createHarness } from './support/service/harness.ts'
import type { Received } from './support/service/http.ts'
import { find } from './support/service/people.ts'

/** Rules for every row of the route table. */

const harness = createHarness()
const rows: Record<string, Route> = routes
const withBody = endpointNames.filter(name => rows[name]?.body)
const limited = endpointNames.filter(name => rows[name]?.limit)

function expectProblem({ status, headers, body }: Received, code: keyof typeof refusals): void {
  expect(body).toMatchObject({
    type: 'about:blank',
    title: expect.any(String),
    status: refusals[code][0],
    detail: expect.any(String),
    code,
  })
  expect(status).toBe(refusals[code][0])
  expect(headers['content-type']).toBe('application/problem+json')
  expect(headers['cache-control']).toBe('no-store')
}

describe.each(endpointNames)('%s', name => {
  test('answers a good request with the status and shape of its row', async () => {
    const [status, shape] = routes[name].reply
    const { body, headers, ...answer } = await send(harness, name, await goodRequest(harness, name))
    expect(answer.status).toBe(status)
    expect(v.safeParse(replies[shape], body)).toMatchObject({ success: true })
    expect(Object.keys(body)).toEqual(Object.keys(replies[shape].entries))
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringMatching(/^max-age=/),
    })
  })

  test('answers HEAD as GET, with the body’s length and without the body, where it answers GET', async () => {
    if (requestLine(name).method !== 'GET') return
    // Of two requests, the fields of a limit differ.
    harness.config.rateLimits = null
    const good = await goodRequest(harness, name)
    for (const request of [good, { ...good, headers: {} }]) {
      const { status, headers, text } = await send(harness, name, request)
      const told = { ...headers, 'content-length': String(Buffer.byteLength(text)) }
      const head = await send(harness, name, { ...request, method: 'HEAD' })
      expect(head).toEqual({ status, headers: told, text: '', body: null })
    }
  })

  test('touches nothing but what its row grants', async () => {
    await send(harness, name, await goodRequest(harness, name))
    const may = new Set(
      Object.entries(needsOf(routes[name]).may).flatMap(([resource, actions]) =>
        actions.map((action: string) =>
          /^Users|RateLimits/.test(resource) ? `${action} ${resource.replace(/By.*/, '')}` : action,
        ),
      ),
    )
    expect([...new Set(harness.calls)].filter(call => !may.has(call))).toEqual([])
    expect(harness.calls).not.toEqual([])
  })

  test.each(['Users', 'RateLimits', 'queue', 'KMS'] as const)(
    'is unavailable while %s fails, if it needs that, and the same for every address',
    async part => {
      const request = await goodRequest(harness, name)
      await send(harness, name, request)
      const isNeeded = harness.calls.some(made => owners[part].test(made))
      harness.broken = part
      const other = { ...request, body: { ...(request.body as object), email: 'nobody@example.com' } }
      const answer = await send(harness, name, request)
      if (!isNeeded) return expect(answer.status).not.toBe(503)
      expectProblem(answer, 'unavailable')
      expect(answer.headers['retry-after']).toBe('5')
      expect(harness.failures).not.toEqual([])
      // KMS is called only after authentication.
      if (part !== 'KMS') expect((await send(harness, name, other)).text).toBe(answer.text)
    },
  )
})

const owners = { Users: / Users$/, RateLimits: / RateLimits$/, queue: /^SendMessage$/, KMS: /^(Sign|GetPublicKey)$/ }

describe.each(withBody)('the body of %s', name => {
  const answerTo = async (changes: object) => send(harness, name, { ...(await goodRequest(harness, name)), ...changes })
  const type = (contentType: string) => ({ headers: { 'content-type': contentType } })
  const coding = (contentEncoding: string) => ({ headers: { 'content-encoding': contentEncoding } })

  test.each([
    ['absent', { body: undefined }, 'missing-body'],
    ['empty', { body: '' }, 'missing-body'],
    ['no JSON', { body: 'email=ada' }, 'malformed-json'],
    ['cut off', { body: '{"email":' }, 'malformed-json'],
    ['followed by more', { body: '{} {}' }, 'malformed-json'],
    ['not UTF-8', { body: '{"email":"\xff"}', base64: true }, 'malformed-json'],
    ['over 16 KiB', { body: JSON.stringify({ padding: 'x'.repeat(16 * 1024) }) }, 'body-too-large'],
    ['over 16 KiB and no JSON', { body: 'x'.repeat(16 * 1024 + 1) }, 'body-too-large'],
    [
      'over 16 KiB of a media type that is not read',
      { body: 'x'.repeat(20_000), ...type('image/png') },
      'body-too-large',
    ],
    ['over 16 KiB in bytes, not in characters', { body: JSON.stringify('é'.repeat(8192)) }, 'body-too-large'],
    ['a form', { body: 'email=ada', ...type('application/x-www-form-urlencoded') }, 'unsupported-media-type'],
    ['plain text', { body: '{}', ...type('text/plain') }, 'unsupported-media-type'],
    ['of an odd media type', { body: '{}', ...type('json') }, 'unsupported-media-type'],
    ['in UTF-16', { body: '{}', ...type('application/json; charset=utf-16') }, 'unsupported-media-type'],
    ['in gzip', { body: '{}', ...coding('gzip') }, 'unsupported-content-encoding'],
    ['in a coding that nobody knows', { body: '{}', ...coding('x') }, 'unsupported-content-encoding'],
    ['in a list of codings', { body: '{}', ...coding('identity, gzip') }, 'unsupported-content-encoding'],
    ['in gzip and over 16 KiB', { body: 'x'.repeat(20_000), ...coding('gzip') }, 'body-too-large'],
    [
      'in gzip and of a media type that is not read',
      { body: 'x', headers: { ...type('image/png').headers, ...coding('gzip').headers } },
      'unsupported-media-type',
    ],
    ['an array', { body: '[]' }, 'invalid-body'],
    ['null', { body: 'null' }, 'invalid-body'],
    ['text', { body: '"text"' }, 'invalid-body'],
    ['a number', { body: '1e999' }, 'invalid-body'],
    ['deeply nested', { body: '['.repeat(8000) + ']'.repeat(8000) }, 'invalid-body'],
  ] as const)('is refused when it is %s', async (_, changes, code) => {
    const request = await goodRequest(harness, name)
    const headers = { ...request.headers, ...('headers' in changes ? changes.headers : {}) }
    expectProblem(await send(harness, name, { ...request, ...changes, headers }), code)
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; charset="UTF8"',
    'application/vnd.x+json',
  ])('may be called %s', async contentType => {
    const request = await goodRequest(harness, name)
    const { status } = await send(harness, name, {
      ...request,
      headers: { ...request.headers, ...type(contentType).headers },
    })
    expect(status).toBe(routes[name].reply[0])
  })

  test('is refused in a content coding, with the coding that is accepted', async () => {
    const request = await goodRequest(harness, name)
    const ask = (added: object) => send(harness, name, { ...request, headers: { ...request.headers, ...added } })
    expect((await ask({ 'content-encoding': 'br' })).headers['accept-encoding']).toBe('identity')
    expect((await ask({ 'content-type': 'text/plain' })).headers).not.toHaveProperty('accept-encoding')
  })

  test.each(['identity', 'Identity', ''])('may name the coding %j, which means none', async contentEncoding => {
    const request = await goodRequest(harness, name)
    const headers = { ...request.headers, ...coding(contentEncoding).headers }
    expect((await send(harness, name, { ...request, headers })).status).toBe(routes[name].reply[0])
  })

  test('may come without a media type, and in base64', async () => {
    const request = await goodRequest(harness, name)
    const headers = { ...request.headers, 'content-type': '' }
    const { status } = await send(harness, name, { body: JSON.stringify(request.body), base64: true, headers })
    expect(status).toBe(routes[name].reply[0])
  })

  test('may have unknown members and members that only the server sets: they are ignored', async () => {
    const request = await goodRequest(harness, name)
    const extra = '"is_admin":true,"id":"1","ver":9,"constructor":{"prototype":{}},"__proto__":{"is_admin":true}'
    const body = `{${extra},${JSON.stringify(request.body).slice(1)}`
    const answer = await send(harness, name, { ...request, body })
    expect(answer.status).toBe(routes[name].reply[0])
    for (const item of await harness.items('Users'))
      expect(item).toMatchObject({ is_admin: false, email: expect.any(String) })
    expect(({} as { is_admin?: unknown }).is_admin).toBeUndefined()
  })

  test('gets all its faults named at once, without the values that were sent', async () => {
    const faulty = [17, ['hunter2'], { hunter2: 17 }]
    const sent = Object.fromEntries(membersOf(name).map((member, i) => [member, faulty[i % faulty.length]]))
    const { body } = await answerTo({ body: sent })
    expect(body).toMatchObject({ code: 'invalid-body', detail: expect.any(String) })
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      membersOf(name).map(member => `/${member}`),
    )
    for (const { detail } of body.errors) expect(detail).toMatch(/^must be /)
    expect(JSON.stringify(body)).not.toMatch(/17|hunter2/)
  })

  test('needs each member that its schema does not default', async () => {
    const { body, status } = await answerTo({ body: {} })
    const missing = membersOf(name).filter(member => isRequired(name, member))
    if (missing.length === 0) return expect(status).toBe(routes[name].reply[0])
    expect(body.errors).toEqual(missing.map(member => ({ pointer: `/${member}`, detail: 'is required' })))
  })
})

describe.each(limited)('the limit of %s', name => {
  const only = (limit: number) => {
    harness.config.rateLimits = parseRateLimits(`${name}=${limit}/hour`) as typeof harness.config.rateLimits
  }

  test("is the row's, per minute, unless the settings say otherwise", async () => {
    const { headers } = await send(harness, name, await goodRequest(harness, name))
    expect(headers['ratelimit-policy']).toBe(`"${name}";q=${rows[name]?.limit};w=60`)
    expect(headers.ratelimit).toBe(`"${name}";r=${(rows[name]?.limit ?? 0) - 1};t=59`)
  })

  test('counts refused requests too, before it checks credential and body', async () => {
    only(3)
    const { headers } = await goodRequest(harness, name)
    for (const refused of [{ body: 'no JSON' }, { body: '{}' }, { body: 'no JSON', headers }])
      expect((await send(harness, name, refused)).headers.ratelimit).toMatch(/;r=[210];/)
    const answer = await send(harness, name, { body: 'no JSON' })
    expectProblem(answer, 'too-many-requests')
    expect(answer.body.detail).toBe(`Too many requests to ${name}: at most 3 in one hour. Try again in 3599 seconds.`)
    expect(answer.headers).toMatchObject({ 'retry-after': '3599', ratelimit: `"${name}";r=0;t=3599` })
  })

  test('is per remote address, whatever the headers claim', async () => {
    only(1)
    const { headers, ...request } = await goodRequest(harness, name)
    const claims = { 'x-forwarded-for': '198.51.100.9', forwarded: 'for=198.51.100.9', 'x-real-ip': '198.51.100.9' }
    await send(harness, name, { body: '{}' })
    const claimed = await send(harness, name, { ...request, headers: { ...headers, ...claims } })
    expectProblem(claimed, 'too-many-requests')
    const elsewhere = await send(harness, name, { ...request, headers: { ...headers }, remote: '203.0.113.8' })
    expect(elsewhere.status).toBe(routes[name].reply[0])
  })

  test('is off when limits are off, and says nothing then', async () => {
    harness.config.rateLimits = null
    const { headers } = await send(harness, name, await goodRequest(harness, name))
    expect(headers).not.toHaveProperty('ratelimit')
    expect(harness.calls.filter(made => made.endsWith('RateLimits'))).toEqual([])
  })
})

describe.each(bearerNames)('%s', name => {
  test.each([
    ['no credential', {}],
    ['another scheme', { authorization: 'Basic YWRhOnNlY3JldA==' }],
    ['a scheme that only begins alike', { authorization: 'Bearer-not abc' }],
    ['a token without its scheme', { authorization: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' }],
    ['an empty field', { authorization: '' }],
  ])('asks for a credential when there is %s', async (_, headers) => {
    const answer = await send(harness, name, { ...(await goodRequest(harness, name)), headers })
    expectProblem(answer, 'not-authenticated')
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="auth"')
    expect(answer.body.detail).toBe('Not authenticated')
  })

  test.each([
    ['nothing', () => 'Bearer'],
    ['nonsense', () => 'Bearer nonsense'],
    ['a token cut by one character', (good: string) => good.slice(0, -1)],
    ['two tokens', (good: string) => `${good}, ${good}`],
    ['two words', (good: string) => `${good} ${good}`],
  ])('refuses %s as a token', async (_, change) => {
    const request = await goodRequest(harness, name)
    const authorization = change(request.headers?.authorization ?? '')
    const answer = await send(harness, name, { ...request, headers: { authorization } })
    expectProblem(answer, 'invalid-access-token')
    expect(answer.headers['www-authenticate']).toMatch(
      /^Bearer realm="auth", error="invalid_token", error_description="[^"]+"$/,
    )
    expect(answer.body.detail).toBe('Invalid or expired token')
  })

  test.each(['bearer', 'BEARER', 'BeArEr'])('takes the scheme as %s', async scheme => {
    const request = await goodRequest(harness, name)
    const authorization = request.headers?.authorization?.replace('Bearer', scheme) ?? ''
    expect((await send(harness, name, { ...request, headers: { authorization } })).status).toBe(routes[name].reply[0])
  })

  test('refuses the token of an account that is gone', async () => {
    const request = await goodRequest(harness, name)
    const stranger = { ...(await bearer(harness)) }
    harness.deps.accounts.find = async () => null
    expectProblem(await send(harness, name, { ...request, headers: stranger }), 'invalid-access-token')
  })

  test('refuses the token of a locked account, and of one that was locked and is not any more', async () => {
    const request = await goodRequest(harness, name)
    const account = await find(harness)
    await harness.operator.lock(account, harness.deps.now())
    expectProblem(await send(harness, name, request), 'invalid-access-token')
    // With the current version: a lock does not depend on the version alone.
    expectProblem(await send(harness, name, { ...request, headers: await bearer(harness) }), 'invalid-access-token')
    await harness.operator.unlock(account, harness.deps.now())
    expectProblem(await send(harness, name, request), 'invalid-access-token')
    expect((await send(harness, name, { ...request, headers: await bearer(harness) })).status).toBe(
      routes[name].reply[0],
    )
  })

  test.each(['lock', 'signOut', 'revoke'] as const)('changes nothing when a %s comes first', async act => {
    const request = await goodRequest(harness, name)
    const account = await find(harness)
    let items: unknown
    harness.beforeCall = async (command, table) => {
      if (!/Update|Delete/.test(command) || table !== 'Users' || items) return
      await harness.operator[act](account, harness.deps.now())
      items = await harness.items('Users')
    }
    const answer = await send(harness, name, request)
    if (!items) return expect(needsOf(routes[name]).may.Users).toEqual(['GetItem'])
    expectProblem(answer, 'invalid-access-token')
    expect(await harness.items('Users')).toEqual(items)
  })

  test('checks the credential before the body', async () => {
    expectProblem(await send(harness, name, { body: 'no JSON' }), 'not-authenticated')
  })
})

test('every row has a function, and every function a row', () => {
  const files = readdirSync(new URL('../functions', import.meta.url)).map(file => file.replace(/\.ts$/, ''))
  expect(files.sort()).toEqual([...functionNames].sort())
})
