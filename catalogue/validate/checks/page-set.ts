// The pages of a query: titles, page ids, revision ids, or the results of a generator.
import { isChosen } from '../chosen.ts'
import type { Found, NamedPair, Understood } from '../finding.ts'
import { pageSets, wireName } from '../knowledge.ts'
import { asChoice, keep, likeliest, losing, type RuleText, remove, rename, replace } from '../rule-texts/fixes.ts'
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
  if (last) return isRead(query) ? [] : [{ rule: 'unread-page-set', name: last.pair.name, pair: last.pair }]
  const needing = query.chosen.find(
    ({ module, role }) =>
      module.group === 'prop' &&
      // It is about files that are not pages yet.
      module.name !== 'stashimageinfo' &&
      (role === 'generator' || !givenGenerator(query)),
  )
  return needing ? [{ rule: 'no-page-set', name: pageSets[0], module: needing.module }] : []
}

/** What a page set is asked for by itself: where redirects lead, ids, an export. */
const ofPageSet = ['redirects', 'converttitles', 'indexpageids', 'export']

/** Whether something of the query looks at its pages, as far as its modules are known. */
function isRead({ chosen, namedPairs }: Understood): boolean {
  const given = (name: string) => namedPairs.get(name)?.pair
  if (chosen.length === 0 || ofPageSet.some(given)) return true
  const generator = chosen.find(({ role }) => role === 'generator')
  if (given('generator')?.value) return generator?.module.group !== 'list'
  // In its first mode deletedrevs lists those of pages.
  return Boolean(given('prop')?.value) || chosen.some(({ module }) => module.name === 'deletedrevs')
}

/** The parameters of the chosen modules that name one page as a page set's name does several: `bltitle` for `titles`. */
function ownNames({ name }: Pair, { chosen, namedPairs }: Understood): string[] {
  const bare = name.toLowerCase().replace(/s$/, '')
  return chosen
    .flatMap(each => (each.module.parameters.has(bare) ? wireName(each, bare) : []))
    .filter(wire => !namedPairs.has(wire))
}

/** What no title has: a line break or tab, a link's or a template's brackets, a tag, or a fragment (MediaWiki, MediaWikiTitleCodec). */
export const impossible = /[\n\r\t]|\[\[|\]\]|\{\{|\}\}|<[^<>]*>|.#/

/** Finds titles that no page has. */
export const findImpossible = ({ pair, target }: NamedPair): Found[] => {
  const name = target?.parameter.name ?? pair.name.toLowerCase()
  const takesTitles = target ? target.parameter.type === 'title' || titleNames.test(name) : name === 'titles'
  if (!takesTitles || pair.isOpen || pair.isMalformed || !impossible.test(pair.value)) return []
  return [{ rule: 'impossible-title', name: pair.name, pair, ...(target && { module: target.module, target }) }]
}

const titleNames = /^(?:titles?|categories|templates|images)$/

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
  'unread-page-set': {
    message: ({ name, pair }, examined) => {
      const [own] = pair ? ownNames(pair, examined) : []
      const modules = list([...new Set(examined.chosen.map(({ module }) => module.name))])
      return `${short(name)} has no effect on ${modules}${own === undefined ? ', and nothing else looks at its pages' : `: write ${own}`}.`
    },
    fixes: ({ pair }, examined) => {
      const wires = pair ? ownNames(pair, examined) : []
      const values = pair ? partsOf(pair, examined).map(({ text }) => text) : []
      const [first] = wires
      if (!pair || first === undefined) return [remove(pair?.name ?? '')]
      if (values.length < 2)
        return likeliest(
          wires.map(wire => rename(pair.name, wire)),
          wires.length === 1,
        )
      return values.slice(0, 2).map(value => {
        const { edits, label } = replace(first, value)
        return losing(asChoice({ label, edits: [...rename(pair.name, first).edits, ...edits] }))
      })
    },
  },
  'page-set-conflict': {
    message: ({ names = [] }) =>
      `${list(names.map(short))} each say which pages are meant, and one alone may: keep one.`,
    fixes: ({ names = [] }) => names.map(name => keep(name, names)),
  },
} as const satisfies Record<string, RuleText>
