// The pages that a query is about: titles, page ids, revision ids, or what a generator finds.
import type { Found, Given, Understood } from './finding.ts'
import { pageSets } from './knowledge.ts'
import type { Pair } from './pairs.ts'
import { asNumber, partsOf } from './values.ts'

/** Those of `titles`, `pageids` and `revids` that are given, in the order of the query. */
export function givenPageSets({ given }: Pick<Understood, 'given'>): Given[] {
  return pageSets
    .flatMap(name => given.get(name) ?? [])
    .filter(({ pair }) => pair.value !== '')
    .sort((a, b) => a.order - b.order)
}

/** The pair that names a generator, whether or not there is one of that name. */
export function givenGenerator({ given }: Pick<Understood, 'given'>): Pair | undefined {
  const pair = given.get('generator')?.pair
  return pair && pair.value !== '' ? pair : undefined
}

/** No pages where some are needed, or two ways of naming them. */
export function findInPageSet(query: Understood): Found[] {
  const sets = givenPageSets(query)
  const last = sets.at(-1)
  if (last && sets.length > 1) {
    const names = sets.map(({ pair }) => pair.name)
    return [{ rule: 'page-set-conflict', name: last.pair.name, pair: last.pair, names }]
  }
  if (last) return []
  const needy = query.chosen.find(
    ({ module, role }) =>
      module.group === 'prop' &&
      // It looks at files that are not pages yet.
      module.name !== 'stashimageinfo' &&
      (role === 'generator' || !givenGenerator(query)),
  )
  return needy ? [{ rule: 'no-page-set', name: pageSets[0], module: needy.module }] : []
}

/** Whether the query can be about more than one page, or about single revisions. */
export function isAboutSeveral(query: Understood, isGenerator: boolean): boolean {
  const { given } = query
  const countOf = (name: (typeof pageSets)[number]) => {
    const pair = given.get(name)?.pair
    return pair ? new Set(partsOf(pair, query).map(({ text }) => text.replaceAll('_', ' ').trim())).size : 0
  }
  if (countOf('titles') > 1 || countOf('pageids') > 1 || countOf('revids') > 0) return true
  return !isGenerator && givenGenerator(query) !== undefined && generatorLimit(query) !== 1
}

/** How many pages the generator finds at most; null where that is not said. */
function generatorLimit({ chosen, given }: Understood): number | null {
  const module = chosen.find(({ role }) => role === 'generator')?.module
  const text = module && given.get(`g${module.prefix}limit`)?.pair.value
  if (text) return asNumber(text)
  const usual = module?.parameters.get('limit')?.default
  return typeof usual === 'number' ? usual : null
}
