// GET and POST /catalogue/validate over HTTP: requests, refusals, caching.
import { describe, expect, test } from 'vitest'
import type { Report } from '../../../catalogue/report.ts'
import { editQuery } from '../../../catalogue/validate/text/edits.ts'
import { mistakes, noMistake } from '../../support/catalogue/mistakes.ts'
import { ask, read } from '../../support/catalogue/served.ts'

const path = '/catalogue/validate'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const field = (query: string) => `query=${encodeURIComponent(query)}`
const post = (body: string, headers: Record<string, string> = json, rest = {}) =>
  ask(path, { method: 'POST', body, headers, ...rest })

const report = (query: string, limits = 'any') => read<Report>(path, `${field(query)}&limits=${limits}`)

test('the example of a report, to the letter', async () => {
  expect(await report('generator=links&plnamespace=0&gpllimit=6000&prop=info&titles=A')).toEqual({
    valid: false,
    catalogue_version: '1.0.0',
    counts: { error: 1, warning: 1, notice: 0 },
    modules: [
      { path: 'query+links', role: 'generator' },
      { path: 'query+info', role: 'prop' },
    ],
    findings: [
      {
        rule: 'generator-prefix-missing',
        severity: 'error',
        basis: 'mediawiki',
        name: 'plnamespace',
        value: '0',
        module: 'query+links',
        parameter: 'namespace',
        span: { name: [16, 27], value: [28, 29] },
        message: 'links is the generator here, whose parameters begin with g: write gplnamespace.',
        suggestions: [
          { label: 'Write gplnamespace', edits: [{ op: 'rename', from: 'plnamespace', to: 'gplnamespace' }] },
        ],
      },
      {
        rule: 'limit-range',
        severity: 'warning',
        basis: 'catalogue',
        name: 'gpllimit',
        value: '6000',
        module: 'query+links',
        parameter: 'limit',
        span: { name: [30, 38], value: [39, 43] },
        message: 'gpllimit can be 1 to 5000: 6000 is clamped to 5000.',
        suggestions: [
          { label: 'Write gpllimit=5000', edits: [{ op: 'replace', name: 'gpllimit', value: '5000' }] },
          { label: 'Write gpllimit=max', edits: [{ op: 'replace', name: 'gpllimit', value: 'max' }] },
        ],
      },
    ],
    unchecked: [
      { name: 'plnamespace', reason: 'The catalogue does not know which namespaces a site has.' },
      { name: 'titles', reason: 'The catalogue does not know which pages there are.' },
    ],
    normalized: 'generator=links&plnamespace=0&gpllimit=5000&prop=info&titles=A',
  })
})

/** All 81, in a query for users with any right. */
const rights = (await read<{ values: string[] }>('/catalogue/sets/RIGHTS')).values.join('|')
const firstRights = rights.split('|').slice(0, 50).join('%7C')

describe('a mistake that people make', () => {
  test.each<[query: string, limits: string, rule: string | null, mended: string | null]>([
    ...mistakes.map(({ query, rule, mended }) => [query, 'any', rule, mended] as [string, string, string, string]),
    [`list=allusers&aurights=${rights}`, 'any', 'needs-high-limit', null],
    [`list=allusers&aurights=${rights}`, 'normal', 'too-many-values', `list=allusers&aurights=${firstRights}`],
    [`list=allusers&aurights=${rights}`, 'high', null, null],
    [noMistake, 'any', null, null],
  ])('%s (%s): %s', async (query, limits, rule, mended) => {
    const { findings, valid } = await report(query, limits)
    expect(findings.map(finding => finding.rule)).toEqual(rule === null ? [] : [rule])
    expect(valid).toBe(findings.every(({ severity }) => severity !== 'error'))
    const [suggestion] = findings[0]?.suggestions ?? []
    expect(suggestion ? editQuery(query, suggestion.edits) : null).toBe(mended)
    if (mended !== null) expect(await report(mended, limits)).toMatchObject({ valid: true, findings: [] })
  })
})

describe('the same report answers', () => {
  const query = 'list=search&srsearch=ä|b&limit=5'
  test.each([
    ['a form', field(query), form],
    ['a form with a charset', field(query), { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }],
    ['a form whose plus is a space', 'query=list%3Da+b', form],
    ['JSON', JSON.stringify({ query }), json],
    ['JSON with limits', JSON.stringify({ limits: 'any', query }), json],
    ['JSON without a media type', JSON.stringify({ query }), {}],
  ])('%s', async (_, body, headers) => {
    const asked = body.includes('+') ? 'list=a b' : query
    for (const [sent, isBase64Encoded] of [
      [body, false],
      [Buffer.from(body).toString('base64'), true],
    ] as const) {
      const answer = await post(sent, headers, { isBase64Encoded })
      expect(answer.statusCode).toBe(200)
      expect(JSON.parse(answer.body)).toEqual(await report(asked))
    }
  })

  test('HEAD, without its body', async () => {
    const get = await ask(path, { query: field(query) })
    expect(await ask(path, { query: field(query), method: 'HEAD' })).toEqual({ ...get, body: '' })
    expect(get.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
  })
})

describe('a request is refused when', () => {
  const big = 'x'.repeat(64 * 1024)
  test.each<[what: string, options: Parameters<typeof ask>[1], status: number, code: string]>([
    ['there is no query', {}, 400, 'query-parameter-missing'],
    ['the query is empty', { query: 'query=' }, 400, 'query-parameter-missing'],
    ['it has limits alone', { query: 'limits=any' }, 400, 'query-parameter-missing'],
    ['limits are unknown', { query: 'query=a&limits=low' }, 400, 'query-parameter-invalid'],
    ['limits are empty', { query: 'query=a&limits=' }, 400, 'query-parameter-invalid'],
    ['the query is given twice', { query: 'query=a&query=b' }, 400, 'query-parameter-repeated'],
    ['a field is unknown', { query: 'query=list=search&srsearch=a' }, 400, 'query-parameter-unknown'],
    ['the query string is too long', { query: `query=${'x'.repeat(7995)}` }, 414, 'query-too-long'],
    ['it has fields in both places', { method: 'POST', query: 'query=a', body: '{}' }, 400, 'query-parameter-unknown'],
    ['its body is a list', { method: 'POST', body: '["query"]', headers: json }, 400, 'malformed-json'],
    ['its body is null', { method: 'POST', body: 'null', headers: json }, 400, 'malformed-json'],
    ['its body nests', { method: 'POST', body: '['.repeat(60_000), headers: json }, 400, 'malformed-json'],
    ['its body is empty', { method: 'POST', body: '{}', headers: json }, 400, 'query-parameter-missing'],
    ['its query is a number', { method: 'POST', body: '{"query":5}', headers: json }, 400, 'query-parameter-invalid'],
    ['its query is null', { method: 'POST', body: '{"query":null}' }, 400, 'query-parameter-invalid'],
    ['its query is a list', { method: 'POST', body: '{"query":["a"]}' }, 400, 'query-parameter-invalid'],
    ['its limits are no text', { method: 'POST', body: '{"query":"a","limits":50}' }, 400, 'query-parameter-invalid'],
    ['a member is unknown', { method: 'POST', body: '{"query":"a","__proto__":1}' }, 400, 'query-parameter-unknown'],
    ['a form repeats', { method: 'POST', body: 'query=a&query=b', headers: form }, 400, 'query-parameter-repeated'],
    ['its body is too large', { method: 'POST', body: `${big}x`, headers: form }, 413, 'body-too-large'],
    ['it is a PUT', { method: 'PUT', body: 'query=a' }, 405, 'method-not-allowed'],
  ])('%s', async (_, options, status, code) => {
    const { statusCode, headers, body } = await ask(path, options)
    expect([statusCode, JSON.parse(body).code]).toEqual([status, code])
    expect(JSON.parse(body).title).toEqual(expect.any(String))
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    expect(body.length).toBeLessThan(600)
  })

  test.each([
    ['{"query":null}', 'query', ['a text']],
    ['{"query":["a"]}', 'query', ['a text']],
    ['{"query":"a","limits":50}', 'limits', ['normal', 'high', 'any']],
    ['{"query":"a","limits":null}', 'limits', ['normal', 'high', 'any']],
  ])('and says what it must be: %s', async (sent, name, allowed) => {
    const { detail, allowed: told } = JSON.parse((await post(sent)).body)
    expect(detail).toBe(`The field "${name}" must be a text`)
    expect([...told].sort()).toEqual([...allowed].sort())
  })

  test.each(['["query"]', 'null'])('and says that a body must be an object: %s', async sent => {
    expect(JSON.parse((await post(sent)).body).detail).toBe('The body must be a JSON object')
  })

  test('and not a character or a byte earlier', async () => {
    expect((await ask(path, { query: `query=${'x'.repeat(7994)}` })).statusCode).toBe(200)
    const body = `query=${'x'.repeat(64 * 1024 - 6)}`
    expect((await post(body, form)).statusCode).toBe(200)
    expect((await post(Buffer.from(body).toString('base64'), form, { isBase64Encoded: true })).statusCode).toBe(200)
  })

  test('the refusal names the limit of a body, and what an unencoded query lacks', async () => {
    expect(JSON.parse((await post(`${big}x`, form)).body).detail).toContain('64 KiB')
    const { detail, allowed } = JSON.parse((await ask(path, { query: 'query=list=a&x=1' })).body)
    expect(detail).toContain('percent-encoded')
    expect(allowed).toEqual(['query', 'limits'])
  })
})

test('OPTIONS and 405 name POST here, and nowhere else', async () => {
  const methods = 'GET, HEAD, OPTIONS, POST'
  expect((await ask(path, { method: 'OPTIONS' })).headers.allow).toBe(methods)
  expect((await ask(path, { method: 'DELETE' })).headers.allow).toBe(methods)
  for (const other of ['/catalogue', '/catalogue/modules', '/catalogue/query+search']) {
    const { statusCode, headers } = await ask(other, { method: 'POST', body: '{"query":"a"}' })
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  }
})

describe('a report may be kept for five minutes', () => {
  const kept = async (options: Parameters<typeof ask>[1]) => (await ask(path, options)).headers['cache-control']
  test('when it answers a GET', async () => {
    expect(await kept({ query: field('meta=tokens&type=csrf') })).toBe('public, max-age=300')
    expect(await kept({ query: field('list=search') })).toBe('public, max-age=300')
  })

  test.each(['list=watchlist&wltoken=x', 'list=a&WLTOKEN=', 'x=1&my%74oken=2', 'https://a.example/?TOKEN=1'])(
    'unless the query holds a secret: %s',
    async query => {
      expect(await kept({ query: field(query) })).toBe('no-store')
      expect(await kept({ query: field(query), method: 'HEAD' })).toBe('no-store')
    },
  )

  test('and not when it answers a POST, or is a refusal', async () => {
    expect((await post(JSON.stringify({ query: 'list=search' }))).headers['cache-control']).toBe('no-store')
    expect(await kept({ query: `${field('list=search')}&limits=x` })).toBe('no-store')
  })
})

test('a secret stands in no answer, refusals included', async () => {
  const secret = 'S3cret'
  for (const options of [
    { query: field(`list=watchlist&wltoken=${secret}`) },
    { query: `query=list%3Dwatchlist&wltoken=${secret}` },
    { query: `${field(`wltoken=${secret}`)}&limits=x` },
    { method: 'POST', body: `{"query":"wltoken=${secret}"`, headers: json },
    { method: 'POST', body: JSON.stringify({ query: [`wltoken=${secret}`] }), headers: json },
    { method: 'POST', body: JSON.stringify({ query: `wltoken=${secret}&wltoken=${secret}%` }), headers: json },
  ]) {
    expect((await ask(path, options)).body).not.toContain(secret)
  }
})
