// The catalogue over HTTP: what each path answers, to which methods.
import { describe, expect, test } from 'vitest'
import { type Route, routes } from '../../../api/routes.ts'
import type { Catalogue, Module, ModuleSummary, Parameter, SharedSet } from '../../../catalogue/model.ts'
import { document } from '../../support/api/openapi.ts'
import { ask, read } from '../../support/catalogue/served.ts'
import { prebuiltHeaders } from '../../support/service/http.ts'
import { everyPath } from './every-path.ts'

type List = { catalogue_version: string; total: number; modules: (ModuleSummary & Partial<Module>)[] }

/** Media types other than plain JSON. */
const mediaTypes: Record<string, string> = {
  '/catalogue/modules/query+allpages/schema': 'application/schema+json',
  '/catalogue/export/query-modules.schema.json': 'application/schema+json',
  '/catalogue/export/query-modules.d.ts': 'text/plain; charset=utf-8',
}

const { modules: exported } = await read<Catalogue>('/catalogue/export/catalogue.json')

describe('paths', () => {
  test.each(everyPath)('%s answers, with JSON or what else it says', async path => {
    const { statusCode, headers, body, isBase64Encoded } = await ask(path)
    expect(statusCode).toBe(200)
    expect(isBase64Encoded).toBe(false)
    expect(headers).toEqual(prebuiltHeaders(body, mediaTypes[path]))
    if (!path.endsWith('.d.ts')) JSON.parse(body)
  })

  test('the index gives name, version, counts and links, every one of which answers', async () => {
    const index = await read<Catalogue & Record<'links' | 'link_templates', Record<string, string>>>('/catalogue')
    expect(index).toMatchObject({
      name: 'Content Query Module Catalogue',
      catalogue_version: '1.0.0',
      counts: { modules: 62, parameters: 500, generators: 36 },
    })
    expect(index.statements).toContain('Modules can be combined, and some modules can act as generators.')
    expect(index.not_described).toContain('What the flags mean')
    for (const link of Object.values(index.links)) expect((await ask(link)).statusCode).toBe(200)
    for (const { link, on } of Object.values<Route>(routes).filter(({ link }) => link)) {
      const [, path = ''] = on.split(' ')
      const { parameters = [] } = document.paths[path]?.get ?? {}
      const names = parameters.flatMap(parameter => (parameter.in === 'query' ? [parameter.name] : []))
      const template = names.length > 0 ? `${path}{?${names}}` : path
      expect([index.links[link ?? ''], index.link_templates[link ?? '']]).toContain(template)
    }
  })

  test.each([
    '/catalogue/modules/query+allpages',
    '/catalogue/modules/query allpages',
    '/catalogue/modules/query%2Ballpages',
    '/catalogue/modules/query%2ballpages',
    '/catalogue/modules/query%20allpages',
    '/catalogue/modules/allpages',
    '/catalogue/query+allpages',
    '/catalogue/query allpages',
    '/catalogue/query%2Ballpages',
    '/catalogue/allpages',
  ])('%s is the module, as are its parameters and its schema below it', async path => {
    const module = await ask('/catalogue/modules/query+allpages')
    expect(await ask(path)).toEqual(module)
    expect(await ask(`${path}/schema`)).toEqual(await ask('/catalogue/modules/query+allpages/schema'))
    const { parameters } = JSON.parse(module.body) as Module
    expect(await read<Module>(`${path}/parameters`)).toMatchObject({ path: 'query+allpages', parameters })
    expect(await read<Parameter>(`${path}/parameters/namespace`)).toEqual(parameters[4])
  })

  test('a module has exactly these members, in this order', async () => {
    const members = ['path', 'name', 'group', 'prefix', 'generator', 'readrights', 'deprecated', 'parameter_count']
    expect(Object.keys(await read<Module>('/catalogue/modules/query+tokens'))).toEqual([
      ...members,
      'parameters',
      'links',
    ])
    const { modules, ...list } = await read<List>('/catalogue/modules')
    expect(Object.keys(list)).toEqual(['catalogue_version', 'total'])
    for (const module of modules) expect(Object.keys(module)).toEqual([...members, 'links'])
    for (const { path, links } of modules)
      expect(links).toMatchObject({ self: `/catalogue/modules/${path}`, catalogue: '/catalogue' })
  })

  test('a parameter has these members alone, in this order, none of them false or null', async () => {
    const order =
      'index name type multi value_limit value_high_limit all_specifier allows_duplicates default required deprecated sensitive values values_set deprecated_values extra_namespaces subtypes min max highmax conditions'
    const { modules } = await read<Catalogue>('/catalogue/export/catalogue.json')
    const seen = new Set<string>()
    for (const parameter of modules.flatMap(({ parameters }) => parameters)) {
      const members = Object.keys(parameter)
      expect(members).toEqual(order.split(' ').filter(member => members.includes(member)))
      expect(Object.values(parameter)).not.toContain(false)
      expect(Object.values(parameter)).not.toContain(null)
      for (const member of members) seen.add(member)
    }
    expect([...seen].sort()).toEqual(order.split(' ').sort())
  })

  test('the parts of the export are what the other paths answer', async () => {
    const { modules, sets, groups, types, counts } = await read<Catalogue>('/catalogue/export/catalogue.json')
    expect((await read<List>('/catalogue/modules', 'expand=parameters')).modules).toEqual(modules)
    expect(await read('/catalogue/sets')).toEqual({ catalogue_version: '1.0.0', total: 12, sets })
    expect(await read('/catalogue/groups')).toEqual({ catalogue_version: '1.0.0', total: 3, groups })
    expect(await read('/catalogue/types')).toEqual({ catalogue_version: '1.0.0', total: 9, types })
    expect((await read<Catalogue>('/catalogue')).counts).toEqual(counts)
    for (const set of sets) expect(await read(`/catalogue/sets/${set.name}`)).toEqual(set)
  })

  test.each(exported.map(module => [module.name, module] as const))(
    '%s is the same in the export, in the lists and at its own paths',
    async (name, module) => {
      expect(await read<Module>(`/catalogue/modules/query+${name}`)).toStrictEqual(module)
      const { modules: listed } = await read<List>('/catalogue/modules', 'expand=parameters')
      expect(listed.find(each => each.name === name)).toStrictEqual(module)
      const { parameters, relations: _, ...summary } = module
      const { modules: summaries } = await read<List>('/catalogue/modules')
      expect(summaries.find(each => each.name === name)).toStrictEqual(summary)

      const listing = await read<Module>(`/catalogue/modules/query+${name}/parameters`)
      expect(listing.parameters).toStrictEqual(parameters)
      for (const parameter of parameters) {
        const alone = await read<Parameter>(`/catalogue/modules/query+${name}/parameters/${parameter.name}`)
        expect(alone).toStrictEqual(parameter)
      }
    },
  )

  test('every link of the export answers', async () => {
    const { body } = await ask('/catalogue/export/catalogue.json')
    const links = new Set([...body.matchAll(/"(\/catalogue[^"]*)"/g)].map(match => String(match[1])))
    expect(links.size).toBeGreaterThan(130)
    for (const link of links) {
      const [path = '', query = ''] = link.split('?')
      expect([link, (await ask(path, { query })).statusCode]).toEqual([link, 200])
    }
  })

  test('a set says where each of its users uses it', async () => {
    const { used_by } = await read<SharedSet>('/catalogue/sets/GROUPS')
    expect(used_by).toEqual([
      { module: 'allusers', parameters: ['group', 'excludegroup'] },
      { module: 'contributors', parameters: ['group', 'excludegroup'] },
    ])
  })
})

describe('methods', () => {
  test.each(everyPath)('HEAD %s is GET without its body', async path => {
    for (const headers of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip' }]) {
      const get = await ask(path, { headers })
      expect(await ask(path, { method: 'HEAD', headers })).toEqual({ ...get, body: '', isBase64Encoded: false })
    }
  })

  test.each([
    ['/catalogue/modules', 'group=x', 400],
    ['/catalogue/modules/query+allpage', '', 404],
  ])('HEAD %s?%s has the headers of its refusal and no body', async (path, query, status) => {
    const { headers } = await ask(path, { query })
    expect(await ask(path, { method: 'HEAD', query })).toEqual({
      statusCode: status,
      headers,
      body: '',
      isBase64Encoded: false,
    })
  })

  test.each(everyPath)('OPTIONS %s lists the methods', async path => {
    const { statusCode, headers, body } = await ask(path, { method: 'OPTIONS', query: 'anything' })
    expect([statusCode, headers.allow, body]).toEqual([204, 'GET, HEAD, OPTIONS', ''])
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'get'])('%s is a 405 that lists the methods', async method => {
    const { statusCode, headers, body } = await ask('/catalogue', { method })
    expect(statusCode).toBe(405)
    expect(headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', 'content-type': 'application/problem+json' })
    expect(JSON.parse(body)).toMatchObject({ status: 405, code: 'method-not-allowed' })
  })

  test('a path that is not there is a 404 to every method', async () => {
    for (const method of ['POST', 'OPTIONS']) expect((await ask('/catalogue/nowhere', { method })).statusCode).toBe(404)
  })
})
