// All served relations. They are MediaWiki's, stated in no document here.
import { expect, test } from 'vitest'
import type { Catalogue, Module, ModuleSummary, Relation } from '../../catalogue/model.ts'
import { read } from '../support/catalogue/served.ts'

const { modules } = await read<Catalogue>('/catalogue/export/catalogue.json')

test.each<[kind: string, due: string[]]>([
  [
    'exactly-one',
    [
      'backlinks: title pageid',
      'categorymembers: title pageid',
      'embeddedin: title pageid',
      'imageusage: title pageid',
      'usercontribs: userprefix userids user',
    ],
  ],
  ['at-least-one', ['stashimageinfo: filekey sessionkey']],
  [
    'at-most-one',
    [
      'allrevisions: user excludeuser',
      'allusers: group excludegroup',
      'blocks: users ip',
      'contributors: group excludegroup rights excluderights',
      'deletedrevisions: user excludeuser',
      'deletedrevs: user excludeuser',
      'iwlinks: url prop',
      'langlinks: url prop',
      'logevents: title prefix namespace',
      'random: filterredir redirect',
      'recentchanges: user excludeuser',
      'revisions: endid end',
      'revisions: startid start',
      'revisions: user excludeuser',
      'users: users userids',
      'watchlist: user excludeuser',
    ],
  ],
  [
    'needs',
    [
      'allpages: prlevel prtype',
      'iwbacklinks: title prefix',
      'iwlinks: title prefix',
      'langbacklinks: title lang',
      'langlinks: title lang',
      'watchlist: owner token',
      'watchlist: token owner',
      'watchlistraw: owner token',
      'watchlistraw: token owner',
    ],
  ],
])('%s', (kind, due) => {
  const found = modules.flatMap(({ name, relations = [] }) =>
    relations.filter(relation => relation.kind === kind).map(relation => `${name}: ${namesIn(relation).join(' ')}`),
  )
  expect(found.sort()).toEqual(due)
})

test('a module serves its relations, a list without parameters does not', async () => {
  const { relations } = await read<Module>('/catalogue/modules/query+backlinks')
  expect(relations).toEqual([{ kind: 'exactly-one', parameters: ['title', 'pageid'] }])
  const list = await read<{ modules: ModuleSummary[] }>('/catalogue/modules')
  expect(list.modules.filter(module => 'relations' in module)).toEqual([])
})

test('a module without relations has no such member', async () => {
  expect(await read<Module>('/catalogue/modules/query+tags')).not.toHaveProperty('relations')
})

function namesIn(relation: Relation): string[] {
  return relation.kind === 'needs' ? [relation.parameter, relation.needs] : relation.parameters
}
