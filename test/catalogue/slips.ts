// Source files with one mistake each.
import type { BlockReference, Source, SourceModule, SourceParameter, SourceSet } from '../../catalogue/build/source.ts'
import type { Relation } from '../../catalogue/model.ts'

type Slip = (source: Source) => void
type Case = [rule: string, slip: Slip, finding: string | RegExp]

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

function blockOf(source: Source, file: string): BlockReference {
  const found = moduleOf(source, file).parameters.find(entry => 'block' in entry)
  if (!found || !('block' in found)) throw new Error(`No block in ${file}`)
  return found
}

function setOf<Kind extends SourceSet['kind']>({ sets }: Source, name: string, _kind: Kind) {
  return sets.get(name) as Extract<SourceSet, { kind: Kind }>
}

const inModule =
  (file: string, changes: object): Slip =>
  source =>
    Object.assign(moduleOf(source, file), changes)

export const inParameter =
  (file: string, name: string, changes: object): Slip =>
  source =>
    Object.assign(parameterOf(source, file, name), changes)

const inBlock =
  (file: string, changes: object): Slip =>
  source =>
    Object.assign(blockOf(source, file), changes)

const relate =
  (file: string, relation: Relation): Slip =>
  source => {
    const module = moduleOf(source, file)
    module.relations = [...(module.relations ?? []), relation]
  }

/** Refusals of the build: the mistake, and the message. */
export const slips: Case[] = [
  [
    'a default outside its enumeration',
    inParameter('list/allpages', 'filterredir', { default: 'every' }),
    'list/allpages: filterredir: default "every" is not among ["all","nonredirects","redirects"]',
  ],
  [
    'a default of which one value is outside its enumeration',
    inParameter('list/blocks', 'prop', { default: 'id|users' }),
    /^list\/blocks: prop: default "users" is not among/,
  ],
  [
    'a default that names a value twice',
    inParameter('list/blocks', 'prop', { default: 'id|id' }),
    'list/blocks: prop: duplicate value of the default "id"',
  ],
  [
    'an empty default of one value where no value is empty',
    inParameter('list/allpages', 'filterredir', { default: '' }),
    /^list\/allpages: filterredir: default "" is not among/,
  ],
  [
    "a default outside its set's values",
    source => Object.assign(setOf(source, 'DIR2', 'values'), { default: 'newer' }),
    'sets/DIR2: default "newer" is not among ["ascending","descending"]',
  ],
  [
    'a text as the default of an integer',
    inParameter('list/search', 'offset', { default: '0' }),
    'list/search: offset: "0" cannot be the default of type int',
  ],
  [
    'a number as the default of a text',
    inParameter('prop/imageinfo', 'metadataversion', { default: 1 }),
    'prop/imageinfo: metadataversion: 1 cannot be the default of type str',
  ],
  [
    'a limit under its minimum',
    inParameter('list/random', 'limit', { default: 0 }),
    'list/random: limit: default 0 is under the minimum 1',
  ],
  [
    'a limit over its maximum',
    inParameter('list/random', 'limit', { default: 501 }),
    'list/random: limit: default 501 is over the maximum 500',
  ],
  [
    'more default values than the parameter takes',
    inParameter('meta/languageinfo', 'code', { default: Array(51).fill('a').join('|') }),
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
    inParameter('prop/revisions', 'startid', { index: 11 }),
    'prop/revisions: index 11 stands where 12 is due',
  ],
  [
    'a gap in the index of a block',
    source => setOf(source, 'LINKBLOCK', 'parameters').parameters.splice(0, 1),
    'sets/LINKBLOCK: index 2 stands where 1 is due',
  ],
  [
    'two parameters of one name',
    inParameter('list/allpages', 'to', { name: 'from' }),
    'list/allpages: duplicate parameter name "from"',
  ],
  [
    'a parameter that a block has already',
    inParameter('prop/revisions', 'startid', { name: 'limit' }),
    'prop/revisions: duplicate parameter name "limit"',
  ],
  ['two modules of one name', inModule('list/alllinks', { name: 'allpages' }), 'duplicate module name "allpages"'],
  ['two modules of one prefix', inModule('list/alllinks', { prefix: 'ap' }), 'duplicate prefix "ap"'],
  [
    'a value twice in an enumeration',
    inParameter('list/allpages', 'prtype', { values: ['edit', 'move', 'edit'] }),
    'list/allpages: prtype: duplicate value "edit"',
  ],
  [
    'a value twice in a set',
    source => setOf(source, 'RIGHTS', 'values').values.push('edit'),
    'sets/RIGHTS: duplicate value "edit"',
  ],
  [
    'an unknown set of values',
    inParameter('list/allusers', 'group', { values_set: 'GROUP' }),
    'list/allusers: group: there is no set GROUP',
  ],
  [
    'an unknown set of subtypes',
    inParameter('list/allimages', 'user', { subtypes_set: 'USERS' }),
    'list/allimages: user: there is no set USERS',
  ],
  ['an unknown block', inBlock('list/alllinks', { block: 'LINKS' }), 'list/alllinks: there is no set LINKS'],
  [
    'a set of another kind',
    inParameter('list/allusers', 'group', { values_set: 'REVBLOCK' }),
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
    'a block without a parameter that it never had',
    inBlock('list/embeddedin', { without: ['redirects'] }),
    'list/embeddedin: BACKBLOCK has no parameter redirects',
  ],
  [
    'an override of a parameter that the block lacks',
    source => Object.assign(blockOf(source, 'prop/revisions'), { override: { limits: { default: 1 } } }),
    'prop/revisions: REVBLOCK has no parameter limits',
  ],
  [
    'a deprecated value that is none of the values',
    inParameter('prop/info', 'prop', { deprecated_values: ['legible'] }),
    /^prop\/info: prop: deprecated value "legible" is not among/,
  ],
  [
    'deprecated values that do not come last',
    inParameter('prop/info', 'prop', { deprecated_values: ['watchers'] }),
    'prop/info: prop: deprecated values do not come last',
  ],
  [
    'an extra namespace that the type does not know',
    inParameter('prop/links', 'namespace', { extra_namespaces: [-3] }),
    'prop/links: namespace: extra namespace -3 is not among [-2,-1]',
  ],
  [
    'a subtype that the type does not know',
    inParameter('list/blocks', 'users', { subtypes: ['mail'] }),
    'list/blocks: users: subtype "mail" is not among ["name","ip","interwiki","id","cidr"]',
  ],
  [
    'an unknown type',
    inParameter('list/allpages', 'from', { type: 'text' }),
    'list/allpages: from: text is not a type',
  ],
  [
    'a module in a file of another name',
    inModule('list/alllinks', { name: 'links2' }),
    'list/alllinks.json holds the module links2 of list',
  ],
  [
    'a module in the folder of another group',
    inModule('list/alllinks', { group: 'prop' }),
    'list/alllinks.json holds the module alllinks of prop',
  ],
  [
    'a set in a file of another name',
    source => Object.assign(setOf(source, 'CF', 'values'), { name: 'FORMATS' }),
    'sets/CF.json holds the set FORMATS',
  ],
  ...['sets', 'explore'].map(
    (section): Case => [
      `a module named like the section ${section} of the catalogue's paths`,
      inModule('list/alllinks', { name: section }),
      `list/alllinks: ${section} is a word of the catalogue's own paths`,
    ],
  ),
  [
    'a relation of a parameter that the module lacks',
    relate('list/backlinks', { kind: 'exactly-one', parameters: ['title', 'pageids'] }),
    'list/backlinks: relations: it has no parameter pageids',
  ],
  [
    'a need of a parameter that the module lacks',
    relate('list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prtypes' }),
    'list/allpages: relations: it has no parameter prtypes',
  ],
  [
    'a parameter that needs itself',
    relate('list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prlevel' }),
    'list/allpages: relations: prlevel needs itself',
  ],
  [
    'a parameter that needs one that excludes it',
    relate('list/blocks', { kind: 'needs', parameter: 'ip', needs: 'users' }),
    'list/blocks: relations: ip needs users, and they exclude each other',
  ],
  [
    'a required parameter that others exclude',
    inParameter('list/users', 'userids', { required: true }),
    'list/users: relations: userids is required, so that users can never be given',
  ],
  [
    'two relations of the same parameters',
    relate('list/backlinks', { kind: 'at-most-one', parameters: ['pageid', 'title'] }),
    'list/backlinks: relations: two of pageid, title',
  ],
  [
    'the same need twice',
    relate('list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prtype' }),
    'list/allpages: relations: two of prlevel, prtype',
  ],
  ['a module without a file', source => source.modules.delete('list/tags'), /^the modules are .* are due$/],
  ['a file that is not listed', ({ catalogue }) => catalogue.groups[0]?.modules.pop(), /^the modules are .* are due$/],
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
    inModule('list/users', { generator: true }),
    'totals: generators is 37, where 36 is due',
  ],
  [
    'a total that nothing is counted for',
    ({ catalogue }) => Object.assign(catalogue.totals, { pages: 1 }),
    'totals: pages is undefined, where 1 is due',
  ],
]
