// Finds modules by people's words: those with the most, and rarest, typed words first.
import people from '../../../words/people.json' with { type: 'json' }
import type { Purposes } from '../purposes.ts'
import type { Entry } from './entries.ts'
import { compareMistyped, type Match, rank } from './rank.ts'

/** Words without meaning for the search, except in phrases. */
const stopWords = new Set(
  'a about all an and any are as at be been by can did do does every find for from get give given has have how i in into is it its list lists many me my of on one or s say says show some tell tells that the their them there these this to was we were what when where which who whose why with you'.split(
    ' ',
  ),
)

/** The common part of words: `pages` and `page`, `edited` and `edit`, `deleted` and `deletion`. */
const stem = (word: string): string =>
  word.length < 4 || word.endsWith('ss')
    ? word
    : word.replace(/(?:ings?|ions?|ies|ed|es|e|s|y)$/, '').replace(/([bdgmnprt])\1$/, '$1')

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []

/** Synonyms: stems by stem. */
const same = new Map(
  people.same.flatMap(line => {
    const stems = line.split(' ').map(stem)
    return stems.map(each => [each, stems] as const)
  }),
)

/** One stem for all synonyms. */
const rootOfStem = (stem: string): string => same.get(stem)?.[0] ?? stem
const rootOf = (word: string): string => rootOfStem(stem(word))
const rootsOf = (text: string): string[] => wordsOf(text).map(rootOf)

/** A phrase, and its words. */
type Phrase = { text: string; roots: readonly string[] }

/** A module's texts, from its name outwards. */
type Known = { entry: Entry; phrases: readonly Phrase[]; said: ReadonlySet<string>; within: ReadonlySet<string> }

type WordIndex = { known: readonly Known[]; vocabulary: ReadonlySet<string> }

const phrasesByName: Record<string, string> = { ...people.extensions, ...people.modules }

const families = people.parameters.flatMap(({ names, words }) =>
  names.split(' ').map(name => [name, wordsOf(words)] as const),
)

export function indexWords(entries: readonly Entry[], purposes: Purposes): WordIndex {
  const within = new Map<string, Set<string>>()
  for (const { kind, lower, places } of entries) {
    if (kind !== 'parameter' && kind !== 'value') continue
    const words = [lower, ...families.flatMap(([name, words]) => (kind === 'parameter' && name === lower ? words : []))]
    for (const { module } of places) {
      if (!module) continue
      const known = within.get(module.name) ?? new Set()
      within.set(module.name, known)
      for (const word of words) known.add(rootOf(word))
    }
  }
  const known = entries.flatMap((entry): Known[] => {
    if (!isModule(entry)) return []
    const phrases = (phrasesByName[entry.text] ?? '').split(', ').map(text => ({ text, roots: rootsOf(text) }))
    const said = [...phrases.flatMap(({ roots }) => roots), ...rootsOf(purposes.get(entry.text) ?? '')]
    return [{ entry, phrases, said: new Set(said), within: within.get(entry.text) ?? new Set() }]
  })
  return { known, vocabulary: new Set([...known.flatMap(({ said }) => [...said]), ...same.keys()]) }
}

const isModule = ({ kind }: Entry): boolean => kind === 'module' || kind === 'module of an extension'

/** Nobody types more to find one module; a pasted text has thousands. */
const mostWords = 12

/** Names that begin with the typed text, then modules by people's words, then other matches. */
export function searchFor(typed: string, entries: readonly Entry[], index: WordIndex): Match[] {
  const matches = rank(typed, entries)
  const words = wordsOf(typed).slice(0, mostWords)
  const meant = rankByWords(words, index)
  const isNamed = ({ way, entry }: Match) =>
    isModule(entry) ? way === 'exact' || way === 'prefix' : way === 'exact' && isName.has(entry.kind)
  const isSingle = words.length === 1
  // A single word is often a value or a parameter, which come before modules with the word in a phrase.
  const parts = isSingle
    ? [
        matches.filter(isNamed),
        meant.filter(({ strength }) => strength === strengths.name),
        matches.filter(({ way }) => way === 'exact' || way === 'prefix'),
        meant.filter(({ strength }) => strength === strengths.said),
      ]
    : [matches.filter(isNamed), meant]
  const seen = new Set<Entry>()
  return [...parts.flat(), ...matches].filter(({ entry }) => !seen.has(entry) && seen.add(entry))
}

/** Kinds of names that only experts type. */
const isName: ReadonlySet<string> = new Set(['prefix', 'wire name', 'query name'])

/** The weight of a word in a module's name or synonyms, in its description, or in its content. */
const strengths = { name: 3, said: 2, within: 1, none: 0 } as const

/** The minimum share of the best score; modules below it were found by a common word. */
const leastShare = 0.4

type Meant = Match & { score: number; strength: number }

function rankByWords(words: readonly string[], { known, vocabulary }: WordIndex): Meant[] {
  const typed = words.map(word => resolve(rootOf(word), vocabulary))
  const wanted = [...new Set(typed.filter((_, at) => !stopWords.has(words[at] ?? '')))]
  const weights = new Map(typed.map(root => [root, weigh(root, known)]))
  const weightOf = (root: string) => (wanted.includes(root) ? (weights.get(root) ?? 0) : 0)
  const found = known.flatMap((each): Meant[] => {
    const strength = wanted.map(root => strengthOf(root, each))
    const phrase = best(
      each.phrases.filter(({ roots }) => roots.length > 1 && stand(roots, typed)),
      weightOf,
    )
    const score =
      wanted.reduce((sum, root, at) => sum + weightOf(root) * (strength[at] ?? 0), 0) +
      (phrase ? phrase.roots.length + 2 * sum(phrase, weightOf) : 0)
    const { entry } = each
    const match = { way: 'words', text: entry.text, marks: [], entry, ...(phrase && { said: phrase.text }) } as const
    return score > 0 ? [{ ...match, score, strength: Math.max(...strength, strengths.none) }] : []
  })
  const most = Math.max(...found.map(({ score }) => score))
  return found
    .filter(({ score }) => score >= leastShare * most)
    .sort((a, b) => b.score - a.score || a.entry.text.length - b.entry.text.length)
}

const sum = ({ roots }: Phrase, weightOf: (root: string) => number): number =>
  roots.reduce((sum, root) => sum + weightOf(root), 0)

const best = (phrases: readonly Phrase[], weightOf: (root: string) => number): Phrase | undefined =>
  phrases.toSorted((a, b) => sum(b, weightOf) - sum(a, weightOf) || b.roots.length - a.roots.length)[0]

/** Whether the typed words contain a phrase, in order; other words may be in between. */
function stand(phrase: readonly string[], typed: readonly string[]): boolean {
  let at = 0
  for (const root of typed) if (root === phrase[at]) at++
  return at === phrase.length
}

/** Rare words weigh more than common ones (inverse document frequency). */
function weigh(root: string, known: readonly Known[]): number {
  const strong = known.filter(each => strengthOf(root, each) >= strengths.said).length
  const all = strong || known.filter(each => strengthOf(root, each) > strengths.none).length
  return all === 0 ? 0 : Math.log(1 + known.length / all)
}

function strengthOf(root: string, { entry: { kind, lower }, phrases, said, within }: Known): number {
  const isInName = kind === 'module' && (same.get(root) ?? [root]).some(each => each.length > 2 && lower.includes(each))
  if (isInName || phrases.some(({ roots }) => roots.length === 1 && roots[0] === root)) return strengths.name
  return said.has(root) ? strengths.said : within.has(root) ? strengths.within : strengths.none
}

/** Shorter stems are too short for prefixes and typing errors. */
const shortest = { begun: 4, mistyped: 5 }

/** An unknown word becomes the known one that it begins, or that it misspells. */
function resolve(root: string, vocabulary: ReadonlySet<string>): string {
  const { length } = root
  if (length < shortest.begun || vocabulary.has(root)) return root
  const all = [...vocabulary]
  const isMeant = (each: string) => length >= shortest.mistyped && compareMistyped(root, each) !== null
  return rootOfStem(all.find(each => each.startsWith(root)) ?? all.find(isMeant) ?? root)
}
