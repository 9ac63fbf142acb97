// The JSON Schemas of modules, for ajv and similar validators.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Catalogue, Module } from '../../catalogue/model.ts'
import { excessiveValues, mistypedValues, rightValues } from '../support/catalogue/parameter-values.ts'
import { read } from '../support/catalogue/served.ts'

type Property = { description?: string; default?: unknown; deprecated?: true }
type Schema = { description: string; properties: Record<string, Property>; required?: string[]; deprecated?: true }

const ajv = new Ajv2020({ strict: true, allErrors: true })
const { modules } = await read<Catalogue>('/catalogue/export/catalogue.json')
const schemas = new Map(
  await Promise.all(
    modules.map(async ({ path }) => [path, await read<Schema>(`/catalogue/modules/${path}/schema`)] as const),
  ),
)

const schemaOf = (name: string) => schemas.get(`query+${name}`) as Schema

/** The violations of the schema in a query. */
function faultsOf(name: string, query: object): string[] {
  ajv.validate(schemaOf(name), query)
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The required parameters of a module. */
const least = ({ prefix, parameters }: Module) =>
  Object.fromEntries(
    parameters.filter(({ required }) => required).map(each => [prefix + each.name, rightValues(each)[0]]),
  )

describe.each(modules.map(module => [module.name, module] as const))('the schema of %s', (name, module) => {
  const { prefix, parameters } = module

  test('follows its draft, and is understood by ajv in full', () => {
    expect(schemaOf(name)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
    expect(ajv.validateSchema(schemaOf(name))).toBe(true)
    ajv.compile(schemaOf(name))
  })

  test('knows the parameters’ names in a query, in their order, and no others', () => {
    expect(Object.keys(schemaOf(name).properties)).toEqual(parameters.map(parameter => prefix + parameter.name))
    expect(faultsOf(name, { ...least(module), nosuchparameter: 'a' })).toEqual([' must NOT have additional properties'])
    if (prefix) expect(faultsOf(name, { ...least(module), limit: 5 })).toEqual([' must NOT have additional properties'])
  })

  test('takes what each parameter takes, and all of them together', () => {
    const all: Record<string, unknown> = least(module)
    expect(faultsOf(name, all)).toEqual([])
    for (const parameter of parameters) {
      const wire = prefix + parameter.name
      for (const value of rightValues(parameter)) {
        all[wire] = value
        expect({ [wire]: value, faults: faultsOf(name, all) }).toEqual({ [wire]: value, faults: [] })
      }
    }
  })

  test('refuses what a parameter does not take', () => {
    for (const parameter of parameters) {
      const wire = prefix + parameter.name
      for (const value of [...mistypedValues(parameter), ...excessiveValues(parameter), null]) {
        const faults = faultsOf(name, { ...least(module), [wire]: value })
        expect({ [wire]: value, refused: faults.length > 0 }).toEqual({ [wire]: value, refused: true })
        expect(faults.every(fault => fault.startsWith(`/${wire}`))).toBe(true)
      }
    }
  })

  test('refuses a query without what is required', () => {
    for (const wire of Object.keys(least(module))) {
      expect(faultsOf(name, {})).toContain(` must have required property '${wire}'`)
    }
  })

  test('states defaults that it takes itself, and what is deprecated', () => {
    const { properties, deprecated } = schemaOf(name)
    const defaults = Object.entries(properties).flatMap(([wire, property]) =>
      'default' in property ? [[wire, property.default]] : [],
    )
    expect(faultsOf(name, { ...least(module), ...Object.fromEntries(defaults) })).toEqual([])
    expect(defaults.map(([wire]) => wire)).toEqual(
      parameters.filter(parameter => 'default' in parameter).map(parameter => prefix + parameter.name),
    )
    expect(Object.keys(properties).filter(wire => properties[wire]?.deprecated)).toEqual(
      parameters.filter(parameter => parameter.deprecated).map(parameter => prefix + parameter.name),
    )
    expect(deprecated ?? false).toBe(module.deprecated)
  })
})

test('one document holds all schemas, by the paths of the modules', async () => {
  type All = { $schema: string; $defs: Record<string, object> }
  const all = await read<All>('/catalogue/export/query-modules.schema.json')
  expect(ajv.validateSchema(all)).toBe(true)
  expect(Object.keys(all.$defs)).toEqual(modules.map(({ path }) => path))
  for (const { path } of modules) expect({ $schema: all.$schema, ...all.$defs[path] }).toEqual(schemas.get(path))
  ajv.addSchema(all, 'all')
  const validate = ajv.getSchema('all#/$defs/query+allpages')
  expect([validate?.({ apnamespace: 0 }), validate?.({ apnamespace: -1 })]).toEqual([true, false])
})

test.each<[module: string, parameter: string, due: unknown]>([
  ['search', 'srnamespace', [0]],
  ['search', 'srlimit', 10],
  ['allcategories', 'acprop', []],
  ['allmessages', 'ammessages', ['*']],
  ['watchlist', 'wlprop', ['ids', 'title', 'flags']],
  ['extlinks', 'elprotocol', ''],
  ['random', 'rnlimit', 1],
])('the default of %s %s is %j', (name, parameter, due) => {
  expect(schemaOf(name).properties[parameter]?.default).toEqual(due)
})

test.each([
  ['alldeletedrevisions', 'adrstart', 'Use it only together with adruser.'],
  ['alldeletedrevisions', 'adrfrom', 'Do not use it together with adruser.'],
  [
    'revisions',
    'rvlimit',
    'Use it only where the query is about one page: one title, one page id, or a generator with',
  ],
  ['deletedrevs', 'drstart', 'Use it for given pages or with druser.'],
  ['deletedrevs', 'drfrom', 'Use it with neither given pages nor druser.'],
  ['search', 'srprop', 'Deprecated values: hasrelated, score.'],
  ['search', 'srlimit', 'At most 500, 5000 for callers with the high limit.'],
  ['search', 'srprop', 'At most 50 values, 500 for callers with the high limit.'],
  ['watchlist', 'wltoken', 'It is secret'],
  ['blocks', 'bkusers', 'A user, given by name, IP address or range of IP addresses.'],
  ['allpages', 'apfrom', undefined],
])('of %s, what no keyword says of %s is in its description: %s', (name, parameter, words) => {
  const { description } = schemaOf(name).properties[parameter] ?? {}
  if (words === undefined) expect(description).toBeUndefined()
  else expect(description).toContain(words)
})

test.each([
  ['backlinks', 'Give exactly one of bltitle and blpageid.'],
  ['usercontribs', 'Give exactly one of ucuserprefix, ucuserids and ucuser.'],
  ['stashimageinfo', 'Give at least one of siifilekey and siisessionkey.'],
  ['contributors', 'Give at most one of pcgroup, pcexcludegroup, pcrights and pcexcluderights.'],
  ['allpages', 'Give apprlevel only together with apprtype.'],
])('the description of %s says what holds between its parameters: %s', (name, words) => {
  expect(schemaOf(name).description).toContain(words)
})

test('every condition and every relation is put into words', () => {
  for (const { path, parameters, prefix, relations = [] } of modules) {
    const { description, properties } = schemas.get(path) as Schema
    expect(description.match(/Give /g) ?? []).toHaveLength(relations.length)
    for (const { name, conditions = [] } of parameters) {
      const words = properties[prefix + name]?.description ?? ''
      expect(words.match(/(?:Use|Do not use) it /g) ?? []).toHaveLength(conditions.length)
    }
  }
})
