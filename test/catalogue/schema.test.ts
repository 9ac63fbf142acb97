// The published JSON Schemas, against the source files and against files with a mistake.
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'

const folder = new URL('../../catalogue/data/', import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
const filesIn = (name: string) => readdirSync(new URL(name, folder)).map(file => `${name}/${file}`)

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false })
for (const file of filesIn('schema')) ajv.addSchema(readJson(file))

function errorsOf(schema: string, json: unknown) {
  ajv.validate(schema, json)
  return ajv.errors ?? []
}

describe('every source file follows its schema', () => {
  const files: [schema: string, file: string][] = [
    ['catalogue.schema.json', 'catalogue.json'],
    ...['list', 'prop', 'meta'].flatMap(filesIn).map((file): [string, string] => ['module.schema.json', file]),
    ...filesIn('sets').map((file): [string, string] => ['set.schema.json', file]),
  ]
  test.each(files)('%s: %s', (schema, file) => {
    const json = readJson(file)
    expect(errorsOf(schema, json)).toEqual([])
    expect(new URL(json.$schema, new URL(file, folder))).toEqual(new URL(`schema/${schema}`, folder))
  })
})

describe('a slip does not pass', () => {
  const module = readJson('list/allpages.json')
  const parameter = { index: 1, name: 'from', type: 'str' }

  test.each([
    ['a module without a flag', { ...module, generator: undefined }],
    ['a module of an unknown group', { ...module, group: 'lists' }],
    ['a module with a member that there is not', { ...module, generators: true }],
    ['a module without parameters', { ...module, parameters: [] }],
    ['a prefix in capitals', { ...module, prefix: 'AP' }],
    ['relations, but none', { ...module, relations: [] }],
    ['a relation of no kind', { ...module, relations: [{ parameters: ['from', 'to'] }] }],
    ['a relation of one parameter', { ...module, relations: [{ kind: 'at-most-one', parameters: ['from'] }] }],
    ['a relation that names one twice', { ...module, relations: [{ kind: 'at-most-one', parameters: ['to', 'to'] }] }],
    ['a need of two', { ...module, relations: [{ kind: 'needs', parameter: 'to', needs: ['from', 'prefix'] }] }],
    ['a need of a group', { ...module, relations: [{ kind: 'needs', parameters: ['from', 'to'] }] }],
  ])('%s', (_, slipped) => {
    expect(errorsOf('module.schema.json', JSON.parse(JSON.stringify(slipped)))).not.toEqual([])
  })

  test.each([
    ['no index', { name: 'from', type: 'str' }],
    ['an index of 0', { ...parameter, index: 0 }],
    ['an unknown type', { ...parameter, type: 'string' }],
    ['a misspelt member', { ...parameter, requierd: true }],
    ['a flag that is false', { ...parameter, required: false }],
    ['an enumeration without values', { ...parameter, type: 'enum' }],
    ['values and a set of values', { ...parameter, type: 'enum', values: ['a'], values_set: 'CF' }],
    ['values that are no enumeration', { ...parameter, values: ['a'] }],
    ['a value twice', { ...parameter, type: 'enum', values: ['a', 'a'] }],
    ['a user without subtypes', { ...parameter, type: 'user' }],
    ['subtypes that are no user', { ...parameter, subtypes: ['name'] }],
    ['extra namespaces of a text', { ...parameter, extra_namespaces: [-1] }],
    ['all of a single value', { ...parameter, type: 'ns', all_specifier: '*' }],
    ['a text as an integer default', { ...parameter, type: 'int', default: '1' }],
    ['a number as a text default', { ...parameter, default: 1 }],
    ['no default for a text', { ...parameter, default: null }],
    ['an unknown condition', { ...parameter, conditions: [{ name: 'sometimes' }] }],
    ['a block with a type', { index: 1, block: 'REVBLOCK', type: 'str' }],
    ['a block that overrides a name', { index: 1, block: 'REVBLOCK', override: { limit: { name: 'x' } } }],
  ])('%s', (_, slipped) => {
    expect(errorsOf('parameter.schema.json', slipped)).not.toEqual([])
  })

  test.each([
    ['a set of no kind', { name: 'CF', values: ['a'] }],
    ['a set of parameters with values', { name: 'CF', kind: 'parameters', values: ['a'] }],
    ['a block within a block', { name: 'CF', kind: 'parameters', parameters: [{ index: 1, block: 'REVBLOCK' }] }],
    ['a default of subtypes', { name: 'CF', kind: 'subtypes', values: ['a'], default: 'a' }],
  ])('%s', (_, slipped) => {
    expect(errorsOf('set.schema.json', { $schema: '', ...slipped })).not.toEqual([])
  })

  test('the members that the tables above start from are themselves accepted', () => {
    expect(errorsOf('module.schema.json', module)).toEqual([])
    expect(errorsOf('parameter.schema.json', parameter)).toEqual([])
    expect(errorsOf('set.schema.json', { $schema: '', name: 'CF', kind: 'values', values: ['a'] })).toEqual([])
  })
})
