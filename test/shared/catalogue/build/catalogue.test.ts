// The build step refuses source files that contradict themselves, and says where and how.
import { describe, expect, test } from 'vitest'
import { buildCatalogue, CatalogueRefused } from '../../../../shared/catalogue/build/catalogue.ts'
import {
  type BlockReference,
  readSource,
  type Source,
  type SourceModule,
  type SourceParameter,
  type SourceSet,
} from '../../../../shared/catalogue/build/source.ts'
import type { Relation } from '../../../../shared/catalogue/model.ts'

const source = readSource()

/** What the build refuses in the source files after a slip. */
function findingsAfter(slip: (source: Source) => void): string[] {
  const changed = structuredClone(source)
  slip(changed)
  try {
    buildCatalogue(changed)
    return []
  } catch (error) {
    if (error instanceof CatalogueRefused) return error.findings
    throw error
  }
}

function moduleOf({ modules }: Source, file: string): SourceModule {
  const module = modules.get(file)
  if (!module) throw new Error(`No ${file}`)
  return module
}

function parameterOf(source: Source, file: string, name: string): SourceParameter {
  const found = moduleOf(source, file).parameters.find(entry => 'name' in entry && entry.name === name)
  if (!found || 'block' in found) throw new Error(`No ${name} in ${file}`)
  return found
}

function relate(source: Source, file: string, relation: Relation): void {
  const module = moduleOf(source, file)
  module.relations = [...(module.relations ?? []), relation]
}

function blockOf(source: Source, file: string): BlockReference {
  const found = moduleOf(source, file).parameters.find(entry => 'block' in entry)
  if (!found || !('block' in found)) throw new Error(`No block in ${file}`)
  return found
}

function setOf<Kind extends SourceSet['kind']>({ sets }: Source, name: string, _kind: Kind) {
  return sets.get(name) as Extract<SourceSet, { kind: Kind }>
}

test('the source files as they are contradict nothing', () => {
  expect(findingsAfter(() => {})).toEqual([])
})

test('the totals are those of the specification', () => {
  expect(buildCatalogue(source).counts).toEqual({
    modules: 62,
    modules_by_group: { list: 35, prop: 20, meta: 7 },
    generators: 36,
    generators_by_group: { list: 25, prop: 11, meta: 0 },
    readrights: 60,
    deprecated_modules: 1,
    parameters: 500,
    enumerations: 136,
    single_enumerations: 63,
    multi_enumerations: 73,
    enumerated_values: 1038,
    multi_valued_parameters: 113,
    deprecated_parameters: 35,
    required_parameters: 4,
    sensitive_parameters: 2,
    types: 9,
    sets: 12,
    set_values: { REVPROP: 16, CF: 10, GROUPS: 5, RIGHTS: 81, PROTOCOL: 28, DIR2: 2, DIRT: 2, USERSUB: 4 },
  })
})

describe('the build refuses', () => {
  type Slip = [rule: string, slip: (source: Source) => void, finding: string | RegExp]
  const slips: Slip[] = [
    [
      'a default outside its enumeration',
      source => Object.assign(parameterOf(source, 'list/allpages', 'filterredir'), { default: 'every' }),
      'list/allpages: filterredir: default "every" is not among ["all","nonredirects","redirects"]',
    ],
    [
      'a default of which one value is outside its enumeration',
      source => Object.assign(parameterOf(source, 'list/blocks', 'prop'), { default: 'id|users' }),
      /^list\/blocks: prop: default "users" is not among/,
    ],
    [
      'a default that names a value twice',
      source => Object.assign(parameterOf(source, 'list/blocks', 'prop'), { default: 'id|id' }),
      'list/blocks: prop: duplicate value of the default "id"',
    ],
    [
      'an empty default of one value where no value is empty',
      source => Object.assign(parameterOf(source, 'list/allpages', 'filterredir'), { default: '' }),
      /^list\/allpages: filterredir: default "" is not among/,
    ],
    [
      "a default outside its set's values",
      source => Object.assign(setOf(source, 'DIR2', 'values'), { default: 'newer' }),
      'sets/DIR2: default "newer" is not among ["ascending","descending"]',
    ],
    [
      'a text as the default of an integer',
      source => Object.assign(parameterOf(source, 'list/search', 'offset'), { default: '0' }),
      'list/search: offset: "0" cannot be the default of type int',
    ],
    [
      'a number as the default of a text',
      source => Object.assign(parameterOf(source, 'prop/imageinfo', 'metadataversion'), { default: 1 }),
      'prop/imageinfo: metadataversion: 1 cannot be the default of type str',
    ],
    [
      'a limit under its minimum',
      source => Object.assign(parameterOf(source, 'list/random', 'limit'), { default: 0 }),
      'list/random: limit: default 0 is under the minimum 1',
    ],
    [
      'a limit over its maximum',
      source => Object.assign(parameterOf(source, 'list/random', 'limit'), { default: 501 }),
      'list/random: limit: default 501 is over the maximum 500',
    ],
    [
      'more default values than the parameter takes',
      source =>
        Object.assign(parameterOf(source, 'meta/languageinfo', 'code'), { default: Array(51).fill('a').join('|') }),
      'meta/languageinfo: code: its default has more values than the parameter takes',
    ],
    [
      'a gap in the index',
      source => moduleOf(source, 'list/allpages').parameters.splice(3, 1),
      'list/allpages: index 5 stands where 4 is due',
    ],
    [
      'an index out of order',
      source => moduleOf(source, 'list/allpages').parameters.reverse(),
      'list/allpages: index 15 stands where 1 is due',
    ],
    [
      'an index that a block has taken',
      source => Object.assign(parameterOf(source, 'prop/revisions', 'startid'), { index: 11 }),
      'prop/revisions: index 11 stands where 12 is due',
    ],
    [
      'a gap in the index of a block',
      source => setOf(source, 'LINKBLOCK', 'parameters').parameters.splice(0, 1),
      'sets/LINKBLOCK: index 2 stands where 1 is due',
    ],
    [
      'two parameters of one name',
      source => Object.assign(parameterOf(source, 'list/allpages', 'to'), { name: 'from' }),
      'list/allpages: duplicate parameter name "from"',
    ],
    [
      'a parameter that a block has already',
      source => Object.assign(parameterOf(source, 'prop/revisions', 'startid'), { name: 'limit' }),
      'prop/revisions: duplicate parameter name "limit"',
    ],
    [
      'two modules of one name',
      source => Object.assign(moduleOf(source, 'list/alllinks'), { name: 'allpages' }),
      'duplicate module name "allpages"',
    ],
    [
      'two modules of one prefix',
      source => Object.assign(moduleOf(source, 'list/alllinks'), { prefix: 'ap' }),
      'duplicate prefix "ap"',
    ],
    [
      'a value twice in an enumeration',
      source => Object.assign(parameterOf(source, 'list/allpages', 'prtype'), { values: ['edit', 'move', 'edit'] }),
      'list/allpages: prtype: duplicate value "edit"',
    ],
    [
      'a value twice in a set',
      source => setOf(source, 'RIGHTS', 'values').values.push('edit'),
      'sets/RIGHTS: duplicate value "edit"',
    ],
    [
      'an unknown set of values',
      source => Object.assign(parameterOf(source, 'list/allusers', 'group'), { values_set: 'GROUP' }),
      'list/allusers: group: there is no set GROUP',
    ],
    [
      'an unknown set of subtypes',
      source => Object.assign(parameterOf(source, 'list/allimages', 'user'), { subtypes_set: 'USERS' }),
      'list/allimages: user: there is no set USERS',
    ],
    [
      'an unknown block',
      source => Object.assign(blockOf(source, 'list/alllinks'), { block: 'LINKS' }),
      'list/alllinks: there is no set LINKS',
    ],
    [
      'a set of another kind',
      source => Object.assign(parameterOf(source, 'list/allusers', 'group'), { values_set: 'REVBLOCK' }),
      'list/allusers: group: REVBLOCK is a set of parameters, not of values',
    ],
    [
      'a set that no module uses',
      source => {
        source.catalogue.sets.push('SPARE')
        source.sets.set('SPARE', { name: 'SPARE', kind: 'values', values: ['a'] })
      },
      'sets/SPARE: no module uses it',
    ],
    [
      'a block without a parameter that it has not',
      source => Object.assign(blockOf(source, 'list/embeddedin'), { without: ['redirects'] }),
      'list/embeddedin: BACKBLOCK has no parameter redirects',
    ],
    [
      'an override of a parameter that the block has not',
      source => Object.assign(blockOf(source, 'prop/revisions'), { override: { limits: { default: 1 } } }),
      'prop/revisions: REVBLOCK has no parameter limits',
    ],
    [
      'a deprecated value that is none of the values',
      source => Object.assign(parameterOf(source, 'prop/info', 'prop'), { deprecated_values: ['legible'] }),
      /^prop\/info: prop: deprecated value "legible" is not among/,
    ],
    [
      'deprecated values that do not come last',
      source => Object.assign(parameterOf(source, 'prop/info', 'prop'), { deprecated_values: ['watchers'] }),
      'prop/info: prop: deprecated values do not come last',
    ],
    [
      'an extra namespace that the type does not know',
      source => Object.assign(parameterOf(source, 'prop/links', 'namespace'), { extra_namespaces: [-3] }),
      'prop/links: namespace: extra namespace -3 is not among [-2,-1]',
    ],
    [
      'a subtype that the type does not know',
      source => Object.assign(parameterOf(source, 'list/blocks', 'users'), { subtypes: ['mail'] }),
      'list/blocks: users: subtype "mail" is not among ["name","ip","interwiki","id","cidr"]',
    ],
    [
      'an unknown type',
      source => Object.assign(parameterOf(source, 'list/allpages', 'from'), { type: 'text' }),
      'list/allpages: from: text is not a type',
    ],
    [
      'a module in a file of another name',
      source => Object.assign(moduleOf(source, 'list/alllinks'), { name: 'links2' }),
      'list/alllinks.json holds the module links2 of list',
    ],
    [
      'a module in the folder of another group',
      source => Object.assign(moduleOf(source, 'list/alllinks'), { group: 'prop' }),
      'list/alllinks.json holds the module alllinks of prop',
    ],
    [
      'a set in a file of another name',
      source => Object.assign(setOf(source, 'CF', 'values'), { name: 'FORMATS' }),
      'sets/CF.json holds the set FORMATS',
    ],
    ...['sets', 'explore'].map(
      (section): Slip => [
        `a module named like the section ${section} of the catalogue's paths`,
        source => Object.assign(moduleOf(source, 'list/alllinks'), { name: section }),
        `list/alllinks: ${section} is a word of the catalogue's own paths`,
      ],
    ),
    [
      'a relation of a parameter that the module has not',
      source => relate(source, 'list/backlinks', { kind: 'exactly-one', parameters: ['title', 'pageids'] }),
      'list/backlinks: relations: it has no parameter pageids',
    ],
    [
      'a need of a parameter that the module has not',
      source => relate(source, 'list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prtypes' }),
      'list/allpages: relations: it has no parameter prtypes',
    ],
    [
      'a parameter that needs itself',
      source => relate(source, 'list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prlevel' }),
      'list/allpages: relations: prlevel needs itself',
    ],
    [
      'a parameter that needs one that excludes it',
      source => relate(source, 'list/blocks', { kind: 'needs', parameter: 'ip', needs: 'users' }),
      'list/blocks: relations: ip needs users, and they exclude each other',
    ],
    [
      'a required parameter that others exclude',
      source => Object.assign(parameterOf(source, 'list/users', 'userids'), { required: true }),
      'list/users: relations: userids is required, so that users can never be given',
    ],
    [
      'two relations of the same parameters',
      source => relate(source, 'list/backlinks', { kind: 'at-most-one', parameters: ['pageid', 'title'] }),
      'list/backlinks: relations: two of pageid, title',
    ],
    [
      'the same need twice',
      source => relate(source, 'list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prtype' }),
      'list/allpages: relations: two of prlevel, prtype',
    ],
    ['a module without a file', source => source.modules.delete('list/tags'), /^the modules are .* are due$/],
    [
      'a file that is not listed',
      ({ catalogue }) => catalogue.groups[0]?.modules.pop(),
      /^the modules are .* are due$/,
    ],
    ['a set without a file', source => source.sets.delete('CF'), /^the sets are .* are due$/],
    ['a missing type', ({ catalogue }) => catalogue.types.pop(), /^the types are .* are due$/],
    ['a group in another order', ({ catalogue }) => catalogue.groups.reverse(), /^the groups are .* are due$/],
    [
      'a parameter too few, by the totals alone',
      source => moduleOf(source, 'list/allpages').parameters.pop(),
      'totals: parameters is 499, where 500 is due',
    ],
    [
      'a right too few, by the totals alone',
      source => setOf(source, 'RIGHTS', 'values').values.pop(),
      /^totals: set_values is .*"RIGHTS":80.* is due$/,
    ],
    [
      'a generator too many, by the totals alone',
      source => Object.assign(moduleOf(source, 'list/users'), { generator: true }),
      'totals: generators is 37, where 36 is due',
    ],
    [
      'a total that nothing is counted for',
      ({ catalogue }) => Object.assign(catalogue.totals, { pages: 1 }),
      'totals: pages is undefined, where 1 is due',
    ],
  ]

  test.each(slips)('%s', (_, slip, finding) => {
    const findings = findingsAfter(slip)
    expect(findings).toContainEqual(typeof finding === 'string' ? finding : expect.stringMatching(finding))
  })

  test('all slips at once, each with its place', () => {
    const findings = findingsAfter(source => {
      Object.assign(parameterOf(source, 'list/allusers', 'group'), { values_set: 'GROUP' })
      Object.assign(parameterOf(source, 'list/search', 'offset'), { default: '0' })
    })
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^list\/allusers: group/),
        expect.stringMatching(/^list\/search: offset/),
      ]),
    )
  })
})
