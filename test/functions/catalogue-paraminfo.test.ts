// The facade over HTTP: requests as clients of MediaWiki send them, and what these read of the answers.
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Catalogue, Parameter } from '../../shared/catalogue/model.ts'
import { ask, read } from '../support/catalogue/served.ts'

const path = '/catalogue/w/api.php'
const { modules: described } = await read<Catalogue>('/catalogue/export/catalogue.json')
const paths = described.map(module => module.path).sort()

type Info = Record<string, unknown> & { name: string; type: string | string[]; submodules?: Record<string, string> }
type Described = Record<string, unknown> & { name: string; path: string; prefix: string; parameters: Info[] }
type Answer = {
  error?: Record<string, string>
  warnings?: { paraminfo: Record<string, string> }
  paraminfo: { helpformat: string; modules?: Described[]; querymodules?: Described[] }
}

async function get(query: string): Promise<Answer> {
  const { statusCode, body } = await ask(path, { query })
  expect(statusCode).toBe(200)
  return JSON.parse(body) as Answer
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function post(body: string, query = ''): Promise<Answer> {
  const { statusCode, body: text } = await ask(path, { method: 'POST', query, headers: form, body })
  expect(statusCode).toBe(200)
  return JSON.parse(text) as Answer
}

/** The modules of a request in formatversion 2. */
async function modulesOf(query: string): Promise<Described[]> {
  return (await get(`action=paraminfo&format=json&formatversion=2&${query}`)).paraminfo.modules ?? []
}

const pathsOf = (modules: Described[] = []) => modules.map(module => module.path)

describe('pywikibot', () => {
  const first = 'action=paraminfo&modules=main%7Cparaminfo%7Cquery&format=json'
  const batchOf = (some: string[]) => `action=paraminfo&modules=${some.map(encodeURIComponent).join('%7C')}&format=json`

  test.each([
    ['POST, where there is no TLS', () => post(first)],
    ['GET, where there is', () => get(first)],
  ])('asks by %s, and learns which modules there are and how many it may ask for at once', async (_, request) => {
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

  test('asks for the modules in batches of 50, and gets them by the paths that it asked for', async () => {
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

  test('would find the list of query modules where it looks for it, and each by its bare name', async () => {
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

  test('in formatversion 1: what it is in 2, with "" for true and nothing for false', async () => {
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

describe('refusals are MediaWiki’s errors, with status 200', () => {
  const tooMany = Array.from({ length: 51 }, () => 'main').join('|')
  test.each([
    ['', 'missingparam', 'The "action" parameter must be set.'],
    ['action=help', 'badvalue', 'Unrecognized value for parameter "action": help.'],
    ['action=', 'badvalue', 'Unrecognized value for parameter "action": .'],
    ['action=__proto__', 'badvalue', 'Unrecognized value for parameter "action": __proto__.'],
    ['action=paraminfo&format=jsonfm', 'badvalue', 'Unrecognized value for parameter "format": jsonfm.'],
    ['action=paraminfo&formatversion=3', 'badvalue', 'Unrecognized value for parameter "formatversion": 3.'],
    ['action=paraminfo&helpformat=pdf', 'badvalue', 'Unrecognized value for parameter "helpformat": pdf.'],
    [
      `action=paraminfo&modules=${tooMany}`,
      'toomanyvalues',
      'Too many values supplied for parameter "modules". The limit is 50.',
    ],
    [
      `action=paraminfo&querymodules=${tooMany}`,
      'toomanyvalues',
      'Too many values supplied for parameter "querymodules". The limit is 50.',
    ],
    [`action=paraminfo&x=${'x'.repeat(8000)}`, 'query-too-long', expect.stringContaining('8000')],
  ])('?%s: %s', async (query, code, info) => {
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

  test('fields that nobody knows are ignored, as is a format that is not given', async () => {
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
