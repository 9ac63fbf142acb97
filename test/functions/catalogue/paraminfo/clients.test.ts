// Requests of MediaWiki's clients, and what they read of the answers.
import { describe, expect, test } from 'vitest'
import { ask } from '../../../support/catalogue/served.ts'
import { type Described, form, get, type Info, modulesOf, path, paths, pathsOf, post } from './facade.ts'

describe('pywikibot', () => {
  const first = 'action=paraminfo&modules=main%7Cparaminfo%7Cquery&format=json'
  const batchOf = (some: string[]) => `action=paraminfo&modules=${some.map(encodeURIComponent).join('%7C')}&format=json`

  test.each([
    ['POST, where there is no TLS', () => post(first)],
    ['GET, where there is', () => get(first)],
  ])('asks by %s, and learns the modules and how many to ask for', async (_, request) => {
    const [main, paraminfo, query] = (await request()).paraminfo.modules ?? []
    expect([main?.path, paraminfo?.path, query?.path]).toEqual(['main', 'paraminfo', 'query'])
    const parameterOf = (module: Described | undefined, name: string) =>
      module?.parameters.find(parameter => parameter.name === name) as Info
    const action = parameterOf(main, 'action')
    expect(action.submodules).toEqual({ paraminfo: 'paraminfo', query: 'query' })
    expect(action.type).toEqual(Object.keys(action.submodules ?? {}))
    const choices = ['prop', 'list', 'meta'].map(name => parameterOf(query, name))
    expect(choices.map(choice => [choice.limit, choice.multi])).toEqual([
      [50, ''],
      [50, ''],
      [50, ''],
    ])
    expect(choices.flatMap(choice => Object.values(choice.submodules ?? {})).sort()).toEqual(paths)
    const generator = parameterOf(query, 'generator')
    expect(generator).not.toHaveProperty('multi')
    expect(generator.type).toHaveLength(36)
    expect(choices.flatMap(choice => choice.type)).toEqual(expect.arrayContaining(generator.type as string[]))
  })

  test('asks for the modules in batches of 50, by their paths', async () => {
    for (const batch of [paths.slice(0, 50), paths.slice(50)]) {
      const { modules = [] } = (await post(batchOf(batch))).paraminfo
      expect(pathsOf(modules)).toEqual(batch)
      for (const { prefix, parameters, ...rest } of modules) {
        expect(rest).not.toHaveProperty('mustbeposted')
        expect(prefix).toEqual(expect.any(String))
        for (const parameter of parameters) {
          if (parameter.type === 'limit') expect([parameter.max, parameter.highmax]).toEqual([500, 5000])
          expect(parameter.multi ?? '').toBe('')
        }
      }
    }
  })

  test('asks for what is not there, and finds it absent', async () => {
    expect(await post('action=paraminfo&modules=query%2Bnosuch&format=json')).toEqual({
      warnings: { paraminfo: { '*': 'The module "query" does not have a submodule "nosuch".' } },
      paraminfo: { helpformat: 'none' },
    })
  })

  test('asks who it is, and is told that this is not answered', async () => {
    const body = 'action=query&meta=userinfo&uiprop=blockinfo%7Cgroups%7Chasmsg&formatversion=2&format=json'
    const { statusCode, headers, body: text } = await ask(path, { method: 'POST', headers: form, body })
    expect([statusCode, headers['mediawiki-api-error']]).toEqual([200, 'badvalue'])
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'badvalue',
        info: 'Unrecognized value for parameter "action": query.',
        docref: expect.stringContaining('/catalogue'),
      },
    })
  })
})

describe('the generator of types-mediawiki-api', () => {
  const words = ['string', 'integer', 'boolean', 'timestamp', 'title', 'namespace', 'user', 'limit']

  test.each([
    ['*', 'action=paraminfo&format=json&modules=*&formatversion=2', ['paraminfo', 'query']],
    ['query+*', 'action=paraminfo&format=json&modules=query%2B*&formatversion=2', paths],
  ])('asks for %s, and gets what it makes an interface of', async (_, query, due) => {
    const { modules = [] } = (await get(query)).paraminfo
    expect(pathsOf(modules)).toEqual(due)
    expect(new Set(modules.map(({ classname }) => classname)).size).toBe(due.length)
    for (const { classname, parameters } of modules) {
      expect(classname).toMatch(/^Api[A-Z]\w+$/)
      for (const { type, multi } of parameters) {
        expect(typeof multi).toBe('boolean')
        if (!Array.isArray(type)) expect(words).toContain(type)
      }
    }
  })
})

describe('mwn', () => {
  test('posts formatversion=2 and maxlag, and finds that no module wants a token', async () => {
    const { paraminfo } = await post('format=json&formatversion=2&maxlag=5&action=paraminfo&modules=query%2Bwatchlist')
    const token = paraminfo.modules?.[0]?.parameters.find(({ name }) => name === 'token')
    expect(token).toEqual({ index: 13, name: 'token', type: 'string', required: false, sensitive: true, multi: false })
  })
})

describe('LinqToWiki', () => {
  test('asks for XML, and is told that there is none', async () => {
    const { error } = await post('action=paraminfo&format=xml&maxlag=5&modules=main%7Cparaminfo', 'rawcontinue')
    expect(error).toMatchObject({ code: 'badvalue', info: 'Unrecognized value for parameter "format": xml.' })
  })

  test('would find the list of query modules, and each by its bare name', async () => {
    const [paraminfo] = await modulesOf('modules=paraminfo')
    expect(paraminfo?.parameters.find(({ name }) => name === 'querymodules')?.type).toEqual(
      paths.map(path => path.replace('query+', '')),
    )
    const { paraminfo: answer } = await get('action=paraminfo&querymodules=info|allpages|info&formatversion=2')
    expect(answer).not.toHaveProperty('modules')
    expect(answer.querymodules?.map(({ path, querytype }) => [path, querytype])).toEqual([
      ['query+info', 'prop'],
      ['query+allpages', 'list'],
    ])
    expect((await get('action=paraminfo&querymodules=nosuch')).warnings?.paraminfo['*']).toBe(
      'Unrecognized value for parameter "querymodules": nosuch.',
    )
  })
})
