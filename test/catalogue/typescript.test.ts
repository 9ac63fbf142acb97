// The declarations of all modules, compiled with uses that must and must not compile.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Catalogue, Module, Parameter } from '../../catalogue/model.ts'
import { mistypedValues, rightValues } from '../support/catalogue/parameter-values.ts'
import { ask, read } from '../support/catalogue/served.ts'

const { modules } = await read<Catalogue>('/catalogue/export/catalogue.json')
const { body: declarations } = await ask('/catalogue/export/query-modules.d.ts')
const tsc = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname

/** The compiler's messages about a file beside the declarations. */
function complaintsAbout(source: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    writeFileSync(join(folder, 'query-modules.d.ts'), declarations)
    writeFileSync(join(folder, 'use.ts'), source)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      types: [],
      module: 'nodenext',
      exactOptionalPropertyTypes: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    execFileSync(process.execPath, [tsc, '--pretty', 'false', '-p', folder], { encoding: 'utf8' })
    return []
  } catch (error) {
    return (error as { stdout: string }).stdout.trim().split('\n')
  }
}

const alias = ({ name }: Module, kind: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}${kind}`
const aliasesOf = (module: Module): [alias: string, prefix: string][] => [
  [alias(module, 'Parameters'), ''],
  [alias(module, 'Query'), module.prefix],
  ...(module.generator ? [[alias(module, 'Generator'), `g${module.prefix}`] as [string, string]] : []),
]

/** A statement for each value of each parameter, in a block with the names of the module's types. */
function statementsFor(module: Module, valuesOf: (parameter: Parameter) => unknown[], before = ''): string[] {
  const required = module.parameters.filter(each => each.required).map(each => [each.name, rightValues(each)[0]])
  return aliasesOf(module).flatMap(([alias, prefix]) => {
    const named = ([name, value]: unknown[]) => `${prefix}${name}: ${JSON.stringify(value)}`
    return module.parameters.flatMap(parameter =>
      valuesOf(parameter).map(value => {
        const others = required.filter(([name]) => name !== parameter.name)
        return `${before}take<t.${alias}>({ ${[...others, [parameter.name, value]].map(named).join(', ')} })`
      }),
    )
  })
}

const head = "import type * as t from './query-modules.d.ts'\ndeclare function take<T>(value: T): void\n"
const refused = '// @ts-expect-error\n'

test('each parameter of each module takes its values alone, by each of its names', () => {
  const right = modules.flatMap(module => statementsFor(module, rightValues))
  const wrong = modules.flatMap(module => statementsFor(module, mistypedValues, refused))
  expect(right.length).toBeGreaterThan(1334)
  expect(wrong.length).toBeGreaterThan(1334)
  expect(complaintsAbout(head + [...right, ...wrong].join('\n'))).toEqual([])
})

test('each module has its types by its path, and only generators those of generators', () => {
  const uses = modules.flatMap(module => {
    const { path, generator } = module
    const is = (member: string, type: string) => `take<Same<t.QueryModules['${path}']['${member}'], ${type}>>(true)`
    return [
      is('parameters', `t.${alias(module, 'Parameters')}`),
      is('query', `t.${alias(module, 'Query')}`),
      is('generator', generator ? `t.${alias(module, 'Generator')}` : 'never'),
    ]
  })
  const same = 'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false\n'
  const paths = modules.map(({ path }) => `'${path}'`).join(' | ')
  const all = `take<Same<keyof t.QueryModules, ${paths}>>(true)`
  expect(complaintsAbout(head + same + [...uses, all].join('\n'))).toEqual([])
})

test('uses that must compile, and uses that must not', () => {
  const uses = `${head}
    const query: t.AllpagesQuery = { apfrom: 'A', apprtype: ['edit'], aplimit: 'max' }
    const asRecord: Record<string, unknown> = query
    const asValues: Record<string, string | number | boolean | readonly (string | number)[]> = query
    query.apfrom = 'B'
    const both: t.AllpagesGenerator & t.InfoQuery = { gapfrom: 'A', inprop: ['url'] }
    const fixed = ['edit', 'move'] as const
    take<t.AllpagesQuery>({ apprtype: fixed })
    function ask<P extends keyof t.QueryModules>(path: P, query: t.QueryModules[P]['query']): void {}
    ask('query+search', { srsearch: 'a', srnamespace: ['*'] })
    take<t.SearchParameters>({ search: 'a', limit: 5 })
    ${refused} ask('query+search', {})
    ${refused} ask('query+search', { search: 'a' })
    ${refused} ask('query+nosuch', {})
    ${refused} take<t.AllpagesQuery>({ gapfrom: 'A' })
    ${refused} take<t.AllpagesQuery>({ apfrom: undefined })
    ${refused} take<t.UsersGenerator>({})
    ${refused} query.apprtype?.push('move')
    ${refused} take<t.SearchQuery>({ srsearch: 'a', srprop: ['Size'] })
    ${refused} const never: t.QueryModules['query+users']['generator'] = {}`
  expect(complaintsAbout(uses)).toEqual([])
})

test.each([
  '  /** limit, default 10. At most 500, 5000 for callers with the high limit. */\n  aplimit?: ',
  '  /** ns, default 0. */\n  apnamespace?: number\n',
  "  /** enum, several, default (empty). At most 50 values, 500 for callers with the high limit. */\n  acprop?: readonly ('hidden' | 'size')[]\n",
  '  /** ts. A timestamp, such as 2001-01-15T14:56:00Z. Use it only together with gadruser. */\n  gadrstart?: string\n',
  '  /**\n   * bool.\n   * @deprecated\n   */\n  rvparse?: boolean\n',
  '/** The parameters of query+backlinks. Give exactly one of title and pageid. */\nexport type BacklinksParameters = {\n',
  '/** The parameters of query+backlinks as the generator. Give exactly one of gbltitle and gblpageid. */\nexport type BacklinksGenerator = {\n',
  '@deprecated\n */\nexport type DeletedrevsQuery = {\n',
])('a comment says what a type cannot: %j', comment => {
  expect(declarations).toContain(comment)
})
