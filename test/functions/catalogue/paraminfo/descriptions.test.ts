import { describe, expect, test } from 'vitest'
import type { Parameter } from '../../../../catalogue/model.ts'
import { ask } from '../../../support/catalogue/served.ts'
import { described, modulesOf, path } from './facade.ts'

describe('what is said', () => {
  test('of query+tokens in formatversion 1, whole', async () => {
    const { body } = await ask(path, { query: 'action=paraminfo&format=json&modules=query%2Btokens' })
    expect(body).toBe(
      '{"paraminfo":{"helpformat":"none","modules":[{"name":"tokens","classname":"ApiQueryTokens","path":"query+tokens","group":"meta","prefix":"","helpurls":[],"parameters":[{"index":1,"name":"type","type":["createaccount","csrf","login","patrol","rollback","userrights","watch"],"default":"csrf","multi":"","lowlimit":50,"highlimit":500,"limit":50}],"templatedparameters":[]}]}}',
    )
  })

  test('of query+allpages in formatversion 2, but for its parameters, whole', async () => {
    const [allpages] = await modulesOf('modules=query%2Ballpages')
    expect(JSON.stringify({ ...allpages, parameters: [] })).toBe(
      '{"name":"allpages","classname":"ApiQueryAllpages","path":"query+allpages","group":"list","prefix":"ap","readrights":true,"generator":true,"helpurls":[],"parameters":[],"templatedparameters":[]}',
    )
  })

  test.each([
    ['allpages', '{"index":1,"name":"from","type":"string","required":false,"multi":false}'],
    ['allpages', '{"index":5,"name":"namespace","type":"namespace","required":false,"default":0,"multi":false}'],
    [
      'allpages',
      '{"index":10,"name":"prlevel","type":["","autoconfirmed","sysop"],"required":false,"multi":true,"lowlimit":50,"highlimit":500,"limit":50}',
    ],
    [
      'allpages',
      '{"index":12,"name":"limit","type":"limit","required":false,"default":10,"multi":false,"min":1,"max":500,"highmax":5000}',
    ],
    [
      'deletedrevs',
      '{"index":1,"name":"start","type":"timestamp","required":false,"multi":false,"info":[{"name":"modes","values":[1,2]}]}',
    ],
    [
      'search',
      '{"index":7,"name":"prop","type":["categorysnippet","extensiondata","isfilematch","redirectsnippet","redirecttitle","sectionsnippet","sectiontitle","size","snippet","timestamp","titlesnippet","wordcount","hasrelated","score"],"required":false,"default":"size|wordcount|timestamp|snippet","multi":true,"lowlimit":50,"highlimit":500,"limit":50,"deprecatedvalues":["hasrelated","score"]}',
    ],
    [
      'allmessages',
      '{"index":6,"name":"args","type":"string","required":false,"multi":true,"lowlimit":50,"highlimit":500,"limit":50,"allowsduplicates":true}',
    ],
    [
      'info',
      '{"index":2,"name":"linkcontext","type":"title","required":false,"default":"Main Page","multi":false,"mustExist":false}',
    ],
    [
      'watchlist',
      '{"index":4,"name":"namespace","type":"namespace","required":false,"multi":true,"lowlimit":50,"highlimit":500,"limit":50,"allspecifier":"*"}',
    ],
    ['watchlist', '{"index":12,"name":"owner","type":"user","required":false,"multi":false,"subtypes":["name"]}'],
    [
      'logevents',
      '{"index":9,"name":"namespace","type":"namespace","required":false,"multi":false,"extranamespaces":[-2,-1]}',
    ],
    ['search', '{"index":1,"name":"search","type":"string","required":true,"multi":false}'],
    ['revisions', '{"index":6,"name":"parse","type":"boolean","required":false,"deprecated":true,"multi":false}'],
    [
      'allcategories',
      '{"index":9,"name":"prop","type":["hidden","size"],"required":false,"default":"","multi":true,"lowlimit":50,"highlimit":500,"limit":50}',
    ],
  ])('of a parameter of query+%s, whole: %s', async (name, due) => {
    const [module] = await modulesOf(`modules=query%2B${name}`)
    const parameter = JSON.parse(due) as Parameter
    expect(JSON.stringify(module?.parameters[parameter.index - 1])).toBe(due)
  })

  test('of the choices of modules: deprecated ones last, generators with the letter before their prefixes', async () => {
    const [query] = await modulesOf('modules=query')
    const [prop, list, meta, generator] = query?.parameters ?? []
    expect(list?.type.at(-1)).toBe('deletedrevs')
    expect(list?.deprecatedvalues).toEqual(['deletedrevs'])
    expect(prop).not.toHaveProperty('deprecatedvalues')
    expect(JSON.stringify(meta)).toBe(
      '{"index":3,"name":"meta","type":["allmessages","authmanagerinfo","filerepoinfo","languageinfo","siteinfo","tokens","userinfo"],"required":false,"multi":true,"lowlimit":50,"highlimit":500,"limit":50,"submodules":{"allmessages":"query+allmessages","authmanagerinfo":"query+authmanagerinfo","filerepoinfo":"query+filerepoinfo","languageinfo":"query+languageinfo","siteinfo":"query+siteinfo","tokens":"query+tokens","userinfo":"query+userinfo"}}',
    )
    expect(generator).toMatchObject({ multi: false, submoduleparamprefix: 'g' })
    expect(Object.keys(generator?.submodules ?? {})).toEqual(generator?.type)
  })

  test('of every module and parameter: facts that hold, in MediaWiki’s order', async () => {
    const order = {
      module:
        'name classname path group prefix deprecated readrights generator helpurls parameters templatedparameters',
      parameter:
        'index name type required deprecated sensitive default multi lowlimit highlimit limit allowsduplicates allspecifier deprecatedvalues submodules submoduleparamprefix extranamespaces subtypes mustExist min max highmax info',
    }
    const inOrder = (what: keyof typeof order, members: string[]) =>
      expect(members).toEqual(order[what].split(' ').filter(member => members.includes(member)))
    const modules = await modulesOf('modules=**|main')
    expect(modules).toHaveLength(65)
    const facts = new Set<string>()
    for (const module of modules) {
      inOrder('module', Object.keys(module))
      expect(module.parameters.map(({ index }) => index)).toEqual(module.parameters.map((_, i) => i + 1))
      for (const { required, multi, mustExist: _, ...parameter } of module.parameters) {
        expect([typeof required, typeof multi]).toEqual(['boolean', 'boolean'])
        for (const value of Object.values(parameter)) expect([null, false, undefined]).not.toContain(value)
        if (Array.isArray(parameter.type) && parameter.deprecatedvalues) {
          const deprecated = parameter.deprecatedvalues as string[]
          expect(parameter.type.slice(-deprecated.length)).toEqual(deprecated)
        }
      }
      for (const parameter of module.parameters) {
        inOrder('parameter', Object.keys(parameter))
        for (const fact of Object.keys(parameter)) facts.add(fact)
      }
    }
    expect([...facts].sort()).toEqual(order.parameter.split(' ').sort())
  })

  test('of every catalogued module: its own facts', async () => {
    const modules = await modulesOf('modules=query%2B*')
    for (const module of modules) {
      const { name, group, prefix, readrights, generator, deprecated, parameters } =
        described.find(({ path }) => path === module.path) ?? {}
      expect(module).toMatchObject({ name, group, prefix })
      expect([module.readrights ?? false, module.generator ?? false, module.deprecated ?? false]).toEqual([
        readrights,
        generator,
        deprecated,
      ])
      const catalogued = (parameters ?? []).map(({ name, default: usual, conditions, values }) => ({
        name,
        usual,
        conditions,
        values,
      }))
      expect(catalogued).toEqual(
        module.parameters.map(({ name, type, default: usual, info }) => ({
          name,
          usual,
          conditions: info,
          values: Array.isArray(type) ? type : undefined,
        })),
      )
    }
  })

  test('in formatversion 1: what it is in 2, with "" for true', async () => {
    const asInVersion1 = (value: unknown): unknown => {
      if (value === true) return ''
      if (Array.isArray(value)) return value.map(asInVersion1)
      if (typeof value !== 'object' || value === null) return value
      const held = Object.entries(value).filter(([, fact]) => fact !== false)
      return Object.fromEntries(held.map(([name, fact]) => [name, asInVersion1(fact)]))
    }
    const query = 'action=paraminfo&format=json&modules=main|paraminfo|query|query%2B*&formatversion='
    const { body: version1 } = await ask(path, { query: `${query}1` })
    const { body: version2 } = await ask(path, { query: `${query}2` })
    expect(JSON.parse(version1)).toEqual(asInVersion1(JSON.parse(version2)))
    expect((await ask(path, { query: `${query}latest` })).body).toBe(version2)
    expect((await ask(path, { query: query.replace('&formatversion=', '') })).body).toBe(version1)
  })
})
