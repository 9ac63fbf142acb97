// The catalogue over HTTP: paths, filters, refusals, caching and encodings.
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Catalogue, Module, ModuleSummary, Parameter, SharedSet } from '../../shared/catalogue/model.ts'
import { ask, read } from '../support/catalogue/served.ts'
import { prebuiltHeaders } from '../support/service/http.ts'

type List = { catalogue_version: string; total: number; modules: (ModuleSummary & Partial<Module>)[] }

const everyPath = [
  '/catalogue',
  '/catalogue/modules',
  '/catalogue/modules/query+allpages',
  '/catalogue/modules/query+allpages/parameters',
  '/catalogue/modules/query+allpages/parameters/namespace',
  '/catalogue/groups',
  '/catalogue/types',
  '/catalogue/sets',
  '/catalogue/sets/REVPROP',
  '/catalogue/export/catalogue.json',
  '/catalogue/modules/query+allpages/schema',
  '/catalogue/export/query-modules.schema.json',
  '/catalogue/export/query-modules.d.ts',
]

/** Of what is not plain JSON. */
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
    const index = await read<Catalogue & { links: Record<string, string> }>('/catalogue')
    expect(index).toMatchObject({
      name: 'Content Query Module Catalogue',
      catalogue_version: '1.0.0',
      counts: { modules: 62, parameters: 500, generators: 36 },
    })
    expect(index.statements).toContain('Modules can be combined, and some modules can act as generators.')
    expect(index.not_described).toContain('What the flags mean')
    for (const link of Object.values(index.links)) expect((await ask(link)).statusCode).toBe(200)
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
  })

  test('a parameter has no members but these, in this order, and none that is false or null', async () => {
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

describe('filters', () => {
  const named = async (query: string) => {
    const { total, modules } = await read<List>('/catalogue/modules', query)
    expect(modules).toHaveLength(total)
    return modules.map(({ name }) => name)
  }

  test.each([
    ['', 62],
    ['group=list', 35],
    ['group=prop', 20],
    ['group=meta', 7],
    ['generator=true', 36],
    ['generator=false', 26],
    ['deprecated=false', 61],
    ['readrights=true', 60],
    ['group=list&generator=true', 25],
    ['generator=true&group=prop', 11],
    ['group=meta&generator=true', 0],
    ['prefix=nosuch', 0],
    ['parameter=nosuch', 0],
    ['q=nosuchword', 0],
  ])('%j gives %i modules', async (query, count) => {
    expect(await named(query)).toHaveLength(count)
  })

  test.each([
    ['prefix=ap', ['allpages']],
    ['prefix=', ['tokens']],
    ['parameter=excluderights', ['contributors']],
    ['type=title', ['info']],
    ['deprecated=true', ['deletedrevs']],
    ['readrights=false', ['authmanagerinfo', 'tokens']],
    ['q=allpages', ['allpages']],
    ['q=ALLPAGES', ['allpages']],
    ['q=editsitecss', ['allusers', 'contributors']],
    ['q=excluderights', ['contributors']],
    ['q=iwbl', ['iwbacklinks']],
    ['q=bureaucrat+witheditsonly', ['allusers']],
    ['q=%20bureaucrat%09excluderights%20', ['contributors']],
    ['group=prop&parameter=limit&type=user&generator=true', ['deletedrevisions', 'revisions']],
  ])('%j gives %j', async (query, names) => {
    expect(await named(query)).toEqual(names)
  })

  test('every filter gives the modules of which it is true, in the order of the whole list, plain or whole', async () => {
    const { modules } = await read<{ modules: Module[] }>('/catalogue/modules', 'expand=parameters')
    const tests: [query: string, (module: Module) => boolean][] = [
      ['type=user', ({ parameters }) => parameters.some(({ type }) => type === 'user')],
      ['parameter=dir', ({ parameters }) => parameters.some(({ name }) => name === 'dir')],
      ['parameter=dir&group=prop', m => m.group === 'prop' && m.parameters.some(({ name }) => name === 'dir')],
      ['group=list&deprecated=false&generator=false', m => m.group === 'list' && !m.deprecated && !m.generator],
    ]
    for (const [query, matches] of tests) {
      const due = modules.filter(matches)
      expect(due.length).toBeGreaterThan(0)
      expect((await read<List>('/catalogue/modules', `${query}&expand=parameters`)).modules).toEqual(due)
      const summaries = due.map(({ parameters: _, relations: __, ...summary }) => summary)
      expect((await read<List>('/catalogue/modules', query)).modules).toEqual(summaries)
    }
  })

  test.each([
    ['an unknown query parameter', 'groups=list', 'unknown', 'group'],
    ['an unknown one without a value', 'x', 'unknown', 'expand'],
    ['a name of the language itself', '__proto__=1', 'unknown', 'group'],
    ['a known one in other case', 'Group=list', 'unknown', 'group'],
    ['a repeated one', 'group=list&group=prop', 'repeated', 'group'],
    ['a repeated one of equal value', 'q=a&q=a', 'repeated', 'q'],
    ['an unknown group', 'group=lists', 'invalid', 'meta'],
    ['no group', 'group=', 'invalid', 'list'],
    ['two groups in one', 'group=list,prop', 'invalid', 'prop'],
    ['a flag of another word', 'generator=yes', 'invalid', 'true'],
    ['a flag of another word', 'deprecated=1', 'invalid', 'false'],
    ['a flag in other case', 'readrights=TRUE', 'invalid', 'true'],
    ['an unknown type', 'type=string', 'invalid', 'str'],
    ['an unknown expansion', 'expand=all', 'invalid', 'parameters'],
    ['a search without words', 'q=%20', 'invalid', 'a text of 1 to 100 characters'],
    ['no parameter', 'parameter=', 'invalid', 'a text of 1 to 100 characters'],
    ['a search without end', `q=${'a'.repeat(101)}`, 'invalid', 'a text of 1 to 100 characters'],
    ['a prefix without end', `prefix=${'a'.repeat(101)}`, 'invalid', 'a text of at most 100 characters'],
  ])('%s is a 400 that lists what is allowed', async (_, query, code, allowed) => {
    const { statusCode, headers, body } = await ask('/catalogue/modules', { query })
    expect(statusCode).toBe(400)
    expect(headers['content-type']).toBe('application/problem+json')
    const problem = JSON.parse(body)
    expect(problem).toMatchObject({ status: 400, code: `query-parameter-${code}`, detail: expect.any(String) })
    expect(problem.allowed).toContain(allowed)
    expect(problem.detail).toContain(allowed)
  })

  test.each(everyPath.filter(path => path !== '/catalogue/modules'))('%s takes no query parameters', async path => {
    const { statusCode, body } = await ask(path, { query: 'group=list' })
    expect([statusCode, JSON.parse(body).code]).toEqual([400, 'query-parameter-unknown'])
    expect(JSON.parse(body).allowed).toEqual([])
  })
})

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

describe('caching', () => {
  test('the ETag is weak, differs with the content and is the same for every encoding and spelling', async () => {
    const tags = await Promise.all(everyPath.map(async path => (await ask(path)).headers.etag))
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

  test.each(paths)('%s?%s is a 304 without body to whoever has it', async (path, query) => {
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

describe('encodings', () => {
  /** What compression may cost in bytes: lists that are not prebuilt are compressed while a client waits. */
  const [prebuilt, unusual] = [1.03, 1.25]
  const lists: [query: string, bound: number][] = [
    ['', prebuilt],
    ['expand=parameters', prebuilt],
    ['group=prop', prebuilt],
    ['group=prop&expand=parameters', prebuilt],
    ['q=sha1', unusual],
    ['q=revision&expand=parameters', unusual],
    ['q=yt&expand=parameters', unusual],
    ['q=in&expand=parameters', unusual],
  ]
  const paths: [path: string, query: string, bound: number][] = [
    ...everyPath.map((path): [string, string, number] => [path, '', prebuilt]),
    ...lists.map(([query, bound]): [string, string, number] => ['/catalogue/modules', query, bound]),
  ]

  test.each(paths)(
    '%s?%s is the same JSON in brotli and gzip, at most %d times the size of brotli 11',
    async (path, query, bound) => {
      const { body } = await ask(path, { query })
      const inverse = { br: brotliDecompressSync, gzip: gunzipSync }
      for (const encoding of ['br', 'gzip'] as const) {
        const answer = await ask(path, { query, headers: { 'accept-encoding': encoding } })
        const bytes = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8')
        const decoded = answer.headers['content-encoding'] ? inverse[encoding](bytes) : bytes
        expect(decoded.toString()).toBe(body)
        expect(answer.headers).toMatchObject({ 'content-length': String(bytes.length), vary: 'Accept-Encoding' })
        expect(bytes.length).toBeLessThanOrEqual(body.length)
        if (encoding === 'br') expect(bytes.length / brotliCompressSync(body).length).toBeLessThanOrEqual(bound)
      }
      if (body.length > 200) {
        const { headers } = await ask(path, { query, headers: { 'accept-encoding': 'gzip, br' } })
        expect(headers['content-encoding']).toBe('br')
      }
    },
  )

  test('a list that is not prebuilt is not compressed as well as can be, which would cost 70 ms', async () => {
    // One of the longest lists that two letters find. `npm run bench -- catalogue` says what it costs.
    const query = 'q=ti&expand=parameters'
    const { body } = await ask('/catalogue/modules', { query })
    const { headers } = await ask('/catalogue/modules', { query, headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
    expect(Number(headers['content-length']) / brotliCompressSync(body).length).toBeGreaterThan(1.05)
  })

  test('a list asked for again is what it was, also after many others', async () => {
    const options = { query: 'q=sha1', headers: { 'accept-encoding': 'br' } }
    const first = await ask('/catalogue/modules', options)
    expect(await ask('/catalogue/modules', options)).toEqual(first)
    const { modules } = await read<List>('/catalogue/modules')
    for (const { prefix } of modules) {
      await ask('/catalogue/modules', { query: `prefix=${prefix}`, headers: { 'accept-encoding': 'br' } })
      await ask('/catalogue/modules', {
        query: `prefix=${prefix}&expand=parameters`,
        headers: { 'accept-encoding': 'br' },
      })
    }
    expect(await ask('/catalogue/modules', options)).toEqual(first)
  })
})
