import { describe, expect, test } from 'vitest'
import { ask } from '../../support/catalogue/served.ts'

describe('what is not there', () => {
  test.each([
    ['a module', '/catalogue/modules/query+allpage', 'module-not-found', 'allpages'],
    ['a module by its bare name', '/catalogue/modules/catmembers', 'module-not-found', 'categorymembers'],
    ['a module at the short path', '/catalogue/query+serach', 'module-not-found', 'search'],
    ['a module in other case', '/catalogue/modules/query+AllPages', 'module-not-found', 'allpages'],
    ['the parameters of a module', '/catalogue/query+allpage/parameters', 'module-not-found', 'allpages'],
    ['the schema of a module', '/catalogue/query+allpage/schema', 'module-not-found', 'allpages'],
    ['a parameter', '/catalogue/modules/query+allpages/parameters/namespaces', 'parameter-not-found', 'namespace'],
    ['a set', '/catalogue/sets/rights', 'set-not-found', 'RIGHTS'],
    ['a set', '/catalogue/sets/DIR', 'set-not-found', 'DIR2'],
    ['a path', '/catalogue/module', 'not-found', 'modules'],
    ['a bare name', '/catalogue/allpage', 'not-found', 'allpages'],
  ])('%s: %s is a 404 that names the nearest', async (_, path, code, nearest) => {
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
})
