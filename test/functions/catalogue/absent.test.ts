import { describe, expect, test } from 'vitest'
import { ask } from '../../support/catalogue/served.ts'

describe('what is not there', () => {
  /** By the refusal's code: the path, what it asks for, and the nearest names. */
  const absent: Record<string, Record<string, [what: string, nearest: string]>> = {
    'module-not-found': {
      '/catalogue/modules/query+allpage': ['a module', 'allpages'],
      '/catalogue/modules/catmembers': ['a module by its bare name', 'categorymembers'],
      '/catalogue/query+serach': ['a module at the short path', 'search'],
      '/catalogue/modules/query+AllPages': ['a module in other case', 'allpages'],
      '/catalogue/query+allpage/parameters': ['the parameters of a module', 'allpages'],
      '/catalogue/query+allpage/schema': ['the schema of a module', 'allpages'],
    },
    'parameter-not-found': {
      '/catalogue/modules/query+allpages/parameters/namespaces': ['a parameter', 'namespace'],
    },
    'set-not-found': {
      '/catalogue/sets/rights': ['a set', 'RIGHTS'],
      '/catalogue/sets/DIR': ['a set', 'DIR2'],
    },
    'not-found': {
      '/catalogue/module': ['a path', 'modules'],
      '/catalogue/allpage': ['a bare name', 'allpages'],
    },
  }
  const rows = Object.entries(absent).flatMap(([code, paths]) =>
    Object.entries(paths).map(([path, [what, nearest]]) => [what, path, code, nearest] as const),
  )

  test.each(rows)('%s: %s is a 404 that names the nearest', async (_, path, code, nearest) => {
    const { statusCode, headers, body } = await ask(path)
    expect(statusCode).toBe(404)
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    const problem = JSON.parse(body)
    expect(problem).toMatchObject({ title: 'Not Found', status: 404, code })
    expect(problem.suggestions[0]).toBe(nearest)
    expect(problem.detail).toContain(nearest)
  })

  test.each([
    '/catalogue/',
    '/catalogue/modules/',
    '/catalogue/modules/query+allpages/',
    '/catalogue/modules/query+allpages/values',
    '/catalogue/modules/query+allpages/parameters/namespace/default',
    '/catalogue/modules/query+allpages/schema/',
    '/catalogue/modules/query+allpages/schema/apfrom',
    '/catalogue/export/query-modules',
    '/catalogue/sets/REVPROP/values',
    '/catalogue/groups/list',
    '/catalogue/export',
    '/catalogue/export/catalogue.xml',
    '/catalogue//modules',
    '/catalogues',
    '/catalogue/modules/../groups',
    '/catalogue/query+query+allpages',
    '/catalogue/__proto__',
    '/catalogue/sets/constructor',
    '/catalogue/modules/query+allpages","x":',
    '/catalogue/modules?f',
    '/',
    '',
  ])('%j is a 404', async path => {
    const { statusCode, body } = await ask(path)
    expect(statusCode).toBe(404)
    expect(JSON.parse(body).detail).toEqual(expect.any(String))
  })

  test('no list answers by the name it has among the prebuilt answers', async () => {
    const everything = 'f'.repeat(15)
    for (const name of [everything, `${everything}c`, `${everything}c+`]) {
      expect((await ask(`/catalogue/${name}`)).statusCode).toBe(404)
    }
  })

  test('a long name is not sent back whole', async () => {
    const { headers, body } = await ask(`/catalogue/modules/${'x'.repeat(5000)}`)
    expect(body.length).toBeLessThan(400)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
  })

  test('what is sent there gets a problem, not a page', async () => {
    const { headers } = await ask('/catalogue/explor', { method: 'POST', headers: { accept: 'text/html' } })
    expect(headers['content-type']).toBe('application/problem+json')
  })

  test.each([
    ['/catalogue/explor', '/catalogue/explore'],
    ['/catalogue/allpage', '/catalogue/allpages'],
    ['/catalogue/explore/query+allpagse', '/catalogue/explore/query+allpages'],
    ['/catalogue/explore/sets/RIGHT', '/catalogue/explore/sets/RIGHTS'],
    ['/catalogue/explore/', '/catalogue/explore'],
    ['/catalogue/modules/query+allpagse', '/catalogue/explore/query+allpages'],
    ['/catalogue/sets/RIGHT', '/catalogue/explore/sets/RIGHTS'],
  ])('a browser that opens %s gets a page with links to the nearest, %s', async (path, nearest) => {
    const { statusCode, headers, body } = await ask(path, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect({ statusCode, headers }).toMatchObject({
      statusCode: 404,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', vary: 'Accept' },
    })
    expect(/<li><a href="([^"]+)"/.exec(body)?.[1]).toBe(nearest)
    for (const [, link = ''] of body.matchAll(/<li><a href="([^"]+)"/g)) expect((await ask(link)).statusCode).toBe(200)
  })
})
