import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ask } from '../../../support/catalogue/served.ts'
import { form, get, path, pathsOf, post } from './facade.ts'

describe('refusals are MediaWiki’s errors, with status 200', () => {
  const tooMany = Array.from({ length: 51 }, () => 'main').join('|')
  const refused: Record<string, Record<string, string>> = {
    missingparam: { '': 'The "action" parameter must be set.' },
    badvalue: {
      'action=help': 'Unrecognized value for parameter "action": help.',
      'action=': 'Unrecognized value for parameter "action": .',
      'action=__proto__': 'Unrecognized value for parameter "action": __proto__.',
      'action=paraminfo&format=jsonfm': 'Unrecognized value for parameter "format": jsonfm.',
      'action=paraminfo&formatversion=3': 'Unrecognized value for parameter "formatversion": 3.',
      'action=paraminfo&helpformat=pdf': 'Unrecognized value for parameter "helpformat": pdf.',
    },
    toomanyvalues: {
      [`action=paraminfo&modules=${tooMany}`]: 'Too many values supplied for parameter "modules". The limit is 50.',
      [`action=paraminfo&querymodules=${tooMany}`]:
        'Too many values supplied for parameter "querymodules". The limit is 50.',
    },
    'query-too-long': { [`action=paraminfo&x=${'x'.repeat(8000)}`]: expect.stringContaining('8000') },
  }

  test.each(
    Object.entries(refused).flatMap(([code, infos]) =>
      Object.entries(infos).map(([query, info]) => [query, code, info] as const),
    ),
  )('?%s: %s', async (query, code, info) => {
    const { statusCode, headers, body } = await ask(path, { query })
    expect([statusCode, headers['mediawiki-api-error'], headers['cache-control']]).toEqual([200, code, 'no-store'])
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toEqual({ error: { code, info, '*': expect.any(String) } })
  })

  test.each([
    ['body-too-large', form, `action=paraminfo&x=${'x'.repeat(64 * 1024)}`],
    ['unsupported-media-type', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
    ['unsupported-media-type', { 'content-type': 'text/plain' }, 'action=paraminfo'],
    ['malformed-json', { 'content-type': 'application/json' }, '{'],
    ['unsupported-content-encoding', { ...form, 'content-encoding': 'gzip' }, 'action=paraminfo'],
  ])('%s', async (code, headers, body) => {
    const answer = await ask(path, { method: 'POST', headers, body })
    expect([answer.statusCode, answer.headers['mediawiki-api-error']]).toEqual([200, code])
    expect(JSON.parse(answer.body).error.code).toBe(code)
  })
})

describe('requests', () => {
  test('fields of query and body count together, the body’s first, and the last of each', async () => {
    const query = 'action=help&modules=query&format=json'
    expect(pathsOf((await post('action=help&action=paraminfo&modules=main', query)).paraminfo.modules)).toEqual([
      'main',
    ])
    expect(pathsOf((await get(`${query}&action=paraminfo`)).paraminfo.modules)).toEqual(['query'])
    expect(pathsOf((await post('', `${query}&action=paraminfo`)).paraminfo.modules)).toEqual(['query'])
  })

  test('unknown fields are ignored, as is a format that is not given', async () => {
    const others = 'maxlag=5&rawcontinue&assert=user&uselang=de&origin=*&utf8=&callback=f&nosuch=1&nosuch=2&modules[]=x'
    const answer = await ask(path, { query: `action=paraminfo&modules=main&${others}` })
    expect(answer.body).toBe((await ask(path, { query: 'action=paraminfo&modules=main&format=json' })).body)
    expect(answer.headers['content-type']).toBe('application/json')
  })

  test.each(['html', 'wikitext', 'raw'])('helpformat=%s is answered without help, and says so', async helpformat => {
    const answer = await get(`action=paraminfo&modules=query%2Binfo&formatversion=2&helpformat=${helpformat}`)
    expect(answer.paraminfo.helpformat).toBe('none')
    expect(answer.warnings?.paraminfo.warnings).toBe('There are no help texts here.')
    expect(answer.paraminfo.modules?.[0]).not.toHaveProperty('description')
  })

  test('GET, HEAD and POST are answered, OPTIONS lists them, and others are refused', async () => {
    const query = 'action=paraminfo&modules=query%2Binfo'
    const got = await ask(path, { query })
    expect(got.headers).toMatchObject({ 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' })
    expect(await ask(path, { method: 'HEAD', query })).toEqual({ ...got, body: '' })
    const posted = await ask(path, { method: 'POST', headers: form, body: query })
    expect([posted.body, posted.headers['cache-control']]).toEqual([got.body, 'no-store'])
    const { statusCode, headers } = await ask(path, { method: 'OPTIONS' })
    expect([statusCode, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST'])
    const refused = await ask(path, { method: 'PUT', query })
    expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
  })

  test('an answer in brotli is the same', async () => {
    const query = 'action=paraminfo&modules=query%2B*'
    const { body } = await ask(path, { query })
    const brotli = await ask(path, { query, headers: { 'accept-encoding': 'br' } })
    expect(brotliDecompressSync(Buffer.from(brotli.body, 'base64')).toString()).toBe(body)
    expect(Number(brotli.headers['content-length'])).toBeLessThan(body.length / 8)
  })

  test('the script is at its path alone', async () => {
    for (const other of [
      '/catalogue/w',
      '/catalogue/w/',
      '/catalogue/w/api.php/',
      '/catalogue/api.php',
      '/catalogue/w/index.php',
    ])
      expect((await ask(other)).statusCode).toBe(404)
  })
})

describe('hostile bodies', () => {
  const largest = 64 * 1024
  const fill = (text: string, before = '') =>
    before + text.repeat(Math.floor((largest - before.length) / Buffer.byteLength(text)))
  const asked = 'action=paraminfo&modules='

  test.each([
    ['nothing but separators of fields', fill('&')],
    ['as many fields as can be', fill('a&')],
    ['percent signs', fill('%', asked)],
    ['separators of values', fill('|', asked)],
    ['separators of values, by their character', fill('%1F', asked)],
    ['separators of paths', fill('+', asked)],
    ['spaces', fill('%20', asked)],
    ['stars', fill('*', asked)],
    ['stars below stars', fill('*+', asked)],
    ['one name without end', fill('x', asked)],
    ['NUL', fill('%00', asked)],
    ['lone surrogates', fill('%ED%A0%80', asked)],
    ['bytes that are not UTF-8', fill('%FF', asked)],
    ['all modules, fifty times', asked + Array(50).fill('**').join('|')],
    ['fifty long names of nothing', asked + Array(50).fill('\u20ac'.repeat(400)).join('|')],
    ['names of the language itself', '__proto__=1&constructor=2&action=constructor&modules=__proto__'],
    ['an action without end', fill('x', 'action=')],
    ['a format without end', fill('%22', 'action=paraminfo&format=')],
  ])('%s: an answer, and not a long one', async (_, body) => {
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(largest)
    for (const version of ['', '&formatversion=2']) {
      const answer = await ask(path, { method: 'POST', query: version, headers: form, body })
      expect(answer.statusCode).toBe(200)
      JSON.parse(answer.body)
      expect(answer.body).toMatch(/^[\x20-\x7e]*$/)
      expect(answer.headers['content-length']).toBe(String(answer.body.length))
      // All modules are 74 KB.
      expect(answer.body.length).toBeLessThan(80 * 1024)
    }
  })

  test('what is sent back of a name is 64 characters of it', async () => {
    const { error } = await post(fill('x', 'action='))
    expect(error?.info).toBe(`Unrecognized value for parameter "action": ${'x'.repeat(64)}....`)
  })
})
