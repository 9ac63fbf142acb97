// Source files with one mistake each.
import type { BlockReference, Source, SourceModule, SourceParameter, SourceSet } from '../../catalogue/build/source.ts'
import type { Relation } from '../../catalogue/model.ts'

type Slip = (source: Source) => void
type Case = [finding: string | RegExp, slip: Slip]

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

/** Refusals of the build: the message, and the mistake. */
export const slips: Case[] = [
  [
    'list/allpages: filterredir: default "every" is not among ["all","nonredirects","redirects"]',
    inParameter('list/allpages', 'filterredir', { default: 'every' }),
  ],
  [/^list\/blocks: prop: default "users" is not among/, inParameter('list/blocks', 'prop', { default: 'id|users' })],
  ['list/blocks: prop: duplicate value of the default "id"', inParameter('list/blocks', 'prop', { default: 'id|id' })],
  [
    /^list\/allpages: filterredir: default "" is not among/,
    inParameter('list/allpages', 'filterredir', { default: '' }),
  ],
  [
    'sets/DIR2: default "newer" is not among ["ascending","descending"]',
    source => Object.assign(setOf(source, 'DIR2', 'values'), { default: 'newer' }),
  ],
  [
    'list/search: offset: "0" cannot be the default of type int',
    inParameter('list/search', 'offset', { default: '0' }),
  ],
  [
    'prop/imageinfo: metadataversion: 1 cannot be the default of type str',
    inParameter('prop/imageinfo', 'metadataversion', { default: 1 }),
  ],
  ['list/random: limit: default 0 is under the minimum 1', inParameter('list/random', 'limit', { default: 0 })],
  ['list/random: limit: default 501 is over the maximum 500', inParameter('list/random', 'limit', { default: 501 })],
  [
    'meta/languageinfo: code: its default has more values than the parameter takes',
    inParameter('meta/languageinfo', 'code', { default: Array(51).fill('a').join('|') }),
  ],
  ['list/allpages: index 5 stands where 4 is due', source => moduleOf(source, 'list/allpages').parameters.splice(3, 1)],
  ['list/allpages: index 15 stands where 1 is due', source => moduleOf(source, 'list/allpages').parameters.reverse()],
  ['prop/revisions: index 11 stands where 12 is due', inParameter('prop/revisions', 'startid', { index: 11 })],
  [
    'sets/LINKBLOCK: index 2 stands where 1 is due',
    source => setOf(source, 'LINKBLOCK', 'parameters').parameters.splice(0, 1),
  ],
  ['list/allpages: duplicate parameter name "from"', inParameter('list/allpages', 'to', { name: 'from' })],
  ['prop/revisions: duplicate parameter name "limit"', inParameter('prop/revisions', 'startid', { name: 'limit' })],
  ['duplicate module name "allpages"', inModule('list/alllinks', { name: 'allpages' })],
  ['duplicate prefix "ap"', inModule('list/alllinks', { prefix: 'ap' })],
  [
    'list/allpages: prtype: duplicate value "edit"',
    inParameter('list/allpages', 'prtype', { values: ['edit', 'move', 'edit'] }),
  ],
  ['sets/RIGHTS: duplicate value "edit"', source => setOf(source, 'RIGHTS', 'values').values.push('edit')],
  ['list/allusers: group: there is no set GROUP', inParameter('list/allusers', 'group', { values_set: 'GROUP' })],
  ['list/allimages: user: there is no set USERS', inParameter('list/allimages', 'user', { subtypes_set: 'USERS' })],
  ['list/alllinks: there is no set LINKS', inBlock('list/alllinks', { block: 'LINKS' })],
  [
    'list/allusers: group: REVBLOCK is a set of parameters, not of values',
    inParameter('list/allusers', 'group', { values_set: 'REVBLOCK' }),
  ],
  [
    'sets/SPARE: no module uses it',
    source => {
      source.catalogue.sets.push('SPARE')
      source.sets.set('SPARE', { name: 'SPARE', kind: 'values', values: ['a'] })
    },
  ],
  ['list/embeddedin: BACKBLOCK has no parameter redirects', inBlock('list/embeddedin', { without: ['redirects'] })],
  [
    'prop/revisions: REVBLOCK has no parameter limits',
    source => Object.assign(blockOf(source, 'prop/revisions'), { override: { limits: { default: 1 } } }),
  ],
  [
    /^prop\/info: prop: deprecated value "legible" is not among/,
    inParameter('prop/info', 'prop', { deprecated_values: ['legible'] }),
  ],
  [
    'prop/info: prop: deprecated values do not come last',
    inParameter('prop/info', 'prop', { deprecated_values: ['watchers'] }),
  ],
  [
    'prop/links: namespace: extra namespace -3 is not among [-2,-1]',
    inParameter('prop/links', 'namespace', { extra_namespaces: [-3] }),
  ],
  [
    'list/blocks: users: subtype "mail" is not among ["name","ip","interwiki","id","cidr"]',
    inParameter('list/blocks', 'users', { subtypes: ['mail'] }),
  ],
  ['list/allpages: from: text is not a type', inParameter('list/allpages', 'from', { type: 'text' })],
  ['list/alllinks.json holds the module links2 of list', inModule('list/alllinks', { name: 'links2' })],
  ['list/alllinks.json holds the module alllinks of prop', inModule('list/alllinks', { group: 'prop' })],
  ['sets/CF.json holds the set FORMATS', source => Object.assign(setOf(source, 'CF', 'values'), { name: 'FORMATS' })],
  ...['sets', 'explore'].map(
    (section): Case => [
      `list/alllinks: ${section} is a word of the catalogue's own paths`,
      inModule('list/alllinks', { name: section }),
    ],
  ),
  [
    'list/backlinks: relations: it has no parameter pageids',
    relate('list/backlinks', { kind: 'exactly-one', parameters: ['title', 'pageids'] }),
  ],
  [
    'list/allpages: relations: it has no parameter prtypes',
    relate('list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prtypes' }),
  ],
  [
    'list/allpages: relations: prlevel needs itself',
    relate('list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prlevel' }),
  ],
  [
    'list/blocks: relations: ip needs users, and they exclude each other',
    relate('list/blocks', { kind: 'needs', parameter: 'ip', needs: 'users' }),
  ],
  [
    'list/users: relations: userids is required, so that users can never be given',
    inParameter('list/users', 'userids', { required: true }),
  ],
  [
    'list/backlinks: relations: two of pageid, title',
    relate('list/backlinks', { kind: 'at-most-one', parameters: ['pageid', 'title'] }),
  ],
  [
    'list/allpages: relations: two of prlevel, prtype',
    relate('list/allpages', { kind: 'needs', parameter: 'prlevel', needs: 'prtype' }),
  ],
  [/^the modules are .* are due$/, source => source.modules.delete('list/tags')],
  [/^the modules are .* are due$/, ({ catalogue }) => catalogue.groups[0]?.modules.pop()],
  [/^the sets are .* are due$/, source => source.sets.delete('CF')],
  [/^the types are .* are due$/, ({ catalogue }) => catalogue.types.pop()],
  [/^the groups are .* are due$/, ({ catalogue }) => catalogue.groups.reverse()],
  ['totals: parameters is 499, where 500 is due', source => moduleOf(source, 'list/allpages').parameters.pop()],
  [/^totals: set_values is .*"RIGHTS":80.* is due$/, source => setOf(source, 'RIGHTS', 'values').values.pop()],
  ['totals: generators is 37, where 36 is due', inModule('list/users', { generator: true })],
  ['totals: pages is undefined, where 1 is due', ({ catalogue }) => Object.assign(catalogue.totals, { pages: 1 })],
]
