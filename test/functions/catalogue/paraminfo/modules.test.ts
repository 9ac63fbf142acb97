import { describe, expect, test } from 'vitest'
import { get, paths, pathsOf } from './facade.ts'

describe('paths of modules', () => {
  test.each([
    ['query%2Ballpages', ['query+allpages']],
    ['query+allpages', ['query+allpages']],
    ['query%20allpages|query%2Binfo|main', ['query+allpages', 'query+info', 'main']],
    ['query%2Binfo|query%2Binfo|query+info', ['query+info']],
    ['%1Fquery%2Binfo%1Fmain', ['query+info', 'main']],
    ['*', ['paraminfo', 'query']],
    ['main%2B*', ['paraminfo', 'query']],
    ['query+*', paths],
    ['query%2B**', paths],
    ['**', ['paraminfo', 'query', ...paths]],
    ['query%2Binfo|query%2B*', ['query+info', ...paths.filter(path => path !== 'query+info')]],
    ['', []],
  ])('modules=%s gives each once, in the order asked for', async (modules, due) => {
    const answer = await get(`action=paraminfo&format=json&formatversion=2&modules=${modules}`)
    expect(pathsOf(answer.paraminfo.modules)).toEqual(due)
    expect(answer).not.toHaveProperty('warnings')
  })

  test.each([
    ['nosuch', 'The module "main" does not have a submodule "nosuch".'],
    ['allpages', 'The module "main" does not have a submodule "allpages".'],
    ['query%2Bnosuch', 'The module "query" does not have a submodule "nosuch".'],
    ['query%2B', 'The module "query" does not have a submodule "".'],
    ['main%2Bquery', 'The module "main" does not have a submodule "main".'],
    ['query%2Ballpages%2Bx', 'The module "query+allpages" has no submodules.'],
    ['query%2Ballpages%2B*', 'The module "query+allpages" has no submodules.'],
    ['paraminfo%2B*', 'The module "paraminfo" has no submodules.'],
    ['nosuch%2B*', 'The module "main" does not have a submodule "nosuch".'],
    ['que*', 'The module "main" does not have a submodule "que*".'],
    ['__proto__', 'The module "main" does not have a submodule "__proto__".'],
    [encodeURIComponent('\u0000é\ud83d\ude00'), 'The module "main" does not have a submodule "\u0000é\ud83d\ude00".'],
    ['x'.repeat(5000), `The module "main" does not have a submodule "${'x'.repeat(64)}...".`],
  ])('modules=%s: what is not there is left out, with a warning', async (modules, warning) => {
    const answer = await get(`action=paraminfo&format=json&formatversion=2&modules=${modules}|query%2Binfo`)
    expect(answer.warnings?.paraminfo).toEqual({ warnings: warning })
    expect(pathsOf(answer.paraminfo.modules)).toEqual(['query+info'])
  })

  test('every unknown one has its line', async () => {
    const { warnings } = await get('action=paraminfo&modules=a|query%2Binfo|b')
    expect(warnings?.paraminfo['*']?.split('\n')).toHaveLength(2)
  })
})
