import { describe, expect, test } from 'vitest'
import { ask } from '../../support/catalogue/served.ts'
import { everyPath } from './every-path.ts'

describe('caching', () => {
  test('the ETag is weak, differs with the content and is the same for every encoding', async () => {
    const tags = await Promise.all(everyPath.map(async path => (await ask(path)).headers.etag))
    expect(tags.filter(tag => !tag?.startsWith('W/"'))).toEqual([])
    expect(new Set(tags).size).toBe(everyPath.length)
    for (const path of everyPath) {
      const encoded = await ask(path, { headers: { 'accept-encoding': 'br' } })
      expect(encoded.headers.etag).toBe((await ask(path)).headers.etag)
    }
  })

  test('lists of different modules have different ETags, lists of the same modules the same', async () => {
    const tagOf = async (query: string, accepted = '') =>
      (await ask('/catalogue/modules', { query, headers: { 'accept-encoding': accepted } })).headers.etag
    const queries = [
      '',
      'group=list',
      'q=sha1',
      'q=sha1&expand=parameters',
      'group=list&q=sha1',
      'prefix=ap',
      'prefix=al',
    ]
    const tags = await Promise.all(queries.map(query => tagOf(query)))
    expect(new Set(tags).size).toBe(queries.length)
    expect(await tagOf('q=SHA1')).toBe(await tagOf('q=sha1'))
    expect(await tagOf('q=sha1', 'br')).toBe(await tagOf('q=sha1'))
    expect(await tagOf('q=list&group=list&prefix=ap')).toBe(await tagOf('prefix=nosuch'))
  })

  const paths: [path: string, query: string][] = [
    ...everyPath.map((path): [string, string] => [path, '']),
    ['/catalogue/modules', 'q=sha1'],
  ]

  test.each(paths)('%s?%s is a 304 without a body for a client that has it', async (path, query) => {
    const { etag = '' } = (await ask(path, { query })).headers
    const held = [etag, etag.replace('W/', ''), `"other", ${etag}`, `"a,b",${etag} , W/"c"`, '*', ' * ']
    for (const method of ['GET', 'HEAD']) {
      for (const tag of held) {
        expect(await ask(path, { method, query, headers: { 'if-none-match': tag, 'accept-encoding': 'br' } })).toEqual({
          statusCode: 304,
          headers: { etag, 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' },
          body: '',
          isBase64Encoded: false,
        })
      }
    }
  })

  test.each(['"other"', 'W/"other", "another"', '', '"*"', 'W/*'])('If-None-Match: %s does not match', async tag => {
    expect((await ask('/catalogue', { headers: { 'if-none-match': tag } })).statusCode).toBe(200)
  })

  test('an ETag is compared whole', async () => {
    const { etag = '' } = (await ask('/catalogue')).headers
    for (const tag of [etag.slice(0, -2), `${etag.slice(0, -1)}x"`, etag.replaceAll('"', '')]) {
      expect((await ask('/catalogue', { headers: { 'if-none-match': tag } })).statusCode).toBe(200)
    }
  })

  test('a refusal is not a 304', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await ask('/catalogue/modules/allpage', { headers })).statusCode).toBe(404)
    expect((await ask('/catalogue/modules', { query: 'group=x', headers })).statusCode).toBe(400)
  })
})
