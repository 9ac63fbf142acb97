// Finds what has names by people's words: what has the most, and rarest, typed words first.

import { compareMistyped } from './rank.ts'

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

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []

/** The roots of words: one stem for all synonyms, which are given by lines. */
export function openRoots(synonyms: readonly string[]) {
  const same = new Map(
    synonyms.flatMap(line => {
      const stems = line.split(' ').map(stem)
      return stems.map(each => [each, stems] as const)
    }),
  )
  const rootOfStem = (stem: string): string => same.get(stem)?.[0] ?? stem
  const rootsOf = (text: string): string[] => wordsOf(text).map(word => rootOfStem(stem(word)))
  /** Phrases that commas separate. */
  const phrasesOf = (text: string): Phrase[] => text.split(', ').map(text => ({ text, roots: rootsOf(text) }))
  return { same, rootOfStem, rootsOf, phrasesOf }
}

/** A phrase, and its words. */
type Phrase = { text: string; roots: readonly string[] }

/** The texts of something, from its names outwards. */
export type Known<Of> = {
  of: Of
  /** In lower case. */
  names: string
  phrases: readonly Phrase[]
  said: ReadonlySet<string>
  within: ReadonlySet<string>
}

export type WordIndex<Of> = {
  known: readonly Known<Of>[]
  vocabulary: ReadonlySet<string>
  roots: ReturnType<typeof openRoots>
}

export const indexKnown = <Of>(known: readonly Known<Of>[], roots: WordIndex<Of>['roots']): WordIndex<Of> => ({
  known,
  vocabulary: new Set([...known.flatMap(({ said }) => [...said]), ...roots.same.keys()]),
  roots,
})

/** The weight of a word in a name or phrase, in a description, or in the content. */
export const strengths = { name: 3, said: 2, within: 1, none: 0 } as const

/** The minimum share of the best score; what is below it was found by a common word. */
const leastShare = 0.4

/** What was found. `said`: the phrase that found it. */
export type Meant<Of> = { of: Of; said?: string; score: number; strength: number }

export function rankByWords<Of extends { text: string }>(words: readonly string[], index: WordIndex<Of>): Meant<Of>[] {
  const { known, roots } = index
  const typed = words.flatMap(roots.rootsOf).map(root => resolve(root, index))
  const wanted = [...new Set(typed.filter((_, at) => !stopWords.has(words[at] ?? '')))]
  const weights = new Map(typed.map(root => [root, weigh(root, index)]))
  const weightOf = (root: string) => (wanted.includes(root) ? (weights.get(root) ?? 0) : 0)
  const found = known.flatMap((each): Meant<Of>[] => {
    const strength = wanted.map(root => strengthOf(root, each, roots))
    const phrase = best(
      each.phrases.filter(({ roots }) => roots.length > 1 && stand(roots, typed)),
      weightOf,
    )
    const score =
      wanted.reduce((sum, root, at) => sum + weightOf(root) * (strength[at] ?? 0), 0) +
      (phrase ? phrase.roots.length + 2 * sum(phrase, weightOf) : 0)
    const said = phrase && { said: phrase.text }
    return score > 0 ? [{ of: each.of, ...said, score, strength: Math.max(...strength, strengths.none) }] : []
  })
  const most = Math.max(...found.map(({ score }) => score))
  return found
    .filter(({ score }) => score >= leastShare * most)
    .sort((a, b) => b.score - a.score || a.of.text.length - b.of.text.length)
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
function weigh<Of>(root: string, { known, roots }: WordIndex<Of>): number {
  const strong = known.filter(each => strengthOf(root, each, roots) >= strengths.said).length
  const all = strong || known.filter(each => strengthOf(root, each, roots) > strengths.none).length
  return all === 0 ? 0 : Math.log(1 + known.length / all)
}

function strengthOf<Of>(root: string, { names, phrases, said, within }: Known<Of>, { same }: WordIndex<Of>['roots']) {
  const isInName = (same.get(root) ?? [root]).some(each => each.length > 2 && names.includes(each))
  if (isInName || phrases.some(({ roots }) => roots.length === 1 && roots[0] === root)) return strengths.name
  return said.has(root) ? strengths.said : within.has(root) ? strengths.within : strengths.none
}

/** Shorter stems are too short for prefixes and typing errors. */
const shortest = { begun: 4, mistyped: 5 }

/** An unknown word becomes the known one that it begins, or that it misspells. */
function resolve<Of>(root: string, { vocabulary, roots }: WordIndex<Of>): string {
  const { length } = root
  if (length < shortest.begun || vocabulary.has(root)) return root
  const all = [...vocabulary]
  const isMeant = (each: string) => length >= shortest.mistyped && compareMistyped(root, each) !== null
  return roots.rootOfStem(all.find(each => each.startsWith(root)) ?? all.find(isMeant) ?? root)
}
