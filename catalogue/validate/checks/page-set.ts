// The pages of a query: titles, page ids, revision ids, or the results of a generator.
import { isChosen } from '../chosen.ts'
import type { Found, NamedPair, Understood } from '../finding.ts'
import { pageSets } from '../knowledge.ts'
import { keep, type RuleText } from '../rule-texts/fixes.ts'
import { list, short } from '../rule-texts/phrases.ts'
import type { Pair } from '../text/pairs.ts'
import { partsOf, splitAsMeant } from './several-values.ts'
import { asNumber } from './values.ts'

/** The given ones of `titles`, `pageids` and `revids`, in the query's order. */
export const givenPageSets = ({ namedPairs }: Pick<Understood, 'namedPairs'>): NamedPair[] =>
  pageSets
    .flatMap(name => namedPairs.get(name) ?? [])
    .filter(({ pair }) => pair.value !== '')
    .sort((a, b) => a.order - b.order)

/** The pair that names a generator, known or not. */
export function givenGenerator({ namedPairs }: Pick<Understood, 'namedPairs'>): Pair | undefined {
  const pair = namedPairs.get('generator')?.pair
  return pair && pair.value !== '' ? pair : undefined
}

/** Finds missing pages, pages named in two ways, and ids joined by something else than `|`. */
export const findInPageSet = (query: Understood): Found[] => [...findJoined(query), ...findPages(query)]

const findJoined = (query: Understood): Found[] =>
  givenPageSets(query).flatMap(({ pair }) =>
    idsAsMeant(pair) ? [{ rule: 'wrong-separator', name: pair.name, pair }] : [],
  )

/** A title may contain a comma, an id none. */
const idsAsMeant = (pair: Pair): string[] | null =>
  pair.name.toLowerCase() === 'titles' ? null : splitAsMeant(pair, text => asNumber(text) !== null)

function findPages(query: Understood): Found[] {
  const sets = givenPageSets(query)
  const last = sets.at(-1)
  if (last && sets.length > 1) {
    const names = sets.map(({ pair }) => pair.name)
    return [{ rule: 'page-set-conflict', name: last.pair.name, pair: last.pair, names }]
  }
  if (last) return []
  const needing = query.chosen.find(
    ({ module, role }) =>
      module.group === 'prop' &&
      // It is about files that are not pages yet.
      module.name !== 'stashimageinfo' &&
      (role === 'generator' || !givenGenerator(query)),
  )
  return needing ? [{ rule: 'no-page-set', name: pageSets[0], module: needing.module }] : []
}

/** Whether the query may be about several pages, or about single revisions. */
export function isAboutSeveral(query: Understood, isGenerator: boolean): boolean {
  const { namedPairs } = query
  const countOf = (name: (typeof pageSets)[number]) => {
    const pair = namedPairs.get(name)?.pair
    if (!pair) return 0
    const ids = name === 'titles' ? null : idsAsMeant(pair)
    const texts = ids ?? partsOf(pair, query).map(({ text }) => text)
    return new Set(texts.map(text => text.replaceAll('_', ' ').trim())).size
  }
  if (countOf('titles') > 1 || countOf('pageids') > 1 || countOf('revids') > 0) return true
  return !isGenerator && givenGenerator(query) !== undefined && generatorLimit(query) !== 1
}

/** The generator's maximum number of pages; null if not given. */
function generatorLimit({ chosen, namedPairs }: Understood): number | null {
  const module = chosen.find(({ role }) => role === 'generator')?.module
  const text = module && namedPairs.get(`g${module.prefix}limit`)?.pair.value
  if (text) return asNumber(text)
  const usual = module?.parameters.get('limit')?.default
  return typeof usual === 'number' ? usual : null
}

/** The message and suggestions of each rule. */
export const pageSetTexts = {
  'no-page-set': {
    message: ({ module }, examined) => {
      const isGenerator = module && isChosen(examined, { module, role: 'generator' })
      const ways = isGenerator ? [...pageSets] : [...pageSets, 'a generator']
      return `${module?.name} looks at pages, and the query names none: add ${list(ways, 'or')}.`
    },
    fixes: () => [],
  },
  'page-set-conflict': {
    message: ({ names = [] }) =>
      `${list(names.map(short))} each say which pages are meant, and one alone may: keep one.`,
    fixes: ({ names = [] }) => names.map(name => keep(name, names)),
  },
} as const satisfies Record<string, RuleText>
